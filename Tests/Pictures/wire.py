#!/usr/bin/python3
"""Decodes the pictures in the bytes that a program wrote to a terminal: kitty's protocol with and without Unicode
placeholders, also within tmux's passthrough, sixel, and half blocks.

    wire.py --self-test      decode what encoders written for the test have encoded, and refuse what is damaged
    wire.py --prove          break each decoder; the self-test must fail

    terminal = Terminal(rows=40, columns=120)
    terminal.feed(output)
    terminal.kitty.images[7].picture         what was sent, as pixels
    terminal.kitty.events                    what was sent, placed and deleted, in order
    terminal.placeholders                    which part of which image is in which cell
    terminal.sixels                          pixels, and the cell at which they start
    terminal.half_blocks(row, column, rows, columns)
    terminal.problems                        what a program should not send

The protocols: https://sw.kovidgoyal.net/kitty/graphics-protocol/, https://vt100.net/docs/vt3xx-gp/chapter14.html.
"""

from __future__ import annotations

import base64
import binascii
import colorsys
import ctypes
import pathlib
import re
import sys
import zlib
from dataclasses import dataclass, field

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Reliability"))
import vterm  # noqa: E402
from pixels import Colour, Damaged, Picture, decode_png  # noqa: E402

# MARK: Kitty

APC = re.compile(rb"\x1b_G([^\x1b]*)\x1b\\")
PASSTHROUGH = re.compile(rb"\x1bPtmux;((?:[^\x1b]|\x1b\x1b)*)\x1b\\")
# The keys that a program may use here, with their values. Other keys of the protocol (files, shared memory, animations)
# have no place in a program that may run over ssh.
KEYS = {
    "a": re.compile("[tTpdq]"),
    "q": re.compile("[012]"),
    "d": re.compile("[aAiInNcCpPqQrRxXyYzZ]"),
    "t": re.compile("d"),
    "f": re.compile("24|32|100"),
    "o": re.compile("z"),
    "z": re.compile("-?[0-9]+"),
    **{key: re.compile("[01]") for key in "mUC"},
    **{key: re.compile("[0-9]{1,10}") for key in "iIpcrsvxywhXYS"},
}


@dataclass
class Image:
    """A picture that was sent to the terminal."""

    number: int
    picture: Picture
    # The bytes that were sent for it, with the sequences around them.
    size: int


@dataclass
class Placement:
    """A picture that was put on the screen, or was prepared for placeholders."""

    image: int
    number: int
    columns: int
    rows: int
    is_virtual: bool
    # The cell, unless it is virtual.
    row: int = 0
    column: int = 0


@dataclass
class Deletion:
    """What `a=d` deletes: `what` is the value of d; its capital letters also free the pixels."""

    what: str
    image: int
    number: int


