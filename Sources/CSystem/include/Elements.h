// Finding where the elements of a JSON array begin and end, sixty-four bytes at a time, without checking the grammar.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// How far a text was scanned, and what was found.
typedef struct {
    // How many brackets are open; at 0 the text stands between the elements of the array.
    int64_t depth;
    // All bits set where the text stands within a string.
    uint64_t in_string;
    // 1 where the next byte is escaped.
    uint64_t escaped;
    // The offset behind the last element that is an object or array; 0 where none has ended.
    size_t last_end;
    // How many objects and arrays began.
    size_t count;
    // Whether the array itself has ended: nothing behind that was looked at.
    bool has_ended;
} element_scan;

typedef struct {
    uint64_t quotes, backslashes, opening, closing;
} element_masks;

static inline element_masks element_masks_of(const uint8_t *block)
{
    element_masks masks = {0, 0, 0, 0};
#ifdef __SSE2__
    for (int part = 0; part < 4; part++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(block + 16 * part));
        // Square and curly brackets differ in one bit, 0x20, alone.
        __m128i joined = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
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
        masks.opening |= (uint64_t)((byte | 0x20) == '{') << index;
        masks.closing |= (uint64_t)((byte | 0x20) == '}') << index;
    }
#endif
    return masks;
}

// The bytes that a backslash before them escapes.
static inline uint64_t element_escapes(element_scan *scan, uint64_t backslashes)
{
    if (backslashes == 0) {
        uint64_t escapes = scan->escaped;
        scan->escaped = 0;
        return escapes;
    }
    uint64_t escapes = 0, is_escaped = scan->escaped;
    // Backslashes are rare enough to take them one by one.
    if (is_escaped) escapes = 1;
    backslashes &= ~escapes;
    is_escaped = 0;
    while (backslashes != 0) {
        int index = __builtin_ctzll(backslashes);
        if (index == 63) {
            is_escaped = 1;
            break;
        }
        uint64_t next = (uint64_t)2 << index;
        escapes |= next;
        backslashes &= ~next & (backslashes - 1);
    }
    scan->escaped = is_escaped;
    return escapes;
}

// Scans `length` bytes at `text`, which 63 more that may be read follow. Where `starts` is not NULL it gets the offset
// of each object and array that is an element, at most `limit` of them.
static inline void element_scan_run(element_scan *scan, const uint8_t *text, size_t length, uint64_t *starts,
                                    size_t limit)
{
    int64_t depth = scan->depth;
    for (size_t offset = 0; offset < length; offset += 64) {
        element_masks masks = element_masks_of(text + offset);
        uint64_t inside = masks.quotes & ~element_escapes(scan, masks.backslashes);
        // Each bit becomes the parity of the quotes up to it: set from an opening quote to before the closing one.
        for (int shift = 1; shift < 64; shift *= 2) inside ^= inside << shift;
        inside ^= scan->in_string;
        scan->in_string = (uint64_t)((int64_t)inside >> 63);
        uint64_t brackets = (masks.opening | masks.closing) & ~inside;
        if (length - offset < 64) brackets &= ((uint64_t)1 << (length - offset)) - 1;
        while (brackets != 0) {
            int index = __builtin_ctzll(brackets);
            brackets &= brackets - 1;
            if (masks.opening >> index & 1) {
                if (depth++ == 0) {
                    if (starts != NULL && scan->count < limit) starts[scan->count] = offset + (size_t)index;
                    scan->count++;
                }
            } else if (--depth == 0) {
                scan->last_end = offset + (size_t)index + 1;
            } else if (depth < 0) {
                scan->has_ended = true;
                scan->depth = depth;
                return;
            }
        }
    }
    scan->depth = depth;
}
