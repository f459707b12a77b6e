#define _GNU_SOURCE
#include "TextSearch.h"

#include "Processor.h"

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
// Compares the first and last byte of the needle at all positions, and the rest only where both match, which is rare in
// texts.
__attribute__((target("avx2"))) static size_t find_avx2(
    const uint8_t *text, size_t length, size_t from, const uint8_t *needle, size_t count)
{
    if (count == 0 || from > length || length - from < count) return length;
    const __m256i first = _mm256_set1_epi8((char)needle[0]), last = _mm256_set1_epi8((char)needle[count - 1]);
    size_t place = from;
    const size_t distance = count - 1;
    // Test four blocks at a time: testing each mask would take as long as computing it.
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
#endif

size_t text_find(const uint8_t *text, size_t length, size_t from, const uint8_t *needle, size_t count)
{
#ifdef __SSE2__
    if (HAS_AVX2) return find_avx2(text, length, from, needle, count);
#endif
    return text_find_plain(text, length, from, needle, count);
}

// MARK: - Ranking

// The state of ranking the matches in a book's text in order.
typedef struct {
    const uint8_t *text;
    size_t length;
    // The offset of the digits, and the line of the last match.
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

// Adds a match. Returns whether no later match can be better.
static inline bool ranking_add(ranking *ranking, size_t place)
{
    const uint8_t *text = ranking->text;
    uint8_t zone;
    if (place >= ranking->digits) {
        if (!(ranking->kinds & TEXT_ISBN)) return true;
        // Within the digits a word begins only at the first one.
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
    uint8_t rank = text_is_word_start(text, place) ? zone : zone + 3;
    if (rank < ranking->best) ranking->best = rank;
    return ranking->best == 0;
}

// Adds all matches from `place` on.
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
// Ranks with AVX2: of the matches within words only the first of each zone counts, and few matches begin a word, so
// masks reject whole blocks. `readable` bytes from `text` on may be read.
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
    // The loop also reads the byte before each position.
    if (place == 0) {
        if (memcmp(text, needle.bytes, needle.count) == 0 && ranking_add(&ranking, 0)) return ranking.best;
        place = 1;
    }
    for (; place <= last_start && place + distance + 32 <= readable; place += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(text + place));
        __m256i b = _mm256_loadu_si256((const __m256i *)(text + place + distance));
        __m256i equal = _mm256_and_si256(_mm256_cmpeq_epi8(a, first), _mm256_cmpeq_epi8(b, last));
        uint32_t mask = (uint32_t)_mm256_movemask_epi8(equal);
        // Matches after the last start offset belong to the next book.
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
            // After the first match another one within a word cannot be better, except in the digits, where the first
            // match decides.
            if (ranking.best != TEXT_NO_MATCH) mask &= ~within;
        }
        // The digits can only have a better match at their beginning, which has been checked.
        if (ranking.best != TEXT_NO_MATCH && place + 32 > ranking.digits) return ranking.best;
    }
    return ranking_finish(&ranking, place, needle);
}
#endif

static inline uint8_t rank_from(
    const uint8_t *text, size_t length, size_t readable, size_t from, text_needle needle)
{
#ifdef __SSE2__
    if (HAS_AVX2) return rank_avx2(text, length, readable, from, needle);
#endif
    return rank_plain(text, length, from, needle);
}

uint8_t text_rank(const uint8_t *text, size_t length, size_t readable, text_needle needle)
{
    if (needle.count == 0) return TEXT_NO_MATCH;
    return rank_from(text, length, readable, 0, needle);
}

// MARK: - Many books

// The input and output of ranking many books. The text and the ends may change at any time, since a mapped file may be
// truncated: then ranks are wrong, but nothing outside the text is read.
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
    size_t start = book == 0 ? 0 : ranking->ends[book - 1], end = ranking->ends[book];
    if (start > end || end > ranking->length) return TEXT_NO_MATCH;
    return rank_from(ranking->text + start, end - start, ranking->length - start, from, ranking->needle);
}

// Ranks the books from `*book` on by searching for one match after another, for terms that most books do not contain.
// If `may_stop`, it stops once more than a third of the books match. Sets `*book` to the next book and returns the
// number of books that match.
static size_t rank_sparse(const book_ranking *ranking, size_t *book, bool may_stop)
{
    size_t matches = 0, first = *book;
    size_t place = first == 0 ? 0 : ranking->ends[first - 1];
    while (*book < ranking->count && place < ranking->length) {
        place = text_find(ranking->text, ranking->length, place, ranking->needle.bytes, ranking->needle.count);
        if (place >= ranking->length) break;
        while (*book < ranking->count && ranking->ends[*book] <= place) (*book)++;
        if (*book == ranking->count) break;
        size_t start = *book == 0 ? 0 : ranking->ends[*book - 1], end = ranking->ends[*book];
        if (place < start || place + ranking->needle.count > end) {
            // The match continues into the next book.
            place++;
            continue;
        }
        ranking->ranks[*book] = rank_book(ranking, *book, place - start);
        if (ranking->ranks[*book] != TEXT_NO_MATCH) matches++;
        place = end;
        (*book)++;
        if (may_stop && matches >= 16 && matches * 3 > *book - first) return matches;
    }
    *book = ranking->count;
    return matches;
}

