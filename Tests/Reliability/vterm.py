"""A terminal emulator based on libvterm: the screen of a terminal, and the sequences that libvterm does not know.

A terminal ignores unknown sequences, so its screen may be wrong after one. The emulator collects them in
`unknown`, so that a check fails because of the sequence and not of the wrong screen."""

from __future__ import annotations

import ctypes
import functools
import locale
import re
import weakref

# A run of text, one control character, or one escape sequence. The emulator writes them to libvterm one by one, so that
# it knows which bytes libvterm rejects.
TOKEN = re.compile(
    rb"(?P<csi>\x1b\[(?P<leader>[<-?]*)(?P<numbers>[0-;]*)(?P<intermediate>[ -/]*)(?P<final>[@-~]))"
    rb"|(?P<string>\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\)"
    rb"|(?P<escape>\x1b[ -/]*[0-OQ-WYZ\\`-~])"
    rb"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])"
    rb"|(?P<text>(?:[ -~]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+)"
)
# A token that is incomplete: the rest comes with the next read.
INCOMPLETE = re.compile(
    rb"\x1b(?:\[[<-?]*[0-;]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)"
    rb"|[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2}"
)

# libvterm reports most unknown sequences, but silently ignores the following kinds. For these, the known ones are
# listed here. Character sets, line sizes, saving and restoring the cursor, the keypad, reset; and the 7-bit forms of
# control characters, the unknown ones of which libvterm reports.
ESCAPES = re.compile(rb"\x1b(?:[()*+][0AB]|#[34568]|[78=>cno|}~]|[@-_])")
# Titles, and queries of the state (DECRQSS).
STRINGS = re.compile(rb"\x1b\][012];.*|\x1bP\$q.*", re.DOTALL)
WITH_INTERMEDIATE = {b" q", b'"q', b"!p", b"?$p", b"'}", b"'~"}
# Sequences that take one number: modes, private modes, erasing. libvterm 0.1 ignores all modes but the first.
NUMBERS = {
    b"h": {4, 20},
    b"l": {4, 20},
    b"?h": {1, 5, 6, 7, 12, 25, 69, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1048, 1049, 2004},
    b"J": {0, 1, 2},
    b"K": {0, 1, 2},
}
NUMBERS[b"?l"] = NUMBERS[b"?h"]
ATTRIBUTES = {0, 1, 3, 4, 5, 7, 9, *range(10, 20), *range(21, 26), 27, 29, *range(30, 38), 39, *range(40, 48), 49}
# libvterm does not know 2, faint text, but the screen has the same characters without it.
ATTRIBUTES |= {*range(90, 98), *range(100, 108), 2}
COLOUR = re.compile(rb"(?<![0-9])[34]8(?:[;:]5[;:][0-9]+|;2;[0-9]+;[0-9]+;[0-9]+|:2:[0-9]*:[0-9]+:[0-9]+:[0-9]+)")

# Unknown sequences that do not change the screen.
HARMLESS = re.compile(
    rb"\x1b\[2[23];0;0t"  # xterm saves and restores the title of its window around a full-screen program
    rb"|\x1b\]11;\?\x1b\\"  # stacks asks for the colour of the background
    # stacks asks for pictures: kitty's protocol, the name of the terminal, the size of cells and window, sixels
    rb"|\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\|\x1b\[>0q|\x1b\[1[46]t|\x1b\[c"
    rb"|\x1b\]52;c;[A-Za-z0-9+/=]*\x07"  # stacks copies to the clipboard
)

CONTROL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_ubyte, ctypes.c_void_p)
SEQUENCE = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_long),
    ctypes.c_int,
    ctypes.c_char_p,
    ctypes.c_char,
    ctypes.c_void_p,
)


class Fallbacks(ctypes.Structure):
    """VTermStateFallbacks, the functions that libvterm calls for unknown sequences; the emulator needs two."""

    _fields_ = [("control", CONTROL), ("csi", SEQUENCE), ("others", ctypes.c_void_p * 8)]


