// What each character that may be typed behind a text would find, of all of them at once: the ranks that the books would
// have, three bits for each book and character.
#pragma once

#include "TextSearch.h"

enum {
    // a to z and 0 to 9.
    FORECAST_CHARACTERS = 36,
    // The ranks from 0 on; see text_rank().
    FORECAST_RANKS = 6,
    // For how many books there are bits in a word, and how many words all characters have for them.
    FORECAST_BOOKS = 64,
    FORECAST_WORDS = 3 * FORECAST_CHARACTERS,
};

// The number of a character that is forecast; FORECAST_CHARACTERS of one that is not.
unsigned forecast_number(uint8_t character);

// How many words a forecast for `count` books has.
static inline size_t forecast_size(size_t count) { return (count + FORECAST_BOOKS - 1) / FORECAST_BOOKS * FORECAST_WORDS; }

// Finds the ranks that `count` books, the texts of which end at `ends`, would have if a character more were typed behind
// `beginning`, which may be empty and is not looked for at the beginning of lines only. Linear in the text.
void forecast_make(const uint8_t *text, const uint32_t *ends, size_t count, text_needle beginning, uint64_t *forecast);

// The same as forecast_make() on processors without AVX2.
void forecast_make_plain(
    const uint8_t *text, const uint32_t *ends, size_t count, text_needle beginning, uint64_t *forecast);

// How many of `count` books have each rank if the character of this number is typed. Returns how many have any.
size_t forecast_count(const uint64_t *forecast, size_t count, unsigned number, size_t counts[FORECAST_RANKS]);

// Writes which books these are, ascending, those of each rank from where `books` points for it; the first book is `first`.
void forecast_list(
    const uint64_t *forecast, size_t count, unsigned number, uint32_t first, uint32_t *books[FORECAST_RANKS]);
