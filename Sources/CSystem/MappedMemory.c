#define _GNU_SOURCE
#include "MappedMemory.h"

#include "CrashGuard.h"

#include <linux/magic.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/vfs.h>

// Fixed, because a signal handler cannot wait for a lock. Without a free place a file is not mapped.
enum { mapping_count = 64 };

typedef struct {
    // 0 if the place is free.
    _Atomic uintptr_t start;
    _Atomic size_t size;
    atomic_bool is_damaged;
} mapping;

static mapping mappings[mapping_count];
static pthread_mutex_t places = PTHREAD_MUTEX_INITIALIZER;

static bool is_remote(const struct statfs *status)
{
    switch ((uint32_t)status->f_type) {
    case FUSE_SUPER_MAGIC:
    case NFS_SUPER_MAGIC:
    case SMB_SUPER_MAGIC:
    case CIFS_SUPER_MAGIC:
    case SMB2_SUPER_MAGIC:
    case V9FS_MAGIC:
    case AFS_SUPER_MAGIC:
    case AFS_FS_MAGIC:
    case CEPH_SUPER_MAGIC:
    case CODA_SUPER_MAGIC: return true;
    default: return false;
    }
}

bool cs_is_remote(const char *path)
{
    struct statfs status;
    return statfs(path, &status) == 0 && is_remote(&status);
}

// Reads all pages, so that no thread has to wait for one later.
static void load(const char *start, size_t size)
{
    if (madvise((void *)start, size, MADV_POPULATE_READ) == 0) return;
    // Kernels before 5.14 do not know this advice.
    for (size_t offset = 0; offset < size; offset += 4096) (void)*(const volatile char *)(start + offset);
}

int cs_map_file(int descriptor, size_t size, const void **memory)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, crash_guard_handle_bus_errors);
    void *start = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (start == MAP_FAILED) return -1;
    int number = 0;
    pthread_mutex_lock(&places);
    while (number < mapping_count && mappings[number].start != 0) number++;
    if (number < mapping_count) {
        mappings[number].is_damaged = false;
        mappings[number].size = size;
        mappings[number].start = (uintptr_t)start;
    }
    pthread_mutex_unlock(&places);
    if (number == mapping_count) {
        munmap(start, size);
        return -1;
    }
    struct statfs status;
    if (fstatfs(descriptor, &status) == 0 && is_remote(&status)) load(start, size);
    *memory = start;
    return number;
}

bool cs_is_mapping_damaged(int number) { return mappings[number].is_damaged; }

void cs_unmap_file(int number)
{
    void *start = (void *)mappings[number].start;
    size_t size = mappings[number].size;
    // The address must not be in use for another mapping while the place still has it.
    mappings[number].start = 0;
    munmap(start, size);
}

bool cs_repair_mapping(const void *address)
{
    for (int number = 0; number < mapping_count; number++) {
        uintptr_t start = mappings[number].start;
        if (start == 0 || (uintptr_t)address - start >= mappings[number].size) continue;
        // All of it, so that the parts of an index that are read together agree.
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
        if (mmap((void *)start, mappings[number].size, PROT_READ, flags, -1, 0) == MAP_FAILED) return false;
        mappings[number].is_damaged = true;
        return true;
    }
    return false;
}
