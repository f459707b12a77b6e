"""A disk that logs each write and each flush in order.

/usr/bin/python3 disk.py DIRECTORY IMAGE LOG

Shows the image as the only file of a file system at DIRECTORY. A file system on a loop device on that file
writes through it: each write is a record in the log, and so is each flush of the disk's cache, before it is
answered."""

from __future__ import annotations

import os
import stat
import struct
import sys
from typing import Iterator

RECORD = struct.Struct("<BQI")
WRITE, FLUSH = 0, 1


def records(log: str) -> Iterator[tuple[int, int, bytes]]:
    """Yields the records of a log: kind, offset and data."""
    with open(log, "rb") as file:
        while header := file.read(RECORD.size):
            kind, offset, count = RECORD.unpack(header)
            yield kind, offset, file.read(count)


def serve(directory: str, image: str, log: str) -> None:
    import fusepy

    with open(image, "rb") as file:
        content = bytearray(file.read())
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

    class Disk(fusepy.Operations):
        def getattr(self, path, fh=None):
            if path == "/":
                return {"st_mode": stat.S_IFDIR | 0o755, "st_nlink": 2}
            return {"st_mode": stat.S_IFREG | 0o600, "st_nlink": 1, "st_size": len(content)}

        def readdir(self, path, fh):
            return [".", "..", "disk"]

        def open(self, path, flags):
            return 1

        def read(self, path, size, offset, fh):
            return bytes(content[offset : offset + size])

        def write(self, path, data, offset, fh):
            os.write(output, RECORD.pack(WRITE, offset, len(data)) + data)
            content[offset : offset + len(data)] = data
            return len(data)

        def fsync(self, path, datasync, fh):
            os.write(output, RECORD.pack(FLUSH, 0, 0))
            return 0

        def flush(self, path, fh):
            return 0

        def truncate(self, path, length, fh=None):
            return 0

    fusepy.FUSE(Disk(), directory, foreground=True, nothreads=True)


if __name__ == "__main__":
    serve(*sys.argv[1:])
