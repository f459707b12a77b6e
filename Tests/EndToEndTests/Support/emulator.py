"""A second terminal emulator (pyte): reads what a program sent to a terminal, prints what that terminal shows.

Usage: emulator.py COLUMNS ROWS < BYTES

Prints a JSON array of rows, each an array of COLUMNS cells: the text of a cell, "" for the second half of a wide
character.
"""

import json
import sys

import pyte

columns, rows = int(sys.argv[1]), int(sys.argv[2])
screen = pyte.Screen(columns, rows)
pyte.ByteStream(screen).feed(sys.stdin.buffer.read())
json.dump([[screen.buffer[row][column].data for column in range(columns)] for row in range(rows)], sys.stdout)
