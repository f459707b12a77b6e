"""A second terminal emulator (libvterm): the screen of a terminal after BYTES.

Usage: emulator.py COLUMNS ROWS OFFSET... < BYTES

Prints a JSON array with the screen after each OFFSET in bytes. A screen is an array of rows, a row an array of
COLUMNS cells, a cell its text: "" for the second half of a wide character. An unknown sequence is an error."""

import json
import pathlib
import sys

# The reliability checks use the same emulator.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Reliability"))
from vterm import Emulator  # noqa: E402

columns, rows, *offsets = (int(argument) for argument in sys.argv[1:])
data = sys.stdin.buffer.read()
terminal = Emulator(rows, columns)
screens = []
position = 0
for offset in offsets:
    terminal.feed(data[position:offset])
    position = offset
    screens.append(terminal.cells)
if terminal.unknown:
    sys.exit(f"the terminal does not know {terminal.unknown[:3]}")
json.dump(screens, sys.stdout)
