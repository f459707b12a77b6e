#!/usr/bin/python3
"""Makes random moves in stacks with covers, and compares what the terminal shows with a fresh drawing of it.

    moves.py [--stacks PROGRAM] [--in vterm|tmux] [--moves 10000] [--seed 1]
    moves.py --prove     spoil the screen behind the back of the program; each defect must be noticed

The covers are half blocks here. A session has RUN moves and a seed of its own, which a failure names with what makes
the same moves again. Every few moves, once the screen has come to rest, it is taken cell by cell with all colours; then
stacks is told to draw all of it anew (^l), and nothing may have changed."""

from __future__ import annotations

import argparse
import collections
import contextlib
import ctypes
import functools
import glob
import json
import os
import pathlib
import random
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import wire
from pixels import Picture, encode_png
from stage import home, need

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Reliability"))
import vterm  # noqa: E402
from terminal import Session  # noqa: E402

BOOKS = 60
# The moves of one session; after a failure that many have to be made again.
RUN = 500
# The screen is compared after at most so many moves, half as many on the average.
BETWEEN = 19
ROWS, COLUMNS = (15, 45), (50, 130)
# The seconds without output and without work of the program and its helper after which the screen is at rest. Covers
# are loaded when a row has stood still for 80 ms, and until then nothing is done.
QUIET = 0.16
# In nanoseconds: what a helper that waits works in that time, because it looks at the clock.
LITTLE = 500_000
# What the status line says while something is written.
SAVING = "Saving your changes"
PATIENCE = 30
# tmux tells a program the last of several sizes a quarter of a second later.
TMUX_DELAY = 0.4
# After Escape, because what follows at once would be a key with Alt.
ESCAPE = 0.05
# The failures after which it makes no sense to go on, and the cells of each that are told.
FAILURES, TOLD = 20, 12

# MARK: Catalog

WORDS = "amber bridge candle drum echo fern glass harbour island juniper kettle lantern meadow north orchard".split()
# Wide characters and combining ones, beside which covers may lie.
TITLES = ["{} and {}", "The {} of {}", "書物の{} {}", "Cafe\u0301 {}, {}", "{}: a very long history of the {} " * 3]


