// What Swift's Glibc module lacks: system calls and C library functions, and C that has to be C.
#pragma once

#include "CrashGuard.h"

#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <wchar.h>

// wcwidth() is hidden behind _XOPEN_SOURCE, which the importer does not define.
int wcwidth(wchar_t character);

// Display columns of a character: 0 for marks, 2 for wide ones, -1 where it cannot be shown (POSIX wcwidth()).
static inline int cs_columns(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

// How many bytes at the beginning of two stretches of memory are the same.
static inline size_t cs_same_prefix(const void *one, const void *other, size_t count)
{
    const char *a = one, *b = other;
    if (memcmp(a, b, count) == 0) return count;
    size_t same = 0;
    for (uint64_t x, y; same + 8 <= count; same += 8) {
        memcpy(&x, a + same, 8);
        memcpy(&y, b + same, 8);
        if (x != y) break;
    }
    while (a[same] == b[same]) same++;
    return same;
}

// How many bytes at the end of two stretches of memory are the same, which are not the same all over.
static inline size_t cs_same_suffix(const void *one, const void *other, size_t count)
{
    const char *a = one, *b = other;
    size_t left = count;
    for (uint64_t x, y; left >= 8; left -= 8) {
        memcpy(&x, a + left - 8, 8);
        memcpy(&y, b + left - 8, 8);
        if (x != y) break;
    }
    while (left > 0 && a[left - 1] == b[left - 1]) left--;
    return count - left;
}

// Chooses the reader's locale for characters, and C.UTF-8 where that is not UTF-8, as ncurses and wcwidth() then know
// only ASCII. False where not even C.UTF-8 exists.
bool cs_use_utf8_locale(void);

// A file in memory, or -1: also where files may not be large (ulimit -f), as that holds for one in memory too, and what
// is written to it would be lost. memfd_create() is hidden behind _GNU_SOURCE, which the importer does not define.
int cs_memory_file(const char *name);

// Has the calling thread give way to threads that wake up; see sched(7). SCHED_BATCH is hidden behind _GNU_SOURCE.
void cs_schedule_as_batch(void);

// Has all threads take their memory from two places, and no new one for each thread: what is free in one is of no use to the
// others, and with as many places as glibc makes a long session needs a third more than a short one.
void cs_share_memory(void);

// Gives the memory that was freed back to the system, where it is whole pages.
void cs_return_memory(void);

// Starts `program`, found on the PATH, with one argument, in a session of its own and without any terminal: its input is
// empty and its output lost. Nobody waits for it. 0, or the error number. Written in C, as Swift 6 does not let anybody
// read `environ`, and Glibc's module lacks POSIX_SPAWN_SETSID.
int cs_start_apart(const char *program, const char *argument);

// A new file in `directory` that has no name and is gone when it is closed; -1 where it cannot be made.
int cs_open_temporary(const char *directory);

// Whether the process ignores a signal: the handler is in a union, which the importer does not read.
bool cs_is_ignored(int signal_number);

// dup3() is hidden likewise. Makes `descriptor` lead to where `source` does, atomically and closed on exec; -1 where it
// fails.
int cs_redirect(int descriptor, int source);

// Renames a file to a name that nothing has yet; -1 and EEXIST where something has, as rename() would replace it.
int cs_rename_to_new(const char *from, const char *to);

// Waits at a condition whose clock is the monotonic one, until it is so many milliseconds. Returns what
// pthread_cond_timedwait() does.
int cs_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t milliseconds);

// Makes a condition whose clock is the monotonic one: that on the wall may be set.
void cs_make_condition(pthread_cond_t *condition);

// The time of the monotonic clock in milliseconds.
int64_t cs_now(void);
