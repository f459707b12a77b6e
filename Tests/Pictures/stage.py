"""A terminal on a display that nobody sees: starts a program there, types keys, and takes screenshots.

Xvfb keeps its screen in a file, from which the screenshots are read; foot.py has a display of Wayland. The keys come
through relay.py, so that no window needs the focus."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from pixels import Picture, decode_xwd

RELAY = str(pathlib.Path(__file__).resolve().parent / "relay.py")
# The seconds without any output and any change of the screen after which a program is taken to wait for a key. Covers
# come when a row has stood still for 80 ms.
QUIET = 0.6
PATIENCE = 30
# The 16 colours of every terminal here, so that whatever has a colour on the screen is a cover: programs draw bars in
# the terminal's own colours, and some themes have those of covers.
GREYS = [f"#{16 * level + 8:02x}{16 * level + 8:02x}{16 * level + 8:02x}" for level in range(16)]


def need(*programs: str) -> None:
    """Ends the test if a program is missing."""
    if missing := [program for program in programs if not shutil.which(program)]:
        sys.exit(f"These programs are missing: {', '.join(missing)}. The targets of make install their packages")


@contextlib.contextmanager
def home(prefix: str):
    """Yields a directory, and the environment of a reader who has nothing else."""
    # A program that was killed may still have a helper that writes.
    with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as directory:
        names = {"HOME": "home", **{f"XDG_{name}_HOME": name.lower() for name in ("CONFIG", "DATA", "STATE", "CACHE")}}
        environment = {name: f"{directory}/{path}" for name, path in names.items()}
        for path in environment.values():
            os.mkdir(path)
        yield directory, {**environment, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


class Display:
    """A screen of X, of 24 bits, as long as a `with` block."""

    def __init__(self, width: int, height: int):
        need("Xvfb")
        self.directory = tempfile.mkdtemp(prefix="stacks-display-")
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-fbdir", self.directory]
        self.log = open(self.directory + "/log", "w+")
        self.server = subprocess.Popen(
            [*command, "-nolisten", "tcp", "+extension", "GLX"], pass_fds=[writing], stderr=self.log, stdout=self.log
        )
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        if not number:
            sys.exit("Xvfb does not start: " + pathlib.Path(self.directory, "log").read_text()[-500:])
        self.environment = {"DISPLAY": ":" + number}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def raw(self) -> bytes:
        return pathlib.Path(self.directory, "Xvfb_screen0").read_bytes()

    def shot(self) -> Picture:
        return decode_xwd(self.raw)


class Stage:
    """A run of a program in a terminal on a display, as long as a `with` block.

    :param display: has `environment`, `raw` (bytes that change with the screen) and `shot()`.
    :param terminal: the command line of the terminal; the command that it has to run is appended."""

    def __init__(self, display, terminal: list[str], command: list[str], environment: dict[str, str]):
        self.display = display
        self.directory = tempfile.mkdtemp(prefix="stacks-stage-")
        os.mkfifo(self.directory + "/keys")
        self.keys = os.open(self.directory + "/keys", os.O_RDWR)
        self.log = open(self.directory + "/log", "w")
        self.terminal = subprocess.Popen(
            [*terminal, sys.executable, RELAY, self.directory, *command],
            env={**environment, **display.environment, "XDG_RUNTIME_DIR": self.directory},
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
        )  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.terminal.terminate()
        try:
            self.terminal.wait(5)
        except subprocess.TimeoutExpired:
            self.terminal.kill()
            self.terminal.wait()
        os.close(self.keys)
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def read(self, name: str) -> bytes:
        try:
            return pathlib.Path(self.directory, name).read_bytes()
        except FileNotFoundError:
            return b""

    @property
    def output(self) -> bytes:
        """What the program has written."""
        return self.read("output")

    @property
    def size(self) -> tuple[int, int, int, int]:
        """Rows, columns, and the size in pixels."""
        return tuple(map(int, self.read("size").split()))

    @property
    def status(self) -> int | None:
        """The exit status of the program, once it has ended."""
        return int(self.read("status") or -1) if self.read("status") else None

    def press(self, keys: str) -> None:
        os.write(self.keys, keys.encode())

    def settle(self) -> Picture:
        """Waits until nothing is written or drawn any more; returns the screen."""
        end = time.monotonic() + PATIENCE
        state, since = None, time.monotonic()
        while time.monotonic() < end:
            now = (len(self.output), self.display.raw)
            if self.terminal.poll() is not None:
                raise AssertionError("the terminal ended: " + self.read("log").decode(errors="replace")[-800:])
            if now != state or not now[0]:
                state, since = now, time.monotonic()
            elif time.monotonic() - since > QUIET:
                return self.display.shot()
            time.sleep(0.05)
        raise AssertionError(
            "the program writes nothing: " + self.read("log").decode(errors="replace")[-800:]
            if not self.output else "the screen does not come to rest"
        )  # fmt: skip
