#!/usr/bin/env python3
"""Makes what screens.sh shows: a catalog, and what its reader has read until today.

    reader.py BOOKS_CSV DIRECTORY

BOOKS_CSV is books.csv of goodbooks-10k (https://github.com/zygmuntz/goodbooks-10k, CC BY-SA 4.0). The number of pages of
the books that the reader has read and the description of one are not part of it."""
import csv
import datetime
import json
import re
import sys

TODAY = datetime.date.today()
SERIES = re.compile(r"(.*?) \(([^()]*?),? #([\d.]+)\)$")
LANGUAGES = {"eng": "en", "en-US": "en", "en-GB": "en", "en-CA": "en"}
NAMES = {"Earthsea Cycle": "Earthsea", "Dune Chronicles": "Dune"}
DESCRIPTION = (
    "Magic is going out of the world: spells no longer work, songs are forgotten, and people turn away from "
    "what they loved. Ged, now Archmage of Roke, sails with the young prince Arren to the end of the west, and "
    "beyond it, to find out why."
)
# Title, pages, days ago of start and end (no end: being read; no days: to read), stars, tags.
READER = [
    ("A Wizard of Earthsea", 183, 700, 690, 5, "comfort"),
    ("A Wizard of Earthsea", 183, 70, 62, 5, "comfort"),
    ("The Tombs of Atuan", 180, 60, 49, 4, "comfort"),
    ("The Farthest Shore", 259, 12, None, 0, "comfort, lent"),
    ("Tehanu", 281, None, None, 0, ""),
    ("Dune", 604, 330, 296, 5, "favourites"),
    ("Dune Messiah", 331, None, None, 0, ""),
    ("The Eyre Affair", 374, 250, 231, 4, "comfort"),
    ("Lost in a Good Book", 399, 228, 214, 4, ""),
    ("The Hitchhiker's Guide to the Galaxy", 193, 190, 186, 5, "favourites, comfort"),
    ("Guards! Guards!", 376, 180, 165, 5, "comfort"),
    ("Small Gods", 389, 160, 141, 4, ""),
    ("Falling Free", 307, 110, 101, 3, ""),
    ("Barrayar", 386, 100, 84, 4, ""),
    ("Pyramids", 323, None, None, 0, ""),
    ("Wicked: The Life and Times of the Wicked Witch of the West", 406, 40, None, 0, ""),
]


def books(path):
    pages = {title: pages for title, pages, *_ in READER}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            book = {"title": row["title"].strip(), "authors": row["authors"].split(", ")}
            if found := SERIES.match(book["title"]):
                book["title"], series, place = found.group(1).strip(), found.group(2), found.group(3)
                book |= {"series": NAMES.get(series, series), "seriesPosition": float(place)}
            if row["original_publication_year"]:
                book["published"] = int(float(row["original_publication_year"]))
            if row["isbn"]:
                book["isbn"] = row["isbn"].zfill(10)
            if row["language_code"]:
                book["language"] = LANGUAGES.get(row["language_code"], row["language_code"])
            book["rating"] = float(row["average_rating"])
            book["identifiers"] = [{"scheme": "goodreads", "value": row["goodreads_book_id"]}]
            if book["title"] in pages:
                book["pageCount"] = pages[book["title"]]
            if book["title"] == "The Farthest Shore":
                book["description"] = DESCRIPTION
            yield book


def day(ago):
    return (TODAY - datetime.timedelta(days=ago)).strftime("%Y/%m/%d")


def table(catalog):
    authors = {book["title"]: ", ".join(book["authors"]) for book in reversed(catalog)}
    entries = {}
    for title, _, start, end, stars, tags in READER:
        entry = entries.setdefault(title, {"Title": title, "Authors": authors[title], "Tags": tags})
        entry["Star Rating"] = f"{stars}.0" if stars else ""
        entry["Date Added"] = day(start or 200)
        if start is None:
            entry["Read Status"] = "to-read"
        elif end is None:
            entry["Read Status"] = "currently-reading"
        else:
            dates = [f"{day(start)}-{day(end)}", *filter(None, [entry.get("Dates Read")])]
            entry |= {"Read Status": "read", "Dates Read": ", ".join(dates), "Last Date Read": day(end)}
            entry["Read Count"] = entry.get("Read Count", 0) + 1
    return list(entries.values())


def main():
    source, directory = sys.argv[1:]
    catalog = list(books(source))
    with open(f"{directory}/goodbooks.json", "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(book, ensure_ascii=False) for book in catalog) + "\n]\n")
    with open(f"{directory}/reader.csv", "w", encoding="utf-8", newline="") as file:
        fields = ["Title", "Authors", "Read Status", "Date Added", "Last Date Read", "Dates Read", "Read Count"]
        fields += ["Star Rating", "Tags"]
        writer = csv.DictWriter(file, fields, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(table(catalog))


main()
