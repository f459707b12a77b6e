"""Makes a catalog with covers for the pictures of the guide: DIRECTORY/classics.json and DIRECTORY/covers, which
ImageMagick draws, so that they are nobody's.

usage: covers.py DIRECTORY"""

import json
import os
import subprocess
import sys

BOOKS = [
    ("Middlemarch", "George Eliot", 1871, "#1f4e5f", "#f2d0a4"),
    ("Anna Karenina", "Leo Tolstoy", 1878, "#7a1f2b", "#f4e8d0"),
    ("Emma", "Jane Austen", 1815, "#5b7f5b", "#fdf6e3"),
    ("Moby Dick", "Herman Melville", 1851, "#123b6d", "#e8f1f5"),
    ("Jane Eyre", "Charlotte Brontë", 1847, "#4a2c4d", "#f0d9ef"),
    ("Walden", "Henry David Thoreau", 1854, "#2f5d3a", "#e7efc5"),
    ("Dracula", "Bram Stoker", 1897, "#1a1a1a", "#d7263d"),
    ("Don Quixote", "Miguel de Cervantes", 1605, "#b5651d", "#fff3d6"),
    ("The Awakening", "Kate Chopin", 1899, "#2b6777", "#ffd6a5"),
    ("Candide", "Voltaire", 1759, "#d9a441", "#3b2410"),
    ("Bleak House", "Charles Dickens", 1853, "#3c4654", "#dfe6ee"),
    ("Germinal", "Émile Zola", 1885, "#8c3b1f", "#f8e1c4"),
]
ABOUT = {"Middlemarch": "A study of provincial life: Dorothea Brooke wants to do good in the world, and marries a scholar "
         "whose great work will never be written. Around her a town changes with the railway, medicine and reform."}


def draw(path: str, title: str, author: str, ground: str, ink: str, number: int) -> None:
    shapes = [
        "circle 200,330 200,430", "rectangle 90,250 310,430", "polygon 200,230 320,430 80,430",
        "path 'M 60,420 Q 130,250 200,340 T 340,260 L 340,430 L 60,430 Z'",
    ]
    words = title.replace(" ", "\n")
    subprocess.run(
        ["convert", "-size", "400x600", f"xc:{ground}", "-fill", "none", "-stroke", ink, "-strokewidth", "6", "-draw",
         "rectangle 22,22 378,578", "-fill", ink, "-stroke", "none", "-draw", shapes[number % len(shapes)], "-font",
         "DejaVu-Serif-Bold", "-pointsize", "50", "-gravity", "north", "-annotate", "+0+70", words, "-font",
         "DejaVu-Serif", "-pointsize", "26", "-gravity", "south", "-annotate", "+0+60", author, path], check=True)


def main(directory: str) -> None:
    os.makedirs(f"{directory}/covers", exist_ok=True)
    books = []
    for number, (title, author, year, ground, ink) in enumerate(BOOKS):
        cover = f"covers/{number + 1}.png"
        draw(f"{directory}/{cover}", title, author, ground, ink, number)
        book = {"title": title, "author": author, "year": year, "language": "en", "cover": cover}
        if title in ABOUT:
            book["description"] = ABOUT[title]
        books.append(book)
    with open(f"{directory}/classics.json", "w", encoding="utf-8") as file:
        json.dump(books, file, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
