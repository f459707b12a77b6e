#include "near_words.h"

#include <stdlib.h>
#include <string.h>

#include "TextSearch.h"

typedef struct {
    near_word word;
    uint32_t hash;
    // The last book that contains it.
    uint32_t book;
} entry;

struct near_words {
    uint32_t letters[NEAR_WORDS_LENGTH];
    size_t count;
    uint64_t mask;
    uint32_t kinds, distance;
    // The number of the last book added.
    uint32_t book;
    // The terms found, and a hash table of their indices plus one.
    entry *entries;
    size_t entry_count, entry_capacity;
    uint32_t *slots;
    size_t slot_count;
};

static inline uint64_t mask_of(uint32_t letter) { return (uint64_t)1 << (letter & 63); }

// Returns the non-ASCII character at `place` and its length in bytes. Invalid UTF-8 gives an arbitrary character, but
// nothing beyond `length` is read.
static inline uint32_t decode(const uint8_t *text, size_t length, size_t place, size_t *width)
{
    uint8_t first = text[place];
    size_t count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (count > length - place) count = length - place;
    uint32_t letter = first;
    for (size_t index = 1; index < count; index++) letter = letter << 6 | (text[place + index] & 0x3F);
    *width = count;
    return letter;
}

// Reads the word at `place` into `letters`, which has capacity for the longest term plus three letters; further letters
// are skipped. Returns the end of the word.
static inline size_t read_word(
    const uint8_t *text, size_t length, size_t place, uint32_t *letters, size_t *count, uint64_t *mask)
{
    size_t number = 0;
    uint64_t bits = 0;
    while (place < length) {
        uint32_t letter = text[place];
        size_t width = 1;
        if (letter < 0x80) {
            if (!((uint8_t)(letter - 'a') < 26 || (uint8_t)(letter - '0') < 10)) break;
        } else {
            if (text_is_punctuation(text, length, place)) break;
            letter = decode(text, length, place, &width);
        }
        if (number < NEAR_WORDS_LENGTH + 3) letters[number++] = letter;
        bits |= mask_of(letter);
        place += width;
    }
    *count = number;
    *mask = bits;
    return place;
}

near_words *near_words_create(const uint8_t *word, size_t count, uint32_t kinds, uint32_t distance)
{
    uint32_t letters[NEAR_WORDS_LENGTH + 3];
    size_t letter_count;
    uint64_t mask;
    if (read_word(word, count, 0, letters, &letter_count, &mask) < count || letter_count == 0
        || letter_count > NEAR_WORDS_LENGTH || distance > 2)
        return NULL;
    near_words *words = calloc(1, sizeof *words);
    if (!words) return NULL;
    memcpy(words->letters, letters, letter_count * sizeof *letters);
    words->count = letter_count;
    words->mask = mask;
    words->kinds = kinds;
    words->distance = distance;
    words->slot_count = 256;
    words->entry_capacity = 64;
    words->slots = calloc(words->slot_count, sizeof *words->slots);
    words->entries = malloc(words->entry_capacity * sizeof *words->entries);
    if (!words->slots || !words->entries) {
        near_words_destroy(words);
        return NULL;
    }
    return words;
}

void near_words_destroy(near_words *words)
{
    if (!words) return;
    free(words->slots);
    free(words->entries);
    free(words);
}

// Returns the edit distance to the wanted term, or more than the maximum distance if it is greater. Only the cells of
// the matrix within the maximum distance of the diagonal are computed.
static uint32_t distance_of(const near_words *words, const uint32_t *letters, size_t count)
{
    enum { width = NEAR_WORDS_LENGTH + 4 };
    const uint32_t limit = words->distance, far = limit + 1;
    uint8_t rows[3][width];
    uint8_t *before = rows[0], *last = rows[1], *row = rows[2];
    const size_t length = words->count;
    uint8_t least_before = 0;
    for (size_t column = 0; column <= length; column++) last[column] = (uint8_t)(column < far ? column : far);
    for (size_t index = 1; index <= count; index++) {
        size_t from = index > limit ? index - limit : 1, to = index + limit < length ? index + limit : length;
        row[from - 1] = (uint8_t)(from == 1 && index < far ? index : far);
        uint8_t least = row[from - 1];
        for (size_t column = from; column <= to; column++) {
            uint32_t best = last[column - 1] + (letters[index - 1] != words->letters[column - 1]);
            // Cells outside of the band are beyond the maximum distance.
            if (column < index + limit && (uint32_t)last[column] + 1 < best) best = last[column] + 1u;
            if ((uint32_t)row[column - 1] + 1 < best) best = row[column - 1] + 1u;
            if (index > 1 && column > 1 && letters[index - 1] == words->letters[column - 2]
                && letters[index - 2] == words->letters[column - 1] && (uint32_t)before[column - 2] + 1 < best)
                best = before[column - 2] + 1u;
            row[column] = (uint8_t)(best < far ? best : far);
            if (row[column] < least) least = row[column];
        }
        // A swap of two letters refers to the row before the last, so both rows must exceed the maximum.
        if (least >= far && least_before >= far) return far;
        least_before = least;
        uint8_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[length];
}

static bool grow_slots(near_words *words)
{
    size_t slot_count = words->slot_count * 2;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots) return false;
    for (size_t index = 0; index < words->entry_count; index++) {
        size_t slot = words->entries[index].hash & (slot_count - 1);
        while (slots[slot] != 0) slot = (slot + 1) & (slot_count - 1);
        slots[slot] = (uint32_t)index + 1;
    }
    free(words->slots);
    words->slots = slots;
    words->slot_count = slot_count;
    return true;
}