#ifdef __SSE2__
enum { BLOCKS_AT_A_TIME = 64 };

// Bit masks of blocks of 64 bytes of text: matches, matches at the beginning of a word, line feeds, and the first bytes
// of lines other than titles and authors. One more block is zero.
typedef struct {
    uint64_t matches[BLOCKS_AT_A_TIME + 1], word_starts[BLOCKS_AT_A_TIME + 1];
    uint64_t newlines[BLOCKS_AT_A_TIME + 1], kinds[BLOCKS_AT_A_TIME + 1];
    // Whether there are matches for which the previous byte does not decide whether they begin a word.
    bool has_doubts;
} text_bits;

// The part of the needle to compare where its first and last byte match.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    // The first eight bytes of the needle as a number, with a mask for shorter needles.
    uint64_t word, word_mask;
} needle_rest;

static inline needle_rest rest_of(text_needle needle)
{
    needle_rest rest = {needle.bytes, needle.count, 0, ~(uint64_t)0};
    if (needle.count < 8) rest.word_mask = ((uint64_t)1 << (8 * needle.count)) - 1;
    memcpy(&rest.word, needle.bytes, needle.count < 8 ? needle.count : 8);
    return rest;
}

// Returns whether the needle matches at `text`, where eight bytes must be readable.
static inline bool stands_at(const uint8_t *text, needle_rest rest)
{
    uint64_t word;
    memcpy(&word, text, 8);
    if ((word & rest.word_mask) != rest.word) return false;
    return rest.count <= 8 || memcmp(text + 8, rest.bytes + 8, rest.count - 8) == 0;
}

// Returns the subset of `matches` in 64 bytes of text at which the whole needle matches.
static inline uint64_t whole_matches(const uint8_t *text, uint64_t matches, needle_rest rest)
{
    // The first, the second and the last byte have been compared.
    if (rest.count <= 3) return matches;
    for (uint64_t left = matches; left != 0; left &= left - 1) {
        int bit = __builtin_ctzll(left);
        if (!stands_at(text + bit, rest)) matches &= ~((uint64_t)1 << bit);
    }
    return matches;
}

// Returns a mask of the bytes whose highest bit is set. The empty assembly statement keeps clang 21 from combining the
// masks of two halves in vectors of 64 bits, which AVX2 does not support: it would then extract them byte by byte, ten
// times slower.
__attribute__((target("avx2"))) static inline uint64_t mask_of(__m256i bytes)
{
    uint32_t mask = (uint32_t)_mm256_movemask_epi8(bytes);
    __asm__("" : "+r"(mask));
    return mask;
}

// Computes the bit masks of `count` blocks at `block`; up to 64 bytes after them and one before must be readable.
__attribute__((target("avx2"))) static void bits_avx2(
    const uint8_t *block, size_t count, text_needle needle, needle_rest rest, text_bits *bits)
{
    const size_t distance = needle.count - 1;
    const __m256i first = _mm256_set1_epi8((char)needle.bytes[0]);
    const __m256i second = _mm256_set1_epi8((char)needle.bytes[distance > 1 ? 1 : 0]);
    const __m256i last = _mm256_set1_epi8((char)needle.bytes[distance]);
    uint64_t doubtful = 0;
    for (size_t number = 0; number < count; number++, block += 64) {
        uint64_t matches = 0, within = 0, beyond_ascii = 0, newlines = 0, kinds = 0;
        for (int half = 0; half < 2; half++) {
            const uint8_t *text = block + 32 * half;
            int shift = 32 * half;
            __m256i a = _mm256_loadu_si256((const __m256i *)text);
            __m256i b = _mm256_loadu_si256((const __m256i *)(text + distance));
            __m256i before = _mm256_loadu_si256((const __m256i *)(text - 1));
            __m256i equal = _mm256_and_si256(_mm256_cmpeq_epi8(a, first), _mm256_cmpeq_epi8(b, last));
            if (distance > 1) {
                __m256i next = _mm256_loadu_si256((const __m256i *)(text + 1));
                equal = _mm256_and_si256(equal, _mm256_cmpeq_epi8(next, second));
            }
            __m256i letters = _mm256_and_si256(
                _mm256_cmpgt_epi8(before, _mm256_set1_epi8('a' - 1)),
                _mm256_cmpgt_epi8(_mm256_set1_epi8('z' + 1), before));
            __m256i digits = _mm256_and_si256(
                _mm256_cmpgt_epi8(before, _mm256_set1_epi8('0' - 1)),
                _mm256_cmpgt_epi8(_mm256_set1_epi8('9' + 1), before));
            // Bytes from 0x80 on are negative.
            __m256i controls = _mm256_andnot_si256(
                _mm256_cmpgt_epi8(_mm256_setzero_si256(), a), _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), a));
            __m256i feeds = _mm256_cmpeq_epi8(a, _mm256_set1_epi8('\n'));
            matches |= mask_of(equal) << shift;
            within |= mask_of(_mm256_or_si256(letters, digits)) << shift;
            beyond_ascii |= mask_of(before) << shift;
            newlines |= mask_of(feeds) << shift;
            kinds |= mask_of(_mm256_andnot_si256(feeds, controls)) << shift;
        }
        matches = whole_matches(block, matches, rest);
        bits->matches[number] = matches;
        bits->word_starts[number] = matches & ~within & ~beyond_ascii;
        bits->newlines[number] = newlines;
        bits->kinds[number] = kinds;
        doubtful |= matches & beyond_ascii;
    }
    bits->has_doubts = doubtful != 0;
}

