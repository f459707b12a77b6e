// What stands in sort keys; CollationTable.py says by which rules.
//
// Keys are compared byte by byte. A letter of the Latin alphabet is one byte, those between two of them two, those of
// other scripts two; so no key of a letter is the beginning of another's.
#pragma once

#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    // Stands between the parts of a name: "Le, Van" is before "Le Guin, Ursula".
    COLLATION_SEPARATOR = 0x01,
    COLLATION_BLANK = 0x02,
    // Those of C# and C++.
    COLLATION_NUMBER_SIGN = 0x03,
    COLLATION_PLUS = 0x04,
    // Plus how many digits a number has, as far as that is below the next; then the digits.
    COLLATION_NUMBER = 0x05,
    // A number of many digits: how many in four bytes, then the digits.
    COLLATION_LONG_NUMBER = 0x1E,
    // A text of symbols alone: its own bytes follow.
    COLLATION_SYMBOLS = 0x1F,
    // Plus twice the place in the alphabet; one more where a letter stands behind it, and its place there follows.
    COLLATION_LATIN = 0x20,
    // Plus the high byte of the letter's rank behind the Latin ones; the low one follows.
    COLLATION_OTHER = 0x54,
    // A Han character in the Basic Multilingual Plane, two bytes, and one in another, three.
    COLLATION_HAN = 0xF0,
    COLLATION_RARE_HAN = 0xF1,
    // Any other letter, three bytes.
    COLLATION_RARE = 0xF8,

    // What is in the table instead of a part of a key. Plus the value of a digit:
    COLLATION_DIGIT = 0x05,
    // The mark by which kana are prolonged.
    COLLATION_PROLONGED = 0x10,
    // A mark for the letter before.
    COLLATION_REPEATED = 0x11,
};

extern const uint16_t collation_stage1[];
extern const uint16_t collation_stage2[];
extern const uint8_t collation_outputs[];
extern const uint32_t collation_letters[];
extern const uint32_t collation_letter_count;

// The bytes that `scalar` stands for, and how many they are (0 where it is passed over); NULL where it is not in the
// table. Constant time.
static inline const uint8_t *collation_table_lookup(uint32_t scalar, size_t *count)
{
    if (scalar >= 0x30000) return 0;
    uint16_t place = collation_stage2[collation_stage1[scalar >> 7] << 7 | (scalar & 127)];
    if (place == 0) return 0;
    *count = collation_outputs[place];
    return collation_outputs + place + 1;
}

// The letter of a rank behind the Latin ones, in its usual form; 0 where there is none.
static inline uint32_t collation_letter(uint32_t rank)
{
    return rank < collation_letter_count ? collation_letters[rank] : 0;
}

// Writes what the letters a to z and the blanks between them stand for, up to anything else, to `output`, which has room
// for `length` bytes. Returns how many bytes that were.
static inline size_t collate_plain_ascii(const uint8_t *text, size_t length, uint8_t *output)
{
    size_t index = 0;
#ifdef __SSE2__
    while (length >= 16 && index < length) {
        // The last sixteen bytes once more: what is written again is the same.
        if (index + 16 > length) index = length - 16;
        __m128i bytes = _mm_loadu_si128((const __m128i *)(text + index));
        __m128i is_letter = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('a' - 1)),
                                          _mm_cmpgt_epi8(_mm_set1_epi8('z' + 1), bytes));
        __m128i is_blank = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '));
        // Twice the letter's place in the alphabet.
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
