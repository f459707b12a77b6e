"""Covers that are no pictures, or far too large, or not where they may be, and a helper that dies over them."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import struct
import sys
import time
import zlib
from typing import Callable

from check import Check, Sabotage, Skipped
from hostile import RAW
from hostile_servers import processes
from scanner import forbidden
from terminal import Home, Session

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Pictures"))
import wire  # noqa: E402
from pixels import Picture, chunk, encode_png  # noqa: E402

ROWS, COLUMNS = 40, 120
# The colour of all covers here; no theme has it.
PINK = (212, 20, 130)
# How far a channel may be from it: a palette of 256 colours has 215, 0, 135, and the grey of a frame is further away.
NEAR = 45
# In seconds: the longest time until a key is answered, and until a cover is on the screen.
ANSWER, SHOWN = 0.2, 5
# How often each key is pressed, and how many of them may be late because the machine is busy.
PRESSES, LATE = 6, 1
# The most memory of the helper, in MiB.
BOUND = 128
# How long a row stands still: a picture is given up after three seconds, at the next word of the helper.
STAND = 4.6
TITLES = ["Before", "Middlemarch", "After"]
AUTHOR = "Mary Ann Evans"

# MARK: Pictures


def png(width: int, height: int) -> bytes:
    return encode_png(Picture(width, height, bytes(PINK) * (width * height)))


def png_of(width: int, height: int, packed: bytes) -> bytes:
    """A grey PNG of any stated size."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def packed_zeros(count: int) -> bytes:
    packer, result, piece = zlib.compressobj(1), [], bytes(1 << 20)
    for _ in range(count >> 20):
        result.append(packer.compress(piece))
    return b"".join(result) + packer.compress(bytes(count & (1 << 20) - 1)) + packer.flush()


def png_bomb() -> bytes:
    """400 million pixels in less than two megabytes."""
    return png_of(20000, 20000, packed_zeros(20000 * 20001))


def segment(kind: int, content: bytes) -> bytes:
    return bytes([0xFF, kind]) + struct.pack(">H", len(content) + 2) + content


