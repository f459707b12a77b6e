#include "SearchForecast.h"

#include "Processor.h"

#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

unsigned forecast_number(uint8_t character)
{
    if ((uint8_t)(character - 'a') < 26) return character - 'a';
    if ((uint8_t)(character - '0') < 10) return 26 + character - '0';
    return FORECAST_CHARACTERS;
}

#define BIT(character, number) [character] = (uint64_t)1 << (number)
#define LETTERS(first, number) \
    BIT(first, number), BIT(first + 1, number + 1), BIT(first + 2, number + 2), BIT(first + 3, number + 3)

// The bit of each character that is forecast, by forecast_number(); none of the others.
static const uint64_t bits_of[256] = {
    LETTERS('a', 0), LETTERS('e', 4), LETTERS('i', 8), LETTERS('m', 12), LETTERS('q', 16), LETTERS('u', 20),
    BIT('y', 24), BIT('z', 25), LETTERS('0', 26), LETTERS('4', 30), BIT('8', 34), BIT('9', 35),
};

// MARK: - Making

// What stands behind matches in a book, as bits of characters, by where it is: in the title, an author, anything else.
typedef struct {
    // Behind those that begin a word, and behind any.
    uint64_t at_words[3], anywhere[3];
} following;

// Books that are gone through from the first on, up to 64 of them at a time.
typedef struct {
    const uint8_t *text;
    const uint32_t *ends;
    size_t count;
    text_needle beginning;
    uint64_t *forecast;
    // The book, where its text, its digits and the next book begin, and its line that was come to.
    size_t book, start, digits, end, line, line_end;
    // The zone of that line; 3 for none that counts.
    unsigned zone;
    following following;
    // The bits of the ranks of each of 64 books, one for each character.
    uint64_t ranks[3][FORECAST_BOOKS];
} maker;

static void begin_book(maker *maker)
{
    if (maker->book == maker->count) return;
    maker->start = maker->book == 0 ? 0 : maker->ends[maker->book - 1];
    maker->end = maker->ends[maker->book];
    size_t length = maker->end - maker->start;
    bool has_digits = length >= 13 && maker->text[maker->end - 1] != '\n';
    maker->digits = has_digits ? maker->end - 13 : maker->end;
    maker->line_end = maker->start;
    maker->following = (following){0};
}

// The zone of the line that begins at `line`.
static inline unsigned zone_of_line(const maker *maker, size_t line)
{
    uint8_t first = maker->text[line];
    unsigned zone = line == maker->start ? 0 : first < 0x20 && first != '\n' ? 2 : 1;
    uint32_t kind = zone == 0 ? TEXT_TITLE : zone == 1 ? TEXT_AUTHOR : (uint32_t)1 << first;
    return maker->beginning.kinds & kind ? zone : 3;
}

// Makes 64 numbers of 64 bits of which the first has the lowest bits of all, and so on: a matrix of bits is transposed.
static void transpose(uint64_t bits[64])
{
    uint64_t mask = 0x00000000FFFFFFFF;
    for (unsigned width = 32; width != 0; width >>= 1, mask ^= mask << width) {
        for (unsigned row = 0; row < 64; row = (row + width + 1) & ~width) {
            uint64_t change = (bits[row] >> width ^ bits[row + width]) & mask;
            bits[row] ^= change << width;
            bits[row + width] ^= change;
        }
    }
}