class Kitty:
    """What a terminal with kitty's protocol has got."""

    def __init__(self):
        self.events: list[Image | Placement | Deletion] = []
        # What the terminal has at the end.
        self.images: dict[int, Image] = {}
        self.placements: dict[tuple[int, int], Placement] = {}
        self.problems: list[str] = []
        # The keys and the payload of a picture whose chunks are not complete.
        self.keys: dict[str, str] | None = None
        self.payload, self.size = b"", 0

    def feed(self, body: bytes, row: int = 0, column: int = 0) -> None:
        """Takes the text between ESC _ G and ESC \\, sent while the cursor was at this cell."""
        control, _, payload = body.partition(b";")
        try:
            keys = parse_keys(control)
            if self.keys is not None:
                self.continue_with(keys, payload, len(body) + 5)
            else:
                self.keys, self.payload, self.size = keys, b"", 0
                self.check_first(keys)
                self.take(payload, len(body) + 5)
            if keys.get("m") != "1":
                keys, self.keys = self.keys, None
                self.act(keys, row, column)
        except Damaged as damage:
            self.problems.append(f"{damage}: {body[:60]!r}")
            self.keys = None

    def continue_with(self, keys: dict[str, str], payload: bytes, size: int) -> None:
        if set(keys) - {"m", "q", "a"} or "m" not in keys:
            raise Damaged("another command comes between the chunks of a picture")
        self.take(payload, size)

    def take(self, payload: bytes, size: int) -> None:
        if len(payload) > 4096:
            raise Damaged(f"a chunk has {len(payload)} bytes, and 4096 are allowed")
        try:
            self.payload += base64.b64decode(payload, validate=True)
        except binascii.Error as error:
            raise Damaged(f"a chunk is no Base64: {error}") from None
        self.size += size

    def check_first(self, keys: dict[str, str]) -> None:
        if keys.get("q") != "2" and keys.get("a") != "q":
            self.problems.append(f"the terminal may answer, because q=2 is missing: {keys}")

    def act(self, keys: dict[str, str], row: int, column: int) -> None:
        action = keys.get("a", "t")
        number = lambda key: int(keys.get(key, 0))  # noqa: E731
        if action in "tT":
            if not number("i"):
                raise Damaged("a picture has no id")
            image = Image(number("i"), self.pixels(keys), self.size)
            self.images[image.number] = image
            # A new picture replaces the old one with its placements.
            self.forget(image.number)
            self.events.append(image)
        if action in "pT":
            if number("i") not in self.images:
                raise Damaged("a picture is placed that was not sent")
            is_virtual = keys.get("U") == "1"
            place = (0, 0) if is_virtual else (row, column)
            placement = Placement(number("i"), number("p"), number("c"), number("r"), is_virtual, *place)
            self.placements[placement.image, placement.number] = placement
            self.events.append(placement)
        if action == "d":
            self.delete(Deletion(keys.get("d", "a"), number("i"), number("p")))

    def pixels(self, keys: dict[str, str]) -> Picture:
        try:
            data = zlib.decompress(self.payload) if keys.get("o") == "z" else self.payload
        except zlib.error as error:
            raise Damaged(f"a payload is not packed by zlib: {error}") from None
        if keys.get("f") == "100":
            return decode_png(data)
        width, height = int(keys.get("s", 0)), int(keys.get("v", 0))
        samples = 3 if keys.get("f") == "24" else 4
        if len(data) != samples * width * height:
            raise Damaged(f"{width} x {height} pixels have {len(data)} bytes")
        if samples == 3:
            return Picture(width, height, data)
        return Picture(width, height, b"".join(data[n : n + 3] for n in range(0, len(data), 4)), data[3::4])

    def delete(self, deletion: Deletion) -> None:
        self.events.append(deletion)
        if deletion.what in "aA":
            # Virtual placements stay with `a`, because they are not on the screen.
            gone = [key for key, placement in self.placements.items() if not placement.is_virtual]
        elif deletion.what in "iI":
            numbers = (deletion.number,) if deletion.number else None
            gone = [key for key in self.placements if key[0] == deletion.image and (not numbers or key[1] in numbers)]
        else:
            raise Damaged(f"d={deletion.what} is not known here")
        for key in gone:
            del self.placements[key]
        if deletion.what.isupper():
            candidates = {deletion.image} if deletion.what == "I" else {image for image, _ in gone}
            for image in candidates - {image for image, _ in self.placements}:
                self.images.pop(image, None)

    def forget(self, image: int) -> None:
        self.placements = {key: value for key, value in self.placements.items() if key[0] != image}


def parse_keys(control: bytes) -> dict[str, str]:
    keys = {}
    for pair in control.decode("ascii", "replace").split(",") if control else []:
        key, sign, value = pair.partition("=")
        if key not in KEYS or not sign or not KEYS[key].fullmatch(value):
            raise Damaged(f"a key is not known here, or its value: {pair!r}")
        if key in keys:
            raise Damaged(f"a key comes twice: {pair!r}")
        keys[key] = value
    return keys


def kitty(output: bytes) -> Kitty:
    """Returns what a program sent; where is not followed. `Terminal` does that."""
    result = Kitty()
    for text in [output] if not PASSTHROUGH.search(output) else [unwrapped(output)]:
        for match in APC.finditer(text):
            result.feed(match[1])
    return result


def unwrapped(output: bytes) -> bytes:
    """Returns the output as the terminal around tmux gets it."""
    return PASSTHROUGH.sub(lambda match: match[1].replace(b"\x1b\x1b", b"\x1b"), output)


# MARK: Placeholders