// Counts a word if its distance is small enough.
static void count_word(
    near_words *words, const uint8_t *bytes, size_t count, const uint32_t *letters, size_t letter_count)
{
    uint32_t distance = distance_of(words, letters, letter_count);
    if (distance > words->distance || distance == 0) return;
    uint32_t hash = 2166136261u;
    for (size_t index = 0; index < count; index++) hash = (hash ^ bytes[index]) * 16777619u;
    size_t slot = hash & (words->slot_count - 1);
    for (; words->slots[slot] != 0; slot = (slot + 1) & (words->slot_count - 1)) {
        entry *known = &words->entries[words->slots[slot] - 1];
        if (known->hash != hash || known->word.count != count || memcmp(known->word.bytes, bytes, count) != 0) continue;
        if (known->book != words->book) known->word.books++;
        known->book = words->book;
        return;
    }
    // If memory is short, the word is omitted.
    if (words->entry_count == words->entry_capacity) {
        entry *entries = realloc(words->entries, 2 * words->entry_capacity * sizeof *entries);
        if (!entries) return;
        words->entries = entries;
        words->entry_capacity *= 2;
    }
    words->entries[words->entry_count] = (entry){{bytes, count, distance, 1}, hash, words->book};
    words->entry_count++;
    words->slots[slot] = (uint32_t)words->entry_count;
    if (2 * words->entry_count > words->slot_count && !grow_slots(words)) {
        words->entry_count--;
        words->slots[slot] = 0;
    }
}

// Counts a word if its letters permit a small distance.
static inline void add_word(near_words *words, const uint8_t *bytes, size_t count, const uint32_t *letters,
                            size_t letter_count, uint64_t mask)
{
    // Each edit adds at most one new letter and removes at most one.
    if (letter_count + words->distance >= words->count && letter_count <= words->count + words->distance
        && (uint32_t)__builtin_popcountll(mask & ~words->mask) <= words->distance
        && (uint32_t)__builtin_popcountll(words->mask & ~mask) <= words->distance)
        count_word(words, bytes, count, letters, letter_count);
}

// Processes text that may be several words, since it may contain non-ASCII punctuation.
static void add_stretch(near_words *words, const uint8_t *text, size_t length)
{
    uint32_t letters[NEAR_WORDS_LENGTH + 3];
    size_t place = 0;
    while (place < length) {
        size_t count, start = place;
        uint64_t mask;
        place = read_word(text, length, place, letters, &count, &mask);
        if (count > 0) add_word(words, text + start, place - start, letters, count, mask);
        while (place < length && text[place] >= 0x80 && text_is_punctuation(text, length, place))
            place += text[place] == 0xC2 ? 2 : 3;
    }
}

// The bytes of words: letters, digits and everything outside ASCII.
static const bool is_in_word[256] = {['0' ... '9'] = true, ['a' ... 'z'] = true, [0x80 ... 0xFF] = true};

static void add_line(near_words *words, const uint8_t *text, size_t length)
{
    uint32_t letters[NEAR_WORDS_LENGTH + 3];
    size_t place = 0;
    while (true) {
        while (place < length && !is_in_word[text[place]]) place++;
        if (place == length) return;
        size_t start = place;
        uint8_t all = 0;
        while (place < length && is_in_word[text[place]]) all |= text[place++];
        size_t count = place - start;
        if (all >= 0x80) {
            add_stretch(words, text + start, count);
        } else if (count + words->distance >= words->count && count <= words->count + words->distance) {
            // Most words fail by their length alone.
            uint64_t mask = 0;
            for (size_t index = 0; index < count; index++) {
                letters[index] = text[start + index];
                mask |= mask_of(letters[index]);
            }
            add_word(words, text + start, count, letters, count, mask);
        }
    }
}

void near_words_add(near_words *words, const uint8_t *text, size_t length)
{
    words->book++;
    bool is_title = true;
    size_t place = 0;
    while (place < length) {
        const uint8_t *end = memchr(text + place, '\n', length - place);
        // The digits after the last line are not words.
        if (!end) return;
        const uint8_t *line = text + place;
        size_t count = (size_t)(end - line);
        place += count + 1;
        uint32_t kind = TEXT_AUTHOR;
        if (is_title) kind = TEXT_TITLE;
        else if (count > 0 && line[0] < 0x20) kind = (uint32_t)1 << line[0];
        is_title = false;
        if (words->kinds & kind) add_line(words, line, count);
    }
}

size_t near_words_count(const near_words *words) { return words->entry_count; }

near_word near_words_at(const near_words *words, size_t index) { return words->entries[index].word; }
