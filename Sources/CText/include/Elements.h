// Finding where the elements of a JSON array begin and end, sixty-four bytes at a time, without checking the grammar.
#pragma once

#include <stddef.h>
#include <stdint.h>

// How far a text was scanned, and what was found.
typedef struct {
    // How many brackets are open; at 0 the text stands between the elements of the array, below that behind its end:
    // nothing there was looked at.
    int64_t depth;
    // All bits set where the text stands within a string.
    uint64_t in_string;
    // 1 where the next byte is escaped.
    uint64_t escaped;
    // The offset behind the last element that is an object or array; 0 where none has ended.
    size_t last_end;
    // How many objects and arrays began.
    size_t count;
} element_scan;

// Scans `length` bytes at `text`, which sixty-three zeros follow; the length is a multiple of 64, but for that of the
// last bytes of a text. Where `starts` is not NULL it gets the offset of each object and array that is an element, at
// most `limit` of them.
void element_scan_run(element_scan *scan, const uint8_t *text, size_t length, uint64_t *starts, size_t limit);

// The same with the instructions that each processor of the kind has: what element_scan_run() does on older ones.
void element_scan_run_anywhere(element_scan *scan, const uint8_t *text, size_t length, uint64_t *starts, size_t limit);
