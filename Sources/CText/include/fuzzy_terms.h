// Words of the text of many books (see TextSearch.h) that are spelled nearly as a word that was looked for.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What was found so far.
typedef struct near_words near_words;

// A word, in UTF-8, that stands in a text; how many letters were put in, taken out, changed or exchanged with the one beside
// it (optimal string alignment), one at least; and how many books have it.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    uint32_t distance;
    uint32_t books;
} near_word;

// The number of letters that a word may have.
enum { NEAR_WORDS_LENGTH = 32 };

// Begins to look for words that are at most `distance` from `word`, which is folded, in lines of these kinds. NULL where it is
// no single word, has too many letters or is not UTF-8, or where there is no memory.
near_words *near_words_create(const uint8_t *word, size_t count, uint32_t kinds, uint32_t distance);
void near_words_destroy(near_words *words);

// Looks through the text of a book, which must stay where it is.
void near_words_add(near_words *words, const uint8_t *text, size_t length);

// The words that were found, in no order, and how many they are.
size_t near_words_count(const near_words *words);
near_word near_words_at(const near_words *words, size_t index);
