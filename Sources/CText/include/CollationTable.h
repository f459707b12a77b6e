// The bytes of sort keys; CollationTable.py contains the rules.
//
// Keys are compared byte by byte. A letter of the Latin alphabet takes one byte, a letter between two of them two, and
// a letter of another script two; so the key of a letter is never a prefix of another letter's key.
#pragma once

#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    // Separates the parts of a name, so that "Le, Van" comes before "Le Guin, Ursula".
    COLLATION_SEPARATOR = 0x01,
    COLLATION_BLANK = 0x02,
    // The signs of C# and C++.
    COLLATION_NUMBER_SIGN = 0x03,
    COLLATION_PLUS = 0x04,
    // Plus the number of digits, if the sum is below the next constant; the digits follow.
    COLLATION_NUMBER = 0x05,
    // A number with more digits: their number in four bytes, then the digits.
    COLLATION_LONG_NUMBER = 0x1E,
    // A text of symbols only; its own bytes follow.
    COLLATION_SYMBOLS = 0x1F,
    // Plus twice the index in the alphabet; plus 1 for a letter after that one, whose rank there follows.
    COLLATION_LATIN = 0x20,
    // Plus the high byte of the letter's rank after the Latin ones; the low byte follows.
    COLLATION_OTHER = 0x54,
    // A Han character in the Basic Multilingual Plane with two more bytes, or in another plane with three.
    COLLATION_HAN = 0xF0,
    COLLATION_RARE_HAN = 0xF1,
    // Any other letter, with three more bytes.
    COLLATION_RARE = 0xF8,

    // Values in the table that are not part of keys. Plus the value of a digit:
    COLLATION_DIGIT = 0x05,
    // The prolonged sound mark of kana.
    COLLATION_PROLONGED = 0x10,
    // An iteration mark, which repeats the previous letter.
    COLLATION_REPEATED = 0x11,
};

extern const uint16_t collation_stage1[];
extern const uint16_t collation_stage2[];
extern const uint8_t collation_outputs[];
extern const uint32_t collation_letters[];
extern const uint32_t collation_letter_count;

// Returns the key bytes of `scalar` and their number, which is 0 for an ignored character; NULL if the table does not
// contain it. O(1).
static inline const uint8_t *collation_table_lookup(uint32_t scalar, size_t *count)
{
    if (scalar >= 0x30000) return 0;
    uint16_t place = collation_stage2[collation_stage1[scalar >> 7] << 7 | (scalar & 127)];
    if (place == 0) return 0;
    *count = collation_outputs[place];
    return collation_outputs + place + 1;
}

// Returns the letter with a rank after the Latin ones in its usual form, or 0 for an invalid rank.
static inline uint32_t collation_letter(uint32_t rank)
{
    return rank < collation_letter_count ? collation_letters[rank] : 0;
}

// Writes the key bytes of the longest prefix of letters a to z and blanks to `output`, which has capacity for `length`
// bytes. Returns the length of the prefix.
static inline size_t collate_plain_ascii(const uint8_t *text, size_t length, uint8_t *output)
{
    size_t index = 0;
#ifdef __SSE2__
    while (length >= 16 && index < length) {
        // Process the last sixteen bytes again if they overlap: the same values are written.
        if (index + 16 > length) index = length - 16;
        __m128i bytes = _mm_loadu_si128((const __m128i *)(text + index));
        __m128i is_letter = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('a' - 1)),
                                          _mm_cmpgt_epi8(_mm_set1_epi8('z' + 1), bytes));
        __m128i is_blank = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '));
        // Twice the index in the alphabet.
        __m128i letters = _mm_sub_epi8(_mm_add_epi8(bytes, bytes), _mm_set1_epi8((char)(2 * 'a' - COLLATION_LATIN)));
        _mm_storeu_si128((__m128i *)(output + index),
                         _mm_or_si128(_mm_and_si128(is_letter, letters),
                                      _mm_and_si128(is_blank, _mm_set1_epi8(COLLATION_BLANK))));
        unsigned stop = ~(unsigned)_mm_movemask_epi8(_mm_or_si128(is_letter, is_blank)) & 0xFFFF;
        if (stop != 0) return index + (size_t)__builtin_ctz(stop);
        index += 16;
    }
#endif
    for (; index < length; index++) {
        uint8_t byte = text[index];
        if ((uint8_t)(byte - 'a') < 26) output[index] = (uint8_t)(COLLATION_LATIN + 2 * (byte - 'a'));
        else if (byte == ' ') output[index] = COLLATION_BLANK;
        else break;
    }
    return index;
}
