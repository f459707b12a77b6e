#!/usr/bin/env python3
"""Writes FoldTable.c: the normalized form of each character for comparing books.

Normalization is compatibility decomposition (UAX #15, NFKD), full case folding (CaseFolding.txt) and the removal of all
combining marks (general categories Mn and Me) and format characters (Cf). Letters that Unicode does not decompose but
that users type as their base letter (stroked, dotless, ligatures) have entries of their own below. Hangul syllables,
which are decomposed by rule, and plane 14, which is removed, are left to the caller.

    python3 FoldTable.py > FoldTable.c
"""
import sys
import unicodedata

SPECIAL = dict(zip("łŁøØđĐħĦıŧŦɓƀɖɗɛɔŋŊ", ["l", "l", "o", "o", "d", "d", "h", "h", "i", "t", "t", "b", "b", "d", "d",
                                              "e", "o", "n", "n"])) | {
    "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "þ": "th", "Þ": "th", "ð": "d", "Ð": "d", "ĸ": "k", "ſ": "s"}
LIMIT = 0x30000
BLOCK = 128


def fold(character):
    if character in SPECIAL:
        return SPECIAL[character]
    if 0xAC00 <= ord(character) <= 0xD7A3:
        return character
    text = unicodedata.normalize("NFKD", character).casefold()
    text = unicodedata.normalize("NFKD", text)
    text = "".join(SPECIAL.get(c, c) for c in text)
    return "".join(c for c in text if unicodedata.category(c) not in ("Mn", "Me", "Cf"))


def main():
    outputs, places, stage2, stage1 = [0], {}, [], []
    blocks = {}
    for start in range(0, LIMIT, BLOCK):
        block = []
        for code in range(start, start + BLOCK):
            folded = chr(code) if 0xD800 <= code < 0xE000 else fold(chr(code))
            if folded == chr(code):
                block.append(0)
                continue
            if folded not in places:
                places[folded] = len(outputs)
                outputs.append(len(folded))
                outputs.extend(ord(c) for c in folded)
            block.append(places[folded])
        key = tuple(block)
        if key not in blocks:
            blocks[key] = len(stage2) // BLOCK
            stage2.extend(block)
        stage1.append(blocks[key])
    assert len(outputs) < 1 << 16 and len(stage2) // BLOCK < 1 << 16

    def array(kind, name, values):
        lines, line = [], "   "
        for value in values:
            item = f" {value},"
            if len(line) + len(item) > 118:
                lines.append(line)
                line = "   "
            line += item
        return f"const {kind} {name}[] = {{\n" + "\n".join(lines + [line]) + "\n};\n"

    print(f"// Made by FoldTable.py from Unicode {unicodedata.unidata_version}. Not to be changed by hand: identities of "
          "books are\n// computed from it.\n#include \"FoldTable.h\"\n")
    print(array("uint16_t", "fold_table_stage1", stage1))
    print(array("uint16_t", "fold_table_stage2", stage2))
    sys.stdout.write(array("uint32_t", "fold_table_outputs", outputs))


main()
