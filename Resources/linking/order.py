#!/usr/bin/env python3
"""Writes the order in which the linker puts functions: those that the first screen needs stand together, and after them those
of a session's first keys.

A program is read from its file page by page, as its functions are called. Where what is called first lies all over 15 MB of
code, a tenth of the time to the first screen goes into that; where it lies together, the kernel brings in sixteen pages at
once.

usage: order.py PROGRAM MAP > functions.order

PROGRAM is the release, linked with -Map=MAP; it is run by valgrind's callgrind, which tells of each instruction whether it
was reached. It opens a catalog of books that have all fields: for a new reader, for a session, and for the reader who comes
back.
"""

import bisect
import fcntl
import glob
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROWS, COLUMNS = 40, 120
# What is not called within so many seconds is left out: callgrind makes a program some fifty times slower.
PATIENCE_S = 30
QUIET_S = 1.5
# A larger section is an object file that was not divided into functions: little of it is needed. It comes last.
LARGEST = 1 << 16
# The function in which the program waits for what the reader does.
FIRST_WAIT = "$s15NcursesTerminalAAC13waitForEvents*"
START = ["q"]
KEYS = ["j", "j", "k", "\x06", "G", "g", "g", "t", "t", "\t", "\t", "/", "t", "h", "e", "\x1b", "q"]


def sections(map_path):
    """The sections of code as (address, size, names of its symbols), by address."""
    found = []
    row = re.compile(r"\s*([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)\s+\d+ (\s*)(\S.*)")
    for line in open(map_path, encoding="utf-8", errors="replace"):
        match = row.match(line)
        if not match:
            continue
        address, size, indent, text = int(match[1], 16), int(match[2], 16), len(match[3]), match[4]
        if indent == 8:
            found.append((address, size, [])) if ":(.text" in text else found.append((address, 0, None))
        elif indent == 16 and found and found[-1][2] is not None:
            found[-1][2].append(text)
    return sorted((section for section in found if section[1]), key=lambda section: section[0])


def isbn(number):
    """A valid one."""
    digits = f"978{number:09}"
    weighted = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return f"{digits}{-weighted % 10}"


def catalog():
    """Books that have all that is shown, as many catalogs write them."""
    return [
        {
            "title": f"The Book of Shadows {number}", "subtitle": "A Novel", "authors": ["Mary Ann Évans", "Li Ruzhen"],
            "isbn": isbn(number),
            "pages": 200 + number, "fiction": True, "publisher": "Springer", "published": f"{1900 + number}-05-02",
            "language": "en", "subjects": ["Shadows -- Fiction", "Ghost stories"], "series": "Shadows",
            "series_index": number, "rating": 4.5, "description": "First.\n\nAn \u201cother\u201d one – longer. " * 9,
        }
        for number in range(200)
    ]


def reached(bare, home, keys):
    """The addresses of the instructions that are reached until the first screen, and those that are reached by `keys`."""
    out = os.path.join(home, "callgrind")
    child, terminal = pty.fork()
    if child == 0:
        environment = {"HOME": home, "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        os.execvpe(
            "valgrind",
            ["valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no",
             "--dump-before=" + FIRST_WAIT, "--callgrind-out-file=" + out, bare, os.path.join(home, "catalog.json")],
            environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    read_until_quiet(terminal, PATIENCE_S)
    for key in keys:
        os.write(terminal, key.encode())
        read_until_quiet(terminal, QUIET_S)
    os.waitpid(child, 0)
    # One each time that the program waits.
    dumps = sorted(glob.glob(out + ".*"), key=lambda path: int(path.rsplit(".", 1)[1])) + [out]
    addresses = [
        {int(line.split()[0], 16) for line in open(path) if line.startswith("0x")} for path in dumps if os.path.exists(path)
    ]
    for path in dumps:
        os.remove(path)
    return addresses[0], set().union(*addresses[1:])


def read_until_quiet(terminal, patience):
    """Reads what the program shows, until it has shown something and then nothing for a while, or patience ends."""
    end = time.monotonic() + patience
    wait = patience
    while time.monotonic() < end and select.select([terminal], [], [], wait)[0]:
        try:
            if not os.read(terminal, 1 << 16):
                return
        except OSError:
            return
        wait = QUIET_S


def main():
    program, map_path = sys.argv[1:]
    code = sections(map_path)
    starts = [section[0] for section in code]
    # Names that the compiler gives in several files stand for all of them.
    largest = {}
    for _, size, names in code:
        for name in names:
            largest[name] = max(largest.get(name, 0), size)
    ordered = {}
    with tempfile.TemporaryDirectory() as home:
        # valgrind cannot read all that the compiler writes about the sources.
        bare = os.path.join(home, "stacks")
        subprocess.run(["strip", "--strip-debug", "-o", bare, program], check=True)
        with open(os.path.join(home, "catalog.json"), "w", encoding="utf-8") as file:
            json.dump(catalog(), file, ensure_ascii=False)
        new, session, known = (reached(bare, home, keys) for keys in (START, KEYS, START))
        for addresses in (new[0], known[0], session[1], known[1]):
            hit = {bisect.bisect_right(starts, address) - 1 for address in addresses}
            for index in sorted(hit - {-1}):
                ordered.setdefault(index)
    small = [index for index in ordered if code[index][1] <= LARGEST]
    large = [index for index in ordered if code[index][1] > LARGEST]
    for limit, indices in ((LARGEST, small), (float("inf"), large)):
        for index in indices:
            name = next((name for name in code[index][2] if largest[name] <= limit), None)
            if name:
                print(name)
    print(len(small), "sections of", sum(code[index][1] for index in small), "bytes, and", len(large), "large ones of",
          sum(code[index][1] for index in large), file=sys.stderr)


main()
