#!/usr/bin/env python3
"""Writes HTMLEntityTable.swift: the named character references of HTML, as Python's own table has them.

    python3 HTMLEntityTable.py > HTMLEntityTable.swift
"""
import html.entities

LINE = 111


def main():
    entries = {}
    for name, text in html.entities.html5.items():
        bare = name.rstrip(";")
        mark = "!" if bare in html.entities.html5 else ""
        entries[bare.encode()] = f"{bare}={mark}" + "+".join(f"{ord(c):X}" for c in text)
    lines, line = [], ""
    for _, entry in sorted(entries.items()):
        if len(line) + len(entry) + 1 > LINE:
            lines.append(line)
            line = ""
        line += entry + "|"
    lines.append(line.rstrip("|"))
    body = "\n".join(f"        {line}\\" for line in lines).rstrip("\\")
    print(f'''// Made by HTMLEntityTable.py from the table of the HTML standard. Not to be changed by hand.

extension StaticTable {{
    /// The characters of HTML by their names: numbers in base 16 with a plus between them, after an exclamation mark
    /// where the name needs no semicolon.
    static let htmlEntities = StaticTable(
        """
{body}
        """)
}}''')


main()
