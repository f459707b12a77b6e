// Mapped files that others may truncate. A page beyond the end of a truncated file raises SIGBUS when it is read; the
// signal handler must be C, since it may only call async-signal-safe functions.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Maps `size` bytes of a file for reading. If a page cannot be read later, all of the memory becomes zeros instead of
// ending the process. A file that a server or another program provides is read into memory. Stores the address; returns the number of the mapping, or -1 on failure.
int cs_map_file(int descriptor, size_t size, const void **memory);

// Returns whether a server or another program provides the file at `path`, so that reading it may take seconds.
bool cs_is_remote(const char *path);

// Returns whether the memory of a mapping has become zeros.
bool cs_is_mapping_damaged(int mapping);

// Ends a mapping; its memory must not be read any more.
void cs_unmap_file(int mapping);

// Replaces the memory of the mapping that contains `address` by zeros; returns false if there is none. For signal
// handlers.
bool cs_repair_mapping(const void *address);
