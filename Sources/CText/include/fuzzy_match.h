// Fuzzy matching: whether the characters of a text that was typed occur in a name in the same order, and how well.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    // The maximum number of bytes of a term, and of a name; what is beyond is not looked at.
    FUZZY_TERM_LENGTH = 64,
    FUZZY_NAME_LENGTH = 256,
    // The score of a name that does not match.
    FUZZY_NO_MATCH = -1,
};

// Returns the score of the best match of `term` in `name`, both normalized and in UTF-8, or FUZZY_NO_MATCH. Characters at
// the beginnings of words and runs of characters score higher, and gaps between them lower; the length of the name does
// not count.
int32_t fuzzy_score(const uint8_t *name, size_t length, const uint8_t *term, size_t count);

// Also writes the offsets of the matching bytes to `places`, one for each byte of the term.
int32_t fuzzy_places(const uint8_t *name, size_t length, const uint8_t *term, size_t count, uint16_t *places);
