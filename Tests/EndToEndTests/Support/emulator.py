"""A second terminal emulator (pyte): what a terminal shows to which a program sent BYTES.

Usage: emulator.py COLUMNS ROWS OFFSET... < BYTES

Prints a JSON array with a screen for each OFFSET, as it is after so many bytes. A screen is an array of rows, a row an
array of COLUMNS cells, a cell its text: "" for the second half of a wide character.
"""

import json
import sys
import unicodedata

import pyte
from wcwidth import wcwidth


class Screen(pyte.Screen):
    """pyte gives up on text at a mark of no width whose combining class is 0, as many vowels of Indic scripts are."""

    def draw(self, data):
        super().draw("".join(c for c in data if wcwidth(c) != 0 or unicodedata.combining(c)))


columns, rows, *offsets = (int(argument) for argument in sys.argv[1:])
data = sys.stdin.buffer.read()
screen = Screen(columns, rows)
stream = pyte.ByteStream(screen)
screens = []
position = 0
for offset in offsets:
    # What selects the shape of the Linux console's cursor is a question to pyte, which it does not know.
    stream.feed(data[position:offset].replace(b"\x1b[?1c", b""))
    position = offset
    screens.append([[screen.buffer[row][column].data for column in range(columns)] for row in range(rows)])
json.dump(screens, sys.stdout)
