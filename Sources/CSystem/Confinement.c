#define _GNU_SOURCE
#include "Confinement.h"
#include "SpawnAttributes.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int cs_landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : (int)version;
}

int cs_landlock_rules(uint64_t files, uint64_t network, uint64_t scopes)
{
    // Debian 12's header has the first member only. A kernel that does not know the others accepts zeros.
    struct {
        uint64_t files, network, scopes;
    } attributes = {files, network, scopes};
    return (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
}

bool cs_landlock_allow(int rules, const char *path, uint64_t rights, uint64_t ofFiles)
{
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return false;
    struct stat status;
    if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= ofFiles;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
    long result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(file);
    return result == 0;
}

bool cs_landlock_enforce(int rules)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}

static int find_loader(struct dl_phdr_info *object, size_t size, void *found)
{
    (void)size;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        if (object->dlpi_phdr[index].p_type != PT_INTERP) continue;
        *(const char **)found = (const char *)(object->dlpi_addr + object->dlpi_phdr[index].p_vaddr);
    }
    // The first object is the program.
    return 1;
}

const char *cs_loader(void)
{
    const char *found = NULL;
    dl_iterate_phdr(find_loader, &found);
    return found;
}

static void limit_memory(int kind, uint64_t bytes)
{
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
    struct rlimit limit;
    if (getrlimit(kind, &limit) != 0) return;
    if (limit.rlim_cur > bytes) limit.rlim_cur = bytes;
    if (limit.rlim_max > bytes) limit.rlim_max = bytes;
    setrlimit(kind, &limit);
#else
    (void)kind;
    (void)bytes;
#endif
}

void cs_limit_memory(uint64_t bytes) { limit_memory(RLIMIT_AS, bytes); }

void cs_limit_data(uint64_t bytes) { limit_memory(RLIMIT_DATA, bytes); }

int cs_start_piped(char *const arguments[], int input, pid_t *child, int *output, int *errors)
{
    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC) != 0) return errno;
    if (pipe2(err, O_CLOEXEC) != 0) {
        int code = errno;
        close(out[0]);
        close(out[1]);
        return code;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    posix_spawnattr_t attributes;
    initialize_spawn_attributes(&attributes, 0);
    int code = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(err[1]);
    if (code != 0) {
        close(out[0]);
        close(err[0]);
        return code;
    }
    *output = out[0];
    *errors = err[0];
    return 0;
}