def gradient(dice: random.Random, width: int, height: int) -> Picture:
    """A picture in which nearly every cell has colours of its own."""
    corners = [[dice.randrange(256) for _ in range(3)] for _ in range(3)]
    data = bytearray()
    for y in range(height):
        for x in range(width):
            for start, right, below in zip(*corners):
                data.append((start * width * height + right * x * height + below * y * width) // (width * height) & 255)
    return Picture(width, height, bytes(data))


def write_library(directory: str) -> str:
    """Writes a catalog with covers of many shapes: PNG, JPEG, missing, damaged ones; returns its path."""
    need("convert")
    dice = random.Random(1)
    covers = pathlib.Path(directory, "covers")
    covers.mkdir()
    books = []
    for number in range(BOOKS):
        book = {
            "title": TITLES[number % len(TITLES)].format(*dice.sample(WORDS, 2), *dice.sample(WORDS, 4)).title(),
            "author": f"{dice.choice(WORDS)} {dice.choice(WORDS)}".title(),
            "year": dice.randrange(1800, 2024), "pages": dice.randrange(50, 900),
            "subjects": dice.sample(WORDS, 3), "language": dice.choice(["en", "de", "ja"]),
            "description": " ".join(dice.choice(WORDS) for _ in range(dice.choice([0, 20, 300]))),
            "cover": f"covers/{number}.png",
        }  # fmt: skip
        if number % 4 == 0:
            book["url"] = f"https://books.example/{number}"
        width, height = dice.choice([(60, 90), (60, 90), (80, 80), (120, 40), (30, 120), (1, 1)])
        picture = encode_png(gradient(dice, width, height))
        path = covers / f"{number}.png"
        path.write_bytes(picture)
        kind = number % 10
        if kind in (2, 6, 9):
            subprocess.run(["convert", path.name, f"{number}.jpg"], cwd=covers, check=True)
            path.unlink()
            book["cover"] = f"covers/{number}.jpg"
        elif kind == 3:
            path.unlink()
        elif kind == 4:
            path.write_bytes(picture[: len(picture) // 2])
        elif kind == 5:
            path.write_text("<html>This is no picture.</html>")
        elif kind == 7:
            del book["cover"]
        books.append(book)
    catalog = pathlib.Path(directory, "books.json")
    catalog.write_text(json.dumps(books))
    return str(catalog)


@contextlib.contextmanager
def library():
    """A directory with a catalog; yields it, the catalog, and the environment of a reader who has nothing else."""
    with home("stacks-moves-") as (directory, environment):
        # Notes and links start programs that do nothing; the terminal is left for them, and entered again.
        programs = dict.fromkeys(("BROWSER", "EDITOR", "VISUAL"), "/bin/true")
        yield directory, write_library(directory), {**environment, **programs}


# MARK: Screens


@dataclass(frozen=True)
class Cell:
    """A cell as it is seen: colours are RGB, an index, or the terminal's own ("text", "ground")."""

    text: str
    foreground: object
    background: object
    attributes: frozenset[str]


def seen(text: str, foreground, background, attributes: set[str]) -> Cell:
    """Returns a cell without what nobody sees: the colour of a blank, and which of two colours was reversed."""
    foreground = "text" if foreground is None else foreground
    background = "ground" if background is None else background
    if "reverse" in attributes:
        foreground, background = background, foreground
    attributes = frozenset(attributes - {"reverse"})
    if not text:
        # The second half of a wide character looks like the first.
        return Cell("", None, None, frozenset())
    if text in (" ", "\xa0"):
        text, attributes = " ", attributes & {"underline", "struck"}
        foreground = foreground if attributes else None
    return Cell(text, foreground, background, attributes)


@dataclass
class Screen:
    cells: list[list[Cell]]
    # None if it is hidden.
    cursor: tuple[int, int] | None

    def differences(self, other: Screen) -> list[str]:
        """What is not as on the other screen, in words."""
        found = []
        for y, (row, expected) in enumerate(zip(self.cells, other.cells)):
            for x, (one, two) in enumerate(zip(row, expected)):
                if one != two:
                    found.append(f"row {y + 1} column {x + 1} shows {told(one)} instead of {told(two)}")
        if list(map(len, self.cells)) != list(map(len, other.cells)):
            found.append("the screens differ in size")
        if self.cursor != other.cursor:
            found.append(f"the cursor is at {self.cursor} instead of {other.cursor}")
        return found

    def __str__(self) -> str:
        return "\n".join("".join(cell.text for cell in row) for row in self.cells)


def told(cell: Cell) -> str:
    return " ".join([repr(cell.text), f"{cell.foreground} on {cell.background}", *sorted(cell.attributes)])


class Failure(AssertionError):
    """The screen is not what it should be, or the program is not there any more."""


class Refused(Failure):
    """tmux cannot do that now."""


# MARK: Places


class Place:
    """Where the program runs, as long as a `with` block."""

    # The process of the program.
    pid: int

    def pump(self, seconds: float) -> bool:
        """Takes output, and returns whether there was any."""
        raise NotImplementedError

    def type(self, keys: bytes) -> None:
        """Types keys, without any pause."""
        raise NotImplementedError

    def resize(self, rows: int, columns: int) -> None:
        """Gives the window another size."""
        raise NotImplementedError

    def look(self) -> Screen:
        """Returns the screen as it is now."""
        raise NotImplementedError

    def spoil(self, output: bytes) -> None:
        """Has the terminal get bytes that the program did not send."""
        raise NotImplementedError

    def check_alive(self) -> None:
        """Fails if the program has ended."""
        raise NotImplementedError

    def rearrange(self, dice: random.Random) -> str | None:
        """Does what only this place can do; returns what it was, or None for nothing."""

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.pump(left)

    def press(self, keys: bytes) -> None:
        """Types keys; each Escape among them, unless it begins a sequence, with a pause behind it."""
        for part in re.findall(rb"\x1b(?![\[O])|(?:\x1b[\[O]|[^\x1b])+", keys):
            self.check_alive()
            self.type(part)
            if part == b"\x1b":
                self.wait(ESCAPE)

    def settle(self) -> Screen:
        """Waits until the screen is at rest; returns it."""
        end = time.monotonic() + PATIENCE
        work, since = 0, time.monotonic()
        while time.monotonic() < end:
            if self.pump(0.04):
                since = time.monotonic()
            if abs((now := work_of(self.pid)) - work) > LITTLE:
                work, since = now, time.monotonic()
            if time.monotonic() - since > QUIET:
                self.check_alive()
                screen = self.look()
                # A disk that is slow is no work.
                if SAVING not in str(screen):
                    return screen
        raise Failure("the screen does not come to rest")


def work_of(process: int) -> int:
    """Returns the nanoseconds that a process and its descendants have run, or waited for a processor."""
    work = 0
    for task in glob.glob(f"/proc/{process}/task/[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            work += sum(map(int, pathlib.Path(task, "schedstat").read_text().split()[:2]))
            work += sum(map(work_of, map(int, pathlib.Path(task, "children").read_text().split())))
    return work


class Vterm(Place):
    """libvterm: the screen is what it computes from the output."""

    def __init__(self, directory: str, command: list[str], environment: dict[str, str]):
        rows, columns = ROWS[1], COLUMNS[1]
        self.session = Session(command, {**environment, "TERM": "xterm-256color"}, size=(rows, columns))
        self.session.screen = wire.Terminal(rows, columns)
        self.pid = self.session.pid
        # libvterm tells it only by a callback.
        self.is_cursor_shown, self.tail = True, b""

    def __enter__(self):
        self.session.__enter__()
        return self

    def __exit__(self, *arguments):
        self.session.__exit__(*arguments)

    def pump(self, seconds: float) -> bool:
        output = self.session.output
        self.session.pump(seconds)
        if not output:
            return False
        self.note_cursor(bytes(output))
        # A sequence may be cut off.
        self.tail = bytes(output[-8:])
        output.clear()
        return True

    def note_cursor(self, output: bytes) -> None:
        for match in re.finditer(rb"\x1b\[\?25([hl])", self.tail + output):
            self.is_cursor_shown = match[1] == b"h"

    def type(self, keys: bytes) -> None:
        # A program that has ended is noticed by whoever looks.
        with contextlib.suppress(OSError):
            os.write(self.session.master, keys)

    def resize(self, rows: int, columns: int) -> None:
        self.session.resize(rows, columns)

    def look(self) -> Screen:
        screen = self.session.screen
        cells = [[self.cell(screen, y, x) for x in range(screen.columns)] for y in range(screen.rows)]
        return Screen(cells, screen.cursor if self.is_cursor_shown else None)

    def cell(self, screen: wire.Terminal, row: int, column: int) -> Cell:
        cell = wire.ColouredCell()
        screen.library.vterm_screen_get_cell(
            screen.screen, vterm.Position(row, column), ctypes.cast(ctypes.byref(cell), ctypes.POINTER(vterm.Cell))
        )
        # Only wide characters, stand-ins and marks need more, and they are rare.
        is_plain = cell.characters[0] < 0x3000 and not cell.characters[1]
        text = chr(cell.characters[0] or ord(" ")) if is_plain else screen.cell(row, column)
        return vterm_cell(text, cell.foreground.value, cell.background.value, cell.attributes & 0xFF)

    def spoil(self, output: bytes) -> None:
        self.session.screen.feed(output)
        self.note_cursor(output)

    def check_alive(self) -> None:
        if not self.session.is_alive:
            raise Failure(f"the program has ended with {self.session.status}")


@functools.lru_cache(1 << 16)
def vterm_cell(text: str, foreground, background, attributes: int) -> Cell:
    """:param attributes: bold: 1 bit, underline: 2, italic: 1, blink: 1, reverse: 1, strike: 1."""
    names = {name for name, mask in VTERM_ATTRIBUTES.items() if attributes & mask}
    return seen(text, foreground, background, names)


VTERM_ATTRIBUTES = {"bold": 1, "underline": 6, "italic": 8, "blink": 16, "reverse": 32, "struck": 64}


class Tmux(Place):
    """A server of tmux that nobody else uses, driven by a client in control mode: it says when a pane writes."""

    def __init__(self, directory: str, command: list[str], environment: dict[str, str]):
        need("tmux")
        configuration = pathlib.Path(directory, "tmux.conf")
        configuration.write_text(
            "set -g default-terminal tmux-256color\nset -g remain-on-exit on\n"
            f"set -g default-size {COLUMNS[1]}x{ROWS[1]}\nset -g status off\nset -s exit-empty off\n"
            'set -g default-command "exec sleep 100000"\n'
        )
        size = ["-x", str(COLUMNS[1]), "-y", str(ROWS[1])]
        self.client = subprocess.Popen(
            ["tmux", "-L", "moves", "-f", str(configuration), "-C", "new-session", *size,
             "exec " + shlex.join(command)],
            env={**environment, "TMUX_TMPDIR": directory, "TERM": "xterm-256color"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        # When a pane may have got another size last.
        self.resized = 0.0
        self.rest = b""
        # The answers of tmux to commands, and whether panes have written.
        self.answers: collections.deque[tuple[bool, list[bytes]]] = collections.deque()
        self.lines: list[bytes] | None = None
        self.has_written = False
        self.asked = "new-session"
        # The answer to the command line.
        self.answer()
        names = "#{pane_id} #{pane_tty} #{pane_pid} #{pid}"
        self.pane, self.tty, *numbers = self.ask(f"display-message -p '{names}'")[0].split()
        self.pid, self.server = map(int, numbers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # kill-server may wait for a client that waits for it. The program ends, because its terminal is gone.
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.server, signal.SIGKILL)
        self.client.kill()
        self.client.wait()
        self.client.stdin.close()
        self.client.stdout.close()

    def read(self, seconds: float) -> bool:
        """Takes what tmux says; returns whether it said something."""
        descriptor = self.client.stdout.fileno()
        if not select.select([descriptor], [], [], seconds)[0]:
            return False
        data = os.read(descriptor, 1 << 16)
        if not data:
            raise Failure(f"tmux has ended after {self.asked!r}")
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            if self.lines is not None:
                if re.fullmatch(rb"%(end|error) [0-9]+ [0-9]+ [0-9]+", line):
                    self.answers.append((line.startswith(b"%end"), self.lines))
                    self.lines = None
                else:
                    self.lines.append(line)
            elif line.startswith(b"%begin "):
                self.lines = []
            elif line.startswith(b"%output "):
                self.has_written = True
        return True

    def answer(self) -> tuple[bool, list[bytes]]:
        end = time.monotonic() + PATIENCE
        while not self.answers:
            if time.monotonic() > end:
                raise Failure("tmux does not answer")
            self.read(1)
        return self.answers.popleft()

    def ask(self, command: str) -> list[str]:
        self.asked = command
        self.client.stdin.write(command.encode() + b"\n")
        self.client.stdin.flush()
        is_good, lines = self.answer()
        text = [line.decode() for line in lines]
        if not is_good:
            raise Refused(f"tmux refuses {command!r}: {text}")
        return text

    def pump(self, seconds: float) -> bool:
        self.read(seconds)
        has_written, self.has_written = self.has_written, False
        return has_written

    def settle(self) -> Screen:
        if (left := self.resized + TMUX_DELAY - time.monotonic()) > 0:
            self.wait(left)
        return super().settle()

    def type(self, keys: bytes) -> None:
        self.ask(f"send-keys -t {self.pane} -H {keys.hex(' ')}")

    def resize(self, rows: int, columns: int) -> None:
        self.ask(f"resize-window -t {self.pane} -x {columns} -y {rows}")
        self.resized = time.monotonic()

    def look(self) -> Screen:
        format = "#{pane_width} #{pane_height} #{cursor_x} #{cursor_y} #{cursor_flag}"
        columns, rows, x, y, is_shown = map(int, self.ask(f"display-message -p -t {self.pane} '{format}'")[0].split())
        lines = self.ask(f"capture-pane -p -e -N -t {self.pane}")
        return Screen(captured(lines[:rows], columns), (y, x) if is_shown else None)

    def spoil(self, output: bytes) -> None:
        with open(self.tty, "wb", buffering=0) as file:
            file.write(output)

    def check_alive(self) -> None:
        if self.ask(f"display-message -p -t {self.pane} '#{{pane_dead}} #{{pane_dead_status}}'")[0].split()[0] != "0":
            raise Failure("the program has ended")

    def rearrange(self, dice: random.Random) -> str:
        """Splits the window, changes the pane or the window, zooms ..., as far as that is possible now."""
        panes, windows = map(int, self.ask(f"display-message -p -t {self.pane} '{COUNTS}'")[0].split())
        choices = ["resize-pane -Z -t PANE", "copy-mode -t PANE"]
        if panes > 1:
            choices += ["kill-pane -a -t PANE"] * 2 + ["select-pane -t PANE", "last-pane", "swap-pane -U -t PANE"]
            choices += ["next-layout -t PANE", f"resize-pane -t PANE -{dice.choice('LRUD')} {dice.randint(1, 9)}"]
            choices += ["break-pane -d -s PANE"]
        else:
            choices += [f"split-window {side} -t PANE" for side in ("-h", "-v", "-hb", "-vb -d")]
        if windows > 1:
            choices += ["kill-window -a -t PANE", "next-window", "last-window", "select-window -t PANE"]
        else:
            choices += ["new-window", "new-window -d"]
        command = dice.choice(choices)
        with contextlib.suppress(Refused):
            self.ask(command.replace("PANE", self.pane))
        self.resized = time.monotonic()
        if command.startswith("copy-mode"):
            # Else the program would get no keys.
            self.ask(f"send-keys -t {self.pane} -X cancel")
        return command


# What tmux says of the panes and windows that there are.
COUNTS = "#{window_panes} #{session_windows}"
# The numbers in ESC [ ... m that switch an attribute on, and off.
CODES = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 5: "blink", 7: "reverse", 8: "hidden", 9: "struck"}
NO_CODES = {22: {"bold", "dim"}, **{20 + code: {name} for code, name in CODES.items() if code > 2}}
# ESC [ ... m, a change of the character set, or a character.
PIECE = re.compile("\x1b\\[([0-9;:]*)m|([\x0e\x0f])|(.)", re.DOTALL)


def captured(lines: list[str], columns: int) -> list[list[Cell]]:
    """Returns the cells that `capture-pane -e` describes: attributes go on from line to line."""
    pen = Pen()
    rows = []
    for line in lines:
        row: list[tuple] = []
        for codes, charset, character in PIECE.findall(line):
            if character and vterm.width(character) == 0 and row:
                row[-1] = (row[-1][0] + character, *row[-1][1:])
            elif character:
                row += [(character, *pen.look)] + [("", *pen.look)] * (vterm.width(character) - 1)
            elif charset:
                pen.attributes = pen.attributes - {"lines"} | ({"lines"} if charset == "\x0e" else set())
            else:
                pen.take([int(code or 0) for code in re.split("[;:]", codes)])
        # The rest of a line was never written.
        row += [(" ", None, None, frozenset())] * (columns - len(row))
        rows.append([tmux_cell(*cell) for cell in row])
    return rows


@functools.lru_cache(1 << 16)
def tmux_cell(text: str, foreground, background, attributes: frozenset[str]) -> Cell:
    return seen(text, foreground, background, set(attributes))


class Pen:
    """The colours and attributes that ESC [ ... m has set."""

    def __init__(self):
        self.colours: dict[int, object] = {3: None, 4: None}
        self.attributes: frozenset[str] = frozenset()

    @property
    def look(self) -> tuple:
        return self.colours[3], self.colours[4], self.attributes

    def take(self, codes: list[int]) -> None:
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code in CODES:
                self.attributes |= {CODES[code]}
            elif code in NO_CODES:
                self.attributes -= NO_CODES[code]
            elif code in (38, 48):
                count = {5: 1, 2: 3}[codes.pop(0)]
                self.colours[code // 10] = codes[0] if count == 1 else tuple(codes[:3])
                del codes[:count]
            elif code in (39, 49):
                self.colours[code // 10] = None
            elif code // 10 in (3, 4):
                self.colours[code // 10] = code % 10
            elif code // 10 in (9, 10):
                self.colours[code // 10 - 6] = code % 10 + 8
            else:
                raise Failure(f"tmux says ESC [ {code} m")


# MARK: Moves

# Single keys, which never start anything that lasts, nor quit: no q, no Enter where it may be in the palette.
KEYS = (
    ["j", "k", "\x1b[B", "\x1b[A", "\x1b[C", "\x1b[D", "h", "l"] * 6
    + ["\x06", "\x02", "\x04", "\x15", "G", "gg", "5j", "7k", "\x1b[5~", "\x1b[6~", "zz", "zt", "zb"] * 2
    + ["c"] * 8 + ["\t", "\x1b[Z", "\t", "L", "J", "K", "<", ">", "9>", "9<", "]", "[", "n", "N", "H", "\x0f", "gi"]
    + [" ", "v", "V", "t", "r4", "r0", "mr", "md", "mn", ".", "u", "\x12", "o", "e", "Ma", "'a", "R", "aa", "ay"]
    + ["st", "sa", "sy", "sr", "sl", "sR", "Sa", "Sd", "Sj", "Sn", "gs1", "g1", "g2", "?", "F", "%", "za"]
    + ["\x1b"] * 12
)
# Inputs and popups that are opened, walked through, and closed again; the screen may be compared while they are open.
VISITS = [
    "/amber", "/the b", "/zzz", "/", "/a\x7f\x7f", ":", ":theme", ":co", ":theme dark", "?", "?/cov", "|", "f", "fme",
    "F", "%", "U", "mL", "ml", "O", "gd", "gD", "gV", "x", "E", "A", "W", "+", "b", "so", "So", "mT", ":messages",
    "g", "s", "S", "m", "z", "D", "\x1b[200~a paste\nof two lines\x1b[201~",
]  # fmt: skip
WALKS = ["\x1b[B", "\x1b[A", "\x1b[6~", "\x1b[5~", "\t", "\x1b[Z", "\x1b[F", "\x1b[H"]
# Searches that are kept; Escape before them closes what is open.
SEARCHES = ["\x1b\x1b\x1b\x1b/%s\r" % word for word in ("amber", "the", "書物", "year:>1900", "zzzz")]
# The time after which stacks shows what may follow the first key of several, in seconds.
WAIT_FOR_KEYS = 0.4


class Mover:
    """Makes random moves; remembers them."""

    def __init__(self, place: Place, seed: int):
        self.place = place
        self.dice = random.Random(seed)
        self.size = ROWS[1], COLUMNS[1]
        self.made: list[str] = []
        # The keys that close what the last move has opened.
        self.closing = ""

    def move(self) -> None:
        place, dice = self.place, self.dice
        if self.closing:
            keys, self.closing = self.closing, ""
            return self.press(keys)
        kind = dice.random()
        if kind < 0.05:
            self.resize()
        elif kind < 0.09 and (what := place.rearrange(dice)):
            self.made.append(what)
        elif kind < 0.17:
            self.press(dice.choice(VISITS))
            for _ in range(dice.choice([0, 0, 1, 2, 5])):
                self.press(dice.choice(WALKS))
            self.closing = "\x1b" * dice.choice([1, 2, 3])
            if dice.random() < 0.15:
                place.wait(WAIT_FOR_KEYS)
        elif kind < 0.18:
            self.press(dice.choice(SEARCHES))
        elif kind < 0.21:
            x, y = dice.randint(1, self.size[1]), dice.randint(1, self.size[0])
            button = dice.choice([0, 64, 65])
            self.press(f"\x1b[<{button};{x};{y}M" + (f"\x1b[<0;{x};{y}m" if button == 0 else ""))
        elif kind < 0.25:
            # Held down.
            self.press(dice.choice(["j", "k", "\x1b[B", "\x1b[A", "l", "\x06"]) * dice.randint(3, 30))
        else:
            self.press(dice.choice(KEYS))
        place.wait(dice.choice([0, 0, 0, 0, 0.005, 0.02, 0.1, 0.15]))

    def press(self, keys: str) -> None:
        self.made.append(repr(keys))
        self.place.press(keys.encode())

    def resize(self) -> None:
        """Gives the window another size, sometimes another one at once, or the old one again."""
        old = self.size
        for _ in range(self.dice.choice([1, 1, 2, 4])):
            # Windows of 100 columns and more have the grid.
            columns = self.dice.choice([self.dice.randint(*COLUMNS), self.dice.randint(98, COLUMNS[1])])
            self.resize_to(self.dice.randint(*ROWS), columns)
        if self.dice.random() < 0.2:
            self.resize_to(*old)

    def resize_to(self, rows: int, columns: int) -> None:
        self.size = rows, columns
        self.made.append(f"{columns}x{rows}")
        self.place.resize(rows, columns)
        self.place.wait(self.dice.choice([0, 0, 0.01, 0.1]))

    def compare(self, spoil=None) -> Screen:
        """Fails if the screen is not as it is when all of it is drawn anew."""
        screen = self.place.settle()
        if spoil:
            self.place.spoil(spoil(screen))
            self.place.wait(0.1)
            screen = self.place.look()
        self.place.press(b"\x0c")
        drawn = self.place.settle()
        if found := screen.differences(drawn):
            more = f"\n... {len(found)} in all" if len(found) > TOLD else ""
            raise Failure("\n".join(found[:TOLD]) + f"{more}\nThe screen:\n{screen}\nDrawn anew:\n{drawn}")
        return screen


@dataclass
class Tally:
    """What a test has seen."""

    moves: int = 0
    comparisons: int = 0
    # Screens with half blocks.
    covers: int = 0
    failures: int = 0

    def __str__(self) -> str:
        return (
            f"{self.moves:,} moves, {self.comparisons:,} comparisons, {self.covers:,} of them with covers, "
            f"{self.failures} failures"
        )


def play(place: Place, seed: int, count: int, tally: Tally, name: str) -> None:
    """Makes moves, and tells each failure; ends after the last one that allows to go on."""
    mover = Mover(place, seed)
    left = last = 0
    for number in range(count + 1):
        if left == 0 or number == count:
            try:
                screen = mover.compare()
            except Failure as failure:
                tally.failures += 1
                print(
                    f"{name}: FAILED after {number} moves of --in {name} --seed {seed} --moves {count}\n"
                    f"The moves since the last comparison: {' '.join(mover.made[last:])}\n{failure}", flush=True
                )  # fmt: skip
                place.check_alive()
                if tally.failures >= FAILURES:
                    return
                screen = None
            tally.comparisons += 1
            tally.covers += bool(screen and has_cover(screen))
            left, last = mover.dice.randint(1, BETWEEN), len(mover.made)
        if number < count:
            mover.move()
            left -= 1
            tally.moves += 1


def has_cover(screen: Screen) -> bool:
    return any(is_half_block(cell) for row in screen.cells for cell in row)


def is_half_block(cell: Cell) -> bool:
    return cell.text in ("▀", "▄")


# MARK: Proof


def place_of_cover(screen: Screen) -> tuple[int, int]:
    return next((y, x) for y, row in enumerate(screen.cells) for x, cell in enumerate(row) if is_half_block(cell))


def at(place: tuple[int, int], text: str) -> bytes:
    return f"\x1b7\x1b[{place[0] + 1};{place[1] + 1}H{text}\x1b[0m\x1b8".encode()


def blank(screen: Screen) -> tuple[int, int]:
    return next((y, x) for y in range(3, 20) for x, cell in enumerate(screen.cells[y]) if cell.text == " ")


# What is wrong on the screen, and the bytes that make it so.
DEFECTS = {
    "a half block where there is none": lambda screen: at(blank(screen), "\x1b[38;5;200;48;5;20m▀"),
    "a half block erased": lambda screen: at(place_of_cover(screen), " "),
    "another colour of a half block": lambda screen: at(place_of_cover(screen), "\x1b[38;5;201m▄"),
    "another ground of a blank": lambda screen: at(blank(screen), "\x1b[48;5;20m "),
    "a letter too many": lambda screen: at(blank(screen), "x"),
    "bold": lambda screen: at((0, 0), "\x1b[1;4m" + (screen.cells[0][0].text or "x")),
    "a line inserted": lambda screen: at((5, 0), "\x1b[L"),
    "all scrolled": lambda screen: at((0, 0), "\x1b[S"),
    "an erased end of a line": lambda screen: at(place_of_cover(screen), "\x1b[K"),
    "a cursor that is shown elsewhere": lambda screen: b"\x1b[3;3H\x1b[?25h",
}


def prove(place: Place, name: str) -> int:
    """Spoils the screen in each way; returns how many were not noticed."""
    unnoticed = 0
    mover = Mover(place, 1)
    place.wait(1)
    # The first two books have covers.
    is_second = False
    for defect, spoil in [("nothing", None), *DEFECTS.items()]:
        try:
            mover.compare(spoil)
            said, is_right = "no difference", defect == "nothing"
        except Failure as failure:
            said, is_right = str(failure).split("\n", 1)[0], defect != "nothing"
        unnoticed += not is_right
        print(f"{name}, {defect}: {said}{'' if is_right else ': WRONG'}", flush=True)
        place.press(b"jk"[is_second : is_second + 1])
        is_second = not is_second
    os.kill(place.pid, signal.SIGKILL)
    try:
        mover.compare()
        print(f"{name}, the program is killed: NOTHING: it does not see it")
        unnoticed += 1
    except Failure as failure:
        print(f"{name}, the program is killed: {failure}")
    return unnoticed


# MARK: Main

PLACES = {"vterm": Vterm, "tmux": Tmux}
# The sessions differ in the colours of pictures and in the theme.
DIRECT = {"COLORTERM": "truecolor"}
KINDS = [(DIRECT, "terminal"), ({}, "dark"), (DIRECT, "light"), ({}, "contrast")]


@contextlib.contextmanager
def session(name: str, program: str, kind: int):
    variables, theme = KINDS[kind % len(KINDS)]
    with library() as (directory, catalog, environment):
        command = [os.path.abspath(program), "--no-resume", "--theme", theme, catalog]
        with PLACES[name](directory, command, {**environment, **variables}) as place:
            yield place


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--stacks", default=str(root / ".build/release/stacks"), help="the program")
    parser.add_argument("--in", dest="place", choices=PLACES, help="by default in both, one after the other")
    parser.add_argument("--moves", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prove", action="store_true", help="spoil the screen on purpose; each defect must be noticed")
    options = parser.parse_args()
    bad = 0
    for name in [options.place] if options.place else PLACES:
        if options.prove:
            with session(name, options.stacks, 0) as place:
                bad += prove(place, name)
            continue
        tally = Tally()
        start = time.monotonic()
        for seed, first in enumerate(range(0, options.moves, RUN), options.seed):
            try:
                with session(name, options.stacks, seed) as place:
                    play(place, seed, min(RUN, options.moves - first), tally, name)
            except Failure as failure:
                tally.failures += 1
                print(f"{name}, seed {seed}: {failure}", flush=True)
            if tally.failures >= FAILURES:
                break
        print(f"{name}: {tally}, {time.monotonic() - start:.0f} s", flush=True)
        bad += tally.failures
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
