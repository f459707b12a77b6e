// Terms in the text of many books (see TextSearch.h) that are similar to a given term.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The state of a search and the terms found so far.
typedef struct near_words near_words;

// A term in UTF-8 that occurs in a text; its edit distance of at least one: the number of letters inserted, deleted,
// replaced or swapped with the next one (optimal string alignment); and the number of books that contain it.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    uint32_t distance;
    uint32_t books;
} near_word;

// The maximum number of letters of a term.
enum { NEAR_WORDS_LENGTH = 32 };

// Starts a search for terms within `distance`, at most 2, of `word`, which must be normalized, in lines of these kinds.
// Returns NULL if `word` is not a single word, is too long or not UTF-8, or if memory is short.
near_words *near_words_create(const uint8_t *word, size_t count, uint32_t kinds, uint32_t distance);
void near_words_destroy(near_words *words);

// Searches the text of a book, which must stay in memory at the same address.
void near_words_add(near_words *words, const uint8_t *text, size_t length);

// Access to the terms found, in arbitrary order.
size_t near_words_count(const near_words *words);
near_word near_words_at(const near_words *words, size_t index);