class FallbacksBefore02(ctypes.Structure):
    """VTermParserCallbacks, the name of the structure before libvterm 0.2."""

    _fields_ = [
        ("text", ctypes.c_void_p),
        ("control", CONTROL),
        ("escape", ctypes.c_void_p),
        ("csi", SEQUENCE),
        ("others", ctypes.c_void_p * 8),
    ]


class Rectangle(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("start_row", "end_row", "start_column", "end_column")]


class Position(ctypes.Structure):
    _fields_ = [("row", ctypes.c_int), ("column", ctypes.c_int)]


class Cell(ctypes.Structure):
    # The size of the attributes depends on the version; there is room for all of them.
    _fields_ = [("characters", ctypes.c_uint32 * 6), ("width", ctypes.c_char), ("attributes", ctypes.c_char * 64)]


@functools.cache
def library() -> ctypes.CDLL:
    library = ctypes.CDLL("libvterm.so.0")
    pointer, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    for name, result, arguments in (
        ("vterm_new", pointer, [number, number]),
        ("vterm_free", None, [pointer]),
        ("vterm_set_size", None, [pointer, number, number]),
        ("vterm_set_utf8", None, [pointer, number]),
        ("vterm_input_write", size, [pointer, ctypes.c_char_p, size]),
        ("vterm_obtain_state", pointer, [pointer]),
        ("vterm_obtain_screen", pointer, [pointer]),
        ("vterm_state_reset", None, [pointer, number]),
        ("vterm_state_get_cursorpos", None, [pointer, ctypes.POINTER(Position)]),
        ("vterm_screen_enable_altscreen", None, [pointer, number]),
        ("vterm_screen_reset", None, [pointer, number]),
        ("vterm_screen_get_text", size, [pointer, ctypes.c_char_p, size, Rectangle]),
        ("vterm_screen_get_cell", number, [pointer, Position, ctypes.POINTER(Cell)]),
        ("vterm_screen_set_unrecognised_fallbacks", None, [pointer, pointer, pointer]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Emulator:
    """A terminal of the type xterm-256color."""

    def __init__(self, rows: int, columns: int):
        self.library = library()
        self.rows, self.columns = rows, columns
        # The unknown sequences, byte by byte as the program sent them.
        self.unknown: list[bytes] = []
        self.incomplete = b""
        self.terminal = self.library.vterm_new(rows, columns)
        weakref.finalize(self, self.library.vterm_free, self.terminal)
        self.library.vterm_set_utf8(self.terminal, 1)
        self.screen = self.library.vterm_obtain_screen(self.terminal)
        self.library.vterm_screen_enable_altscreen(self.screen, 1)
        # libvterm calls the functions while `write` writes a token.
        reports = self.reports = []
        is_new = hasattr(self.library, "vterm_state_set_selection_callbacks")
        self.fallbacks = (Fallbacks if is_new else FallbacksBefore02)(
            control=CONTROL(lambda *_: reports.append(True) or 1),
            csi=SEQUENCE(lambda *_: reports.append(True) or 1),
        )
        self.library.vterm_screen_set_unrecognised_fallbacks(self.screen, ctypes.addressof(self.fallbacks), None)
        self.library.vterm_screen_reset(self.screen, 1)

    def resize(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.library.vterm_set_size(self.terminal, rows, columns)

    def feed(self, data: bytes) -> None:
        """Processes output, and adds the unknown parts to `unknown`."""
        data = self.incomplete + data
        self.incomplete = b""
        position = 0
        while position < len(data):
            token = TOKEN.match(data, position)
            if token:
                position = token.end()
                if token["text"]:
                    self.write_text(token["text"])
                else:
                    self.write(token)
            elif INCOMPLETE.fullmatch(data, position):
                self.incomplete = data[position:]
                return
            else:
                # The bytes are neither UTF-8 nor a sequence.
                self.unknown.append(data[position : position + 16])
                position += 1

    def write(self, token: re.Match) -> None:
        self.reports.clear()
        # Terminals skip strings of this kind (ECMA-48, section 5.6), but libvterm 0.1 shows them.
        if not token[0].startswith(b"\x1b_"):
            self.library.vterm_input_write(self.terminal, token[0], len(token[0]))
        if (self.reports or not is_known(token)) and not HARMLESS.fullmatch(token[0]):
            self.unknown.append(token[0])

    def write_text(self, text: bytes) -> None:
        if not text.isascii():
            try:
                decoded = text.decode()
            except ValueError:
                self.unknown.append(text)
                return
            # Some terminals execute these control characters, and others show them.
            self.unknown += [character.encode() for character in decoded if "\x80" <= character <= "\x9f"]
            text = "".join(stand_in(character) for character in decoded).encode()
        self.library.vterm_input_write(self.terminal, text, len(text))

    @property
    def display(self) -> list[str]:
        """The text of each row, with spaces up to the last column."""
        size = self.rows * self.columns * 4 * 6 + self.rows
        buffer = ctypes.create_string_buffer(size)
        whole = Rectangle(0, self.rows, 0, self.columns)
        count = self.library.vterm_screen_get_text(self.screen, buffer, size, whole)
        rows = buffer.raw[:count].decode().translate(STOOD_FOR).split("\n")
        return [row + " " * (self.columns - sum(map(width, row))) for row in rows]

    @property
    def cells(self) -> list[list[str]]:
        """The text of each cell, row by row: "" for the second half of a wide character, " " for a blank."""
        return [[self.cell(row, column) for column in range(self.columns)] for row in range(self.rows)]

    def cell(self, row: int, column: int) -> str:
        cell = Cell()
        self.library.vterm_screen_get_cell(self.screen, Position(row, column), cell)
        text = ""
        for scalar in cell.characters:
            if scalar == 0xFFFFFFFF:
                return ""
            if scalar == 0:
                break
            text += chr(scalar)
        return text.translate(STOOD_FOR) or " "


def is_known(token: re.Match) -> bool:
    """Returns whether libvterm knows the sequence or reports it if not."""
    if token["string"]:
        return bool(STRINGS.fullmatch(token["string"]))
    if token["escape"]:
        return bool(ESCAPES.fullmatch(token["escape"]))
    if token["control"]:
        return True
    leader, numbers, intermediate = token["leader"], token["numbers"], token["intermediate"]
    kind = leader + intermediate + token["final"]
    if kind == b"m":
        attributes = COLOUR.sub(b"0", numbers)
        return b":" not in attributes and all(int(number or 0) in ATTRIBUTES for number in attributes.split(b";"))
    if kind in NUMBERS:
        return bool(re.fullmatch(b"[0-9]*", numbers)) and int(numbers or 0) in NUMBERS[kind]
    return kind in WITH_INTERMEDIATE if intermediate else leader in (b"", b"?", b">")


# MARK: Widths

# libvterm's table of character widths is older than that of the C library, on which stacks and most terminals rely. If
# the two differ, the emulator gives libvterm a private-use character of the right width, and restores the real one when
# it reads the screen. It omits characters of width 0.
STAND_INS = {1: iter(range(0x100000, 0x10FFFE)), 2: iter(range(0x3F000, 0x3FFFE))}
STOOD_FOR: dict[int, str] = {}


@functools.cache
def stand_in(character: str) -> str:
    if width(character) == width_in_libvterm(character):
        return character
    if width(character) == 0:
        return ""
    scalar = next(STAND_INS[width(character)])
    STOOD_FOR[scalar] = character
    return chr(scalar)


@functools.cache
def width(character: str) -> int:
    """Returns the width of a character in the C library, or in libvterm if the C library does not know the
    character."""
    width = c_library().wcwidth(ord(character))
    return width if width >= 0 else width_in_libvterm(character)


@functools.cache
def c_library() -> ctypes.CDLL:
    locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
    return ctypes.CDLL(None)


def width_in_libvterm(character: str) -> int:
    terminal = library().vterm_new(1, 8)
    library().vterm_set_utf8(terminal, 1)
    state = library().vterm_obtain_state(terminal)
    library().vterm_state_reset(state, 1)
    text = ("a" + character).encode()
    library().vterm_input_write(terminal, text, len(text))
    position = Position()
    library().vterm_state_get_cursorpos(state, position)
    library().vterm_free(terminal)
    return position.column - 1
