// Restores the terminal if the program crashes. It is written in C because a signal handler may only call
// async-signal-safe functions, and no part of the Swift runtime is known to be safe.
#pragma once

#include <stddef.h>
#include <termios.h>

// Handles SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS and SIGFPE on a separate stack, so that stack overflows are handled
// too. Returns 0, or -1 with errno set.
int crash_guard_install(void);

// Handles SIGBUS only: reading a mapped file that was truncated (cs_map_file) does not end the process then. Installing
// the guard includes this.
void crash_guard_handle_bus_errors(void);

// After this call a crash writes `sequence` (at most 1,024 bytes, the rest is dropped) to `terminal`, restores `modes`
// and copies the content of `captured` to `messages`; then the default action of the signal follows.
void crash_guard_arm(int terminal, const char *sequence, size_t length, const struct termios *modes, int captured,
                     int messages);

// After this call a crash leaves the terminal alone.
void crash_guard_disarm(void);
