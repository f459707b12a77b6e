// The normalization of single characters for comparison; FoldTable.py contains the rules.
#pragma once

#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

extern const uint16_t fold_table_stage1[];
extern const uint16_t fold_table_stage2[];
extern const uint32_t fold_table_outputs[];

// Returns the normalized form of `scalar` and its length, which is 0 for a removed character; NULL if the form is
// `scalar` itself or if the table leaves the character to the caller. O(1).
static inline const uint32_t *fold_table_lookup(uint32_t scalar, uint32_t *count)
{
    if (scalar >= 0x30000) return 0;
    uint16_t place = fold_table_stage2[fold_table_stage1[scalar >> 7] << 7 | (scalar & 127)];
    if (place == 0) return 0;
    *count = fold_table_outputs[place];
    return fold_table_outputs + place + 1;
}

// The number of bytes beyond its result that fold_plain_ascii() may overwrite.
enum { FOLD_SLACK = 16 };

// Copies printable ASCII in lower case, up to any other byte or the second of two blanks; the text must not begin with
// a blank. `readable` bytes from `text` on may be read: with sixteen beyond its end no byte is processed individually.
// Returns the number of bytes copied.
static inline size_t fold_plain_ascii(const uint8_t *text, size_t length, size_t readable, uint8_t *output)
{
    size_t index = 0;
    unsigned was_blank = 0;
#ifdef __SSE2__
    for (; index + 16 <= readable; index += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(text + index));
        __m128i is_upper = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('A' - 1)),
                                         _mm_cmpgt_epi8(_mm_set1_epi8('Z' + 1), bytes));
        _mm_storeu_si128((__m128i *)(output + index),
                         _mm_or_si128(bytes, _mm_and_si128(is_upper, _mm_set1_epi8(0x20))));
        // Bytes from 0x80 on are negative.
        unsigned plain = (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(bytes, _mm_set1_epi8(0x1F)));
        unsigned blank = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x20)));
        unsigned stop = (~plain & 0xFFFF) | (blank & (blank << 1 | was_blank));
        if (length - index < 16) stop |= 1u << (length - index);
        if (stop != 0) return index + (size_t)__builtin_ctz(stop);
        was_blank = blank >> 15;
    }
#endif
    for (; index < length; index++) {
        uint8_t byte = text[index];
        if (byte < 0x20 || byte >= 0x80 || (byte == 0x20 && was_blank)) break;
        was_blank = byte == 0x20;
        output[index] = (uint8_t)(byte - 'A') < 26 ? byte | 0x20 : byte;
    }
    return index;
}
