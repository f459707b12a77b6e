"""Generates a catalog of a kind that is not JSON: sources.py KIND COUNT PATH."""

import gzip
import os
import sqlite3
import struct
import sys

BOOKS = [
    ("Emma", "Jane", "Austen", 1815),
    ("Dracula", "Bram", "Stoker", 1897),
    ("Kidnapped", "Robert Louis", "Stevenson", 1886),
    ("Nana", "Émile", "Zola", 1880),
]


def csv(books, separator=","):
    rows = [("Title", "Author", "Year")] + [(title, f"{first} {last}", str(year)) for title, first, last, year in books]
    return "".join(separator.join(row) + "\n" for row in rows).encode()


def bib(books):
    entry = "@book{{b{0},\n  title = {{{1}}},\n  author = {{{3}, {2}}},\n  year = {4}\n}}\n"
    return "".join(entry.format(number, *book) for number, book in enumerate(books)).encode()


def ris(books):
    record = "TY  - BOOK\nTI  - {0}\nAU  - {2}, {1}\nPY  - {3}\nER  - \n\n"
    return "".join(record.format(*book) for book in books).encode()


def enw(books):
    return "".join("%0 Book\n%T {0}\n%A {2}, {1}\n%D {3}\n\n".format(*book) for book in books).encode()


def endx(books):
    record = (
        '<record><ref-type name="Book">6</ref-type><contributors><authors><author>{2}, {1}</author></authors>'
        "</contributors><titles><title>{0}</title></titles><dates><year>{3}</year></dates></record>\n"
    )
    return f"<xml><records>\n{''.join(record.format(*book) for book in books)}</records></xml>\n".encode()


def isi(books):
    record = "PT J\nAU {2}, {1}\nTI {0}\nPY {3}\nER\n\n"
    return f"FN ISI Export Format\nVR 1.0\n{''.join(record.format(*book) for book in books)}EF\n".encode()


def mrc(books):
    """Returns records in the exchange format of ISO 2709, in UTF-8."""
    records = b""
    for number, (title, first, last, year) in enumerate(books):
        fields = [
            ("001", f"{number}"),
            ("100", f"1 \x1fa{last}, {first}"),
            ("245", f"10\x1fa{title}"),
            ("260", f"  \x1fc{year}"),
        ]
        directory, data = "", b""
        for tag, text in fields:
            content = text.encode() + b"\x1e"
            directory += f"{tag}{len(content):04}{len(data):05}"
            data += content
        base = 24 + len(directory) + 1
        leader = f"{base + len(data) + 1:05}nam a22{base:05} a 4500"
        records += (leader + directory).encode() + b"\x1e" + data + b"\x1d"
    return records


def marcxml(books):
    record = (
        "<record><leader>00000nam a2200000 a 4500</leader>"
        '<datafield tag="100" ind1="1" ind2=" "><subfield code="a">{2}, {1}</subfield></datafield>'
        '<datafield tag="245" ind1="1" ind2="0"><subfield code="a">{0}</subfield></datafield>'
        '<datafield tag="260" ind1=" " ind2=" "><subfield code="c">{3}</subfield></datafield></record>\n'
    )
    records = "".join(record.format(*book) for book in books)
    return f'<collection xmlns="http://www.loc.gov/MARC21/slim">\n{records}</collection>\n'.encode()


def mods(books):
    record = (
        '<mods><titleInfo><title>{0}</title></titleInfo><name type="personal"><namePart type="given">{1}</namePart>'
        '<namePart type="family">{2}</namePart><role><roleTerm type="text">author</roleTerm></role></name>'
        "<originInfo><dateIssued>{3}</dateIssued></originInfo></mods>\n"
    )
    records = "".join(record.format(*book) for book in books)
    return f'<modsCollection xmlns="http://www.loc.gov/mods/v3">\n{records}</modsCollection>\n'.encode()


def opds(books):
    entry = (
        "<entry><title>{0}</title><id>urn:{0}</id><author><name>{1} {2}</name></author>"
        '<issued xmlns="http://purl.org/dc/terms/">{3}</issued>'
        '<link rel="http://opds-spec.org/acquisition" href="{0}.epub" type="application/epub+zip"/></entry>\n'
    )
    entries = "".join(entry.format(*book) for book in books)
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title>\n{entries}</feed>\n'.encode()


def zst(data):
    """Returns a frame of RFC 8878 with uncompressed blocks."""
    frame, size = b"\x28\xb5\x2f\xfd\x00\x50", 50_000
    for start in range(0, len(data), size):
        block = data[start : start + size]
        is_last = start + size >= len(data)
        frame += struct.pack("<I", len(block) << 3 | (1 if is_last else 0))[:3] + block
    return frame