PLACEHOLDER = "\U0010eeee"
# The marks of the numbers 0 to 296: the characters above a letter (combining class 230) of Unicode 6.0 that have no
# decomposition and do not merge with a letter.
MARK_RANGES = """305 30D-30E 310 312 33D-33F 346 34A-34C 350-352 357 35B 363-36F 483-487 592-595 597-599 59C-5A1 5A8-5A9
    5AB-5AC 5AF 5C4 610-617 657-65B 65D-65E 6D6-6DC 6DF-6E2 6E4 6E7-6E8 6EB-6EC 730 732-733 735-736 73A 73D 73F-741 743
    745 747 749-74A 7EB-7F1 7F3 816-819 81B-823 825-827 829-82D 951 953-954 F82-F83 F86-F87 135D-135F 17DD 193A 1A17
    1A75-1A7C 1B6B 1B6D-1B73 1CD0-1CD2 1CDA-1CDB 1CE0 1DC0-1DC1 1DC3-1DC9 1DCB-1DCC 1DD1-1DE6 1DFE 20D0-20D1 20D4-20D7
    20DB-20DC 20E1 20E7 20E9 20F0 2CEF-2CF1 2DE0-2DFF A66F A67C-A67D A6F0-A6F1 A8E0-A8F1 AAB0 AAB2-AAB3 AAB7-AAB8
    AABE-AABF AAC1 FE20-FE26 10A0F 10A38 1D185-1D189 1D1AA-1D1AD 1D242-1D244"""
MARKS = [
    chr(scalar)
    for first, _, last in (part.partition("-") for part in MARK_RANGES.split())
    for scalar in range(int(first, 16), int(last or first, 16) + 1)
]
NUMBERS = {mark: number for number, mark in enumerate(MARKS)}
CLUSTER = re.compile(PLACEHOLDER + "[" + "".join(MARKS) + "]{0,3}")


@dataclass
class Part:
    """The part of a picture that a cell with a placeholder shows."""

    image: int
    row: int
    column: int
    # Whether the cell has the marks of its row and its column itself. Some programs drop cells between two others.
    is_complete: bool


def parts_of_row(cells: list[tuple[str, Colour | int | None]]) -> dict[int, Part]:
    """Returns the parts by column. A cell is its text and its foreground: RGB, the index of a colour, or None."""
    found: dict[int, Part] = {}
    # The foreground of the cell before, if it was a placeholder.
    last = None
    for column, (text, foreground) in enumerate(cells):
        if not text.startswith(PLACEHOLDER):
            last = None
            continue
        marks = [NUMBERS[mark] for mark in text[1:]]
        before = found[column - 1] if last == (foreground,) else None
        # What is missing goes on from the cell to the left.
        row, place, high = (marks + [None] * 3)[:3]
        continues = before is not None and row in (None, before.row) and place in (None, before.column + 1)
        if continues:
            row, place = before.row, before.column + 1
            high = before.image >> 24 if high is None else high
        low = foreground if isinstance(foreground, int) else 0
        if isinstance(foreground, tuple):
            low = foreground[0] << 16 | foreground[1] << 8 | foreground[2]
        found[column] = Part((high or 0) << 24 | low, row or 0, place or 0, len(marks) >= 2)
        last = (foreground,)
    return found


# MARK: Sixel

SIXEL = re.compile(rb"\x1bP([0-9;]*)q([^\x1b]*)\x1b\\")
SIXEL_TOKEN = re.compile(
    rb'(?P<raster>"(?P<numbers>[0-9;]*))|(?P<colour>#(?P<values>[0-9;]+))|!(?P<count>[0-9]+)(?P<repeated>[?-~])'
    rb"|(?P<sixels>[?-~]+)|(?P<start>\$)|(?P<line>-)|(?P<blank>[\r\n])"
)
# The colours that a VT340 has before any is defined, in percent.
VT340 = [
    (0, 0, 0), (20, 20, 80), (80, 13, 13), (20, 80, 20), (80, 20, 80), (20, 80, 80), (80, 80, 20), (53, 53, 53),
    (26, 26, 26), (33, 33, 60), (60, 26, 26), (33, 60, 33), (60, 33, 60), (33, 60, 60), (60, 60, 33), (80, 80, 80),
]  # fmt: skip


