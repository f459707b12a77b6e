#!/usr/bin/python3
"""Shows covers as placeholders of kitty's protocol, which no terminal of Debian 12 has: in an emulator that answers as
kitty does, alone and around tmux, which must pass the pictures on. What was sent is decoded and compared with the
covers, and no placeholder may be left where another pane, window or program is shown. On a slow line there are half
blocks or no pictures.

    placeholders.py --stacks PROGRAM"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

import wire
from pixels import quadrants
from scenario import COLOURS, HEIGHT, WIDTH, library
from stage import need

ROWS, COLUMNS = 40, 120
CELL = 10, 20
PATIENCE = 8
# Scaled pictures have other colours at the edges of the quadrants; a pixel of each cell is compared.
LIMIT = 12
# What kitty answers to kitty's query, XTVERSION, the two sizes in pixels, and DA1.
ANSWERS = {
    rb"\x1b_Gi=(\d+),s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\": lambda match: b"\x1b_Gi=%s;OK\x1b\\" % match[1],
    rb"\x1b\[>0?q": lambda _: b"\x1bP>|kitty(0.35.2)\x1b\\",
    rb"\x1b\[16t": lambda _: b"\x1b[6;%d;%dt" % CELL[::-1],
    rb"\x1b\[14t": lambda _: b"\x1b[4;%d;%dt" % (ROWS * CELL[1], COLUMNS * CELL[0]),
    rb"\x1b\[0?c": lambda _: b"\x1b[?62;c",
    rb"\x1b\[>0?c": lambda _: b"\x1b[>1;4000;35c",
}
QUESTIONS = re.compile(b"|".join(b"(?:%s)" % question for question in ANSWERS))
TMUX = """set -g allow-passthrough {passthrough}
set -g default-terminal tmux-256color
set -sa terminal-features ',xterm*:RGB'
set -g status off
set -g update-environment ''
"""


class Kitty:
    """A run of a program in an emulator of kitty, as long as a `with` block.

    :param rate: the bytes a second that the emulator takes; None for all."""

    def __init__(self, command: list[str], environment: dict[str, str], rate: int | None = None):
        self.rate = rate
        self.process, self.file = pty.fork()
        if not self.process:
            os.execvpe(command[0], command, {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"})
        size = struct.pack("HHHH", ROWS, COLUMNS, COLUMNS * CELL[0], ROWS * CELL[1])
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, size)
        self.screen = wire.Terminal(ROWS, COLUMNS, CELL)
        self.output, self.answered = b"", 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.process, 0)
        os.close(self.file)

    def press(self, keys: str) -> None:
        os.write(self.file, keys.encode())

    def read(self, seconds: float) -> bool:
        """Takes output; returns whether there was any."""
        if not select.select([self.file], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.file, self.rate // 20 if self.rate else 1 << 16)
        except OSError:
            data = b""
        if self.rate:
            time.sleep(len(data) / self.rate)
        self.output += data
        for match in QUESTIONS.finditer(self.output, self.answered):
            self.answered = match.end()
            answer = next(a(m) for q, a in ANSWERS.items() if (m := re.fullmatch(q, match[0], re.DOTALL)))
            os.write(self.file, answer)
        # tmux writes the questions of XTVERSION and the attributes, which libvterm would answer by itself.
        self.screen.feed(QUESTIONS.sub(b"", data))
        return bool(data)

    def eventually(self, check, *arguments) -> None:
        """Repeats a check until it holds."""
        end = time.monotonic() + PATIENCE
        while True:
            while self.read(0.3) and time.monotonic() < end:
                pass
            try:
                return check(self.screen, *arguments)
            except AssertionError:
                if time.monotonic() > end:
                    print("\n".join(line.rstrip() for line in self.screen.display), file=sys.stderr)
                    raise


def check_cover(screen: wire.Terminal, book: int) -> None:
    """Checks that the cover of a book is on the screen, whole and alone."""
    images = {part.image for part in screen.placeholders.values()}
    assert len(images) == 1, f"the placeholders are those of {len(images)} pictures"
    shown = screen.shown(images.pop())
    assert not screen.problems, screen.problems
    assert shown, "a picture without a place"
    assert all(shown.mask), "a part of the picture is missing"
    difference = shown.difference(quadrants(WIDTH, HEIGHT, COLOURS[book]).scaled(shown.width, shown.height))
    assert max(difference) <= LIMIT, f"the cover of book {book + 1} differs by {difference}"


def check_none(screen: wire.Terminal) -> None:
    assert not screen.placeholders, f"{len(screen.placeholders)} cells still show a picture"
    assert not screen.problems, screen.problems


def check_half_blocks(screen: wire.Terminal) -> None:
    """Checks that the first cover is there as text, and that no picture was sent."""
    check_none(screen)
    assert not screen.kitty.events, "a picture was sent to a tmux that passes nothing on"
    grounds = [screen.drawn(row, column).background for row in range(ROWS) for column in range(COLUMNS // 2, COLUMNS)]
    for colour in COLOURS[0]:
        near = [g for g in grounds if isinstance(g, tuple) and max(abs(a - b) for a, b in zip(g, colour)) <= LIMIT]
        assert len(near) > 20, f"only {len(near)} cells have the colour {colour} of the cover"


def check_freed(screen: wire.Terminal) -> None:
    check_none(screen)
    assert screen.kitty.events and not screen.kitty.images, f"{len(screen.kitty.images)} pictures are not deleted"


def play(kitty: Kitty) -> None:
    kitty.eventually(check_cover, 0)
    kitty.press("j")
    kitty.eventually(check_cover, 1)
    kitty.press("?")
    kitty.eventually(check_none)
    kitty.press("\x1b")
    kitty.eventually(check_cover, 1)
    kitty.press("k")
    kitty.eventually(check_cover, 0)
    # As if something had cleared the terminal: the reader has the screen drawn again.
    sent = sum(isinstance(event, wire.Image) for event in kitty.screen.kitty.events)
    kitty.press("\x0c")
    kitty.eventually(check_cover, 0)
    events = sum(isinstance(event, wire.Image) for event in kitty.screen.kitty.events)
    assert events == sent + 1, f"the picture was sent {events - sent} times again"


def write_large_covers(catalog: str) -> str:
    """Writes a catalog beside another, with covers of many bytes; returns its path."""
    directory = os.path.dirname(catalog)
    books = []
    for number in range(6):
        name = f"noise-{number}.png"
        subprocess.run(
            ["convert", "-size", f"{WIDTH}x{HEIGHT}", "-seed", str(number), "plasma:fractal", f"{directory}/{name}"],
            check=True,
        )
        books.append({"title": f"Book {number + 1}", "author": "An author", "cover": name})
    with open(f"{directory}/noise.json", "w") as file:
        json.dump(books, file)
    return file.name


def check_slow(command: list[str], environment: dict[str, str], rate: int, has_half_blocks: bool) -> None:
    """Checks that after some pictures on a slow line there are only half blocks, or none, and keys work at once."""
    with Kitty(command, environment, rate) as kitty:
        kitty.eventually(lambda screen: None)
        for number in range(5):
            sent = len(kitty.screen.kitty.images)
            kitty.press("j" if number < 3 else "k")
            # The first pictures, by which the line is measured, take as long as they take.
            end = time.monotonic() + (60 if number < 2 else PATIENCE)
            while kitty.read(1.5) and time.monotonic() < end:
                pass
        assert len(kitty.screen.kitty.images) == sent, f"a picture was sent over a line of {rate} bytes a second"
        check_none(kitty.screen)
        text = "".join(kitty.screen.display)
        count = text.count("▄") + text.count("▀")
        assert (count > 50) == has_half_blocks, f"{count} half blocks over a line of {rate} bytes a second"


@contextlib.contextmanager
def tmux(command: list[str], environment: dict[str, str], passthrough: str):
    """Yields the emulator with tmux, which runs the command, and a function that gives tmux a command."""
    with tempfile.TemporaryDirectory(prefix="stacks-tmux-") as directory:
        config = f"{directory}/tmux.conf"
        with open(config, "w") as file:
            file.write(TMUX.format(passthrough=passthrough))
        server = ["tmux", "-S", f"{directory}/socket", "-f", config]

        def order(*arguments: str) -> None:
            subprocess.run([*server, *arguments], check=True, env=environment)

        with Kitty([*server, "new-session", "sh"], environment) as kitty:
            kitty.eventually(lambda screen: None)
            # tmux must know its terminal before the program asks for it.
            time.sleep(1)
            order("send-keys", " ".join(command), "Enter")
            try:
                yield kitty, order
            finally:
                subprocess.run([*server, "kill-server"], stderr=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stacks", required=True, help="the program")
    program = os.path.abspath(parser.parse_args().stacks)
    need("tmux", "convert")
    with library() as (catalog, environment):
        command = [program, "--no-mouse", "--no-resume", catalog]
        with Kitty(command, environment) as kitty:
            play(kitty)
            kitty.press("q")
            kitty.eventually(check_freed)
        print("kitty: covers as placeholders")
        environment["TERM"] = "xterm-256color"
        listed = subprocess.run(
            [program, "config"], capture_output=True, text=True, check=True, env=environment
        ).stdout
        assert "kitty's placeholders, by kitty 0.35.2" in listed, listed.splitlines()[-2:]
        slow = [*command[:-1], write_large_covers(catalog)]
        check_slow(slow, environment, 100_000, has_half_blocks=True)
        check_slow(slow, environment, 10_000, has_half_blocks=False)
        print("kitty over a line of 100 kB/s: half blocks; of 10 kB/s: no pictures")
        with tmux(command, environment, "on") as (kitty, order):
            play(kitty)
            # In half the width the cover has another place and size.
            order("split-window", "-h", "sleep 100")
            kitty.eventually(check_cover, 0)
            order("kill-pane")
            kitty.eventually(check_cover, 0)
            order("new-window", "sleep 100")
            kitty.eventually(check_none)
            assert not kitty.screen.cell(0, 0).strip(), "the other window is not empty"
            order("kill-window")
            kitty.eventually(check_cover, 0)
            kitty.press("q")
            kitty.eventually(check_freed)
        print("tmux with allow-passthrough in kitty: covers as placeholders, and none in other panes and windows")
        with tmux(command, environment, "off") as (kitty, _):
            kitty.eventually(check_half_blocks)
        print("tmux without allow-passthrough in kitty: half blocks, and no picture was sent")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"FAILED: {error}")
