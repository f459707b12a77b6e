// Scanning of text, many bytes at a time: Swift's SIMD has no way from a comparison to a mask of bits.
#pragma once

#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// How many bytes from `text` on stand for themselves in a JSON string (RFC 8259, section 7): up to the first quotation
// mark, backslash or control character. There must be one, with fifteen bytes behind it that may be read.
static inline size_t scan_plain_string(const uint8_t *text)
{
    size_t index = 0;
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), last_control = _mm_set1_epi8(0x1F);
    for (;; index += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(text + index));
        // There is no unsigned comparison: a byte is a control where the smaller of it and 0x1F is itself.
        __m128i is_control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
        __m128i is_special = _mm_or_si128(
            is_control, _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
        unsigned mask = (unsigned)_mm_movemask_epi8(is_special);
        if (mask != 0) return index + (size_t)__builtin_ctz(mask);
    }
#else
    while (text[index] >= 0x20 && text[index] != '"' && text[index] != '\\') index++;
    return index;
#endif
}
