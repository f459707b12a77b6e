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

size_t text_rank_books(const uint8_t *text, const uint32_t *ends, size_t count, text_needle needle, uint8_t *ranks)
{
    memset(ranks, TEXT_NO_MATCH, count);
    size_t length = count == 0 ? 0 : ends[count - 1];
    size_t book = 0, matches = 0, place = 0;
    bool is_likely = false;
    while (book < count) {
        if (!is_likely) {
            place = text_find(text, length, place, needle.bytes, needle.count);
            if (place >= length) break;
            while (ends[book] <= place) book++;
        }
        size_t start = book == 0 ? 0 : ends[book - 1], end = ends[book];
        // Where the book before matched, this one may as well: to look at it alone takes less time than to search.
        size_t from = is_likely ? 0 : place - start;
        if (!is_likely && place + needle.count > end) {
            // It goes on into the next book.
            place++;
            continue;
        }
        ranks[book] = rank_from(text + start, end - start, length - start, from, needle);
        is_likely = ranks[book] != TEXT_NO_MATCH;
        if (is_likely) matches++;
        place = end;
        book++;
    }
    return matches;
}
