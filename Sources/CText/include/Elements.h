// A scanner that finds the start and end of the elements of a JSON array, 64 bytes at a time, without checking the
// grammar.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The state of a scan.
typedef struct {
    // The number of open brackets: 0 between the elements of the array, negative after its end, where scanning stops.
    int64_t depth;
    // All bits are set inside a string.
    uint64_t in_string;
    // 1 if the next byte is escaped.
    uint64_t escaped;
    // The offset after the last complete element that is an object or array; 0 if there is none.
    size_t last_end;
    // The number of objects and arrays that have begun.
    size_t count;
} element_scan;

// Scans `length` bytes at `text`, which must be followed by 63 zeros; the length is a multiple of 64 except at the end
// of a text. If `starts` is not NULL, it receives the offset of each element that is an object or array, at most
// `limit` of them.
void element_scan_run(element_scan *scan, const uint8_t *text, size_t length, uint64_t *starts, size_t limit);

// Does the same with instructions that every processor of the architecture has; the fallback of element_scan_run().
void element_scan_run_anywhere(element_scan *scan, const uint8_t *text, size_t length, uint64_t *starts, size_t limit);
