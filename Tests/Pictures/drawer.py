"""A stand-in for a program that shows covers, for the tests of the screenshots: a list in the terminal's own
colours, a cover, a help.

    drawer.py sixel|kitty DEFECT CATALOG

Keys: j, k, ?, Escape, q. DEFECT is "none" or one of scenario.DEFECTS."""

import fcntl
import json
import os
import struct
import sys
import termios
import tty

from pixels import encode_png, quadrants
from scenario import COLOURS
from wire_test import half_blocks, kitty_chunks, sixel

protocol, defect, catalog = sys.argv[1:]
with open(catalog) as file:
    books = json.load(file)
rows, columns, width, height = struct.unpack("HHHH", fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8)))
cell_width, cell_height = (width // columns, height // rows) if width else (10, 20)
# The place of the cover.
ROW, COLUMN, HIGH = 3, columns * 2 // 3, 15
WIDE = HIGH * cell_height * 2 // 3 // cell_width


def write(*texts) -> None:
    for text in texts:
        data = text.encode() if isinstance(text, str) else text
        while data:
            data = data[os.write(1, data) :]


def at(row: int, column: int) -> str:
    return f"\x1b[{row + 1};{column + 1}H"


def draw(book: int, row: int = ROW) -> None:
    pixels_wide = HIGH * cell_height * 2 // 3 // (2 if defect == "narrow" else 1)
    colours = COLOURS[book][::-1] if defect == "mirrored" else COLOURS[book]
    picture = quadrants(pixels_wide, HIGH * cell_height, colours)
    column = COLUMN if defect != "outside" else 10
    if defect == "other-protocol":
        write(half_blocks(picture.scaled(WIDE, 2 * HIGH), row, column))
    elif protocol == "sixel":
        write(at(row, column), sixel(picture))
    else:
        write(kitty_chunks(f"a=t,q=2,f=100,i={book + 1}", encode_png(picture)))
        write(at(row, column), f"\x1b_Ga=p,q=2,i={book + 1},p=1,C=1\x1b\\")


def erase(row: int = ROW) -> None:
    if protocol == "kitty" and defect != "other-protocol":
        write("\x1b_Ga=d,q=2,d=A\x1b\\")
    for y in range(row, min(rows, row + HIGH + 1)):
        write(at(y, COLUMN), " " * (WIDE + 1))


def show(book: int) -> None:
    for row, entry in enumerate(books):
        # Bars of all colours: of a terminal whose colours are those of covers, the test must not say that it works.
        title = ("> " if row == book else "  ") + entry["title"]
        write(at(row, 0), f"\x1b[48;5;{15 - row}m", title.ljust(columns // 2), "\x1b[m")
    draw(book, ROW + (book if defect == "leaves-old" else 0))


tty.setraw(0)
write("\x1b[?1049h\x1b[?25l\x1b[2J")
book = 0
show(book)
while True:
    for key in os.read(0, 100).decode(errors="replace"):
        if key in "jk" and defect != "ignores-j":
            if defect != "leaves-old":
                erase()
            book = max(0, min(len(books) - 1, book + (1 if key == "j" else -1)))
            show(book)
        elif key == "?":
            if defect == "under-help":
                write(at(0, 0), "Help")
            else:
                erase()
                write("\x1b[2J", at(0, 0), "Help: j, k, q")
        elif key == "\x1b":
            write("\x1b[2J")
            show(book)
        elif key == "q":
            if defect == "stays":
                write(at(rows - 1, 0))
            else:
                erase()
                write("\x1b[2J\x1b[?25h\x1b[?1049l")
            sys.exit()