static void end_book(maker *maker)
{
    const following *following = &maker->following;
    // From the best on, each character has the first of these that there is.
    const uint64_t found[FORECAST_RANKS] = {
        following->at_words[0], following->at_words[1], following->at_words[2],
        following->anywhere[0], following->anywhere[1], following->anywhere[2],
    };
    uint64_t rest = ~(uint64_t)0, bits[3] = {0, 0, 0};
    for (unsigned rank = 0; rank < FORECAST_RANKS; rank++) {
        uint64_t these = found[rank] & rest;
        rest &= ~these;
        for (unsigned bit = 0; bit < 3; bit++) bits[bit] |= rank >> bit & 1 ? these : 0;
    }
    // What has none has all three bits.
    size_t place = maker->book % FORECAST_BOOKS;
    for (unsigned bit = 0; bit < 3; bit++) maker->ranks[bit][place] = bits[bit] | rest;
    maker->book++;
    if (maker->book % FORECAST_BOOKS != 0 && maker->book != maker->count) return;
    for (unsigned bit = 0; bit < 3; bit++) {
        for (place++; place < FORECAST_BOOKS; place++) maker->ranks[bit][place] = ~(uint64_t)0;
        place = (maker->book - 1) % FORECAST_BOOKS;
        transpose(maker->ranks[bit]);
    }
    for (unsigned number = 0; number < FORECAST_CHARACTERS; number++) {
        for (unsigned bit = 0; bit < 3; bit++) *maker->forecast++ = maker->ranks[bit][number];
    }
}

// Takes in a match, which is not before those that were taken in.
static inline void add_match(maker *maker, size_t place)
{
    while (place >= maker->end) {
        end_book(maker);
        begin_book(maker);
    }
    size_t next = place + maker->beginning.count;
    if (next >= maker->end) return;
    uint64_t bit = bits_of[maker->text[next]];
    if (bit == 0) return;
    following *following = &maker->following;
    if (place >= maker->digits) {
        // Only what all digits begin with begins a word.
        if (!(maker->beginning.kinds & TEXT_ISBN)) return;
        if (place == maker->digits) following->at_words[2] |= bit;
        following->anywhere[2] |= bit;
        return;
    }
    while (place >= maker->line_end) {
        maker->line = maker->line_end;
        const uint8_t *end = memchr(maker->text + maker->line, '\n', maker->digits - maker->line);
        maker->line_end = end ? (size_t)(end - maker->text) + 1 : maker->digits;
        maker->zone = zone_of_line(maker, maker->line);
    }
    if (maker->zone == 3) return;
    following->anywhere[maker->zone] |= bit;
    if (text_is_word_start(maker->text + maker->start, place - maker->start)) following->at_words[maker->zone] |= bit;
}

// Every place in a line is one where nothing stands, and something may follow.
static void add_line(maker *maker, size_t line, size_t end)
{
    unsigned zone = zone_of_line(maker, line);
    if (zone == 3) return;
    uint64_t anywhere = 0, at_words = 0, before = 0;
    for (size_t place = line; place < end; place++) {
        uint8_t byte = maker->text[place];
        uint64_t bit = bits_of[byte];
        anywhere |= bit;
        // The characters that are forecast are those within words, but for those beyond ASCII.
        at_words |= before == 0 ? bit : 0;
        before = bit;
        if (byte < 0x80) continue;
        // What comes next begins a word only behind punctuation.
        before = text_is_word_start(maker->text + maker->start, place + 1 - maker->start) ? 0 : ~(uint64_t)0;
    }
    maker->following.anywhere[zone] |= anywhere;
    maker->following.at_words[zone] |= at_words;
}

static void add_all(maker *maker)
{
    while (maker->book < maker->count) {
        for (size_t line = maker->start; line < maker->digits;) {
            const uint8_t *found = memchr(maker->text + line, '\n', maker->digits - line);
            size_t end = found ? (size_t)(found - maker->text) + 1 : maker->digits;
            add_line(maker, line, end);
            line = end;
        }
        if (maker->beginning.kinds & TEXT_ISBN) {
            for (size_t place = maker->digits; place < maker->end; place++) {
                uint64_t bit = bits_of[maker->text[place]];
                if (place == maker->digits) maker->following.at_words[2] |= bit;
                maker->following.anywhere[2] |= bit;
            }
        }
        end_book(maker);
        begin_book(maker);
    }
}

static maker maker_of(
    const uint8_t *text, const uint32_t *ends, size_t count, text_needle beginning, uint64_t *forecast)
{
    maker maker = {.text = text, .ends = ends, .count = count, .beginning = beginning, .forecast = forecast};
    begin_book(&maker);
    return maker;
}

