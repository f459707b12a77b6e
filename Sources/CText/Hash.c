#define XXH_INLINE_ALL
#include <xxhash.h>

#include "Hash.h"

uint64_t cs_hash(const void *bytes, size_t count) { return XXH3_64bits(bytes, count); }
