#define _GNU_SOURCE
#include "TextSearch.h"

#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

// MARK: - Finding

size_t text_find_plain(const uint8_t *text, size_t length, size_t from, const uint8_t *needle, size_t count)
{
    if (count == 0 || from > length || length - from < count) return length;
    const uint8_t *found = memmem(text + from, length - from, needle, count);
    return found ? (size_t)(found - text) : length;
}

#ifdef __SSE2__
// Where the first and the last byte of the needle stand at their distance, the rest is compared: of texts few places pass.
__attribute__((target("avx2"))) static size_t find_avx2(
    const uint8_t *text, size_t length, size_t from, const uint8_t *needle, size_t count)
{
    if (count == 0 || from > length || length - from < count) return length;
    const __m256i first = _mm256_set1_epi8((char)needle[0]), last = _mm256_set1_epi8((char)needle[count - 1]);
    size_t place = from;
    const size_t distance = count - 1;
    // Four blocks at a time, as to look at each mask alone would take as long as to make it.
    for (; place + distance + 128 <= length; place += 128) {
        const uint8_t *block = text + place;
        __m256i equal[4];
        for (int part = 0; part < 4; part++) {
            __m256i a = _mm256_loadu_si256((const __m256i *)(block + 32 * part));
            __m256i b = _mm256_loadu_si256((const __m256i *)(block + 32 * part + distance));
            equal[part] = _mm256_and_si256(_mm256_cmpeq_epi8(a, first), _mm256_cmpeq_epi8(b, last));
        }
        __m256i any = _mm256_or_si256(_mm256_or_si256(equal[0], equal[1]), _mm256_or_si256(equal[2], equal[3]));
        if (_mm256_testz_si256(any, any)) continue;
        for (int part = 0; part < 4; part++) {
            uint32_t mask = (uint32_t)_mm256_movemask_epi8(equal[part]);
            for (; mask != 0; mask &= mask - 1) {
                size_t start = place + 32 * (size_t)part + (size_t)__builtin_ctz(mask);
                if (count <= 2 || memcmp(text + start + 1, needle + 1, count - 2) == 0) return start;
            }
        }
    }
    for (; place + distance + 32 <= length; place += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(text + place));
        __m256i b = _mm256_loadu_si256((const __m256i *)(text + place + distance));
        __m256i equal = _mm256_and_si256(_mm256_cmpeq_epi8(a, first), _mm256_cmpeq_epi8(b, last));
        uint32_t mask = (uint32_t)_mm256_movemask_epi8(equal);
        for (; mask != 0; mask &= mask - 1) {
            size_t start = place + (size_t)__builtin_ctz(mask);
            if (count <= 2 || memcmp(text + start + 1, needle + 1, count - 2) == 0) return start;
        }
    }
    return text_find_plain(text, length, place, needle, count);
}

static bool has_avx2(void)
{
    // Asked once: the answer is kept by the run-time library.
    return __builtin_cpu_supports("avx2");
}
#endif

size_t text_find(const uint8_t *text, size_t length, size_t from, const uint8_t *needle, size_t count)
{
#ifdef __SSE2__
    if (has_avx2()) return find_avx2(text, length, from, needle, count);
#endif
    return text_find_plain(text, length, from, needle, count);
}

// MARK: - Ranking

// Whether a word may begin at `place`: what is before it is neither a letter nor a digit.
static inline bool is_word_start(const uint8_t *text, size_t place)
{
    if (place == 0) return true;
    uint8_t byte = text[place - 1];
    if (byte < 0x80) return !((uint8_t)(byte - 'a') < 26 || (uint8_t)(byte - '0') < 10);
    return (place >= 3 && text_is_punctuation(text, place, place - 3))
        || (place >= 2 && text_is_punctuation(text, place, place - 2));
}

// What is known while the matches in a book's text are gone through from its beginning.
typedef struct {
    const uint8_t *text;
    size_t length;
    // Where the digits begin, and the line that the last match was in.
    size_t digits, line, line_end;
    uint32_t kinds;
    bool begins_line;
    uint8_t best;
} ranking;

