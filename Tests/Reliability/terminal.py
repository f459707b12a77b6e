"""stacks in a pseudo-terminal, whose screen libvterm computes from the output."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import tempfile
import termios
import time

from vterm import Emulator

COLUMNS, ROWS = 100, 24
PATIENCE = 20


class Gone(Exception):
    """The program ended before the expected text appeared."""


class Home:
    """A temporary home directory."""

    def __init__(self, template=None, directory="/tmp"):
        self.path = tempfile.mkdtemp(prefix="stacks-reliability-", dir=directory)
        if template:
            shutil.copytree(template.path, self.path, dirs_exist_ok=True, symlinks=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    @property
    def history(self):
        return self.path + "/data/stacks/history.jsonl"

    @property
    def snapshot(self):
        return self.path + "/data/stacks/shelves.json"

    @property
    def preferences(self):
        return self.path + "/state/stacks/preferences.json"

    @property
    def configuration(self):
        return self.path + "/config/stacks/config.toml"

    @property
    def environment(self):
        path = self.path
        return {
            "HOME": path,
            "XDG_STATE_HOME": path + "/state",
            "XDG_DATA_HOME": path + "/data",
            "XDG_CONFIG_HOME": path + "/config",
            "XDG_CACHE_HOME": path + "/cache",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "PATH": os.environ["PATH"],
        }

    def write(self, path, content):
        """Writes a file and creates its directories."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)

    def files(self):
        """Returns the content of every file in the home by path."""
        found = {}
        for directory, _, names in os.walk(self.path):
            for name in names:
                path = os.path.join(directory, name)
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, self.path)] = file.read()
        return found


class Session:
    """A run of a program in a terminal."""

    def __init__(self, command, environment, size=(ROWS, COLUMNS), draws=True, prepare=None):
        """:param draws: whether to compute the screen; if not, the output is only collected. :param prepare: a
        function that the child calls before it starts the program."""
        self.rows, self.columns = size
        self.screen = Emulator(self.rows, self.columns)
        self.draws = draws
        self.status = None
        self.usage = None
        self.output = bytearray()
        self.master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))
        self.original_modes = termios.tcgetattr(slave)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self.master)
                os.login_tty(slave)
                # Background processes of scripts and processes under nohup ignore these signals, and stacks leaves them
                # ignored.
                for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                    signal.signal(number, signal.SIG_DFL)
                if prepare:
                    prepare()
                os.execve(shutil.which(command[0]) or command[0], command, environment)
            finally:
                os._exit(127)
        # Kept open, because the modes of a terminal that no process has open cannot be read.
        self.slave = slave

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.close_slave()
            self.wait_for_end()
        self.close_slave()
        self.close_master()

    def close_slave(self):
        if self.slave is not None:
            os.close(self.slave)
            self.slave = None

    def close_master(self):
        """Closes the terminal's master side, like a terminal window that disappears."""
        if self.master is not None:
            os.close(self.master)
            self.master = None

    @property
    def modes(self):
        return termios.tcgetattr(self.slave)

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        if self.draws:
            self.screen.resize(max(rows, 1), max(columns, 1))
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def pump(self, seconds):
        """Reads the available output; returns false at its end."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:
            return False
        if not data:
            return False
        self.output += data
        if self.draws:
            self.screen.feed(data)
            # After an unknown sequence the screen may differ from the intended one.
            assert not self.screen.unknown, f"the terminal does not know {self.screen.unknown[:3]}"
        return True

    def settle(self, quiet=0.05, seconds=PATIENCE):
        """Reads output until none has arrived for a while; returns false at its end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            count = len(self.output)
            if not self.pump(quiet):
                return False
            if len(self.output) == count:
                return True
        return True

    @property
    def is_alive(self):
        """Whether the program is running; its exit status is kept."""
        if self.status is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.status, self.usage = status, usage
        return self.status is None

    @property
    def text(self):
        return "\n".join(self.screen.display)

    def row(self, number):
        return self.screen.display[number].rstrip()

    def shows(self, text):
        return text in self.text

    def wait_for(self, *texts, seconds=PATIENCE):
        """Waits until one of the texts is on the screen, and returns it."""
        end = time.monotonic() + seconds
        while True:
            for text in texts:
                if self.shows(text):
                    return text
            if time.monotonic() > end:
                raise AssertionError(f"waited for {texts}, and the window shows\n{self.text}")
            if not self.pump(0.05) or not self.is_alive:
                while self.pump(0) and select.select([self.master], [], [], 0)[0]:
                    pass
                if any(self.shows(text) for text in texts):
                    continue
                raise Gone(self.text)

    def type(self, keys):
        keys = keys if isinstance(keys, bytes) else keys.encode()
        try:
            os.write(self.master, keys)
        except OSError:
            raise Gone(self.text) from None
        # A key that comes with Escape is a key with Alt.
        if keys.endswith(b"\x1b"):
            self.settle(0.1)

    def wait_for_end(self, seconds=PATIENCE):
        end = time.monotonic() + seconds
        is_open = self.master is not None
        while self.is_alive:
            if is_open:
                is_open = self.pump(0.01)
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                _, self.status, self.usage = os.wait4(self.pid, 0)
                raise AssertionError("the program does not end:\n" + self.text)
            if not is_open:
                time.sleep(0.002)
        while is_open and select.select([self.master], [], [], 0)[0]:
            is_open = self.pump(0)
        return self.status
