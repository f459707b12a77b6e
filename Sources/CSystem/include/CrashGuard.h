// Gives the terminal back when the program dies of a trap or a fault. C, because a handler may only make
// async-signal-safe calls, and nothing of Swift's runtime is known to be that.
#pragma once

#include <stddef.h>
#include <termios.h>

// Catches SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS and SIGFPE on a stack of their own, so that an overflow of the
// main stack is caught too. Returns 0, or -1 with errno set.
int crash_guard_install(void);

// From now on a crash writes `sequence` (at most 1,024 bytes, the rest is dropped) to `terminal`, gives it `modes`
// back, and copies what `captured` holds to `messages`; then the signal takes its course.
void crash_guard_arm(int terminal, const char *sequence, size_t length, const struct termios *modes, int captured,
                     int messages);

// From now on a crash only takes its course: the terminal is as it was found.
void crash_guard_disarm(void);
