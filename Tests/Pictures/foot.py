#!/usr/bin/python3
"""Shows covers in foot, by sixel, and compares the screenshots. foot needs Wayland: Weston runs within a display that
nobody sees, from which the screenshots are taken, and shows foot alone on the whole screen.

    foot.py [--stacks PROGRAM] [--prove]

STACKS_PICTURES=DIRECTORY keeps the screenshot of a failure."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import scenario
from stage import GREYS, PATIENCE, Display, Stage, need

WIDTH, HEIGHT = 1200, 760
# 120 x 40 cells: those of DejaVu Sans Mono of 16 pixels are 10 x 19.
FOOT = [
    "foot", "-o", "font=DejaVu Sans Mono:pixelsize=16", "-o", "pad=0x0", "-o", "csd.preferred=none",
    "-o", "cursor.blink=no", "-o", "dpi-aware=no", "-o", "resize-delay-ms=0",
    "-o", "colors.background=000000", "-o", "colors.foreground=dddddd",
]  # fmt: skip
for n, grey in enumerate(GREYS):
    FOOT += ["-o", f"colors.{'bright' if n > 7 else 'regular'}{n % 8}={grey[1:]}"]


class Weston:
    """A Wayland compositor in a window that fills a display, as long as a `with` block."""

    def __init__(self, display: Display):
        self.directory = tempfile.mkdtemp(prefix="stacks-weston-")
        self.socket = self.directory + "/wayland"
        self.log = self.directory + "/log"
        command = [
            "weston", "--backend=x11-backend.so", "--use-pixman", "--shell=kiosk-shell.so", "--no-config",
            "--idle-time=0", f"--width={WIDTH}", f"--height={HEIGHT}", "--socket=wayland", f"--log={self.log}",
        ]  # fmt: skip
        environment = {**os.environ, "DISPLAY": display.name, "XDG_RUNTIME_DIR": self.directory}
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)

    def __enter__(self):
        end = time.monotonic() + PATIENCE
        while not os.path.exists(self.socket):
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit("Weston does not start: " + pathlib.Path(self.log).read_text()[-800:])
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


@contextlib.contextmanager
def show(command, environment):
    need("weston", "foot")
    with Display(WIDTH, HEIGHT) as display, Weston(display) as weston:
        environment = {**environment, "WAYLAND_DISPLAY": weston.socket}
        with Stage(display, FOOT, command, environment) as stage:
            yield stage


if __name__ == "__main__":
    scenario.main("foot", "sixel", show)
