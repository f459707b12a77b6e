#define _GNU_SOURCE
#include "CSystem.h"
#include "SpawnAttributes.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

int cs_memory_file(const char *name)
{
    // Larger than a frame of any terminal.
    const rlim_t room = 64 << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < room) {
        errno = EFBIG;
        return -1;
    }
    return memfd_create(name, MFD_CLOEXEC);
}

bool cs_use_utf8_locale(void)
{
    // Select the locale under a lock, and only once: a thread that queries a character width meanwhile would get that
    // of another encoding.
    static pthread_mutex_t choice = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&choice);
    bool is_chosen = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (!is_chosen) {
        is_chosen = (setlocale(LC_CTYPE, "") && strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
                    || setlocale(LC_CTYPE, "C.UTF-8");
    }
    pthread_mutex_unlock(&choice);
    return is_chosen;
}

void cs_schedule_as_batch(void)
{
    const struct sched_param none = {0};
    // The policy applies to the calling thread only.
    sched_setscheduler(0, SCHED_BATCH, &none);
}

void cs_protect_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void cs_share_memory(void) { mallopt(M_ARENA_MAX, 2); }

void cs_return_memory(void) { malloc_trim(0); }

int cs_redirect(int descriptor, int source) { return dup3(source, descriptor, O_CLOEXEC); }

int64_t cs_read_at_hand(int descriptor, void *buffer, size_t count, int64_t offset)
{
    size_t known = 0;
    while (known < count) {
        struct iovec rest = {(char *)buffer + known, count - known};
        ssize_t result = preadv2(descriptor, &rest, 1, offset + (int64_t)known, RWF_NOWAIT);
        if (result < 0 && errno == EINTR) continue;
        if (result < 0) return -1;
        if (result == 0) break;
        known += (size_t)result;
    }
    return (int64_t)known;
}

int cs_open_temporary(const char *directory)
{
    int descriptor = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0 || errno == EACCES || errno == ENOSPC || errno == EROFS) return descriptor;
    // Some file systems do not support unnamed files: create a named one and unlink it at once.
    char path[4096];
    if (snprintf(path, sizeof path, "%s/stacks-XXXXXX", directory) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0) unlink(path);
    return descriptor;
}

bool cs_is_ignored(int signal_number)
{
    struct sigaction action;
    return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int cs_copy_bytes(int from, int64_t offset, int64_t count, int to)
{
    static const size_t size = 1 << 20;
    char *buffer = NULL;
    int code = 0;
    while (count > 0 && code == 0) {
        // Within one file system the bytes need not pass through this process, and may even be shared.
        loff_t start = offset;
        ssize_t done = buffer ? -1 : copy_file_range(from, &start, to, NULL, (size_t)count, 0);
        if (done < 0 && !buffer) {
            if (errno == EINTR) continue;
            if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO) return errno;
            buffer = malloc(size);
            if (!buffer) return ENOMEM;
        }
        if (buffer) {
            done = pread(from, buffer, (size_t)count < size ? (size_t)count : size, offset);
            if (done < 0 && errno == EINTR) continue;
            if (done < 0) code = errno;
            for (ssize_t written = 0; code == 0 && written < done;) {
                ssize_t part = write(to, buffer + written, (size_t)(done - written));
                if (part >= 0) written += part;
                else if (errno != EINTR) code = errno;
            }
        }
        // The file has become shorter.
        if (code == 0 && done == 0) code = ESTALE;
        if (code == 0) {
            offset += done;
            count -= done;
        }
    }
    free(buffer);
    return code;
}

int cs_copy_attributes(int from, int to)
{
    struct stat old, new;
    if (fstat(from, &old) != 0 || fstat(to, &new) != 0) return errno;
    if ((old.st_uid != new.st_uid || old.st_gid != new.st_gid) && fchown(to, old.st_uid, old.st_gid) != 0) return errno;
    if (fchmod(to, old.st_mode & 07777) != 0) return errno;
    char names[65536], value[65536];
    ssize_t length = flistxattr(from, names, sizeof names);
    if (length < 0) return errno == ENOTSUP ? 0 : errno;
    for (char *name = names; name < names + length; name += strlen(name) + 1) {
        ssize_t size = fgetxattr(from, name, value, sizeof value);
        if (size < 0) return errno;
        // The system sets security labels itself.
        if (fsetxattr(to, name, value, (size_t)size, 0) != 0 && strncmp(name, "security.", 9) != 0) return errno;
    }
    return 0;
}

int cs_rename_to_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL) return -1;
    // Some file systems do not support this flag.
    if (access(to, F_OK) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

int cs_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    return pthread_cond_timedwait(condition, mutex, &time);
}

void cs_make_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

int64_t cs_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int cs_start_between_pipes(const char *path, int *input, int *output, pid_t *child)
{
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0) return errno;
    if (pipe2(from, O_CLOEXEC) != 0) {
        int code = errno;
        close(to[0]);
        close(to[1]);
        return code;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    // Control-C in the terminal is for stacks, which ends the child then. Without a controlling terminal, the child can
    // type nothing into it either (TIOCSTI).
    initialize_spawn_attributes(&attributes, POSIX_SPAWN_SETSID);
    char *arguments[] = {(char *)path, NULL};
    int code = posix_spawn(child, path, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    if (code != 0) {
        close(to[1]);
        close(from[0]);
        return code;
    }
    *input = to[1];
    *output = from[0];
    return 0;
}

int cs_start_apart(const char *program, const char *argument, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    initialize_spawn_attributes(&attributes, POSIX_SPAWN_SETSID);
    char *arguments[] = {(char *)program, (char *)argument, NULL};
    int code = posix_spawnp(child, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}
