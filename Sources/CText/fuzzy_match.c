#include "fuzzy_match.h"

#include <stdbool.h>
#include <string.h>

#include "TextSearch.h"

// The best alignment as in the fzy program: one matrix for matches that end at a byte of the name, and one for matches
// that end there or before it.
enum {
    MATCH = 4,
    // Of a character at the beginning of the name, of a word, or directly after the previous character.
    NAME_START = 26,
    WORD_START = 20,
    RUN = 24,
    // Of each byte between two matching characters.
    GAP = -1,
    IMPOSSIBLE = -30000,
    // No real score is lower.
    LOWEST = -15000,
};

static inline bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Finds the first place at which each byte of the term can match from the left. Returns whether all of it matches.
static bool first_places(
    const uint8_t *name, size_t length, const uint8_t *term, size_t count, uint16_t *places)
{
    size_t place = 0;
    for (size_t index = 0; index < count;) {
        size_t width = 1;
        while (index + width < count && is_continuation(term[index + width])) width++;
        while (true) {
            const uint8_t *found = place < length ? memchr(name + place, term[index], length - place) : NULL;
            if (!found) return false;
            place = (size_t)(found - name);
            if (width == 1 || (length - place >= width && memcmp(found + 1, term + index + 1, width - 1) == 0)) break;
            place++;
        }
        for (size_t byte = 0; byte < width; byte++) places[index + byte] = (uint16_t)(place + byte);
        place += width;
        index += width;
    }
    return true;
}

// Finds the last place at which each byte of the term can match, which is known to match.
static void last_places(const uint8_t *name, size_t length, const uint8_t *term, size_t count, uint16_t *places)
{
    size_t end = length;
    for (size_t index = count; index > 0;) {
        size_t width = 1;
        while (width < index && is_continuation(term[index - width])) width++;
        size_t start = index - width, place = end - width;
        while (place > 0 && memcmp(name + place, term + start, width) != 0) place--;
        for (size_t byte = 0; byte < width; byte++) places[start + byte] = (uint16_t)(place + byte);
        end = place;
        index = start;
    }
}

static inline int score_at(const uint8_t *name, size_t place)
{
    return MATCH + (place == 0 ? NAME_START : text_is_word_start(name, place) ? WORD_START : 0);
}

int32_t fuzzy_places(const uint8_t *name, size_t length, const uint8_t *term, size_t count, uint16_t *places)
{
    if (count == 0 || count > FUZZY_TERM_LENGTH) return FUZZY_NO_MATCH;
    if (length > FUZZY_NAME_LENGTH) length = FUZZY_NAME_LENGTH;
    uint16_t first[FUZZY_TERM_LENGTH], last[FUZZY_TERM_LENGTH];
    if (length < count || !first_places(name, length, term, count, first)) return FUZZY_NO_MATCH;
    last_places(name, length, term, count, last);
    // Only the rows for `places` are kept; otherwise two rows of each matrix alternate.
    static _Thread_local int16_t ends[FUZZY_TERM_LENGTH][FUZZY_NAME_LENGTH], bests[FUZZY_TERM_LENGTH][FUZZY_NAME_LENGTH];
    for (size_t index = 0; index < count; index++) {
        const size_t row = places ? index : index & 1, above = places ? index - 1 : (index - 1) & 1;
        int best = IMPOSSIBLE;
        for (size_t place = first[index]; place <= last[index]; place++) {
            int end = IMPOSSIBLE;
            if (name[place] == term[index]) {
                if (index == 0) {
                    end = score_at(name, place);
                } else if (place > 0 && place - 1 >= first[index - 1]) {
                    // Before the last place of the previous byte, the rows above have values for each place.
                    const bool is_known = place - 1 <= last[index - 1];
                    const int run = is_known ? ends[above][place - 1] : IMPOSSIBLE;
                    if (is_continuation(term[index])) {
                        end = run;
                    } else {
                        const size_t previous = is_known ? place - 1 : last[index - 1];
                        int after_gap = bests[above][previous] + GAP * (int)(place - 1 - previous);
                        const int here = score_at(name, place);
                        end = after_gap + here;
                        if (run + MATCH + RUN > end) end = run + MATCH + RUN;
                        if (run + here > end) end = run + here;
                    }
                }
                if (end < IMPOSSIBLE) end = IMPOSSIBLE;
            }
            best += GAP;
            if (best < IMPOSSIBLE) best = IMPOSSIBLE;
            if (end > best) best = end;
            ends[row][place] = (int16_t)end;
            bests[row][place] = (int16_t)best;
        }
    }
    const size_t row = places ? count - 1 : (count - 1) & 1;
    int32_t score = IMPOSSIBLE;
    size_t place = last[count - 1];
    for (size_t other = first[count - 1]; other <= last[count - 1]; other++) {
        if (ends[row][other] > score) {
            score = ends[row][other];
            place = other;
        }
    }
    if (score < 0) score = 0;
    if (!places) return score;
    for (size_t index = count; index-- > 0;) {
        places[index] = (uint16_t)place;
        if (index == 0) break;
        // The previous byte is directly before this one, if that gives the same score; otherwise at its best place.
        const size_t before = place - 1;
        const bool is_known = before >= first[index - 1] && before <= last[index - 1];
        const int run = is_known ? ends[index - 1][before] : IMPOSSIBLE;
        const int here = score_at(name, place);
        if (is_continuation(term[index])
            || (run > LOWEST && (ends[index][place] == run + MATCH + RUN || ends[index][place] == run + here))) {
            place = before;
            continue;
        }
        size_t end = before < last[index - 1] ? before : last[index - 1];
        int best = IMPOSSIBLE;
        for (size_t other = first[index - 1]; other <= end; other++) {
            const int value = ends[index - 1][other] + GAP * (int)(end - other);
            if (ends[index - 1][other] > LOWEST && value >= best) {
                best = value;
                place = other;
            }
        }
    }
    return score;
}

int32_t fuzzy_score(const uint8_t *name, size_t length, const uint8_t *term, size_t count)
{
    return fuzzy_places(name, length, term, count, NULL);
}
