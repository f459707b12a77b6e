// System calls and C library functions that Swift's Glibc module lacks, and code that must be C.
#pragma once

#include "Confinement.h"
#include "CrashGuard.h"
#include "MappedMemory.h"
#include "SHA256.h"

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

// wcwidth() is declared only with _XOPEN_SOURCE, which the importer does not define.
int wcwidth(wchar_t character);

// Returns the width of a character in columns: 0 for combining marks, 2 for wide characters, -1 for characters that
// cannot be shown (POSIX wcwidth()).
static inline int cs_columns(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

// Returns the number of equal bytes at the beginning of two blocks of memory.
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

// Returns the number of equal bytes at the end of two blocks of memory, which must not be entirely equal.
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

// Selects the user's locale for characters, or C.UTF-8 if that is not UTF-8, since ncurses and wcwidth() support only
// ASCII otherwise. Returns false if C.UTF-8 does not exist either.
bool cs_use_utf8_locale(void);

// Creates a memory file; returns -1 on failure, also if the file size is limited (ulimit -f), since the limit applies
// to memory files too and writes beyond it would be lost. memfd_create() is declared only with _GNU_SOURCE, which the
// importer does not define.
int cs_memory_file(const char *name);

// Excludes the memory of this process, which has passwords, from core dumps, and keeps other processes of the user from
// reading it; see PR_SET_DUMPABLE in prctl(2), which is variadic and therefore not imported. Programs that this process
// starts are as usual.
void cs_protect_memory(void);

// Makes the calling thread yield to threads that wake up; see sched(7). SCHED_BATCH is declared only with _GNU_SOURCE.
void cs_schedule_as_batch(void);

// Limits malloc() to two arenas for all threads: free memory of one arena is useless to the others, and with the
// default number of arenas a long session needs a third more memory than a short one.
void cs_share_memory(void);

// Returns free memory to the system in whole pages.
void cs_return_memory(void);

// Starts `program`, found in PATH, with one argument in a new session and without a terminal: its input is empty, and
// its output is discarded. Stores the child's process ID, which the caller must wait for. Returns 0 or the error
// number. It is written in C because Swift 6 does not allow access to `environ`, and the Glibc module lacks
// POSIX_SPAWN_SETSID.
int cs_start_apart(const char *program, const char *argument, pid_t *child);

// Starts the program at `path` with pipes to its standard input and output, whose ends for this process are stored in
// `input` and `output`. It runs in a session of its own, without a terminal and without an argument; its messages are
// discarded. Stores the child's process ID, which is that of its process group, too, and which the caller must wait for.
// Returns 0 or the error number.
int cs_start_between_pipes(const char *path, int *input, int *output, pid_t *child);

// Reads `count` bytes at `offset` if they are in memory, without waiting for a disk or a server. Returns their number,
// which is less than `count` only at the end of the file; -1 if they are not, or if the file system cannot tell.
int64_t cs_read_at_hand(int descriptor, void *buffer, size_t count, int64_t offset);

// Creates an unnamed file in `directory`, which is deleted when it is closed; returns -1 on failure.
int cs_open_temporary(const char *directory);

// Returns whether the process ignores a signal; the handler is in a union, which the importer does not support.
bool cs_is_ignored(int signal_number);

// Makes `descriptor` refer to the file of `source`, atomically and with close-on-exec; returns -1 on failure. dup3() is
// declared only with _GNU_SOURCE.
int cs_redirect(int descriptor, int source);

// Appends `count` bytes of the file `from`, from `offset` on, to the file `to`, inside the kernel if the file system
// supports it. Returns 0 or the error number; ESTALE if `from` has fewer bytes.
int cs_copy_bytes(int from, int64_t offset, int64_t count, int to);

// Gives the file `to` the owner, the mode and the extended attributes of the file `from`. Returns 0 or the error
// number.
int cs_copy_attributes(int from, int to);

// Renames a file without replacing another one, as rename() would; returns -1 with EEXIST if the new name exists.
int cs_rename_to_new(const char *from, const char *to);

// Waits for a condition that uses the monotonic clock, until this clock shows `milliseconds`. Returns the result of
// pthread_cond_timedwait().
int cs_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t milliseconds);

// Initializes a condition that uses the monotonic clock, since the system time can be changed.
void cs_make_condition(pthread_cond_t *condition);

// Returns the time of the monotonic clock in milliseconds.
int64_t cs_now(void);
