"""Runs a program within a terminal, records what it writes, and types keys that come through a FIFO.

    relay.py DIRECTORY COMMAND ...

It passes everything on in both directions, the terminal's answers included. DIRECTORY has the FIFO `keys`, and gets
`output`, `size` (rows, columns, width and height in pixels), and, once the program has ended, `status`. After that the
relay stays, so that the screen does, too."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import tty

directory, *command = sys.argv[1:]


def size() -> bytes:
    return fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8))


def tell(name: str, text: str) -> None:
    with open(f"{directory}/{name}.new", "w") as file:
        file.write(text)
    os.rename(f"{directory}/{name}.new", f"{directory}/{name}")


def resize(*_) -> None:
    fcntl.ioctl(master, termios.TIOCSWINSZ, size())
    tell("size", " ".join(map(str, struct.unpack("HHHH", size()))))


def write(target: int, data: bytes) -> None:
    while data:
        data = data[os.write(target, data) :]


tty.setraw(0)
first_size = size()
child, master = pty.fork()
if child == 0:
    # Here, because the program must not start with another size.
    fcntl.ioctl(0, termios.TIOCSWINSZ, first_size)
    os.execvp(command[0], command)
resize()
signal.signal(signal.SIGWINCH, resize)
keys = os.open(f"{directory}/keys", os.O_RDWR)
output = os.open(f"{directory}/output", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
sources = [0, master, keys]
while True:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 1 << 16)
        except OSError:
            data = b""
        if source == 0 and not data:
            sys.exit()
        if source == master and not data:
            sources.remove(master)
            tell("status", str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
        elif source == master:
            # Recorded first: whoever waits for silence must not miss what the terminal still draws.
            write(output, data)
            write(1, data)
        elif master in sources:
            write(master, data)
