"""The terminal emulator on whose screens the other checks rely."""

from __future__ import annotations

import re

from check import Check, Sabotage
from vterm import Emulator

LINES = b"".join(b"\x1b[%dHline %d" % (row, row) for row in range(1, 6))
# The bytes sent to a terminal of 5 rows and 8 columns that shows LINES, and the resulting screen.
SCREENS = {
    "a region scrolled up": (b"\x1b[2;4r\x1b[2S", ["line 1", "line 4", "", "", "line 5"]),
    "a region scrolled down": (b"\x1b[2;4r\x1b[T", ["line 1", "", "line 2", "line 3", "line 5"]),
    "all scrolled up": (b"\x1b[S", ["line 2", "line 3", "line 4", "line 5", ""]),
    "a line feed in a region": (b"\x1b[1;2r\x1b[2H\n", ["line 2", "", "line 3", "line 4", "line 5"]),
    "back over the top": (b"\x1b[H\x1bM", ["", "line 1", "line 2", "line 3", "line 4"]),
    "lines inserted and deleted": (b"\x1b[2H\x1b[L\x1b[4H\x1b[M", ["line 1", "", "line 2", "line 4", ""]),
    "characters inserted, deleted and erased": (
        b"\x1b[H\x1b[2@\x1b[2;2H\x1b[3P\x1b[3;2H\x1b[2X",
        ["  line 1", "l 2", "l  e 3", "line 4", "line 5"],
    ),
    "repeated": (b"\x1b[H=\x1b[5b", ["======", "line 2", "line 3", "line 4", "line 5"]),
    # The second character is newer than libvterm's table of widths.
    "wide characters": (
        "\x1b[H\u66f8\U0001f9c1|".encode(),
        ["\u66f8\U0001f9c1|1", "line 2", "line 3", "line 4", "line 5"],
    ),
    "a mark": ("\x1b[He\u0301|".encode(), ["e\u0301|ne 1", "line 2", "line 3", "line 4", "line 5"]),
    "another screen, and back": (b"\x1b[?1049h\x1b[2Jx\x1b[?1049l", ["line 1", "line 2", "line 3", "line 4", "line 5"]),
}
UNKNOWN = [
    b"\x1b[99y",
    b"\x1b[?9999h",
    b"\x1b[?1000;9999h",
    b"\x1b[98m",
    b"\x1b[1;8m",
    b"\x1b[3J",
    b"\x1b[=1c",
    b"\x1b[1#p",
    b"\x1b%G",
    b"\x1bQ",
    b"\x1b]7;x\x07",
    b"\x1bPx\x1b\\",
    b"\x1b_x\x1b\\",
    b"\x05",
    b"\xc2\x9b",
    b"\xff",
]


class Emulation(Check):
    name = "emulator"
    is_short = True
    promise = "The checks see the screen of a terminal, and fail on a sequence that their emulator does not know"
    method = (
        "sequences that scroll, insert, erase and repeat, wide characters and marks, at once and byte by byte; unknown "
        "sequences"
    )
    sabotages = [
        Sabotage("an emulator that ignores CSI S and CSI T", word="no scrolling"),
        Sabotage("an emulator that ignores unknown sequences", word="silence"),
    ]

    def run(self) -> str:
        for name, (sent, expected) in SCREENS.items():
            if self.lab.sabotage.word == "no scrolling":
                sent = re.sub(rb"\x1b\[[0-9]*[ST]", b"", sent)
            for size in (len(LINES + sent), 1):
                terminal = self.show(LINES + sent, size)
                shown = [row.rstrip() for row in terminal.display]
                assert shown == expected, f"{name}: {shown}"
                assert not terminal.unknown, f"{name}: {terminal.unknown} counts as unknown"
        for sent in UNKNOWN:
            for size in (len(sent), 1):
                unknown = self.show(sent, size).unknown
                assert unknown == [sent], f"{sent} is unknown, and {unknown} counts as unknown"
        return f"{len(SCREENS)} of {len(SCREENS)} screens, {len(UNKNOWN)} of {len(UNKNOWN)} unknown sequences named"

    def show(self, sent: bytes, size: int) -> Emulator:
        terminal = Emulator(5, 8)
        for start in range(0, len(sent), size):
            terminal.feed(sent[start : start + size])
        if self.lab.sabotage.word == "silence":
            terminal.unknown = []
        return terminal


CHECKS = [Emulation]
