// The hash function SHA-256 (FIPS 180-4).
#pragma once

#include <stddef.h>
#include <stdint.h>

// Stores the SHA-256 of `count` bytes. Own code, since the static program contains no library for cryptography, and
// glibc offers the function only inside of crypt().
void cs_sha256(const void *bytes, size_t count, uint8_t digest[32]);