def jpeg(width: int, height: int, stated: tuple[int, int] | None = None) -> bytes:
    """A JPEG of one colour: only the first blocks of Y, Cb and Cr differ from those before, and none has details."""
    size = struct.pack(">HH", *(stated or (width, height))[::-1])
    # The codes 0, 10, 110 and 1110 stand for differences of 0, 5, 6 and 7 bits.
    tables = segment(0xC4, b"\0" + bytes([1, 1, 1, 1] + [0] * 12) + b"\0\5\6\7") + NO_DETAILS
    red, green, blue = PINK
    luminance = 0.299 * red + 0.587 * green + 0.114 * blue
    # In steps of the quantization below; a negative one is written as what is left of all ones.
    steps = round(luminance - 128), round(0.564 * (blue - luminance)), round(0.713 * (red - luminance))
    bits = ""
    for step in steps:
        count = abs(step).bit_length()
        value = step if step > 0 else step + (1 << count) - 1
        bits += {5: "10", 6: "110", 7: "1110"}[count] + f"{value:0{count}b}" + "0"
    bits += "000000" * ((width + 7) // 8 * ((height + 7) // 8) - 1)
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    components = b"".join(bytes([number, 0x11, 0]) for number in (1, 2, 3))
    start = b"\xff\xd8" + segment(0xDB, b"\0" + b"\x08" * 64) + segment(0xC0, b"\x08" + size + b"\3" + components)
    return start + tables + segment(0xDA, b"\3\1\0\2\0\3\0\0\x3f\0") + data + b"\xff\xd9"


# A Huffman table for the details of a block with a single code, for their end.
NO_DETAILS = segment(0xC4, b"\x10\1" + bytes(15) + b"\0")


def progressive(width: int, height: int, scans: int) -> bytes:
    """A grey progressive JPEG. Each scan ends early, which decoders fill up: they go through all blocks for it."""
    size = struct.pack(">HH", height, width)
    start = b"\xff\xd8" + segment(0xDB, b"\0" + b"\1" * 64) + segment(0xC2, b"\x08" + size + b"\1\1\x11\0")
    start += segment(0xC4, b"\0\1" + bytes(15) + b"\0") + NO_DETAILS
    return start + (segment(0xDA, b"\1\1\0\0\0\0") + b"\0") * scans + b"\xff\xd9"


def gif(width: int, height: int, stated: tuple[int, int] | None = None) -> bytes:
    """A GIF of the first colour of its palette."""
    size = struct.pack("<HH", *(stated or (width, height)))
    # Codes of three bits: 4 starts anew, before codes grow; 0 is a pixel, 5 the end.
    codes = [code for n in range(width * height) for code in ([4, 0] if n % 2 == 0 else [0])] + [5]
    bits = sum(code << 3 * n for n, code in enumerate(codes))
    data = bits.to_bytes((3 * len(codes) + 7) // 8, "little")
    blocks = b"".join(bytes([len(part)]) + part for part in (data[n : n + 255] for n in range(0, len(data), 255)))
    palette = bytes(PINK) * 4
    return b"GIF89a" + size + b"\x81\0\0" + palette + b",\0\0\0\0" + size + b"\0\2" + blocks + b"\0;"


def webp(width: int, height: int) -> bytes:
    """A lossless WebP of one colour: five codes of a single symbol each, and therefore no bits for the pixels."""
    fields = [(width - 1, 14), (height - 1, 14), (0, 1), (0, 3), (0, 1), (0, 1), (0, 1)]
    for symbol in (PINK[1], PINK[0], PINK[2], 255):
        fields += [(1, 1), (0, 1), (1, 1), (symbol, 8)]
    fields += [(1, 1), (0, 1), (0, 1), (0, 1)]
    number = position = 0
    for value, count in fields:
        number |= value << position
        position += count
    data = b"\x2f" + number.to_bytes((position + 7) // 8, "little")
    data += b"\0" * (len(data) % 2)
    content = b"WEBPVP8L" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(content)) + content


# MARK: Inputs


class Library:
    """A directory with a catalog of three books, the second of which has the cover in question."""

    def __init__(self, home: Home, port: int):
        self.directory = home.path + "/library"
        self.port = port
        os.makedirs(self.directory + "/covers")
        # A picture that no cover may name.
        home.write(home.path + "/outside.png", png(40, 60))

    def path(self, name: str) -> str:
        return f"{self.directory}/covers/{name}"

    def file(self, name: str, content: bytes) -> str:
        with open(self.path(name), "wb") as file:
            file.write(content)
        return "covers/" + name

    def write(self, cover: str) -> str:
        """Writes the catalog, and returns its path."""
        books = [{"title": title, "author": AUTHOR} for title in TITLES]
        books[1]["cover"] = cover
        books[2]["cover"] = self.file("good.png", png(200, 300))
        path = self.directory + "/books.json"
        with open(path, "w") as file:
            json.dump(books, file)
        return path


def at(make: Callable[[str], None], name: str, library: Library) -> str:
    make(library.path(name))
    return "covers/" + name


def large_file(path: str) -> None:
    with open(path, "wb") as file:
        file.write(png(40, 60))
        file.truncate(50_000_000)


def forbidden_file(path: str) -> None:
    with open(path, "wb") as file:
        file.write(png(40, 60))
    os.chmod(path, 0)


def link_within(path: str) -> None:
    with open(path + ".real.png", "wb") as file:
        file.write(png(200, 300))
    os.symlink(os.path.basename(path) + ".real.png", path)


def data_url(kind: str, content: bytes) -> str:
    return f"data:{kind};base64," + base64.b64encode(content).decode()


NOISE = random.Random(1).randbytes(5000)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="6"><rect width="4" height="6" fill="#d41482"/></svg>'
HTML = b"<!DOCTYPE html><img src=x onerror=alert(1)>\x1b[31m\x1b]0;title\x07"
ESCAPES = "\x1b[31m\x1b]0;title\x07\x9b6n.png"

# What has to be shown: without these the check could not tell a cover from none.
GOOD: dict[str, Callable[[Library], str]] = {
    "PNG": lambda library: library.file("1.png", png(200, 300)),
    "JPEG": lambda library: library.file("1.jpg", jpeg(200, 300)),
    "GIF": lambda library: library.file("1.gif", gif(40, 60)),
    "WebP": lambda library: library.file("1.webp", webp(200, 300)),
    "PNG in a data: URL": lambda library: data_url("image/png", png(200, 300)),
    "a link within the library": lambda library: at(link_within, "link.png", library),
    "a name with blanks and accents": lambda library: library.file("Émile 1.png", png(200, 300)),
}  # fmt: skip

# What must not be shown, and must do no harm.
BAD: dict[str, Callable[[Library], str]] = {
    "PNG that states 60000 x 60000": lambda library: library.file("1.png", png_of(60000, 60000, packed_zeros(1000))),
    "PNG of 20000 x 20000 zeros": lambda library: library.file("1.png", png_bomb()),
    "PNG of 0 x 0": lambda library: library.file("1.png", png_of(0, 0, packed_zeros(0))),
    "JPEG that states 65500 x 65500": lambda library: library.file("1.jpg", jpeg(64, 64, stated=(65500, 65500))),
    "JPEG of 5000 scans": lambda library: library.file("1.jpg", progressive(4000, 4000, 5000)),
    "GIF that states 65535 x 65535": lambda library: library.file("1.gif", gif(8, 8, stated=(65535, 65535))),
    "a FIFO": lambda library: at(os.mkfifo, "1.png", library),
    "/dev/zero": lambda library: at(lambda path: os.symlink("/dev/zero", path), "1.png", library),
    "a cut PNG": lambda library: library.file("1.png", png(200, 300)[:60]),
    "a cut GIF": lambda library: library.file("1.gif", gif(40, 60)[:20]),
    "a cut WebP": lambda library: library.file("1.webp", webp(200, 300)[:20]),
    "an empty file": lambda library: library.file("1.png", b""),
    "random bytes": lambda library: library.file("1.png", NOISE),
    "random bytes behind a signature": lambda library: library.file("1.png", b"\x89PNG\r\n\x1a\n" + NOISE),
    "SVG": lambda library: library.file("1.svg", SVG),
    "HTML": lambda library: library.file("1.png", HTML),
    "a path out of the library": lambda library: "../outside.png",
    "a path out of the library, in between": lambda library: "covers/../../outside.png",
    "a link out of the library": lambda library: at(
        lambda path: os.symlink("../../outside.png", path), "1.png", library),
    "a directory that is a link out of it": lambda library: at(
        lambda path: os.symlink("../..", path), "up", library) + "/outside.png",
    "/etc/passwd": lambda library: "../../../../../../etc/passwd",
    "a file of 50 MB": lambda library: at(large_file, "1.png", library),
    "a file without permission": lambda library: at(forbidden_file, "1.png", library),
    "a directory": lambda library: at(os.mkdir, "1.png", library),
    "no file": lambda library: "covers/none.png",
    "escape sequences in the name of no file": lambda library: "covers/none" + ESCAPES,
    "a name with a NUL": lambda library: "covers/1.png\0.png",
    "a name of a megabyte": lambda library: "covers/" + "x" * 1_000_000 + ".png",
    "a data: URL of 20 MB": lambda library: data_url("image/png", bytes(20_000_000)),
    "a data: URL with a bomb": lambda library: data_url("image/png", png_bomb()),
    "a data: URL that is no Base64": lambda library: "data:image/png;base64,%%%\x1b[31m",
    "a data: URL without data": lambda library: "data:",
    "HTML in a data: URL": lambda library: data_url("text/html", HTML),
    "an address": lambda library: f"http://127.0.0.1:{library.port}/1.png",
    "an address without its scheme": lambda library: f"//127.0.0.1:{library.port}/1.png",
    "a file: URL": lambda library: "file:///etc/passwd",
}  # fmt: skip
SHORT = {
    "PNG of 20000 x 20000 zeros", "JPEG of 5000 scans", "a FIFO", "a link out of the library", "HTML", "an address",
}  # fmt: skip

# What may be shown, but escapes nothing: the file is there. Of a cut JPEG the beginning is better than no cover.
TOLERATED = {
    "escape sequences in a name": lambda library: library.file("1" + ESCAPES, png(200, 300)),
    "a cut JPEG": lambda library: library.file("1.jpg", jpeg(200, 300)[:160]),
}

# Programs in the place of the helper.
HELPERS = {
    "ends at once": "#!/bin/sh\nexit 0\n",
    "fails at once": "#!/bin/sh\nkill -ILL $$\n",
    "answers nonsense": "#!/bin/sh\nhead -c 300000 /dev/urandom\n",
    "answers escape sequences": "#!/bin/sh\nprintf '\\033[31m\\033]0;title\\007\\n'; sleep 60\n",
    "writes without an end": "#!/bin/sh\nexec yes\n",
    "never answers": "#!/bin/sh\nexec sleep 60\n",
    "is not there": "",
}


class Covers(Check):
    name = "covers"
    is_short = True
    promise = (
        "No cover keeps keys waiting, reaches the terminal, leads out of its library or to a server that you have not "
        f"allowed, or takes more than {BOUND} MiB; the list is there whatever becomes of the helper"
    )
    method = (
        "pictures that state billions of pixels or have them, thousands of scans, files without an end, cut and random "
        "ones, links and paths out of the library, data: URLs, addresses; a helper that is killed, ends, answers "
        "nonsense or nothing: keys, screen, bytes, connections, memory, cache, exit status, compared with --no-covers"
    )
    sabotages = [
        RAW,
        Sabotage("a program that ends with 3", program=["/bin/sh", "-c", "printf 1/3; sleep 1; exit 3"]),
        Sabotage(
            "a helper that takes a gigabyte",
            word=f"#!{sys.executable}\nimport time\nx = b'x' * (1 << 30)\ntime.sleep(60)\n",
        ),
    ]

    def run(self) -> str:
        with Home() as home:
            if b"--no-covers" not in self.lab.output(home, "help", "browse").stdout and not self.lab.sabotage.program:
                raise Skipped("the program shows no covers")
        self.peak = self.latest = 0.0
        self.place: set[tuple[int, int]] = set()
        good = list(GOOD)
        bad = {name: make for name, make in BAD.items() if self.lab.pick(name in SHORT, True, True)}
        if os.getuid() == 0:
            # Nothing is forbidden to root.
            bad.pop("a file without permission", None)
        if self.lab.sabotage.what != "nothing":
            good, bad = good[:1], {}
        # First, because it finds out where covers are.
        seen = self.lab.each(good, lambda name: self.show(GOOD[name], is_good=True), workers=1)
        shown = self.lab.each(list(bad), lambda name: self.show(bad[name]))
        shown += self.lab.each(list(TOLERATED), lambda name: self.show(TOLERATED[name], is_good=None))
        helpers = self.lab.each(list(HELPERS), lambda name: self.show(GOOD["PNG"], helper=HELPERS[name]))
        killed = self.lab.each(["the helper is killed"], lambda _: self.kill_helper())
        inputs = len(bad) + len(TOLERATED)
        return (
            f"{seen} of {len(good)} covers shown, {shown} of {inputs} inputs and {helpers + killed} of "
            f"{len(HELPERS) + 1} helpers without harm; the slowest key after {self.latest * 1000:.0f} ms, the helper "
            f"has at most {self.peak:.0f} MiB"
        )

    # MARK: Sessions

    def show(self, make: Callable[[Library], str], is_good: bool | None = False, helper: str | None = None) -> None:
        """Goes to a book and away, with its cover and without; `is_good` is whether the cover has to be shown, or must
        not be; None allows both."""
        if self.lab.sabotage.word:
            helper = self.lab.sabotage.word
        with contextlib.ExitStack() as stack:
            home, plain = stack.enter_context(Home()), stack.enter_context(Home())
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            listener.setblocking(False)
            library = Library(home, listener.getsockname()[1])
            catalog = library.write(make(library))
            expected = self.browse(plain, catalog, ["--no-covers"])[0]
            actual, picture = self.browse(home, catalog, [], self.program(home, helper), is_good)
            with contextlib.suppress(BlockingIOError):
                listener.accept()
                raise AssertionError("a server was asked")
            if is_good:
                with self.lab.lock:
                    self.place |= picture
            assert is_good or is_good is None or not picture, f"a cover is shown: {len(picture)} cells"
            self.compare(actual, expected, picture)
            self.check_cache(home, plain)

    def browse(
        self, home: Home, catalog: str, options: list[str], program: str = "", is_good: bool | None = False
    ) -> tuple[list[list[str]], set[tuple[int, int]]]:
        """Stands still on the second book, presses keys, and quits; returns the cells, and those of its cover."""
        with self.session(home, catalog, options, program) as session:
            helpers = self.stand(session, is_good, 0.3 if options else STAND)
            cells, picture = session.screen.cells, pink_cells(session.screen)
            for title in (TITLES[1], AUTHOR):
                assert session.text.count(title) >= 2, f"{title} is not in the list and on the card:\n{session.text}"
            self.press(session)
            # The helper of the sabotage may start late.
            helpers |= self.watch(session)
            session.type("q")
            status = session.wait_for_end()
            assert os.waitstatus_to_exitcode(status) == 0, f"the exit status is {status}\n{session.text}"
            if found := forbidden(bytes(session.output), is_screen=True):
                raise AssertionError(f"{len(found)} forbidden: {found[:3]}")
        self.expect_gone(helpers)
        return cells, picture

    def session(self, home: Home, catalog: str, options: list[str], program: str) -> Session:
        command = self.lab.command(*options, "--no-resume", catalog)
        if program and not self.lab.sabotage.program:
            command[0] = program
        environment = dict(home.environment, COLORTERM="truecolor")
        session = Session(command, environment, size=(ROWS, COLUMNS))
        session.screen = wire.Terminal(ROWS, COLUMNS)
        return session

    def stand(self, session: Session, is_good: bool | None, seconds: float) -> set[int]:
        """Goes to the second book, and stands still until its cover is there or was given up; returns the helpers."""
        session.wait_for("1/3")
        session.type("j")
        session.wait_for("2/3")
        helpers: set[int] = set()
        end = time.monotonic() + (SHOWN if is_good else seconds)
        while time.monotonic() < end and session.pump(0.05):
            helpers |= self.watch(session)
            if is_good and pink_cells(session.screen):
                session.settle(0.2)
                return helpers
        assert not is_good, f"no cover is shown:\n{session.text}"
        return helpers

    def press(self, session: Session) -> None:
        """Goes up and down; each key has to be answered in time."""
        late = []
        for number in range(PRESSES):
            start = time.monotonic()
            session.type("kj"[number % 2])
            session.wait_for(f"{1 + number % 2}/3")
            took = time.monotonic() - start
            self.latest = max(self.latest, took)
            late += [took] if took > ANSWER else []
            # On the second book its cover is asked for again.
            session.settle(0.12)
        assert len(late) <= LATE, f"keys were answered after {late} s"

    def program(self, home: Home, helper: str | None) -> str:
        """Returns the path of the program; with `helper`, beside that program in the place of stacks-connect."""
        if helper is None or self.lab.sabotage.program:
            return ""
        directory = home.path + "/bin"
        os.makedirs(directory)
        # The program resolves symbolic links and would find the other helper.
        shutil.copy(self.lab.stacks, directory + "/stacks")
        if helper:
            home.write(directory + "/stacks-connect", helper.encode())
            os.chmod(directory + "/stacks-connect", 0o755)
        return directory + "/stacks"

    def kill_helper(self) -> None:
        """Kills the helper while it decodes; the next book has its cover nevertheless."""
        with Home() as home:
            library = Library(home, 9)
            catalog = library.write(BAD["JPEG of 5000 scans"](library))
            with self.session(home, catalog, [], "") as session:
                session.wait_for("1/3")
                session.type("j")
                session.wait_for("2/3")
                end = time.monotonic() + SHOWN
                while not (helpers := self.watch(session)):
                    assert time.monotonic() < end, "no helper was started"
                    session.pump(0.01)
                for helper in helpers:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(helper, signal.SIGKILL)
                self.press(session)
                session.type("j")
                session.wait_for("3/3")
                end = time.monotonic() + SHOWN
                while not pink_cells(session.screen):
                    assert time.monotonic() < end, f"the next cover is not shown:\n{session.text}"
                    session.pump(0.05)
                session.type("q")
                status = session.wait_for_end()
                assert os.waitstatus_to_exitcode(status) == 0, f"the exit status is {status}"

    # MARK: What is looked at

    def watch(self, session: Session) -> set[int]:
        """Returns the helpers that run, and checks their memory."""
        found = set()
        for process in processes(session.pid)[1:]:
            try:
                with open(f"/proc/{process}/status") as file:
                    fields = dict(line.split(":", 1) for line in file)
            except OSError:
                continue
            # A process before its exec is still the program, and one that has ended has no memory.
            if fields["Name"].strip() != "stacks" and "VmHWM" in fields:
                found.add(process)
                peak = int(fields["VmHWM"].split()[0]) / 1024
                self.peak = max(self.peak, peak)
                assert peak <= BOUND, f"the helper has {peak:.0f} MiB"
        return found

    def compare(self, actual: list[list[str]], expected: list[list[str]], picture: set[tuple[int, int]]) -> None:
        """Compares the screen with that of --no-covers, except for the place of covers with the margin beside it. Where
        the text of the card is wrapped beside that place, only the rest of the screen is compared."""
        place = {(y + dy, x + dx) for y, x in self.place | picture for dy in (-1, 0, 1) for dx in (-2, -1, 0, 1)}
        card = expected[ROWS // 2].index("│")
        is_wrapped = any(expected[y][x] not in " ─" for y, x in place)
        for y in range(ROWS):
            for x in range(card if is_wrapped and 1 < y < ROWS - 2 else COLUMNS):
                if (y, x) not in place and actual[y][x] != expected[y][x]:
                    lines = "".join(actual[y]), "".join(expected[y])
                    raise AssertionError(f"row {y + 1} differs from that without covers:\n{lines[0]}\n{lines[1]}")

    def check_cache(self, home: Home, plain: Home) -> None:
        """The cache has thumbnails besides what is there without covers, and nothing else."""
        others = {path for path in plain.files() if path.startswith("cache/")}
        for path, content in home.files().items():
            if not path.startswith("cache/") or path in others:
                continue
            assert path.startswith("cache/stacks/covers/"), f"{path} is in the cache"
            assert content.startswith((b"\x89PNG", b"RIFF")), f"{path} is no thumbnail: {content[:20]!r}"

    def expect_gone(self, helpers: set[int]) -> None:
        """No helper outlives the program."""
        end = time.monotonic() + 3
        while alive := {helper for helper in helpers if is_running(helper)}:
            assert time.monotonic() < end, f"the helpers {alive} go on without the program"
            time.sleep(0.05)


def is_running(process: int) -> bool:
    """Whether a process has not ended; what has ended may stay in the table until its new parent looks."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def pink_cells(screen: wire.Terminal) -> set[tuple[int, int]]:
    """Returns the cells that show the colour of the covers."""
    found = set()
    for y in range(screen.rows):
        for x in range(screen.columns):
            drawn = screen.drawn(y, x)
            colours = [drawn.background] + ([drawn.foreground] if drawn.text in "▀▄█▌▐" else [])
            if any(is_pink(colour) for colour in colours):
                found.add((y, x))
    return found


def is_pink(colour) -> bool:
    if isinstance(colour, int):
        colour = wire.palette(colour)
    return colour is not None and all(abs(one - two) <= NEAR for one, two in zip(colour, PINK))


CHECKS = [Covers]