def decode_sixel(body: bytes, parameters: bytes = b"") -> Picture:
    """Decodes the text between the q and ESC \\. Pixels that are not drawn are 0 in the mask if the second parameter
    is 1, else they have the background, colour 0."""
    registers = {number: percent(colour) for number, colour in enumerate(VT340)}
    rows: list[list[Colour | None]] = []
    stated: tuple[int, int] | None = None
    x = top = 0
    current = 0
    position = 0
    while position < len(body):
        token = SIXEL_TOKEN.match(body, position)
        if not token:
            raise Damaged(f"sixel has no {body[position:position + 12]!r}")
        position = token.end()
        if token["raster"]:
            if rows or x:
                raise Damaged("the raster attributes come after pixels")
            numbers = split_numbers(token["numbers"])
            if len(numbers) > 2:
                stated = (numbers[2], (numbers + [0])[3])
        elif token["colour"]:
            numbers = split_numbers(token["values"])
            current = numbers[0]
            if len(numbers) > 1:
                registers[current] = defined(numbers)
            elif current not in registers:
                raise Damaged(f"colour {current} is used and not defined")
        elif token["start"]:
            x = 0
        elif token["line"]:
            x, top = 0, top + 6
        elif not token["blank"]:
            sixels = token["repeated"] * int(token["count"]) if token["count"] else token["sixels"]
            while len(rows) < top + 6:
                rows.append([])
            for bit in range(6):
                drawn = [n for n, sixel in enumerate(sixels) if (sixel - 63) >> bit & 1]
                if drawn:
                    row = rows[top + bit]
                    row += [None] * (x + drawn[-1] + 1 - len(row))
                    for n in drawn:
                        row[x + n] = registers[current]
            x += len(sixels)
    # The stated size is that of the background, which pixels may exceed; the last rows without pixels do not count.
    while rows and not rows[-1]:
        rows.pop()
    width = max([len(row) for row in rows] + [stated[0] if stated else 0])
    height = max(len(rows), stated[1] if stated else 0)
    rows = [row + [None] * (width - len(row)) for row in rows] + [[None] * width for _ in range(height - len(rows))]
    background = registers[0]
    is_clear = (split_numbers(parameters) + [0, 0])[1] == 1
    data = b"".join(bytes(pixel or background) for row in rows for pixel in row)
    mask = bytes(pixel is not None for row in rows for pixel in row) if is_clear else None
    return Picture(width, height, data, mask)


def split_numbers(text: bytes) -> list[int]:
    return [int(number or 0) for number in text.split(b";")]


