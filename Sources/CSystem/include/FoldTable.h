// Folding of characters for comparison; FoldTable.py says by which rules.
#pragma once

#include <stdint.h>

extern const uint16_t fold_table_stage1[];
extern const uint16_t fold_table_stage2[];
extern const uint32_t fold_table_outputs[];

// Where the scalars begin that `scalar` is folded to, and how many they are (0 where it vanishes); NULL where it is
// folded to itself, or is one of those that the table leaves to its caller. Constant time.
static inline const uint32_t *fold_table_lookup(uint32_t scalar, uint32_t *count)
{
    if (scalar >= 0x30000) return 0;
    uint16_t place = fold_table_stage2[fold_table_stage1[scalar >> 7] << 7 | (scalar & 127)];
    if (place == 0) return 0;
    *count = fold_table_outputs[place];
    return fold_table_outputs + place + 1;
}
