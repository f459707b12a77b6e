// Scanning of many bytes of text at a time; Swift's SIMD types cannot turn a comparison into a bit mask.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Returns the number of bytes from `text` on that are plain characters of a JSON string (RFC 8259, section 7): up to
// the first quotation mark, backslash or control character. One must exist, and fifteen bytes after it must be
// readable.
static inline size_t scan_plain_string(const uint8_t *text)
{
    size_t index = 0;
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), last_control = _mm_set1_epi8(0x1F);
    for (;; index += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(text + index));
        // SSE2 has no unsigned comparison: a byte is a control character if its minimum with 0x1F is the byte itself.
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

#ifdef __SSE2__
// Does the same as scan_thirteen_digits_before() for the last thirteen of sixteen bytes.
static inline bool scan_last_thirteen_digits(__m128i bytes, uint64_t *number, unsigned *sum)
{
    __m128i digits = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    // SSE2 has no unsigned comparison: a byte is a digit if its minimum with 9 is the byte itself.
    unsigned are_digits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits));
    if ((are_digits & 0xFFF8) != 0xFFF8) return false;
    // Sixteen digits with three leading zeros can be added in pairs.
    digits = _mm_slli_si128(_mm_srli_si128(digits, 3), 3);
    __m128i first = _mm_unpacklo_epi8(digits, _mm_setzero_si128());
    __m128i last = _mm_unpackhi_epi8(digits, _mm_setzero_si128());
    const __m128i tens = _mm_set1_epi32(10 | 1 << 16), hundreds = _mm_set1_epi32(100 | 1 << 16);
    __m128i pairs = _mm_packs_epi32(_mm_madd_epi16(first, tens), _mm_madd_epi16(last, tens));
    uint32_t fours[4];
    _mm_storeu_si128((__m128i *)fours, _mm_madd_epi16(pairs, hundreds));
    *number = (fours[0] * 10000ull + fours[1]) * 100000000ull + fours[2] * 10000ull + fours[3];
    const __m128i weights = _mm_set1_epi32(3 | 1 << 16);
    __m128i sums = _mm_add_epi32(_mm_madd_epi16(first, weights), _mm_madd_epi16(last, weights));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4E));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0xB1));
    *sum = (unsigned)_mm_cvtsi128_si32(sums);
    return true;
}
#endif

// Returns whether thirteen decimal digits precede `end`, before which sixteen bytes must be readable. If so, `*number`
// is their value, and `*sum` the sum of the digits in which every other one, from the second on, counts three times
// (ISO 2108, check digit).
static inline bool scan_thirteen_digits_before(const uint8_t *end, uint64_t *number, unsigned *sum)
{
#ifdef __SSE2__
    return scan_last_thirteen_digits(_mm_loadu_si128((const __m128i *)(end - 16)), number, sum);
#else
    *number = 0;
    *sum = 0;
    for (int index = 0; index < 13; index++) {
        unsigned digit = (unsigned)end[index - 13] - '0';
        if (digit > 9) return false;
        *number = *number * 10 + digit;
        *sum += index % 2 == 0 ? digit : 3 * digit;
    }
    return true;
#endif
}

// Does the same for the thirteen digits at `text`, where sixteen bytes must be readable.
static inline bool scan_thirteen_digits(const uint8_t *text, uint64_t *number, unsigned *sum)
{
#ifdef __SSE2__
    return scan_last_thirteen_digits(_mm_slli_si128(_mm_loadu_si128((const __m128i *)text), 3), number, sum);
#else
    return scan_thirteen_digits_before(text + 13, number, sum);
#endif
}