def percent(values: tuple[int, ...]) -> Colour:
    return tuple((value * 255 + 50) // 100 for value in values)


def defined(numbers: list[int]) -> Colour:
    """Returns the colour of #register;space;x;y;z: 1 is hue, lightness, saturation, where hue 0 is blue; 2 is RGB."""
    _, space, *values = numbers
    if len(values) != 3 or space not in (1, 2) or max(values[1:]) > 100 or values[0] > (360 if space == 1 else 100):
        raise Damaged(f"this is no colour: {numbers}")
    if space == 2:
        return percent(values)
    hue, lightness, saturation = (values[0] + 240) % 360 / 360, values[1] / 100, values[2] / 100
    return tuple(round(255 * part) for part in colorsys.hls_to_rgb(hue, lightness, saturation))


@dataclass
class Sixel:
    """A picture that lies over the cells from this one on."""

    row: int
    column: int
    picture: Picture


# MARK: Half blocks

# xterm's first 16 colours.
SYSTEM = """000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5
    7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff""".split()
LEVELS = (0, 95, 135, 175, 215, 255)


def palette(index: int) -> Colour:
    """Returns one of xterm's 256 colours."""
    if index < 16:
        return tuple(bytes.fromhex(SYSTEM[index]))
    if index < 232:
        index -= 16
        return LEVELS[index // 36], LEVELS[index // 6 % 6], LEVELS[index % 6]
    return (8 + 10 * (index - 232),) * 3


def halves(text: str, foreground: Colour | None, background: Colour | None) -> tuple[Colour | None, Colour | None]:
    """Returns the colours of the upper and the lower half of a cell. None is the terminal's own colour."""
    try:
        return {
            "▀": (foreground, background),
            "▄": (background, foreground),
            "█": (foreground, foreground),
            " ": (background, background),
        }[text]
    except KeyError:
        raise Damaged(f"{text!r} is no half block") from None


# MARK: The screen


class Colour4(ctypes.Structure):
    """VTermColor: a type (1 is an index, 2 and 4 are the default colours), and either RGB or an index."""

    _fields_ = [("type", ctypes.c_uint8), ("values", ctypes.c_uint8 * 3)]

    @property
    def value(self) -> Colour | int | None:
        if self.type & 6:
            return None
        return self.values[0] if self.type & 1 else tuple(self.values)


class ColouredCell(ctypes.Structure):
    """VTermScreenCell of libvterm 0.1 to 0.3: the attributes are bits of one number."""

    _fields_ = [
        ("characters", ctypes.c_uint32 * 6),
        ("width", ctypes.c_char),
        ("attributes", ctypes.c_uint32),
        ("foreground", Colour4),
        ("background", Colour4),
        ("room", ctypes.c_char * 64),
    ]
    # bold: 1, underline: 2, italic: 1, blink: 1, reverse: 1
    REVERSE = 1 << 5


@dataclass
class Drawn:
    """A cell: its text, and its colours as they are seen."""

    text: str
    foreground: Colour | int | None
    background: Colour | int | None


# A sequence with a picture, or a passed-through one.
PICTURE = re.compile(b"|".join(b"(?:" + kind.pattern + b")" for kind in (APC, PASSTHROUGH, SIXEL)))
# The start of one whose end comes with the next bytes, and a placeholder whose marks may.
OPEN = re.compile(rb"\x1b(?:_G[^\x1b]*|P(?:tmux;(?:[^\x1b]|\x1b\x1b)*|[0-9;]*(?:q[^\x1b]*)?))?\x1b?")
OPEN_CLUSTER = re.compile(PLACEHOLDER.encode() + rb"[\x80-\xff]{0,11}\Z")


class Terminal(vterm.Emulator):
    """A terminal that knows all these protocols: libvterm for the text, and the decoders above for the rest.

    After a sixel picture the cursor of this terminal is where it was; that of real ones is not, so that programs have
    to place the cursor before they go on."""

    def __init__(self, rows: int, columns: int, cell: tuple[int, int] = (10, 20)):
        super().__init__(rows, columns)
        # The size of a cell in pixels.
        self.cell_width, self.cell_height = cell
        self.kitty = Kitty()
        self.sixels: list[Sixel] = []
        self.own_problems: list[str] = []
        self.rest = b""
        self.state = self.library.vterm_obtain_state(self.terminal)

    @property
    def problems(self) -> list[str]:
        return self.own_problems + self.kitty.problems

    def feed(self, data: bytes) -> None:
        """Takes output, which may end anywhere."""
        data = self.incomplete + self.rest + data
        self.incomplete = self.rest = b""
        position = 0
        for match in PICTURE.finditer(data):
            super().feed(data[position : match.start()])
            position = match.end()
            self.take_picture(match[0])
        text = data[position:]
        start = next((m.start() for m in re.finditer(rb"\x1b[_P]", text) if OPEN.fullmatch(text, m.start())), -1)
        if start < 0 and OPEN_CLUSTER.search(text):
            start = OPEN_CLUSTER.search(text).start()
        if start >= 0:
            text, self.rest = text[:start], text[start:]
        super().feed(text)

    def flush(self) -> None:
        """Shows a placeholder that waited for more marks."""
        if OPEN_CLUSTER.fullmatch(self.rest):
            text, self.rest = self.rest, b""
            super().feed(text)

    def take_picture(self, sequence: bytes) -> None:
        row, column = self.cursor
        if PASSTHROUGH.fullmatch(sequence):
            for match in APC.finditer(unwrapped(sequence)):
                self.kitty.feed(match[1], row, column)
        elif match := APC.fullmatch(sequence):
            self.kitty.feed(match[1], row, column)
        else:
            match = SIXEL.fullmatch(sequence)
            try:
                sixel = Sixel(row, column, decode_sixel(match[2], match[1]))
            except Damaged as damage:
                self.own_problems.append(str(damage))
                return
            self.sixels.append(sixel)
            if row * self.cell_height + sixel.picture.height > self.rows * self.cell_height:
                self.own_problems.append("a sixel picture reaches below the screen, which scrolls")
            if column * self.cell_width + sixel.picture.width > self.columns * self.cell_width:
                self.own_problems.append("a sixel picture is cut at the right edge")

    def write_text(self, text: bytes) -> None:
        """libvterm gets a character of its own for each placeholder with its marks, because it does not know all marks
        as such."""
        decoded = text.decode(errors="surrogateescape")
        if PLACEHOLDER not in decoded:
            super().write_text(text)
            return
        self.library.vterm_input_write(self.terminal, *encoded(CLUSTER.sub(lambda match: cluster(match[0]), decoded)))

    def cell(self, row: int, column: int) -> str:
        self.flush()
        return super().cell(row, column)

    @property
    def cursor(self) -> tuple[int, int]:
        self.flush()
        position = vterm.Position()
        self.library.vterm_state_get_cursorpos(self.state, ctypes.byref(position))
        return position.row, position.column

    def drawn(self, row: int, column: int) -> Drawn:
        self.flush()
        cell = ColouredCell()
        self.library.vterm_screen_get_cell(
            self.screen, vterm.Position(row, column), ctypes.cast(ctypes.byref(cell), ctypes.POINTER(vterm.Cell))
        )
        colours = cell.foreground.value, cell.background.value
        if cell.attributes & ColouredCell.REVERSE:
            colours = colours[::-1]
        return Drawn(self.cell(row, column), *colours)

    @property
    def placeholders(self) -> dict[tuple[int, int], Part]:
        """The parts of pictures by row and column of the screen."""
        found = {}
        for row in range(self.rows):
            drawn = [self.drawn(row, column) for column in range(self.columns)]
            for column, part in parts_of_row([(cell.text, cell.foreground) for cell in drawn]).items():
                found[row, column] = part
        return found

    def half_blocks(self, row: int, column: int, rows: int, columns: int) -> Picture:
        """Returns the pixels of a rectangle of cells, two a cell; those with the terminal's own colour are 0 in the
        mask."""
        lines: list[list[Colour | None]] = []
        for y in range(row, row + rows):
            pairs = []
            for x in range(column, column + columns):
                cell = self.drawn(y, x)
                colours = (palette(c) if isinstance(c, int) else c for c in (cell.foreground, cell.background))
                pairs.append(halves(cell.text, *colours))
            lines += [[upper for upper, _ in pairs], [lower for _, lower in pairs]]
        data = b"".join(bytes(pixel or (0, 0, 0)) for line in lines for pixel in line)
        return Picture(columns, 2 * rows, data, bytes(pixel is not None for line in lines for pixel in line))

    def shown(self, image: int) -> Picture | None:
        """Returns what the placeholders of an image show, a pixel a cell: the middle of the part. None if there are
        none."""
        parts = {place: part for place, part in self.placeholders.items() if part.image == image}
        virtual = [p for p in self.kitty.placements.values() if p.image == image and p.is_virtual]
        if not parts or not virtual:
            return None
        placement = virtual[0]
        source = self.kitty.images[image].picture
        top, left = min(row for row, _ in parts), min(column for _, column in parts)
        height = max(row for row, _ in parts) - top + 1
        width = max(column for _, column in parts) - left + 1
        data, mask = bytearray(3 * width * height), bytearray(width * height)
        for (row, column), part in parts.items():
            if part.row >= placement.rows or part.column >= placement.columns:
                self.own_problems.append(f"a placeholder is outside of its picture: {part}")
                continue
            x = (2 * part.column + 1) * source.width // (2 * placement.columns)
            y = (2 * part.row + 1) * source.height // (2 * placement.rows)
            start = (row - top) * width + column - left
            data[3 * start : 3 * start + 3] = bytes(source[x, y])
            mask[start] = 1
        return Picture(width, height, bytes(data), bytes(mask))


def encoded(text: str) -> tuple[bytes, int]:
    data = "".join(vterm.stand_in(character) for character in text).encode()
    return data, len(data)


CLUSTERS: dict[str, str] = {}


def cluster(text: str) -> str:
    """Returns the character that stands for a placeholder with its marks in libvterm."""
    if text not in CLUSTERS:
        scalar = next(vterm.STAND_INS[1])
        # The emulator has no other character that it must not use.
        if chr(scalar) == PLACEHOLDER:
            scalar = next(vterm.STAND_INS[1])
        vterm.STOOD_FOR[scalar] = text
        CLUSTERS[text] = chr(scalar)
    return CLUSTERS[text]


if __name__ == "__main__":
    # This file is also a module of the test, which has to be the same one.
    import wire_test

    sys.exit(wire_test.main(sys.argv[1:]))
