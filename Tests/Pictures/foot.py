#!/usr/bin/python3
"""Shows covers in foot, by sixel, and compares the screenshots. foot needs Wayland: Weston runs headless, and shows
foot alone on the whole screen.

    foot.py [--stacks PROGRAM] [--prove]

STACKS_PICTURES=DIRECTORY keeps the screenshot of a failure."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import scenario
from pixels import Picture, decode_png
from stage import GREYS, PATIENCE, Stage, need

WIDTH, HEIGHT = 1200, 760
# 120 x 40 cells: those of DejaVu Sans Mono of 16 pixels are 10 x 19.
SETTINGS = [
    "font=DejaVu Sans Mono:pixelsize=16", "pad=0x0", f"initial-window-size-pixels={WIDTH}x{HEIGHT}",
    "csd.preferred=none", "cursor.blink=no", "dpi-aware=no", "resize-delay-ms=0",
    "colors.background=000000", "colors.foreground=dddddd",
    *(f"colors.{'bright' if n > 7 else 'regular'}{n % 8}={grey[1:]}" for n, grey in enumerate(GREYS)),
]  # fmt: skip
# foot ends where there is no seat, that is, nobody who may sit before the screen, and a headless Weston has none. This
# module of Weston adds one, without a keyboard or a pointer. It needs no header: a seat takes less than these bytes.
SEAT = """
void weston_seat_init(void *seat, void *compositor, const char *name);
static _Alignas(16) char seat[65536];
int wet_module_init(void *compositor, int *argc, char *argv[]) {
    weston_seat_init(seat, compositor, "seat");
    return 0;
}
"""


class Weston:
    """A screen of Wayland, as long as a `with` block."""

    def __init__(self):
        need("weston", "weston-screenshooter", "cc")
        self.directory = tempfile.mkdtemp(prefix="stacks-weston-")
        self.socket = self.directory + "/wayland"
        self.environment = {"WAYLAND_DISPLAY": self.socket}
        self.shots = pathlib.Path(self.directory, "shots")
        self.shots.mkdir()
        module = self.directory + "/seat.so"
        compile_seat = ["cc", "-shared", "-nostdlib", "-fPIC", "-x", "c", "-o", module, "-"]
        subprocess.run(compile_seat, input=SEAT.encode(), check=True)
        command = [
            "weston", "--backend=headless-backend.so", "--use-pixman", "--shell=kiosk-shell.so", f"--modules={module}",
            "--no-config", "--idle-time=0", f"--width={WIDTH}", f"--height={HEIGHT}", "--socket=wayland",
            # Without it, screenshots are refused.
            "--debug",
        ]  # fmt: skip
        self.log = open(self.directory + "/log", "w+")
        environment = {**os.environ, "XDG_RUNTIME_DIR": self.directory}
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log
        )

    def __enter__(self):
        end = time.monotonic() + PATIENCE
        while not os.path.exists(self.socket):
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit("Weston does not start: " + pathlib.Path(self.directory, "log").read_text()[-800:])
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def raw(self) -> bytes:
        """A screenshot as PNG."""
        environment = {**os.environ, **self.environment, "XDG_PICTURES_DIR": str(self.shots)}
        subprocess.run(
            ["weston-screenshooter"], env=environment, stdout=self.log, stderr=self.log, timeout=PATIENCE, check=True
        )
        # Its name has the time.
        (path,) = self.shots.iterdir()
        data = path.read_bytes()
        path.unlink()
        return data

    def shot(self) -> Picture:
        return decode_png(self.raw)


@contextlib.contextmanager
def show(command, environment):
    need("foot")
    terminal = ["foot", *(part for setting in SETTINGS for part in ("-o", setting))]
    with Weston() as weston, Stage(weston, terminal, command, environment) as stage:
        yield stage


if __name__ == "__main__":
    scenario.main("foot", "sixel", show)