static inline ranking ranking_of(const uint8_t *text, size_t length, text_needle needle)
{
    size_t digits = length >= 13 && text[length - 1] != '\n' ? length - 13 : length;
    return (ranking){text, length, digits, 0, 0, needle.kinds, needle.begins_line, TEXT_NO_MATCH};
}

// Takes in a match. Returns whether no later one can be better.
static inline bool ranking_add(ranking *ranking, size_t place)
{
    const uint8_t *text = ranking->text;
    uint8_t zone;
    if (place >= ranking->digits) {
        if (!(ranking->kinds & TEXT_ISBN)) return true;
        // Only what all digits begin with begins a word.
        bool is_first = place == ranking->digits;
        if (ranking->begins_line && !is_first) return true;
        uint8_t rank = is_first ? 2 : 5;
        if (rank < ranking->best) ranking->best = rank;
        return true;
    }
    while (place >= ranking->line_end) {
        ranking->line = ranking->line_end;
        const uint8_t *end = memchr(text + ranking->line, '\n', ranking->digits - ranking->line);
        ranking->line_end = end ? (size_t)(end - text) + 1 : ranking->digits;
    }
    uint32_t kind;
    uint8_t first = text[ranking->line];
    if (ranking->line == 0) {
        kind = TEXT_TITLE;
        zone = 0;
        if (ranking->begins_line && place != 0) return false;
    } else if (first < 0x20 && first != '\n') {
        kind = (uint32_t)1 << first;
        zone = 2;
        if (ranking->best <= 2) return true;
        if (ranking->begins_line && place != ranking->line + 1) return false;
    } else {
        kind = TEXT_AUTHOR;
        zone = 1;
        if (ranking->best <= 1) return true;
        if (ranking->begins_line && place != ranking->line) return false;
    }
    if (!(ranking->kinds & kind)) return false;
    uint8_t rank = is_word_start(text, place) ? zone : zone + 3;
    if (rank < ranking->best) ranking->best = rank;
    return ranking->best == 0;
}

// Takes in the matches from `place` on, one after another.
static inline uint8_t ranking_finish(ranking *ranking, size_t place, text_needle needle)
{
    const size_t length = ranking->length;
    for (; (place = text_find_plain(ranking->text, length, place, needle.bytes, needle.count)) < length; place++) {
        if (ranking_add(ranking, place)) break;
    }
    return ranking->best;
}

static uint8_t rank_plain(const uint8_t *text, size_t length, size_t from, text_needle needle)
{
    ranking ranking = ranking_of(text, length, needle);
    return ranking_finish(&ranking, from, needle);
}

uint8_t text_rank_plain(const uint8_t *text, size_t length, text_needle needle)
{
    return rank_plain(text, length, 0, needle);
}