// Returns the index of the first set bit in [from, end), or `end` if there is none.
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

// Returns 64 bits from index `from` on; the word after the last one is read too.
static inline uint64_t window(const uint64_t *bits, size_t from)
{
    size_t word = from / 64, shift = from % 64;
    // Shift in two steps, since a shift by 64 is undefined.
    return bits[word] >> shift | bits[word + 1] << 1 << (63 - shift);
}

// Returns a mask of the bits below the lowest set one, or of all bits if none is set.
static inline uint64_t below(uint64_t bits) { return (bits & -bits) - 1; }

// Returns a mask of the lowest `count` bits, or of all bits for 64 and more.
static inline uint64_t below_count(size_t count) { return count < 64 ? ((uint64_t)1 << count) - 1 : ~(uint64_t)0; }

// Returns the first byte of the line that contains `place`, which must come after the title.
static inline uint8_t kind_of_line(const book_ranking *ranking, size_t place)
{
    while (place > 0 && ranking->text[place - 1] != '\n') place--;
    return ranking->text[place];
}

// Returns the rank of a book that the masks do not decide. If `is_rest_alone`, the masks show that neither the title
// nor an author has a match at the beginning of a word; then `rank` is the rank of these lines, and only the rest of
// the text from `rest` on is searched.
__attribute__((noinline)) static uint8_t rank_unclear(
    const book_ranking *ranking, size_t book, size_t base, size_t rest, size_t last_start, const uint64_t *word_starts,
    const uint64_t *matches, bool is_rest_alone, uint8_t rank)
{
    if (!is_rest_alone) return rank_book(ranking, book, 0);
    for (size_t word = rest; (word = first_bit(word_starts, word, last_start)) < last_start; word++) {
        uint8_t kind = kind_of_line(ranking, base + word);
        // The digits are not a line of a kind and have their own rules.
        if (kind >= 0x20) return rank_book(ranking, book, 0);
        if (ranking->needle.kinds >> kind & 1) return 2;
    }
    if (rank != TEXT_NO_MATCH) return rank;
    for (size_t match = rest; (match = first_bit(matches, match, last_start)) < last_start; match++) {
        uint8_t kind = kind_of_line(ranking, base + match);
        if (kind >= 0x20) return rank_book(ranking, book, 0);
        if (ranking->needle.kinds >> kind & 1) return 5;
    }
    return TEXT_NO_MATCH;
}

