// System calls for the connector program: giving up rights and running other programs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Forbids the calling thread, and the threads and processes that it starts from now on, to change files outside of
// `directory`, apart from /dev/null. Returns false if the kernel has no Landlock or refuses.
bool cs_confine_writes(const char *directory);

// Limits the memory of this process, and of each process that it starts from now on, to `bytes` for good. A sanitizer
// reserves more than any limit; with one there is none.
void cs_limit_memory(uint64_t bytes);

// Starts the program `arguments[0]`, found in PATH, with the file `input` as its input. Stores its process ID and the
// descriptors from which its output and its errors can be read. Returns 0 or the error number.
int cs_start_piped(char *const arguments[], int input, pid_t *child, int *output, int *errors);
