#!/usr/bin/env python3
"""Writes LanguageTable.swift: English names of languages, scripts and regions, and other names of languages.

The names, and the codes of ISO 639-2 and 639-3 that have shorter tags, come from Unicode's CLDR in the package Babel
(pip install babel). CLDR is used under the Unicode License v3, https://www.unicode.org/license.txt:
Copyright (C) 1991-2026 Unicode, Inc.

    python3 LanguageTable.py > LanguageTable.swift
"""
import babel
from babel import Locale
from babel.core import get_global
from babel.localedata import locale_identifiers

LINE = 111

# Names that catalogs use besides those of CLDR: differing names of ISO 639-2, and common ones.
OTHER_NAMES = {
    "castilian": "es", "modern greek": "el", "farsi": "fa", "flemish": "nl", "mandarin": "zh", "mandarin chinese": "zh",
    "brazilian": "pt-BR", "simplified": "zh-Hans", "traditional": "zh-Hant", "gaelic": "gd", "irish gaelic": "ga",
    "panjabi": "pa", "pushto": "ps", "sinhalese": "si", "greenlandic": "kl", "letzeburgesch": "lb", "moldavian": "ro",
    "moldovan": "ro", "valencian": "ca", "uighur": "ug", "oriya": "or", "bengali": "bn", "bokmål": "nb", "nynorsk": "nn",
    "haitian": "ht", "old english": "ang", "anglo-saxon": "ang", "serbo-croatian": "sh", "undetermined": "und",
    "multiple": "mul", "multilingual": "mul", "no linguistic content": "zxx",
    "modern standard arabic": "ar", "modern hebrew": "he", "kyrgyz": "ky", "kirghiz": "ky", "frisian": "fy",
    "ancient greek": "grc", "classical greek": "grc", "american english": "en-US", "slovene": "sl",
}
# Codes without a shorter tag in CLDR, or whose tag is not a language of its own.
OTHER_CODES = {"nob": "nb", "nno": "nn", "nor": "no", "scc": "sr", "hbs": "sh", "sh": None, "mo": "ro", "mol": "ro"}
# Replacements of names that CLDR uses for its own purposes.
NAMES = {"zh": "Chinese", "und": "Unknown language", "sh": "Serbo-Croatian", "root": None, "de-CH": None, "de-AT": None,
         "en-AU": None, "sr-ME": None, "ro-MD": None, "fa-AF": None, "hi-Latn": None, "sw-CD": None, "ar-001": None}


def table(name, comment, entries):
    lines, line = [], ""
    for key, value in sorted(entries.items(), key=lambda entry: entry[0].encode()):
        assert not set("=|\\\"\n") & set(key + value), (key, value)
        entry = f"{key}={value}|"
        if len(line) + len(entry) + 1 > LINE:
            lines.append(line)
            line = ""
        line += entry
    lines.append(line.rstrip("|"))
    body = "\n".join(f"        {line}\\" for line in lines).rstrip("\\")
    return f'''    /// {comment}
    static let {name} = StaticTable(
        """
{body}
        """)'''


def main():
    english = Locale("en")
    names = {code.replace("_", "-"): name for code, name in english.languages.items()} | NAMES
    names = {code: name.replace("\u2019", "'") for code, name in names.items() if name}
    codes = {}
    for code, tag in get_global("language_aliases").items():
        if len(code) in (2, 3) and "_" not in tag and tag in names and code not in names:
            codes[code] = tag
    codes = {code: tag for code, tag in (codes | OTHER_CODES).items() if tag and code not in names}

    called = {}
    for code, name in names.items():
        called.setdefault(name.lower(), code)
    for identifier in sorted(locale_identifiers()):
        own = Locale.parse(identifier).languages.get(identifier)
        if own and len(identifier) == 2:
            called.setdefault(own.lower(), identifier)
    called = OTHER_NAMES | called | OTHER_NAMES

    scripts = {code: name.replace("\u2019", "'") for code, name in english.scripts.items()}
    regions = {code: name.replace("\u2019", "'") for code, name in english.territories.items()}
    print(f"// Made by LanguageTable.py from Unicode's CLDR as Babel {babel.__version__} has it, under the\n// Unicode License "
          "v3. Not to be changed by hand.\n\nextension StaticTable {")
    print("\n\n".join([
        table("languages", "English names of languages by their tags.", names),
        table("languageCodes", "Language tags by other codes of the same language.", codes),
        table("languageTags", "Language tags by the names of the languages in lower case.", called),
        table("scripts", "English names of scripts by their codes.", scripts),
        table("regions", "English names of regions by their codes.", regions),
    ]))
    print("}")


main()
