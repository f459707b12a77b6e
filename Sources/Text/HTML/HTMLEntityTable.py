#!/usr/bin/env python3
"""Writes HTMLEntityTable.swift: the named character references of HTML, taken from Python's table.

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
    /// The code points of named HTML characters in hexadecimal, joined with "+", after an exclamation mark if the name
    /// needs no semicolon.
    static let htmlEntities = StaticTable(
        """
{body}
        """)
}}''')


main()