#ifdef __SSE2__
// Of matches within words only the first of each zone matters, and few begin words: whole blocks are told apart by masks.
// `readable` bytes from `text` on may be read.
__attribute__((target("avx2"))) static uint8_t rank_avx2(
    const uint8_t *text, size_t length, size_t readable, size_t from, text_needle needle)
{
    if (length < needle.count) return TEXT_NO_MATCH;
    ranking ranking = ranking_of(text, length, needle);
    const size_t distance = needle.count - 1;
    const size_t last_start = length - needle.count;
    const __m256i first = _mm256_set1_epi8((char)needle.bytes[0]);
    const __m256i last = _mm256_set1_epi8((char)needle.bytes[distance]);
    size_t place = from;
    // The byte before each is looked at too.
    if (place == 0) {
        if (memcmp(text, needle.bytes, needle.count) == 0 && ranking_add(&ranking, 0)) return ranking.best;
        place = 1;
    }
    for (; place <= last_start && place + distance + 32 <= readable; place += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(text + place));
        __m256i b = _mm256_loadu_si256((const __m256i *)(text + place + distance));
        __m256i equal = _mm256_and_si256(_mm256_cmpeq_epi8(a, first), _mm256_cmpeq_epi8(b, last));
        uint32_t mask = (uint32_t)_mm256_movemask_epi8(equal);
        // What is behind the last place belongs to the next book.
        if (last_start - place < 31) mask &= ((uint32_t)2 << (last_start - place)) - 1;
        if (mask == 0) continue;
        __m256i before = _mm256_loadu_si256((const __m256i *)(text + place - 1));
        __m256i letters = _mm256_and_si256(
            _mm256_cmpgt_epi8(before, _mm256_set1_epi8('a' - 1)), _mm256_cmpgt_epi8(_mm256_set1_epi8('z' + 1), before));
        __m256i digits = _mm256_and_si256(
            _mm256_cmpgt_epi8(before, _mm256_set1_epi8('0' - 1)), _mm256_cmpgt_epi8(_mm256_set1_epi8('9' + 1), before));
        uint32_t within = (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(letters, digits));
        if (ranking.best != TEXT_NO_MATCH) mask &= ~within;
        while (mask != 0) {
            int bit = __builtin_ctz(mask);
            mask &= mask - 1;
            size_t start = place + (size_t)bit;
            if (needle.count > 2 && memcmp(text + start + 1, needle.bytes + 1, needle.count - 2) != 0) continue;
            if (ranking_add(&ranking, start)) return ranking.best;
            // Once there is a match, none within a word is better, but for digits, of which the first decides.
            if (ranking.best != TEXT_NO_MATCH) mask &= ~within;
        }
        // The digits may begin with a better one.
        if (ranking.best != TEXT_NO_MATCH && place + 32 > ranking.digits) return ranking.best;
    }
    return ranking_finish(&ranking, place, needle);
}
#endif

static inline uint8_t rank_from(
    const uint8_t *text, size_t length, size_t readable, size_t from, text_needle needle)
{
#ifdef __SSE2__
    if (has_avx2()) return rank_avx2(text, length, readable, from, needle);
#endif
    return rank_plain(text, length, from, needle);
}

uint8_t text_rank(const uint8_t *text, size_t length, size_t readable, text_needle needle)
{
    if (needle.count == 0) return TEXT_NO_MATCH;
    return rank_from(text, length, readable, 0, needle);
}

// MARK: - Many books

// What is between two places where books are likely to match.
typedef struct {
    const uint8_t *text;
    const uint32_t *ends;
    size_t count;
    text_needle needle;
    uint8_t *ranks;
    size_t length;
} book_ranking;

static inline uint8_t rank_book(const book_ranking *ranking, size_t book, size_t from)
{
    size_t start = book == 0 ? 0 : ranking->ends[book - 1];
    return rank_from(ranking->text + start, ranking->ends[book] - start, ranking->length - start, from, ranking->needle);
}

// From `book` on, by searching for the next match again and again: most books have none. Stops where more than one in
// sixteen has, and leaves the next in `book`. Returns how many match.
static size_t rank_sparse(const book_ranking *ranking, size_t *book, bool may_stop)
{
    size_t matches = 0, first = *book;
    size_t place = first == 0 ? 0 : ranking->ends[first - 1];
    while (*book < ranking->count) {
        place = text_find(ranking->text, ranking->length, place, ranking->needle.bytes, ranking->needle.count);
        if (place >= ranking->length) break;
        while (ranking->ends[*book] <= place) (*book)++;
        size_t start = *book == 0 ? 0 : ranking->ends[*book - 1], end = ranking->ends[*book];
        if (place + ranking->needle.count > end) {
            // It goes on into the next book.
            place++;
            continue;
        }
        ranking->ranks[*book] = rank_book(ranking, *book, place - start);
        if (ranking->ranks[*book] != TEXT_NO_MATCH) matches++;
        place = end;
        (*book)++;
        if (may_stop && matches >= 16 && matches * 16 > *book - first) return matches;
    }
    *book = ranking->count;
    return matches;
}

