#!/usr/bin/env python3
"""Writes CollationTable.c: the bytes of each character of a normalized text in a sort key.

Letters are in the order of the Default Unicode Collation Element Table (UTS #10) as contained in the Perl module
Unicode::Collate (Debian: perl-modules), under the Unicode License v3, https://www.unicode.org/license.txt:
Copyright (C) 2020 Unicode, Inc. Only primary weights count, since normalization removes the other differences.
CollationTable.h documents the bytes.

    python3 CollationTable.py > CollationTable.c
"""
import pathlib
import re
import sys
import unicodedata

KEYS = "/usr/share/perl/5.36.0/Unicode/Collate/allkeys.txt"
LIMIT = 0x30000
BLOCK = 128
# Cuneiform, hieroglyphs and similar scripts begin here; their letters are ordered by code point.
LETTER_LIMIT = 0x12000
BLANK, NUMBER_SIGN, PLUS, DIGIT, PROLONGED, REPEATED, LATIN, OTHER = 0x02, 0x03, 0x04, 0x05, 0x10, 0x11, 0x20, 0x54
# Characters within words: apostrophes, primes, the Catalan middle dot and modifier letters.
WITHIN_WORDS = set("'`\u00B4\u00B7\u0387\u2018\u2019\u201A\u201B\u2027\u2032\u2033\u2034\u2035\u2036\u2037\u055A\u055B"
                   "\u05F3\u05F4\u07F4\u07F5\u0F0B") | {chr(code) for code in range(0x2B0, 0x300)}


def folding():
    """Returns the function `fold` of FoldTable.py, which writes its table if run."""
    source = pathlib.Path(__file__).with_name("FoldTable.py").read_text().removesuffix("\nmain()\n")
    names = {}
    exec(compile(source, "FoldTable.py", "exec"), names)
    return names["fold"]


def primary_weights():
    """Returns each character's primary weights other than punctuation, and its remaining weights."""
    weights, variants = {}, {}
    with open(KEYS, encoding="utf-8") as lines:
        for line in lines:
            match = re.match(r"([0-9A-F]+)\s*;\s*(\S+)", line)
            if match:
                elements = re.findall(r"\[([.*])([0-9A-F]+)\.([0-9A-F.]+)\]", match[2])
                weights[int(match[1], 16)] = [int(w, 16) for kind, w, _ in elements if kind == "." and int(w, 16)]
                variants[int(match[1], 16)] = [rest for _, _, rest in elements]
    return weights, variants


def main():
    fold, (weights, variants) = folding(), primary_weights()
    first_letter, behind_latin = weights[ord("a")][0], weights[ord("α")][0]
    characters = [c for c in range(LIMIT) if not 0xD800 <= c < 0xE000 and fold(chr(c)) == chr(c)
                  and not 0xAC00 <= c <= 0xD7A3]

    def letters(code):
        category = unicodedata.category(chr(code))
        if code >= LETTER_LIMIT:
            return []
        if category[0] not in "LM" and category != "Nl" or category in ("Mn", "Me"):
            return []
        return [weight for weight in weights.get(code, []) if weight >= first_letter]

    used = sorted({weight for code in characters for weight in letters(code)})
    # A letter of the Latin alphabet takes one byte; a letter between two of them takes a byte between and its rank.
    bases = [weights[ord(letter)][0] for letter in "abcdefghijklmnopqrstuvwxyz"]
    places = {}
    for weight in used:
        if weight in bases:
            places[weight] = [LATIN + 2 * bases.index(weight)]
        elif weight < behind_latin:
            base = max(index for index, other in enumerate(bases) if other < weight)
            before = sum(bases[base] < other < weight for other in used)
            places[weight] = [LATIN + 2 * base + 1, before]
            assert before < 256
    others = [weight for weight in used if weight >= behind_latin]
    for rank, weight in enumerate(others):
        places[weight] = [OTHER + (rank >> 8), rank & 0xFF]
    assert OTHER + (len(others) >> 8) < 0xF0

    def element(code):
        """Returns the bytes of a character, or None if the table does not contain it."""
        character, category = chr(code), unicodedata.category(chr(code))
        if character in WITHIN_WORDS:
            return ()
        if character in "#+":
            return (NUMBER_SIGN if character == "#" else PLUS,)
        if character == "ー":
            return (PROLONGED,)
        if character in "ゝヽ々〻":
            return (REPEATED,)
        if category in ("Nd", "No") and unicodedata.digit(character, None) is not None:
            return (DIGIT + unicodedata.digit(character),)
        if character == "〇":
            return None
        found = letters(code)
        if found:
            return tuple(byte for weight in found for byte in places[weight])
        if category in ("Mn", "Mc", "Me", "Lm", "Cf"):
            return ()
        if category in ("Lo", "Ll", "Lu", "Nl", "Cn"):
            return None
        return (BLANK,)

    outputs, known, stage2, stage1, blocks = [0], {}, [], [], {}
    characters = set(characters)
    for start in range(0, LIMIT, BLOCK):
        block = []
        for code in range(start, start + BLOCK):
            found = element(code) if code in characters else ()
            if found is None:
                block.append(0)
                continue
            if found not in known:
                known[found] = len(outputs)
                outputs += [len(found), *found]
            block.append(known[found])
        key = tuple(block)
        if key not in blocks:
            blocks[key] = len(stage2) // BLOCK
            stage2.extend(block)
        stage1.append(blocks[key])
    assert len(outputs) < 1 << 16

    # Prefer the regular form of a Hebrew letter to its final form.
    firsts = {}
    for code in sorted(characters, key=lambda code: (variants.get(code, []), code)):
        found = letters(code)
        if len(found) == 1:
            firsts.setdefault(found[0], code)

    def array(kind, name, values):
        lines, line = [], "   "
        for value in values:
            item = f" {value},"
            if len(line) + len(item) > 118:
                lines.append(line)
                line = "   "
            line += item
        return f"const {kind} {name}[] = {{\n" + "\n".join(lines + [line]) + "\n};\n"

    print(f"// Generated by CollationTable.py from the Default Unicode Collation Element Table 13.0.0, under the Unicode License v3,\n"
          f"// and Unicode {unicodedata.unidata_version}. Do not edit.\n#include \"CollationTable.h\"\n")
    print(array("uint16_t", "collation_stage1", stage1))
    print(array("uint16_t", "collation_stage2", stage2))
    print(array("uint8_t", "collation_outputs", outputs))
    print(f"const uint32_t collation_letter_count = {len(others)};\n")
    sys.stdout.write(array("uint32_t", "collation_letters", [firsts.get(weight, 0) for weight in others]))
    print(len(used), len(others), len(outputs), len(stage2), file=sys.stderr)


main()