// Does the same for terms that most books contain: first computes bit masks of matches regardless of book boundaries,
// then ranks each book by these masks. Books that they do not decide are ranked individually.
__attribute__((target("avx2,popcnt"))) static size_t rank_dense(const book_ranking *ranking, size_t *book)
{
    const text_needle needle = ranking->needle;
    const size_t distance = needle.count - 1;
    const needle_rest rest_of_needle = rest_of(needle);
    text_bits bits;
    size_t count = 0, number = *book;
    // Local copies, since a written rank could alias the struct's members.
    const uint8_t *const text = ranking->text;
    const uint32_t *const ends = ranking->ends;
    const size_t book_count = ranking->count, length = ranking->length;
    uint8_t *const ranks = ranking->ranks;
    // The masks require this many readable bytes after the last position.
    const size_t margin = 64 + distance;
    while (number < book_count && length > margin) {
        // The byte before each position is read: leave the first book to the other method.
        size_t base = number == 0 ? 0 : ends[number - 1];
        if (base == 0 || base + margin > length || ends[number] - base > 64 * BLOCKS_AT_A_TIME) break;
        size_t blocks = (length - margin - base) / 64 + 1;
        if (blocks > BLOCKS_AT_A_TIME) blocks = BLOCKS_AT_A_TIME;
        bits_avx2(text + base, blocks, needle, rest_of_needle, &bits);
        // Reads of 64 bits that extend beyond the last block get zeros.
        bits.matches[blocks] = bits.word_starts[blocks] = bits.newlines[blocks] = bits.kinds[blocks] = 0;
        const size_t limit = 64 * blocks;
        size_t start = 0, begun = number;
        for (; number < book_count; number++) {
            size_t end = ends[number] - base, own_length = end - start;
            if (own_length > limit - start) break;
            bool has_digits = own_length >= 13 && text[base + end - 1] != '\n';
            // The index after the last possible start of a match.
            size_t last_start = own_length >= needle.count ? end - distance : start;
            // The title; the authors, up to the first line of another kind or the digits; and the rest in two parts,
            // each as 64 bits.
            uint64_t newline = window(bits.newlines, start), title = below(newline);
            size_t authors = start + (size_t)__builtin_popcountll(title) + 1;
            size_t authors_room = (has_digits ? end - 13 : end) - authors;
            uint64_t others = window(bits.kinds, authors) & below_count(authors_room), zone = below(others);
            zone &= below_count(authors_room);
            size_t rest = authors + (size_t)__builtin_popcountll(zone);
            size_t rest_room = rest < last_start ? last_start - rest : 0;
            size_t far_room = rest_room > 64 ? rest_room - 64 : 0;
            uint64_t rest_zone = below_count(rest_room);
            uint64_t title_matches = window(bits.matches, start) & title;
            uint64_t author_matches = window(bits.matches, authors) & zone;
            // The title begins with a word, whatever the previous book ends with.
            uint64_t title_words = (window(bits.word_starts, start) | 1) & title_matches;
            uint64_t author_words = window(bits.word_starts, authors) & zone;
            uint64_t rest_matches = window(bits.matches, rest) & rest_zone;
            uint64_t rest_words = window(bits.word_starts, rest) & rest_zone;
            // The part beyond the computed masks belongs to the next book.
            if (far_room > 0) {
                rest_matches |= window(bits.matches, rest + 64) & below_count(far_room);
                rest_words |= window(bits.word_starts, rest + 64) & below_count(far_room);
            }
            // A line beyond the 64 bits, or a match whose previous byte does not decide, is left to the other method.
            bool is_hidden = newline == 0 || authors > end || (others == 0 && authors_room >= 64) || bits.has_doubts;
            bool is_better = (title_words | author_words) != 0;
            bool is_unclear = is_hidden || (!is_better && (far_room > 64 || rest_words != 0));
            is_unclear |= !is_better && (title_matches | author_matches) == 0 && rest_matches != 0;
            // Select without branches, since the outcome is unpredictable.
            uint8_t rank = author_matches != 0 ? 4 : TEXT_NO_MATCH;
            rank = title_matches != 0 ? 3 : rank;
            rank = author_words != 0 ? 1 : rank;
            rank = title_words != 0 ? 0 : rank;
            if (is_unclear) {
                bool is_rest_alone = !is_hidden && !is_better;
                rank = rank_unclear(
                    ranking, number, base, rest, last_start, bits.word_starts, bits.matches, is_rest_alone, rank);
            }
            ranks[number] = rank;
            count += rank != TEXT_NO_MATCH;
            start = end;
        }
        // The book is longer than the masks of one pass.
        if (number == begun) break;
    }
    *book = number;
    return count;
}
#endif

size_t text_rank_books(
    const uint8_t *text, size_t length, const uint32_t *ends, size_t count, text_needle needle, uint8_t *ranks)
{
    memset(ranks, TEXT_NO_MATCH, count);
    if (count == 0 || needle.count == 0) return 0;
    const size_t last_end = ends[count - 1];
    const book_ranking ranking = {text, ends, count, needle, ranks, last_end < length ? last_end : length};
    size_t book = 0;
#ifdef __SSE2__
    // Only a search without a field covers all titles and authors.
    const uint32_t any = TEXT_TITLE | TEXT_AUTHOR | TEXT_ISBN;
    if (HAS_AVX2 && (needle.kinds & any) == any && !needle.begins_line) {
        size_t matches = 0;
        while (book < count) {
            matches += rank_sparse(&ranking, &book, true);
            matches += rank_dense(&ranking, &book);
            // Rank at least one remaining book individually.
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
