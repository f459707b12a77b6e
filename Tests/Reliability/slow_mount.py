"""A file system on which each read takes long.

/usr/bin/python3 slow_mount.py DIRECTORY SOURCE SECONDS

Shows the files of the directory SOURCE, read-only, in DIRECTORY."""

from __future__ import annotations

import os
import sys
import time


def serve(directory: str, source: str, seconds: float) -> None:
    import fusepy

    class Slow(fusepy.Operations):
        def getattr(self, path, fh=None):
            status = os.lstat(source + path)
            return {name: getattr(status, name) for name in dir(status) if name.startswith("st_") and name != "st_ino"}

        def readdir(self, path, fh):
            return [".", "..", *os.listdir(source + path)]

        def open(self, path, flags):
            return os.open(source + path, os.O_RDONLY)

        def read(self, path, size, offset, fh):
            time.sleep(seconds)
            return os.pread(fh, size, offset)

        def release(self, path, fh):
            os.close(fh)

    fusepy.FUSE(Slow(), directory, foreground=True, ro=True)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], float(sys.argv[3]))