#ifdef __SSE2__
// What stands in 64 bytes of text, as bits: matches, matches that begin a word, matches of which this cannot be told from
// the byte before, line feeds, and the bytes that begin lines of other kinds than titles and authors.
typedef struct {
    uint64_t matches, word_starts, doubtful, newlines, kinds;
} text_bits;

enum { BLOCKS_AT_A_TIME = 64 };

// The bits of the 64 bytes at `block`; up to 64 bytes behind them and one before may be read.
__attribute__((target("avx2"))) static inline text_bits bits_of(
    const uint8_t *block, size_t distance, __m256i first, __m256i last, const uint8_t *middle)
{
    text_bits bits = {0, 0, 0, 0, 0};
    for (int half = 0; half < 2; half++) {
        const uint8_t *text = block + 32 * half;
        int shift = 32 * half;
        __m256i a = _mm256_loadu_si256((const __m256i *)text);
        __m256i b = _mm256_loadu_si256((const __m256i *)(text + distance));
        __m256i before = _mm256_loadu_si256((const __m256i *)(text - 1));
        __m256i equal = _mm256_and_si256(_mm256_cmpeq_epi8(a, first), _mm256_cmpeq_epi8(b, last));
        uint64_t matches = (uint32_t)_mm256_movemask_epi8(equal);
        if (distance > 1) {
            for (uint64_t rest = matches; rest != 0; rest &= rest - 1) {
                int bit = __builtin_ctzll(rest);
                if (memcmp(text + bit + 1, middle, distance - 1) != 0) matches &= ~((uint64_t)1 << bit);
            }
        }
        __m256i letters = _mm256_and_si256(
            _mm256_cmpgt_epi8(before, _mm256_set1_epi8('a' - 1)), _mm256_cmpgt_epi8(_mm256_set1_epi8('z' + 1), before));
        __m256i digits = _mm256_and_si256(
            _mm256_cmpgt_epi8(before, _mm256_set1_epi8('0' - 1)), _mm256_cmpgt_epi8(_mm256_set1_epi8('9' + 1), before));
        uint64_t within = (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(letters, digits));
        uint64_t beyond_ascii = (uint32_t)_mm256_movemask_epi8(before);
        // Bytes from 0x80 on are negative.
        __m256i controls = _mm256_andnot_si256(
            _mm256_cmpgt_epi8(_mm256_setzero_si256(), a), _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), a));
        __m256i newlines = _mm256_cmpeq_epi8(a, _mm256_set1_epi8('\n'));
        bits.matches |= matches << shift;
        bits.word_starts |= (matches & ~within & ~beyond_ascii) << shift;
        bits.doubtful |= (matches & beyond_ascii) << shift;
        bits.newlines |= (uint64_t)(uint32_t)_mm256_movemask_epi8(newlines) << shift;
        bits.kinds |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_andnot_si256(newlines, controls)) << shift;
    }
    return bits;
}

// The first of the bits from `from` to before `end`; `end` where there is none.
static inline size_t first_bit(const uint64_t *bits, size_t from, size_t end)
{
    if (from >= end) return end;
    size_t word = from / 64;
    uint64_t rest = bits[word] & (~(uint64_t)0 << (from % 64));
    while (rest == 0) {
        word++;
        if (word * 64 >= end) return end;
        rest = bits[word];
    }
    size_t place = word * 64 + (size_t)__builtin_ctzll(rest);
    return place < end ? place : end;
}

