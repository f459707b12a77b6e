#include "Elements.h"

#include "Processor.h"

#include <stdbool.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

typedef struct {
    uint64_t quotes, backslashes, opening, closing;
} element_masks;

// Square and curly brackets differ in only one bit.
enum { BRACKET_BIT = 0x20 };

static inline element_masks element_masks_of(const uint8_t *block)
{
    element_masks masks = {0, 0, 0, 0};
#ifdef __SSE2__
    for (int part = 0; part < 4; part++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(block + 16 * part));
        __m128i joined = _mm_or_si128(bytes, _mm_set1_epi8(BRACKET_BIT));
        int shift = 16 * part;
        masks.quotes |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'))) << shift;
        masks.backslashes |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))) << shift;
        masks.opening |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(joined, _mm_set1_epi8('{'))) << shift;
        masks.closing |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(joined, _mm_set1_epi8('}'))) << shift;
    }
#else
    for (int index = 0; index < 64; index++) {
        uint8_t byte = block[index];
        masks.quotes |= (uint64_t)(byte == '"') << index;
        masks.backslashes |= (uint64_t)(byte == '\\') << index;
        masks.opening |= (uint64_t)((byte | BRACKET_BIT) == '{') << index;
        masks.closing |= (uint64_t)((byte | BRACKET_BIT) == '}') << index;
    }
#endif
    return masks;
}

// Computes the prefix XOR: each bit becomes the parity of the bits up to it, which is set from an opening quote up to
// before the closing one.
static inline uint64_t parities_of(uint64_t quotes)
{
    for (int shift = 1; shift < 64; shift *= 2) quotes ^= quotes << shift;
    return quotes;
}

// Returns the bytes that a preceding backslash escapes.
static inline uint64_t element_escapes(element_scan *scan, uint64_t backslashes)
{
    uint64_t escapes = scan->escaped;
    scan->escaped = 0;
    backslashes &= ~escapes;
    // Backslashes are rare enough for a loop.
    while (backslashes != 0) {
        int index = __builtin_ctzll(backslashes);
        if (index == 63) {
            scan->escaped = 1;
            break;
        }
        uint64_t next = (uint64_t)2 << index;
        escapes |= next;
        backslashes &= ~next & (backslashes - 1);
    }
    return escapes;
}

// Processes the brackets of a block outside strings. Returns false at the end of the array.
static inline bool element_scan_brackets(element_scan *scan, size_t offset, uint64_t opening, uint64_t closing,
                                         uint64_t *starts, size_t limit)
{
    // The addition carries from each opening bracket to the next bracket: if that is a closing one, the pair does not
    // change the depth around it. Most blocks lie within an element, whatever the order of the remaining brackets.
    uint64_t pair_ends = ((opening << 1) + ~(opening | closing)) & closing;
    if (scan->depth > __builtin_popcountll(closing & ~pair_ends)) {
        scan->depth += __builtin_popcountll(opening) - __builtin_popcountll(closing);
        return true;
    }
    for (uint64_t brackets = opening | closing; brackets != 0; brackets &= brackets - 1) {
        int index = __builtin_ctzll(brackets);
        if (opening >> index & 1) {
            if (scan->depth++ == 0) {
                if (starts != NULL && scan->count < limit) starts[scan->count] = offset + (size_t)index;
                scan->count++;
            }
        } else if (--scan->depth == 0) {
            scan->last_end = offset + (size_t)index + 1;
        } else if (scan->depth < 0) {
            return false;
        }
    }
    return true;
}

void element_scan_run_anywhere(element_scan *shared, const uint8_t *text, size_t length, uint64_t *starts,
                               size_t limit)
{
    element_scan scan = *shared;
    for (size_t offset = 0; offset < length; offset += 64) {
        element_masks masks = element_masks_of(text + offset);
        uint64_t inside = scan.in_string ^ parities_of(masks.quotes & ~element_escapes(&scan, masks.backslashes));
        scan.in_string = (uint64_t)((int64_t)inside >> 63);
        if (!element_scan_brackets(&scan, offset, masks.opening & ~inside, masks.closing & ~inside, starts, limit)) break;
    }
    *shared = scan;
}

#ifdef __SSE2__
#define WITH_AVX2 __attribute__((target("avx2,pclmul,popcnt,bmi")))

WITH_AVX2 static inline uint64_t bits_equal(__m256i low, __m256i high, char byte)
{
    __m256i wanted = _mm256_set1_epi8(byte);
    uint32_t low_bits = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
    uint32_t high_bits = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));
    return low_bits | (uint64_t)high_bits << 32;
}

// Does the same with AVX2, for processors since 2013.
WITH_AVX2 static void element_scan_run_avx2(element_scan *shared, const uint8_t *text, size_t length, uint64_t *starts,
                                            size_t limit)
{
    element_scan scan = *shared;
    const __m256i bracket_bit = _mm256_set1_epi8(BRACKET_BIT);
    for (size_t offset = 0; offset < length; offset += 64) {
        __m256i low = _mm256_loadu_si256((const __m256i *)(text + offset));
        __m256i high = _mm256_loadu_si256((const __m256i *)(text + offset + 32));
        uint64_t quotes = bits_equal(low, high, '"') & ~element_escapes(&scan, bits_equal(low, high, '\\'));
        // A carry-less product with all bits set is the prefix XOR.
        __m128i parities = _mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)quotes), _mm_set1_epi8(-1), 0);
        uint64_t inside = scan.in_string ^ (uint64_t)_mm_cvtsi128_si64(parities);
        scan.in_string = (uint64_t)((int64_t)inside >> 63);
        low = _mm256_or_si256(low, bracket_bit);
        high = _mm256_or_si256(high, bracket_bit);
        uint64_t opening = bits_equal(low, high, '{') & ~inside, closing = bits_equal(low, high, '}') & ~inside;
        if (!element_scan_brackets(&scan, offset, opening, closing, starts, limit)) break;
    }
    *shared = scan;
}
#endif

void element_scan_run(element_scan *scan, const uint8_t *text, size_t length, uint64_t *starts, size_t limit)
{
#ifdef __SSE2__
    if (HAS_AVX2 && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("bmi")) {
        element_scan_run_avx2(scan, text, length, starts, limit);
        return;
    }
#endif
    element_scan_run_anywhere(scan, text, length, starts, limit);
}
