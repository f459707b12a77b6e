#!/usr/bin/python3
"""Shows covers in xterm as a VT340, by sixel, on a display that nobody sees, and compares the screenshots.

    xterm.py [--stacks PROGRAM] [--prove]

STACKS_PICTURES=DIRECTORY keeps the screenshot of a failure."""

import contextlib

import scenario
from stage import GREYS, Display, Stage, need

COLUMNS, ROWS = 120, 40
# Of the font 10x20.
WIDTH, HEIGHT = 10 * COLUMNS, 20 * ROWS


@contextlib.contextmanager
def show(command, environment):
    need("xterm")
    terminal = [
        "xterm", "-ti", "vt340", "-tn", "xterm-256color", "-geometry", f"{COLUMNS}x{ROWS}+0+0", "-fn", "10x20",
        "-b", "0", "-bw", "0", "+sb", "-bg", "black", "-fg", "gray90", "-u8",
        # A VT340 has 16 colours; xterm's own limit of a picture's size is 1000x1000.
        "-xrm", "XTerm*numColorRegisters: 256",
    ]  # fmt: skip
    for number, grey in enumerate(GREYS):
        terminal += ["-xrm", f"XTerm*color{number}: {grey}"]
    terminal.append("-e")
    with Display(WIDTH, HEIGHT) as display, Stage(display, terminal, command, environment) as stage:
        yield stage


if __name__ == "__main__":
    scenario.main("xterm", "sixel", show)
