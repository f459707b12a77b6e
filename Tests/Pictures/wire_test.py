"""The self-test of wire.py: encoders, which share nothing with the decoders, and damaged input."""

from __future__ import annotations

import base64
import random
import sys
import zlib

import pixels
import wire
from pixels import SIGNATURE, Damaged, Picture, chunk, decode_png, encode_png, quadrants

COLOURS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)]


def noise(width: int, height: int, seed: int) -> Picture:
    dice = random.Random(seed)
    # Colours that percent can express, and few enough for a register each.
    shades = [tuple((part * 255 + 50) // 100 for part in (n * 7 % 101, n * 31 % 101, n * 53 % 101)) for n in range(40)]
    return Picture(width, height, b"".join(bytes(dice.choice(shades)) for _ in range(width * height)))


# MARK: Encoders


def filtered_png(picture: Picture, kind: int) -> bytes:
    """A PNG whose rows have each filter in turn; 2 is RGB, 6 is RGB with alpha, 0 is grey, 3 has a palette."""
    palette = sorted({picture[x, y] for x in range(picture.width) for y in range(picture.height)})
    rows, above = b"", []
    for y in range(picture.height):
        row = []
        for x in range(picture.width):
            pixel = picture[x, y]
            row += {2: pixel, 6: (*pixel, 255 * (x % 2)), 0: pixel[:1], 3: (palette.index(pixel),)}[kind]
        step, number = len(row) // picture.width, y % 5
        above = above or [0] * len(row)
        rows += bytes([number])
        for n, value in enumerate(row):
            left, up, corner = (row[n - step], above[n], above[n - step]) if n >= step else (0, above[n], 0)
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda near: abs(guess - near))
            rows += bytes([(value - [0, left, up, (left + up) // 2, paeth][number]) % 256])
        above = row
    header = picture.width.to_bytes(4, "big") + picture.height.to_bytes(4, "big") + bytes([8, kind, 0, 0, 0])
    colours = chunk(b"PLTE", b"".join(map(bytes, palette))) if kind == 3 else b""
    half = zlib.compress(rows)
    data = chunk(b"IDAT", half[:9]) + chunk(b"IDAT", half[9:])
    return SIGNATURE + chunk(b"IHDR", header) + colours + data + chunk(b"IEND", b"")


def kitty_chunks(keys: str, payload: bytes, size: int = 4096) -> bytes:
    text = base64.b64encode(payload)
    parts = [text[n : n + size] for n in range(0, len(text), size)] or [b""]
    result = b""
    for number, part in enumerate(parts):
        more = f"m={int(number + 1 < len(parts))}"
        head = f"{keys},{more}" if number == 0 else f"q=2,{more}"
        result += b"\x1b_G" + head.encode() + b";" + part + b"\x1b\\"
    return result


def in_tmux(output: bytes) -> bytes:
    """Wraps each sequence for tmux's passthrough."""
    sequences = [part + b"\x1b\\" for part in output.split(b"\x1b\\") if part]
    return b"".join(b"\x1bPtmux;" + part.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\" for part in sequences)


def placeholder_rows(image: int, rows: int, columns: int, row: int, column: int, marked=True) -> bytes:
    """Placeholders at a place of the screen; unless `marked`, only the first cell of a row has marks."""
    red, green, blue = image >> 16 & 255, image >> 8 & 255, image & 255
    text = f"\x1b[38;2;{red};{green};{blue}m"
    for y in range(rows):
        text += f"\x1b[{row + y + 1};{column + 1}H"
        for x in range(columns):
            text += wire.PLACEHOLDER + (wire.MARKS[y] + wire.MARKS[x] if marked or x == 0 else "")
    return (text + "\x1b[39m").encode()


def sixel(picture: Picture, repeats=True) -> bytes:
    """Encodes with a register for each colour, band by band."""
    colours = sorted({picture[x, y] for x in range(picture.width) for y in range(picture.height)})
    result = f'\x1bP0;1;0q"1;1;{picture.width};{picture.height}'
    for number, colour in enumerate(colours):
        result += f"#{number};2;" + ";".join(str(round(part * 100 / 255)) for part in colour)
    for top in range(0, picture.height, 6):
        for number, colour in enumerate(colours):
            line = []
            for x in range(picture.width):
                bits = [top + n < picture.height and picture[x, top + n] == colour for n in range(6)]
                line.append(chr(63 + sum(bit << n for n, bit in enumerate(bits))))
            if set(line) == {"?"}:
                continue
            result += f"#{number}"
            run = 0
            for x in range(picture.width):
                run += 1
                if x + 1 == picture.width or line[x + 1] != line[x]:
                    result += f"!{run}{line[x]}" if repeats and run > 3 else line[x] * run
                    run = 0
            result += "$"
        result += "-"
    return result.encode() + b"\x1b\\"


def half_blocks(picture: Picture, row: int, column: int) -> bytes:
    text = ""
    for y in range(0, picture.height, 2):
        text += f"\x1b[{row + y // 2 + 1};{column + 1}H"
        for x in range(picture.width):
            upper, lower = picture[x, y], picture[x, y + 1]
            top, bottom = (";".join(map(str, colour)) for colour in (upper, lower))
            if upper == lower:
                text += [f"\x1b[48;2;{top}m ", f"\x1b[38;2;{top}m█", f"\x1b[7;38;2;{top}m \x1b[27m"][x % 3]
            else:
                text += [f"\x1b[38;2;{top};48;2;{bottom}m▀", f"\x1b[38;2;{bottom};48;2;{top}m▄"][x % 2]
    return (text + "\x1b[m").encode()


# MARK: The tests


def expect(value, expected, what: str) -> None:
    assert value == expected, f"{what}: {value!r:.200} instead of {expected!r:.200}"


def refuses(what: str, function, *arguments) -> None:
    try:
        function(*arguments)
    except Damaged:
        return
    raise AssertionError(f"{what} is not refused")


def test_png() -> None:
    picture = noise(23, 17, 1)
    expect(decode_png(encode_png(picture)), picture, "a PNG")
    for kind in (2, 3):
        expect(decode_png(filtered_png(picture, kind)), picture, f"a PNG of colour type {kind}")
    alpha = decode_png(filtered_png(picture, 6))
    expect((alpha.data, alpha.mask[:3]), (picture.data, b"\0\xff\0"), "a PNG with alpha")
    expect(decode_png(filtered_png(picture, 0))[3, 4], (picture[3, 4][0],) * 3, "a grey PNG")
    data = encode_png(picture)
    for what, damaged in {
        "a cut PNG": data[:-5], "a changed PNG": data[:60] + b"!" + data[61:], "JPEG": b"\xff\xd8" + data,
        "something behind a PNG": data + b"x",
    }.items():  # fmt: skip
        refuses(what, decode_png, damaged)
    expect(quadrants(4, 2, COLOURS)[3, 1], COLOURS[3], "a quadrant")
    expect(quadrants(4, 4, COLOURS).scaled(8, 2)[0, 1], COLOURS[2], "a scaled picture")
    expect(picture.difference(picture), (0, 0, 0), "the difference of a picture from itself")
    expect(Picture(1, 1, b"\1\2\3").difference(Picture(1, 1, b"\4\4\4")), (3, 2, 1), "a difference")


def test_kitty() -> None:
    picture = noise(120, 60, 2)
    sent = kitty_chunks("a=t,q=2,f=100,i=7", encode_png(picture), 400)
    assert sent.count(b"\x1b_G") > 5, "the picture has too few chunks for a test"
    placed = b"\x1b_Ga=p,q=2,i=7,p=3,c=12,r=6;\x1b\\"
    gone = b"\x1b_Ga=d,q=2,d=I,i=7,p=3\x1b\\"
    for name, wrap in {"alone": bytes, "in tmux": in_tmux}.items():
        kitty = wire.kitty(wrap(sent + placed))
        expect(kitty.problems, [], f"problems {name}")
        expect(kitty.images[7].picture, picture, f"the picture {name}")
        expect(kitty.placements[7, 3], wire.Placement(7, 3, 12, 6, False), f"the placement {name}")
        kitty = wire.kitty(wrap(sent + placed + gone))
        expect((kitty.images, kitty.placements), ({}, {}), f"what a deletion leaves {name}")
        expect([type(event).__name__ for event in kitty.events], ["Image", "Placement", "Deletion"], "the events")
    raw = wire.kitty(kitty_chunks("a=t,q=2,f=24,s=120,v=60,o=z,i=1", zlib.compress(picture.data)))
    expect(raw.images[1].picture, picture, "packed pixels")
    kept = wire.kitty(sent + placed + b"\x1b_Ga=d,q=2,d=i,i=7;\x1b\\")
    expect((list(kept.images), kept.placements), ([7], {}), "a deletion of placements only")
    for what, output in {
        "an answer": sent.replace(b"q=2", b"q=1"),
        "a second picture between chunks": sent[: len(sent) // 2].rpartition(b"\x1b_G")[0] + placed,
        "a picture that was not sent": placed,
        "a cut payload": sent.replace(b"\x1b\\", b"", 1).replace(b"\x1b_Gq=2,m=1;", b"\x1b\\\x1b_Gq=2,m=1;!", 1),
        "a file": b"\x1b_Ga=t,q=2,t=f,i=1;L2V0Yy9wYXNzd2Q=\x1b\\",
        "an unknown key": b"\x1b_Ga=p,q=2,k=1,i=7\x1b\\",
        "a key twice": b"\x1b_Ga=p,q=2,i=7,i=8\x1b\\",
        "a large chunk": kitty_chunks("a=t,q=2,f=24,s=60,v=60,i=1", bytes(60 * 60 * 3), 8192),
        "too few pixels": kitty_chunks("a=t,q=2,f=24,s=120,v=61,i=1", picture.data),
        "no id": kitty_chunks("a=t,q=2,f=100", encode_png(picture)),
    }.items():
        assert wire.kitty(output).problems, f"{what} is no problem"


def test_placeholders() -> None:
    expect((len(wire.MARKS), ord(wire.MARKS[0]), ord(wire.MARKS[296])), (297, 0x305, 0x1D244), "the marks")
    picture = quadrants(80, 80, COLOURS)
    image = 0x123456
    start = kitty_chunks(f"a=t,q=2,f=100,i={image}", encode_png(picture))
    start += f"\x1b_Ga=p,q=2,U=1,i={image},c=8,r=4\x1b\\".encode()
    for name, wrap in {"alone": bytes, "in tmux": in_tmux}.items():
        terminal = wire.Terminal(24, 80)
        output = wrap(start) + b"\x1b[Hbefore" + placeholder_rows(image, 4, 8, 5, 60) + b"\x1b[6;69Hafter"
        for byte in output:
            terminal.feed(bytes([byte]))
        expect((terminal.problems, terminal.unknown), ([], []), f"problems {name}")
        parts = terminal.placeholders
        expect(len(parts), 32, f"cells {name}")
        expect(parts[8, 67], wire.Part(image, 3, 7, True), f"the last cell {name}")
        row = terminal.cells[5]
        expect((row[59], row[60], row[68]), (" ", wire.PLACEHOLDER + 2 * wire.MARKS[0], "a"), f"the text around {name}")
        shown = terminal.shown(image)
        expect([shown[0, 0], shown[7, 0], shown[0, 3], shown[7, 3]], COLOURS, f"what is shown {name}")
        # A line that scrolls takes its cells along, and text over a cell removes it.
        terminal.feed(b"\x1b[24;1H\n\x1b[5;61Hxx")
        expect((len(terminal.placeholders), (7, 67) in terminal.placeholders), (30, True), f"scrolled cells {name}")
    terminal = wire.Terminal(24, 80)
    terminal.feed(start + placeholder_rows(image, 4, 8, 5, 60, marked=False))
    parts = terminal.placeholders
    expect(parts[8, 67], wire.Part(image, 3, 7, False), "a cell that continues another")
    assert parts[8, 60].is_complete, "a cell with its own marks counts as one without"
    terminal.feed(b"\x1b[7;63H|")
    expect(terminal.placeholders[6, 63], wire.Part(image, 0, 0, False), "a cell whose run is cut")
    terminal = wire.Terminal(24, 80)
    terminal.feed(("\x1b[38;5;42m" + wire.PLACEHOLDER + wire.MARKS[1] + wire.MARKS[2] + wire.MARKS[3]).encode())
    expect(terminal.placeholders[0, 0], wire.Part(3 << 24 | 42, 1, 2, True), "an id of 32 bits")
    expect((terminal.cursor, terminal.cells[0][0][0]), ((0, 1), wire.PLACEHOLDER), "the cursor")


def test_sixel() -> None:
    for picture in (noise(31, 20, 3), quadrants(40, 30, COLOURS), noise(1, 1, 4), noise(7, 6, 5)):
        for repeats in (False, True):
            terminal = wire.Terminal(40, 120)
            terminal.feed(b"\x1b[4;11H" + sixel(picture, repeats))
            found = terminal.sixels[0]
            expect((found.row, found.column, found.picture.data), (3, 10, picture.data), "a sixel picture")
            expect(set(found.picture.mask), {1}, "the mask of a full sixel picture")
            expect(terminal.problems, [], "problems")
    # Hue 0 is blue, 120 is red, 240 is green; white has no saturation.
    hues = b"#1;1;0;50;100#1~#2;1;120;50;100#2~#3;1;240;50;100#3~#4;1;0;100;0#4~"
    picture = wire.decode_sixel(hues, b"0;1")
    expect([picture[x, 5] for x in range(4)], [(0, 0, 255), (255, 0, 0), (0, 255, 0), (255, 255, 255)], "hues")
    picture = wire.decode_sixel(b'"1;1;4;7#1;2;100;0;0#1@@$#2;2;0;0;100??!2A-@', b"0;1")
    expect((picture.width, picture.height), (4, 7), "the size")
    expect(picture.mask, bytes([1, 1, 0, 0] + [0, 0, 1, 1] + [0] * 16 + [1, 0, 0, 0]), "the mask")
    expect((picture[1, 0], picture[3, 1], picture[0, 6]), ((255, 0, 0), (0, 0, 255), (0, 0, 255)), "colours")
    expect(wire.decode_sixel(b"#0;2;0;100;0#1;2;100;0;0#1?@", b"")[0, 0], (0, 255, 0), "the background")
    for what, body in {
        "a colour that is not defined": b"#99~", "101 percent": b"#1;2;101;0;0#1~", "a letter below ?": b"#1>~",
        "a late size": b'#1~"1;1;4;7', "a colour space": b"#1;3;1;1;1#1~",
    }.items():  # fmt: skip
        refuses(what, wire.decode_sixel, body)
    terminal = wire.Terminal(4, 10)
    terminal.feed(b"\x1b[4;9H" + sixel(quadrants(40, 30, COLOURS)))
    expect(len(terminal.problems), 2, "problems of a picture over both edges")


def test_half_blocks() -> None:
    for picture in (noise(30, 20, 6), quadrants(30, 20, COLOURS)):
        terminal = wire.Terminal(40, 120)
        terminal.feed(half_blocks(picture, 3, 50))
        expect(terminal.half_blocks(3, 50, 10, 30).data, picture.data, "half blocks")
        expect((terminal.problems, terminal.unknown), ([], []), "problems")
    terminal.feed(b"\x1b[1;1H\x1b[38;5;208;48;5;244m\xe2\x96\x80\x1b[31;42m\xe2\x96\x80\x1b[m ")
    picture = terminal.half_blocks(0, 0, 1, 3)
    expect([picture[0, 0], picture[0, 1]], [(255, 135, 0), (128, 128, 128)], "indexed colours")
    expect([picture[1, 0], picture[1, 1]], [(205, 0, 0), (0, 205, 0)], "the first colours")
    expect(picture.mask, b"\1\1\0\1\1\0", "the mask")
    refuses("a letter", wire.halves, "x", None, None)


TESTS = [test_png, test_kitty, test_placeholders, test_sixel, test_half_blocks]

# Ways to break the decoders: what it is, an object, an attribute, and what takes its place.
BREAKS = [
    ("a PNG without its filters", pixels, "unfiltered", lambda d, w, h, s: bytes(w * h * s)),
    ("chunks that are not joined", wire.Kitty, "continue_with", lambda self, *_: None),
    ("a missing q=2 that is allowed", wire.Kitty, "check_first", lambda self, keys: None),
    ("deletions that do nothing", wire.Kitty, "delete", lambda self, deletion: self.events.append(deletion)),
    ("a passthrough that keeps the doubled ESC", wire, "unwrapped", lambda o: wire.PASSTHROUGH.sub(lambda m: m[1], o)),
    ("rows and columns exchanged", wire, "NUMBERS", {mark: 296 - n for mark, n in wire.NUMBERS.items()}),
    ("runs that do not go on", wire, "parts_of_row", lambda cells: {}),
    ("hues from red", wire, "defined", lambda n: wire.percent(n[2:])),
    ("percent that is cut off", wire, "percent", lambda values: tuple(value * 255 // 100 for value in values)),
    ("a palette without grey", wire, "palette", lambda index: (0, 0, index)),
    ("halves exchanged", wire, "halves", lambda text, one, two, old=wire.halves: old(text, one, two)[::-1]),
]  # fmt: skip


def failure() -> str | None:
    """Runs the tests; returns what failed."""
    for test in TESTS:
        try:
            test()
        except Exception as error:
            return f"{test.__name__}: {type(error).__name__} {error}"
    return None


def prove() -> int:
    """Returns the number of breaks that no test noticed."""
    count = 0
    for what, holder, name, broken in BREAKS:
        whole = getattr(holder, name)
        setattr(holder, name, broken)
        said = failure()
        setattr(holder, name, whole)
        print(f"{what}: {(said or 'NOTHING: it does not see it')[:140]}")
        count += said is None
    return count


def main(arguments: list[str]) -> int:
    if arguments == ["--prove"]:
        return 1 if prove() else 0
    if arguments != ["--self-test"]:
        print(wire.__doc__, file=sys.stderr)
        return 2
    said = failure()
    print(said or f"The decoders work: {len(TESTS)} tests")
    return 1 if said else 0
