// XXH3 (xxhash.h, BSD licence), wholly inlined: nothing is linked.
#pragma once

#include <stddef.h>
#include <stdint.h>

// XXH3_64bits(), of xxHash 0.8 and later, without a seed: the same on every machine. Linear; some nanoseconds for a title.
uint64_t cs_hash(const void *bytes, size_t count);

// Has the processor fetch what is at an address while it goes on: Swift has no builtin for that.
static inline void cs_prefetch(const void *address) { __builtin_prefetch(address, 1); }
