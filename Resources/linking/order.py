#!/usr/bin/env python3
"""Writes the order in which the linker puts functions and variables: those that the first screen needs stand together, and
after them the functions of a session's first keys.

A program is read from its file page by page, as its functions are called, and each page that a variable changes is copied.
Where what is called first lies all over 15 MB of code, and what is changed first all over a megabyte of variables, an
eighth of the time to the first screen goes into that; where it lies together, the kernel brings in sixteen pages at once.

usage: order.py PROGRAM MAP > first-screen.order

PROGRAM is the release, linked with -Map=MAP; it is run by valgrind's lackey, which tells of each instruction that is reached,
and of each byte that is read or written. It opens a catalog of books that have all fields: for a new reader, for a session,
and for the reader who comes back.
"""

import bisect
import fcntl
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
import threading
import time

ROWS, COLUMNS = 40, 120
# What is not reached within so many seconds is left out: lackey makes a program some thousand times slower.
PATIENCE_S = 120
QUIET_S = 5
# A larger section is an object file that was not divided into functions: little of it is needed. It comes last.
LARGEST = 1 << 16
# What is put in order, by the beginnings of the sections' names.
KINDS = (":(.text", ":(.data", ":(.bss")
# The function in which the program waits for what the reader does.
FIRST_WAIT = "$s15NcursesTerminalAAC13waitForEvents"
START = ["q"]
KEYS = ["j", "j", "k", "\x06", "G", "g", "g", "t", "t", "\t", "\t", "/", "t", "h", "e", "\x1b", "q"]


class Section:
    """A section of an object file, which the linker puts as a whole."""

    def __init__(self, address, size, kind):
        self.address, self.size, self.kind, self.names = address, size, kind, []


def read_map(path):
    """The sections that can be put in order, by address; and the address of FIRST_WAIT."""
    found, last, first_wait = [], None, None
    row = re.compile(r"\s*([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)\s+\d+ (\s*)(\S.*)")
    for line in open(path, encoding="utf-8", errors="replace"):
        match = row.match(line)
        if not match:
            continue
        address, size, indent, text = int(match[1], 16), int(match[2], 16), len(match[3]), match[4]
        if indent == 8:
            kind = next((kind for kind in KINDS if kind in text), None)
            last = Section(address, size, kind) if kind and size and address else None
            if last:
                found.append(last)
        elif indent == 16:
            if text.startswith(FIRST_WAIT) and last and last.kind == KINDS[0]:
                first_wait = address
            if last:
                last.names.append(text)
    return sorted(found, key=lambda section: section.address), first_wait


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


def reached(bare, home, keys, first_wait):
    """The addresses of what is reached until the first screen, and of what is reached by `keys`."""
    log = os.path.join(home, "log")
    os.mkfifo(log)
    lines = set(), set()
    reader = threading.Thread(target=read_log, args=(log, first_wait, *lines))
    reader.start()
    child, terminal = pty.fork()
    if child == 0:
        environment = {"HOME": home, "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        os.execvpe(
            "valgrind",
            ["valgrind", "-q", "--tool=lackey", "--trace-mem=yes", "--log-file=" + log, bare,
             os.path.join(home, "catalog.json")],
            environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    read_until_quiet(terminal, PATIENCE_S)
    for key in keys:
        os.write(terminal, key.encode())
        read_until_quiet(terminal, QUIET_S)
    os.waitpid(child, 0)
    reader.join()
    os.remove(log)
    return [{int(line[3:].partition(",")[0], 16) for line in some if line[:3] in LACKEY} for some in lines]


# What its lines begin with: an instruction; bytes that are loaded, stored, or both.
LACKEY = ("I  ", " L ", " S ", " M ")


def read_log(path, first_wait, before, after):
    """Puts the lines of lackey's log into `before` until the one of the instruction at `first_wait`, and then into `after`."""
    mark = f"I  {first_wait:08x},"
    with open(path, encoding="utf-8") as log:
        for line in log:
            if line.startswith(mark):
                break
            before.add(line)
        after.update(log)


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


def name(section, largest):
    """The name by which the linker is told of a section: the linker takes it to mean all sections that have such a name, so
    it is one that few have, and none that is large unless `section` is; None where there is no such name."""
    is_large = section.size > LARGEST
    fit = [name for name in section.names if is_large or largest[name][1] <= LARGEST]
    return min(fit, key=lambda name: largest[name][0], default=None)


def main():
    program, map_path = sys.argv[1:]
    sections, first_wait = read_map(map_path)
    starts = [section.address for section in sections]
    # Of each name, how many sections have it, and the size of the largest.
    largest = {}
    for section in sections:
        for each in set(section.names):
            count, size = largest.get(each, (0, 0))
            largest[each] = count + 1, max(size, section.size)
    ordered = {}

    def add(addresses, kinds):
        hit = {bisect.bisect_right(starts, address) - 1 for address in addresses} - {-1}
        for section in (sections[index] for index in sorted(hit)):
            if section.kind in kinds:
                ordered.setdefault(section)

    with tempfile.TemporaryDirectory() as home:
        # valgrind cannot read all that the compiler writes about the sources.
        bare = os.path.join(home, "stacks")
        subprocess.run(["strip", "--strip-debug", "-o", bare, program], check=True)
        with open(os.path.join(home, "catalog.json"), "w", encoding="utf-8") as file:
            json.dump(catalog(), file, ensure_ascii=False)
        new, session, known = (reached(bare, home, keys, first_wait) for keys in (START, KEYS, START))
    add(new[0], KINDS)
    add(known[0], KINDS)
    add(session[1], KINDS[:1])
    add(known[1], KINDS[:1])
    small = [section for section in ordered if section.size <= LARGEST]
    large = [section for section in ordered if section.size > LARGEST]
    for each in dict.fromkeys(name(section, largest) for section in small + large):
        if each:
            print(each)
    for kind in KINDS:
        sizes = [section.size for section in small if section.kind == kind]
        print(kind[2:], len(sizes), "sections of", sum(sizes), "bytes", file=sys.stderr)


main()
