// System calls for the connector program: giving up rights and running other programs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Returns the version of Landlock's interface in the kernel; 0 without Landlock (landlock(7)).
int cs_landlock_version(void);

// Creates rules that forbid these accesses, as far as cs_landlock_allow does not allow them. Each argument is a set of
// bits of landlock_create_ruleset(2): accesses to files, uses of TCP, and scopes. Returns a descriptor; -1 on failure.
int cs_landlock_rules(uint64_t files, uint64_t network, uint64_t scopes);

// Allows the accesses `rights` to what is at `path` and below; those of `ofFiles` only if it is not a directory.
// Returns false if there is nothing.
bool cs_landlock_allow(int rules, const char *path, uint64_t rights, uint64_t ofFiles);

// Enforces the rules for good on the calling thread, and on the threads and processes that it starts from now on.
bool cs_landlock_enforce(int rules);

// Returns the path of the dynamic loader of this program; NULL for a static one.
const char *cs_loader(void);

// Limits the memory of this process, and of each process that it starts from now on, to `bytes` for good. A sanitizer
// reserves more than any limit; with one there is none.
void cs_limit_memory(uint64_t bytes);

// Limits the memory of this process that is no file, the stacks of its threads included, for good.
void cs_limit_data(uint64_t bytes);

// Starts the program `arguments[0]`, found in PATH, with the file `input` as its input. Stores its process ID and the
// descriptors from which its output and its errors can be read. Returns 0 or the error number.
int cs_start_piped(char *const arguments[], int input, pid_t *child, int *output, int *errors);
