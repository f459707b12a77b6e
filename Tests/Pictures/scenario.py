"""What a reader sees of covers: the first book's, the next one's, none under the help, and none at the end.

Each cover has four plain quadrants, whose colours are nowhere else (all else is grey: stage.GREYS), so that a
screenshot shows which parts of which covers are where."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

import wire
from pixels import Colour, Picture, encode_png, quadrants
from stage import Stage, home, need

DRAWER = str(pathlib.Path(__file__).resolve().parent / "drawer.py")
COUNT = 12
WIDTH, HEIGHT = 400, 600
LEVELS = (50, 115, 180, 245)
# The difference of a channel that scaling, JPEG and a palette may make.
TOLERANCE = 24
# A colour counts where it fills a line of so many pixels: no letter has one.
LINE = 16
# The seconds until a cover has to be on the screen, or to be gone.
PATIENCE = 6
# The largest mean difference of a channel between a cover and the screen, and between what was sent and the screen.
COVER_LIMIT, SENT_LIMIT = 10, 4


def all_colours() -> list[list[Colour]]:
    """The colours of each cover: no two covers share one."""
    colours = [(r, g, b) for r in LEVELS for g in LEVELS for b in LEVELS if not r == g == b]
    random.Random(1).shuffle(colours)
    return [colours[4 * n : 4 * n + 4] for n in range(COUNT)]


COLOURS = all_colours()
# The number of a colour, from 1 on: 4 * book + quadrant + 1.
NUMBERS = {colour: 4 * book + n + 1 for book in range(COUNT) for n, colour in enumerate(COLOURS[book])}


def number(pixel: bytes) -> int:
    """Returns the number of the colour that a pixel has, 0 for none."""
    near = tuple(min(LEVELS, key=lambda level: abs(level - part)) for part in pixel)
    return NUMBERS.get(near, 0) if all(abs(one - two) <= TOLERANCE for one, two in zip(near, pixel)) else 0


class Seen:
    """The colours of covers on a screenshot."""

    def __init__(self, picture: Picture):
        self.picture = picture
        known: dict[bytes, int] = {}
        data, width = picture.data, picture.width
        numbers = bytearray()
        for start in range(0, len(data), 3):
            pixel = data[start : start + 3]
            if pixel not in known:
                known[pixel] = number(pixel)
            numbers.append(known[pixel])
        # The number of each colour and its bounding box: left, top, right, bottom.
        self.boxes: dict[int, list[int]] = {}
        line = re.compile(rb"([^\0])\1{%d,}" % (LINE - 1), re.DOTALL)
        for y in range(picture.height):
            for match in line.finditer(numbers[y * width : (y + 1) * width]):
                self.widen(match[1][0], match.start(), y, match.end(), y + 1)
        for x in range(width):
            for match in line.finditer(numbers[x::width]):
                self.widen(match[1][0], x, match.start(), x + 1, match.end())
        # Between two quadrants, terminals that scale pictures draw thin lines of other colours.
        self.boxes = {c: b for c, b in self.boxes.items() if min(b[2] - b[0], b[3] - b[1]) >= LINE // 2}

    def widen(self, colour: int, left: int, top: int, right: int, bottom: int) -> None:
        box = self.boxes.setdefault(colour, [left, top, right, bottom])
        box[:] = [min(box[0], left), min(box[1], top), max(box[2], right), max(box[3], bottom)]

    @property
    def books(self) -> set[int]:
        return {(colour - 1) // 4 for colour in self.boxes}

    def describe(self) -> str:
        return ", ".join(f"book {(c - 1) // 4 + 1} quadrant {(c - 1) % 4 + 1} at {b}" for c, b in self.boxes.items())


def check_none(picture: Picture, when: str) -> None:
    seen = Seen(picture)
    assert not seen.boxes, f"{when} there are still {seen.describe()}"


def check_cover(picture: Picture, book: int) -> tuple[int, int, int, int]:
    """Checks that the cover of a book is in the right half, and no other anywhere; returns its place."""
    seen = Seen(picture)
    assert seen.books, f"no cover of book {book + 1} is on the screen"
    assert seen.books == {book}, f"instead of book {book + 1} alone there are {seen.describe()}"
    boxes = [seen.boxes.get(4 * book + n + 1) for n in range(4)]
    assert all(boxes), f"a quadrant is missing: {seen.describe()}"
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    assert left >= picture.width // 2 - 1, f"the cover starts at {left} of {picture.width} pixels"
    width, height = right - left, bottom - top
    ratio = width / height * HEIGHT / WIDTH
    assert 0.9 <= ratio <= 1.1, f"the cover has {width} x {height} pixels, {ratio:.2f} of its aspect ratio"
    slack = max(4, width // 10)
    for n, box in enumerate(boxes):
        x, y = left + width // 2 * (n % 2), top + height // 2 * (n // 2)
        expected = [x, y, x + width // 2, y + height // 2]
        is_there = all(abs(one - two) <= slack for one, two in zip(box, expected))
        assert is_there, f"quadrant {n + 1} is at {box}, not {expected}"
    found = picture.cut(left, top, width, height)
    difference = found.difference(quadrants(WIDTH, HEIGHT, COLOURS[book]).scaled(width, height))
    assert max(difference) <= COVER_LIMIT, f"the cover differs by {difference} on the average"
    return left, top, width, height


def check_sent(stage: Stage, picture: Picture, protocol: str) -> None:
    """Checks the protocol, and for sixel that the screen has the very pixels that were sent last."""
    rows, columns, width, height = stage.size
    terminal = wire.Terminal(rows, columns, (width // columns, height // rows))
    terminal.feed(stage.output)
    assert not terminal.problems, terminal.problems
    if protocol == "kitty":
        assert terminal.kitty.images, "no picture was sent by kitty's protocol"
        return
    assert terminal.sixels, "no picture was sent as sixel"
    sent = terminal.sixels[-1]
    place = sent.column * terminal.cell_width, sent.row * terminal.cell_height
    difference = picture.cut(*place, sent.picture.width, sent.picture.height).difference(sent.picture)
    assert max(difference) <= SENT_LIMIT, f"the screen differs by {difference} from what was sent"


def eventually(stage: Stage, check, *arguments):
    """Repeats a check of the settled screen until it holds."""
    end = time.monotonic() + PATIENCE
    while True:
        picture = stage.settle()
        try:
            return picture, check(picture, *arguments)
        except AssertionError:
            if time.monotonic() > end:
                keep(picture)
                raise


def keep(picture: Picture) -> None:
    """Keeps the screenshot of a failure if a directory for it was named."""
    if directory := os.environ.get("STACKS_PICTURES"):
        path = pathlib.Path(directory, "failure.png")
        path.write_bytes(encode_png(picture))
        print(f"The screen is in {path}", file=sys.stderr)


def play(stage: Stage, protocol: str) -> str:
    """Does what a reader does; returns what was seen."""
    picture, place = eventually(stage, check_cover, 0)
    check_sent(stage, picture, protocol)
    stage.press("j")
    picture, next_place = eventually(stage, check_cover, 1)
    assert next_place == place, f"the second cover is at {next_place}, the first was at {place}"
    check_sent(stage, picture, protocol)
    stage.press("?")
    eventually(stage, check_none, "under the help")
    stage.press("\x1b")
    again, _ = eventually(stage, check_cover, 1)
    outside = again.difference(picture)
    assert max(outside) < 1, f"after the help the screen differs by {outside}"
    stage.press("jjj")
    eventually(stage, check_cover, 4)
    stage.press("kkkk")
    eventually(stage, check_cover, 0)
    stage.press("q")
    eventually(stage, check_none, "after the end")
    end = time.monotonic() + PATIENCE
    while stage.status is None and time.monotonic() < end:
        time.sleep(0.05)
    assert stage.status == 0, f"the exit status is {stage.status}"
    return "covers of {2} x {3} pixels at {0}, {1}".format(*place)


def write_library(directory: str) -> str:
    """Writes a catalog with covers, PNG and JPEG in turn; returns the path of the catalog."""
    need("convert")
    covers = pathlib.Path(directory, "covers")
    covers.mkdir()
    books = []
    for book, colours in enumerate(COLOURS):
        name = f"{book + 1}.png"
        covers.joinpath(name).write_bytes(encode_png(quadrants(WIDTH, HEIGHT, colours)))
        if book % 2:
            subprocess.run(["convert", name, "-quality", "92", f"{book + 1}.jpg"], cwd=covers, check=True)
            covers.joinpath(name).unlink()
            name = f"{book + 1}.jpg"
        books.append({"title": f"Book {book + 1}", "author": f"Author {book + 1}", "cover": f"covers/{name}"})
    catalog = pathlib.Path(directory, "books.json")
    catalog.write_text(json.dumps(books))
    return str(catalog)


@contextlib.contextmanager
def library():
    """A directory with a catalog; yields its path and the environment of a reader who has nothing else."""
    with home("stacks-pictures-") as (directory, environment):
        yield write_library(directory), environment


# What drawer.py does wrong, one after the other, and has to be noticed.
DEFECTS = ["mirrored", "narrow", "ignores-j", "leaves-old", "under-help", "stays", "other-protocol", "outside"]


def main(name: str, protocol: str, show) -> None:
    """Runs the test in a terminal. `show(command, environment)` yields a stage with the command."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--stacks", help="the program; without it, only the stand-in is tested")
    parser.add_argument("--prove", action="store_true", help="draw wrongly on purpose; each defect must be noticed")
    arguments = parser.parse_args()
    with library() as (catalog, environment):
        drawer = [sys.executable, DRAWER, protocol]
        with show([*drawer, "none", catalog], environment) as stage:
            print(f"{name}, a program that draws {protocol}: {play(stage, protocol)}", flush=True)
        unnoticed = 0
        for defect in DEFECTS if arguments.prove else []:
            with show([*drawer, defect, catalog], environment) as stage:
                try:
                    play(stage, protocol)
                    said, unnoticed = "NOTHING: it does not see it", unnoticed + 1
                except AssertionError as error:
                    said = str(error)
            print(f"{name}, {defect}: {said[:150]}", flush=True)
        if arguments.stacks:
            command = [os.path.abspath(arguments.stacks), "--no-mouse", "--no-resume", catalog]
            with show(command, environment) as stage:
                try:
                    print(f"{name}, stacks: {play(stage, protocol)}")
                except AssertionError as error:
                    sys.exit(f"{name}, stacks: FAILED: {error}")
    sys.exit(1 if unnoticed else 0)
