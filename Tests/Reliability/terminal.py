"""stacks in a terminal of its own: a pseudo-terminal, and the screen that pyte makes of what comes through it."""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import tempfile
import termios
import time

import pyte

COLUMNS, ROWS = 100, 24
PATIENCE = 20


class Gone(Exception):
    """The program ended before it showed what was waited for."""


class Home:
    """A reader's home, removed with it."""

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
    def environment(self):
        path = self.path
        return {
            "HOME": path, "XDG_STATE_HOME": path + "/state", "XDG_DATA_HOME": path + "/data",
            "XDG_CONFIG_HOME": path + "/config", "XDG_CACHE_HOME": path + "/cache", "LANG": "C.UTF-8",
            "TERM": "xterm-256color", "PATH": os.environ["PATH"],
        }

    def files(self):
        """Every file below it, with its content."""
        found = {}
        for directory, _, names in os.walk(self.path):
            for name in names:
                path = os.path.join(directory, name)
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, self.path)] = file.read()
        return found


class Session:
    """One run of a program."""

    def __init__(self, command, environment):
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.status = None
        self.output = b""
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            try:
                os.execve(command[0], command, environment)
            finally:
                os._exit(127)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.wait_for_end()
        os.close(self.master)

    def pump(self, seconds):
        """Takes in what comes; false at its end."""
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
        # pyte takes a private sequence for one with another meaning.
        self.stream.feed(re.sub(rb"\x1b\[[>?=<][0-9;]*[a-zA-Z]", b"", data))
        return True

    @property
    def text(self):
        return "\n".join(self.screen.display)

    def row(self, number):
        return self.screen.display[number].rstrip()

    def shows(self, text):
        return text in self.text

    def wait_for(self, *texts, seconds=PATIENCE):
        """Waits until one of the texts is shown, and says which."""
        end = time.monotonic() + seconds
        while True:
            for text in texts:
                if self.shows(text):
                    return text
            if time.monotonic() > end:
                raise AssertionError(f"waited for {texts}, and the window shows\n{self.text}")
            if not self.pump(0.05):
                if any(self.shows(text) for text in texts):
                    continue
                raise Gone(self.text)

    def type(self, keys):
        try:
            os.write(self.master, keys.encode())
        except OSError:
            raise Gone(self.text) from None

    def wait_for_end(self, seconds=PATIENCE):
        end = time.monotonic() + seconds
        is_open = True
        while self.status is None:
            if is_open:
                is_open = self.pump(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
            elif time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                _, self.status = os.waitpid(self.pid, 0)
                raise AssertionError("the program does not end:\n" + self.text)
            elif not is_open:
                time.sleep(0.005)
        return self.status