// Takes in the matches from `place` on, one after another, and ends the last book.
static void finish(maker *maker, size_t place)
{
    const text_needle needle = maker->beginning;
    size_t length = maker->ends[maker->count - 1];
    for (; (place = text_find(maker->text, length, place, needle.bytes, needle.count)) < length; place++) {
        add_match(maker, place);
    }
    while (maker->book < maker->count) {
        end_book(maker);
        begin_book(maker);
    }
}

void forecast_make_plain(
    const uint8_t *text, const uint32_t *ends, size_t count, text_needle beginning, uint64_t *forecast)
{
    if (count == 0) return;
    maker maker = maker_of(text, ends, count, beginning, forecast);
    if (beginning.count == 0) add_all(&maker);
    else finish(&maker, 0);
}

#ifdef __SSE2__
// Of texts that are found often, to look for each anew would take longer than to look at it.
__attribute__((target("avx2"))) static void make_avx2(maker *maker)
{
    const text_needle needle = maker->beginning;
    const size_t length = maker->ends[maker->count - 1], distance = needle.count - 1;
    const __m256i first = _mm256_set1_epi8((char)needle.bytes[0]);
    const __m256i last = _mm256_set1_epi8((char)needle.bytes[distance]);
    size_t place = 0;
    for (; place + distance + 32 <= length; place += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(maker->text + place));
        __m256i b = _mm256_loadu_si256((const __m256i *)(maker->text + place + distance));
        __m256i equal = _mm256_and_si256(_mm256_cmpeq_epi8(a, first), _mm256_cmpeq_epi8(b, last));
        for (uint32_t mask = (uint32_t)_mm256_movemask_epi8(equal); mask != 0; mask &= mask - 1) {
            size_t start = place + (size_t)__builtin_ctz(mask);
            if (distance > 1 && memcmp(maker->text + start + 1, needle.bytes + 1, distance - 1) != 0) continue;
            add_match(maker, start);
        }
    }
    finish(maker, place);
}
#endif

void forecast_make(const uint8_t *text, const uint32_t *ends, size_t count, text_needle beginning, uint64_t *forecast)
{
#ifdef __SSE2__
    if (count > 0 && beginning.count > 0 && HAS_AVX2) {
        maker maker = maker_of(text, ends, count, beginning, forecast);
        make_avx2(&maker);
        return;
    }
#endif
    forecast_make_plain(text, ends, count, beginning, forecast);
}

// MARK: - Asking

// Which of 64 books have each rank.
typedef struct {
    uint64_t of[FORECAST_RANKS];
} books_by_rank;

static inline books_by_rank books_at(const uint64_t *words)
{
    uint64_t low = words[0], middle = words[1], high = words[2];
    return (books_by_rank){{
        ~high & ~middle & ~low, ~high & ~middle & low, ~high & middle & ~low, ~high & middle & low,
        high & ~middle & ~low, high & ~middle & low,
    }};
}

size_t forecast_count(const uint64_t *forecast, size_t count, unsigned number, size_t counts[FORECAST_RANKS])
{
    size_t total = 0;
    memset(counts, 0, FORECAST_RANKS * sizeof *counts);
    const uint64_t *words = forecast + 3 * number;
    for (size_t book = 0; book < count; book += FORECAST_BOOKS, words += FORECAST_WORDS) {
        books_by_rank books = books_at(words);
        for (unsigned rank = 0; rank < FORECAST_RANKS; rank++) {
            counts[rank] += (size_t)__builtin_popcountll(books.of[rank]);
        }
    }
    for (unsigned rank = 0; rank < FORECAST_RANKS; rank++) total += counts[rank];
    return total;
}

void forecast_list(
    const uint64_t *forecast, size_t count, unsigned number, uint32_t first, uint32_t *books[FORECAST_RANKS])
{
    const uint64_t *words = forecast + 3 * number;
    for (size_t book = 0; book < count; book += FORECAST_BOOKS, words += FORECAST_WORDS) {
        books_by_rank found = books_at(words);
        for (unsigned rank = 0; rank < FORECAST_RANKS; rank++) {
            for (uint64_t rest = found.of[rank]; rest != 0; rest &= rest - 1) {
                *books[rank]++ = first + (uint32_t)book + (uint32_t)__builtin_ctzll(rest);
            }
        }
    }
}