// The same where most books match: first what stands where, without a look at where books begin, and then book by book
// from these bits. What they do not tell is left to the other way.
__attribute__((target("avx2"))) static size_t rank_dense(const book_ranking *ranking, size_t *book)
{
    const text_needle needle = ranking->needle;
    const size_t distance = needle.count - 1;
    const __m256i first = _mm256_set1_epi8((char)needle.bytes[0]);
    const __m256i last = _mm256_set1_epi8((char)needle.bytes[distance]);
    uint64_t matches[BLOCKS_AT_A_TIME], word_starts[BLOCKS_AT_A_TIME], doubtful[BLOCKS_AT_A_TIME];
    uint64_t newlines[BLOCKS_AT_A_TIME], kinds[BLOCKS_AT_A_TIME];
    size_t count = 0;
    // Behind the last place that is looked at there must be as much to read.
    const size_t margin = 64 + distance;
    while (*book < ranking->count && ranking->length > margin) {
        // The byte before each is looked at: the first book is left to the other way.
        size_t base = *book == 0 ? 0 : ranking->ends[*book - 1];
        if (base == 0 || base + margin > ranking->length || ranking->ends[*book] - base > 64 * BLOCKS_AT_A_TIME) break;
        size_t blocks = 0;
        for (; blocks < BLOCKS_AT_A_TIME && base + 64 * blocks + margin <= ranking->length; blocks++) {
            text_bits bits = bits_of(ranking->text + base + 64 * blocks, distance, first, last, needle.bytes + 1);
            matches[blocks] = bits.matches;
            word_starts[blocks] = bits.word_starts;
            doubtful[blocks] = bits.doubtful;
            newlines[blocks] = bits.newlines;
            kinds[blocks] = bits.kinds;
        }
        const size_t limit = 64 * blocks;
        size_t start = 0, begun = *book;
        for (; *book < ranking->count; (*book)++) {
            size_t end = ranking->ends[*book] - base;
            if (end > limit) break;
            // A match may not go on into the next book.
            size_t last_start = end - start >= needle.count ? end - distance : start;
            size_t place = first_bit(matches, start, last_start);
            if (place < last_start) {
                size_t title_end = first_bit(newlines, start, end);
                size_t other = first_bit(kinds, start, end);
                bool has_digits = ranking->text[base + end - 1] != '\n' && end - start >= 13;
                size_t digits = has_digits ? end - 13 : end;
                if (other > digits) other = digits;
                size_t word = first_bit(word_starts, place, last_start);
                uint8_t rank;
                if (place == start) {
                    // Whatever the book before ends with, a title begins with a word.
                    rank = 0;
                } else if (first_bit(doubtful, place, last_start) < last_start) {
                    rank = rank_book(ranking, *book, 0);
                } else if (word == last_start && place < other) {
                    rank = place < title_end ? 3 : 4;
                } else if (word < other) {
                    rank = word < title_end ? 0 : 1;
                } else {
                    rank = rank_book(ranking, *book, 0);
                }
                ranking->ranks[*book] = rank;
                count += rank != TEXT_NO_MATCH;
            }
            start = end;
        }
        // A book that is longer than what is looked at at a time.
        if (*book == begun) break;
    }
    return count;
}
#endif

size_t text_rank_books(const uint8_t *text, const uint32_t *ends, size_t count, text_needle needle, uint8_t *ranks)
{
    memset(ranks, TEXT_NO_MATCH, count);
    if (count == 0 || needle.count == 0) return 0;
    const book_ranking ranking = {text, ends, count, needle, ranks, ends[count - 1]};
    size_t book = 0;
#ifdef __SSE2__
    // Only where words of no field in particular are looked for do all titles and authors count.
    const uint32_t any = TEXT_TITLE | TEXT_AUTHOR | TEXT_ISBN;
    if (has_avx2() && (needle.kinds & any) == any && !needle.begins_line) {
        size_t matches = 0;
        while (book < count) {
            matches += rank_sparse(&ranking, &book, true);
            matches += rank_dense(&ranking, &book);
            // What is left there, at least the next book, is done one by one.
            if (book < count) {
                ranks[book] = rank_book(&ranking, book, 0);
                matches += ranks[book] != TEXT_NO_MATCH;
                book++;
            }
        }
        return matches;
    }
#endif
    return rank_sparse(&ranking, &book, false);
}
