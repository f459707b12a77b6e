"""Pictures as bytes of RGB: reading and writing PNG, cutting, scaling, comparing. Only the standard library."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# The samples of a pixel by PNG's colour type: grey, RGB, palette, grey and alpha, RGB and alpha.
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}

Colour = tuple[int, int, int]


class Damaged(Exception):
    """The bytes are not what they should be."""


@dataclass
class Picture:
    width: int
    height: int
    # Three bytes a pixel, row by row.
    data: bytes
    # A byte a pixel, 0 where nothing was drawn; None if everything was.
    mask: bytes | None = None

    def __post_init__(self):
        assert len(self.data) == 3 * self.width * self.height, "a picture has the wrong number of bytes"

    def __getitem__(self, place: tuple[int, int]) -> Colour:
        x, y = place
        start = 3 * (y * self.width + x)
        return tuple(self.data[start : start + 3])

    def row(self, y: int) -> bytes:
        return self.data[3 * y * self.width : 3 * (y + 1) * self.width]

    def cut(self, left: int, top: int, width: int, height: int) -> Picture:
        rows = (self.row(y)[3 * left : 3 * (left + width)] for y in range(top, top + height))
        return Picture(width, height, b"".join(rows))

    def scaled(self, width: int, height: int) -> Picture:
        """Each pixel of the result is the nearest one of this picture."""
        columns = [x * self.width // width for x in range(width)]
        rows = {}
        for y in {y * self.height // height for y in range(height)}:
            row = self.row(y)
            rows[y] = b"".join(row[3 * x : 3 * x + 3] for x in columns)
        return Picture(width, height, b"".join(rows[y * self.height // height] for y in range(height)))

    def difference(self, other: Picture) -> tuple[float, float, float]:
        """The mean difference of each channel, 0 to 255."""
        assert (self.width, self.height) == (other.width, other.height), "two pictures of different sizes are compared"
        count = max(1, self.width * self.height)
        return tuple(
            sum(abs(one - two) for one, two in zip(self.data[channel::3], other.data[channel::3])) / count
            for channel in range(3)
        )


def quadrants(width: int, height: int, colours: list[Colour]) -> Picture:
    """A picture of four plain rectangles: top left, top right, bottom left, bottom right."""
    left, right = width // 2, width - width // 2

    def rows(first: Colour, second: Colour, count: int) -> bytes:
        return (bytes(first) * left + bytes(second) * right) * count

    return Picture(width, height, rows(*colours[:2], height // 2) + rows(*colours[2:], height - height // 2))


def encode_png(picture: Picture) -> bytes:
    rows = b"".join(b"\0" + picture.row(y) for y in range(picture.height))
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def decode_png(data: bytes) -> Picture:
    """Decodes a PNG of 8 bits a sample, not interlaced: what programs send to terminals. Alpha becomes the mask."""
    if not data.startswith(SIGNATURE):
        raise Damaged("this is no PNG")
    position, header, palette, packed, is_ended = len(SIGNATURE), b"", b"", b"", False
    while position < len(data) and not is_ended:
        if position + 8 > len(data):
            raise Damaged("a PNG ends within a chunk")
        length, kind = struct.unpack_from(">I4s", data, position)
        content = data[position + 8 : position + 8 + length]
        if data[position : position + 12 + length] != chunk(kind, content):
            raise Damaged(f"a checksum of a PNG is wrong, or it ends within {kind}")
        position += 12 + length
        header = content if kind == b"IHDR" else header
        palette = content if kind == b"PLTE" else palette
        packed += content if kind == b"IDAT" else b""
        is_ended = kind == b"IEND"
    if not is_ended or len(header) != 13:
        raise Damaged("a PNG has no header or no end")
    if position != len(data):
        raise Damaged("something follows a PNG")
    width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", header)
    if depth != 8 or interlace or kind not in SAMPLES:
        raise Damaged(f"a PNG of {depth} bits, colour type {kind}, interlace {interlace} is not known here")
    samples = SAMPLES[kind]
    rows = unfiltered(zlib.decompress(packed), width, height, samples)
    mask = None
    if kind in (4, 6):
        mask = rows[samples - 1 :: samples]
    if kind == 2:
        colours = rows
    elif kind == 3:
        colours = b"".join(palette[3 * index : 3 * index + 3] for index in rows)
    elif kind == 6:
        colours = bytes(3 * width * height)
        colours = bytearray(colours)
        for channel in range(3):
            colours[channel::3] = rows[channel::4]
    else:
        colours = b"".join(bytes([grey]) * 3 for grey in rows[::samples])
    return Picture(width, height, bytes(colours), mask)


def unfiltered(data: bytes, width: int, height: int, samples: int) -> bytes:
    """Undoes the filters of PNG, each of which predicts a byte from those left, above, and left above."""
    length = width * samples
    if len(data) != height * (length + 1):
        raise Damaged("the rows of a PNG have the wrong length")
    above = bytearray(length)
    result = bytearray()
    for y in range(height):
        kind, row = data[y * (length + 1)], bytearray(data[y * (length + 1) + 1 : (y + 1) * (length + 1)])
        if kind > 4:
            raise Damaged(f"PNG has no filter {kind}")
        for x in range(length if kind else 0):
            a = row[x - samples] if x >= samples else 0
            b, c = above[x], above[x - samples] if x >= samples else 0
            if kind == 4:
                distances = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
                predicted = (a, b, c)[distances.index(min(distances))]
            else:
                predicted = (0, a, b, (a + b) // 2)[kind]
            row[x] = (row[x] + predicted) & 255
        result += row
        above = row
    return bytes(result)


def decode_xwd(data: bytes) -> Picture:
    """Decodes a screenshot of X of 32 bits a pixel (XWDFile.h); Xvfb keeps its screen so with -fbdir."""
    fields = struct.unpack_from(">25I", data)
    size, width, height, order, bits, length, colours = (fields[n] for n in (0, 4, 5, 7, 11, 12, 19))
    masks = fields[14:17]
    if bits != 32 or masks != (0xFF0000, 0xFF00, 0xFF):
        raise Damaged(f"a screen of {bits} bits with the masks {masks} is not known here")
    start = size + 12 * colours
    # Blue, green, red from the low address on, or the other way round.
    channels = (1, 2, 3) if order else (2, 1, 0)
    result = bytearray(3 * width * height)
    for y in range(height):
        row = data[start + y * length : start + y * length + 4 * width]
        for channel, source in enumerate(channels):
            result[3 * y * width + channel : 3 * (y + 1) * width : 3] = row[source::4]
    return Picture(width, height, bytes(result))
