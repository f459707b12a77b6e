// Search in the text of many books. The text of a book is a sequence of lines: the title, the authors, then lines that
// begin with a byte below 0x20 for their kind, and finally thirteen digits or nothing.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A text to search for. It may contain a line feed only at its end.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    // A bit mask of the kinds of lines to search: the first bytes of lines, and the three kinds below.
    uint32_t kinds;
    // Whether only matches at the beginning of a line count.
    bool begins_line;
} text_needle;

enum {
    TEXT_TITLE = 1 << 0,
    TEXT_AUTHOR = 1 << 1,
    TEXT_ISBN = 1 << 2,
};

// The rank of a book without a match.
enum { TEXT_NO_MATCH = 0xFF };

// Returns whether the non-ASCII character at `place` is not a letter. All non-ASCII characters count as letters except
// the punctuation of Latin-1, General Punctuation and CJK punctuation (U+0080 to 00BF, U+2000 to 206F, U+3000 to 303F).
static inline bool text_is_punctuation(const uint8_t *text, size_t length, size_t place)
{
    switch (text[place]) {
    case 0xC2: return length - place >= 2;
    case 0xE2:
        return length - place >= 3 && (text[place + 1] == 0x80 || (text[place + 1] == 0x81 && text[place + 2] < 0xB0));
    case 0xE3: return length - place >= 3 && text[place + 1] == 0x80;
    default: return false;
    }
}

// Returns whether a word may begin at `place`, since the character before it is neither a letter nor a digit.
static inline bool text_is_word_start(const uint8_t *text, size_t place)
{
    if (place == 0) return true;
    uint8_t byte = text[place - 1];
    if (byte < 0x80) return !((uint8_t)(byte - 'a') < 26 || (uint8_t)(byte - '0') < 10);
    return (place >= 3 && text_is_punctuation(text, place, place - 3))
        || (place >= 2 && text_is_punctuation(text, place, place - 2));
}

// Returns the offset of the first match of `needle` from `from` on, or `length` if there is none. Reads only the text.
size_t text_find(const uint8_t *text, size_t length, size_t from, const uint8_t *needle, size_t count);

// Returns the rank of the best match in a book's text, 0 being the best: at the beginning of a word 0 in the title, 1
// in an author and 2 elsewhere; within a word 3 more. TEXT_NO_MATCH if there is none. `readable` bytes from `text` on
// may be read.
uint8_t text_rank(const uint8_t *text, size_t length, size_t readable, text_needle needle);

// Computes the ranks of `count` books whose texts end at `ends`, within `length` bytes of text. Returns the number of
// books that match. If the ends do not ascend, or change meanwhile, the ranks are wrong, but nothing else is read.
size_t text_rank_books(
    const uint8_t *text, size_t length, const uint32_t *ends, size_t count, text_needle needle, uint8_t *ranks);

// text_find() and text_rank() as they run without AVX2.
size_t text_find_plain(const uint8_t *text, size_t length, size_t from, const uint8_t *needle, size_t count);
uint8_t text_rank_plain(const uint8_t *text, size_t length, text_needle needle);
