// Search of the text of many books: lines one after another, of each book first its title, then those of its authors, then
// those that begin with a byte below 0x20, which says of what kind they are, and at last thirteen digits or nothing.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A text that is searched for. It has no line feed but at its end.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    // The kinds of line that count, as bits: those of the bytes that lines begin with, and the three below.
    uint32_t kinds;
    // Whether it must stand at the beginning of a line.
    bool begins_line;
} text_needle;

enum {
    TEXT_TITLE = 1 << 0,
    TEXT_AUTHOR = 1 << 1,
    TEXT_ISBN = 1 << 2,
};

// What text_rank() gives for a book that has no match.
enum { TEXT_NO_MATCH = 0xFF };

// Whether the character that begins at `place` and is not in ASCII is no letter. All are taken for letters but the
// punctuation of Latin-1, the general one and that of CJK (U+0080 to 00BF, U+2000 to 206F, U+3000 to 303F).
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

// Whether a word may begin at `place`: what is before it is neither a letter nor a digit.
static inline bool text_is_word_start(const uint8_t *text, size_t place)
{
    if (place == 0) return true;
    uint8_t byte = text[place - 1];
    if (byte < 0x80) return !((uint8_t)(byte - 'a') < 26 || (uint8_t)(byte - '0') < 10);
    return (place >= 3 && text_is_punctuation(text, place, place - 3))
        || (place >= 2 && text_is_punctuation(text, place, place - 2));
}

// Where `needle` first stands in `text` from `from` on; `length` where it does not. Nothing is read but the text.
size_t text_find(const uint8_t *text, size_t length, size_t from, const uint8_t *needle, size_t count);

// How good the best match in a book's text is, from 0: at the beginning of a word 0 in the title, 1 in an author, 2 in
// anything else; within a word 3 more. TEXT_NO_MATCH where there is none. `readable` bytes from `text` on may be read.
uint8_t text_rank(const uint8_t *text, size_t length, size_t readable, text_needle needle);

// Finds the ranks of `count` books, the texts of which end at `ends`. Returns how many match.
size_t text_rank_books(const uint8_t *text, const uint32_t *ends, size_t count, text_needle needle, uint8_t *ranks);

// text_find() and text_rank() as they are on processors without AVX2.
size_t text_find_plain(const uint8_t *text, size_t length, size_t from, const uint8_t *needle, size_t count);
uint8_t text_rank_plain(const uint8_t *text, size_t length, text_needle needle);