def db(books, path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE IF NOT EXISTS books (title TEXT, author TEXT, year INTEGER)")
        database.execute("DELETE FROM books")
        rows = [(title, f"{first} {last}", year) for title, first, last, year in books]
        database.executemany("INSERT INTO books VALUES (?, ?, ?)", rows)


# The tables of every calibre library, with the columns that are read.
CALIBRE = """
    CREATE TABLE library_id (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL);
    CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, sort TEXT, timestamp TIMESTAMP, pubdate TIMESTAMP,
        series_index REAL DEFAULT 1.0, author_sort TEXT, isbn TEXT, lccn TEXT, path TEXT DEFAULT '', flags INTEGER,
        uuid TEXT, has_cover BOOL DEFAULT 0, last_modified TIMESTAMP);
    CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT, sort TEXT, link TEXT);
    CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT, sort TEXT);
    CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT, sort TEXT);
    CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INTEGER);
    CREATE TABLE languages (id INTEGER PRIMARY KEY, lang_code TEXT);
    CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER, author INTEGER);
    CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INTEGER, tag INTEGER);
    CREATE TABLE books_series_link (id INTEGER PRIMARY KEY, book INTEGER, series INTEGER);
    CREATE TABLE books_publishers_link (id INTEGER PRIMARY KEY, book INTEGER, publisher INTEGER);
    CREATE TABLE books_ratings_link (id INTEGER PRIMARY KEY, book INTEGER, rating INTEGER);
    CREATE TABLE books_languages_link (id INTEGER PRIMARY KEY, book INTEGER, lang_code INTEGER, item_order INTEGER);
    CREATE TABLE identifiers (id INTEGER PRIMARY KEY, book INTEGER, type TEXT, val TEXT);
    CREATE TABLE comments (id INTEGER PRIMARY KEY, book INTEGER, text TEXT);
    CREATE TABLE data (id INTEGER PRIMARY KEY, book INTEGER, format TEXT, uncompressed_size INTEGER, name TEXT);
    CREATE TABLE custom_columns (id INTEGER PRIMARY KEY, label TEXT, name TEXT, datatype TEXT, mark_for_delete BOOL,
        editable BOOL, display TEXT, is_multiple BOOL, normalized BOOL);
    INSERT INTO library_id VALUES (1, 'u');
"""


def calibre(books, path):
    os.makedirs(path, exist_ok=True)
    file = path + "/metadata.db"
    is_new = not os.path.exists(file)
    database = sqlite3.connect(file)
    if is_new:
        database.executescript(CALIBRE)
    with database:
        for table in ("books", "authors", "books_authors_link", "data"):
            database.execute(f"DELETE FROM {table}")
        for number, (title, first, last, year) in enumerate(books, 1):
            row = (number, title, f"{year}-06-01 00:00:00+00:00", f"{title} ({number})")
            database.execute("INSERT INTO books (id, title, pubdate, path) VALUES (?, ?, ?, ?)", row)
            database.execute("INSERT INTO authors (id, name) VALUES (?, ?)", (number, f"{first} {last}"))
            database.execute("INSERT INTO books_authors_link VALUES (?, ?, ?)", (number, number, number))
            database.execute("INSERT INTO data (book, format, name) VALUES (?, 'EPUB', ?)", (number, title))
            os.makedirs(f"{path}/{row[3]}", exist_ok=True)
            with open(f"{path}/{row[3]}/{title}.epub", "w") as book:
                book.write(title)
    database.close()


def main(kind, count, path):
    books = BOOKS[: int(count)]
    # Further books have numbers.
    for number in range(len(BOOKS), int(count)):
        title, first, last, year = BOOKS[number % len(BOOKS)]
        books.append((f"{title} {number}", first, last, year))
    if kind in ("db", "calibre"):
        return {"db": db, "calibre": calibre}[kind](books, path)
    makers = {
        "csv": csv,
        "tsv": lambda books: csv(books, "\t"),
        "bib": bib,
        "ris": ris,
        "enw": enw,
        "endx": endx,
        "isi": isi,
        "mrc": mrc,
        "marcxml": marcxml,
        "mods": mods,
        "opds": opds,
        "csv.gz": lambda books: gzip.compress(csv(books), mtime=0),
        "marcxml.gz": lambda books: gzip.compress(marcxml(books), mtime=0),
        "csv.zst": lambda books: zst(csv(books)),
    }
    # Like an editor that saves: the new file replaces the old one.
    with open(path + ".new", "wb") as file:
        file.write(makers[kind](books))
    os.replace(path + ".new", path)


main(*sys.argv[1:])
