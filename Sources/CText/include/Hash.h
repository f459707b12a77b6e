// XXH3 (xxhash.h, BSD licence), entirely inlined, so that no library is linked.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns XXH3_64bits() of xxHash 0.8 or later without a seed: the same on every machine. Linear; takes nanoseconds for
// a title.
uint64_t cs_hash(const void *bytes, size_t count);

// Prefetches the memory at an address; Swift has no builtin for this.
static inline void cs_prefetch(const void *address) { __builtin_prefetch(address, 1); }
