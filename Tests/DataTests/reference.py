"""Reads a file with the reference reader of its format, and prints each record as a line of JSON.

Usage: reference.py marc|marcxml|ris|wos|bibtex|csv|sqlite FILE [ENCODING or TABLE]"""
import csv
import json
import re
import sqlite3
import sys


def marc(path):
    """Fields as MARC-in-JSON; null for a record that pymarc cannot read."""
    import pymarc

    with open(path, "rb") as file:
        for record in pymarc.MARCReader(file, permissive=True):
            yield record and record.as_dict()["fields"]


def marcxml(path):
    import pymarc

    for record in pymarc.parse_xml_to_array(path):
        yield record.as_dict()["fields"]


def one_line(text):
    return re.sub(r"\s+", " ", text or "").strip()


def ris(path, implementation=None):
    import rispy

    options = {"implementation": implementation} if implementation else {}
    with open(path, encoding="utf-8-sig") as file:
        for entry in rispy.load(file, **options):
            year = entry.get("year") or entry.get("publication_year") or ""
            title = entry.get("title") or entry.get("primary_title") or entry.get("document_title")
            yield {
                "title": one_line(title or entry.get("short_title")),
                "authors": entry.get("authors") or entry.get("first_authors") or [],
                "year": year[:4],
                "doi": entry.get("doi", ""),
                "subjects": entry.get("keywords") or [],
                "description": one_line(entry.get("abstract") or entry.get("notes_abstract")),
                "urls": entry.get("urls") or [],
            }


def wos(path):
    from rispy import WokParser

    return ris(path, WokParser)


def bibtex(path, encoding="utf-8"):
    import bibtexparser
    from bibtexparser import middlewares

    library = bibtexparser.parse_file(
        path, encoding=encoding, append_middleware=[middlewares.LatexDecodingMiddleware()])
    for entry in library.entries:
        fields = {field.key: field.value for field in entry.fields}
        yield {
            "id": entry.key,
            "title": one_line(fields.get("title")),
            "authors": [one_line(name) for name in fields.get("author", "").split(" and ")],
            "year": fields.get("year", ""),
            "journal": fields.get("journal", ""),
        }


def csv_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield {key: value for key, value in row.items() if value}


def sqlite(path, table):
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    for row in database.execute(f'SELECT * FROM "{table}"'):
        yield {key: row[key] for key in row.keys() if row[key] is not None and not isinstance(row[key], bytes)}


READERS = {
    "marc": marc, "marcxml": marcxml, "ris": ris, "wos": wos, "bibtex": bibtex, "csv": csv_rows, "sqlite": sqlite
}

if __name__ == "__main__":
    for value in READERS[sys.argv[1]](*sys.argv[2:]):
        print(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
