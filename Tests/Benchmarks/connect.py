#!/usr/bin/env python3
"""Measures stacks-connect and other programs on the same files, and prints the figures with their limits as a
table; `make bench-connect` calls it.

Programs that are compared alternate, and the medians are compared, so that other load on the machine affects
all of them alike. Ratios are of processor time, which other load affects less than wall-clock time."""
import argparse
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROWS = 1_000_000
# The number of books by gen_catalog.py that fill 415 MB of CSV.
CSV_BOOKS = 1_500_000
MEMORY_LIMIT_MB = 64
# A million books, and two million links to authors without an index.
JOINED = f"""
    CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE wrote (book_id INTEGER, author_id INTEGER);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS})
        INSERT INTO books SELECT i, 'The title of book ' || i FROM n;
    INSERT INTO authors SELECT id, 'The author ' || id FROM books WHERE id <= 300000;
    INSERT INTO wrote SELECT id * 7919 % {ROWS} + 1, id * 104729 % 300000 + 1 FROM books;
    INSERT INTO wrote SELECT id * 15485863 % {ROWS} + 1, id * 611953 % 300000 + 1 FROM books;
"""
JOIN = """
    SELECT books.id, title, group_concat(name, '; ') FROM books LEFT JOIN wrote ON book_id = books.id
    LEFT JOIN authors ON authors.id = author_id GROUP BY books.id
"""
# The title bar when all books of the CSV file are there: later frames redraw what differs from the ones before.
WHOLE = rb"1,500,000 books(?! so)"


def main():
    options = parse_arguments()
    options.files.mkdir(parents=True, exist_ok=True)
    files = make_files(options)
    loop = build_loop(options)
    connect = Connect(options.connector, options.files / "new.jsonl")

    shell = lambda command: lambda: run(["sh", "-c", command])
    contests = [
        Contest("CSV", files["csv"], "cat, wc -l", shell(f"cat '{files['csv']}' | wc -l"), limit=3, or_seconds=6),
        Contest("SQLite", files["db"], "a C loop", lambda: run([loop, files["db"], options.files / "loop.jsonl"]), limit=2),
        Contest(
            "SQLite, joined", files["joined"], "sqlite3 with the same join",
            lambda: run(["sqlite3", "-batch", files["joined"], JOIN]), limit=2),
        Contest(
            "MARC 21", files["mrc"], "yaz-marcdump -o marcxml",
            shell(f"yaz-marcdump -o marcxml '{files['mrc']}' > '{options.files}/dump.xml'"), limit=1.5),
        Contest(
            "MARCXML", files["xml"], "xmllint --stream", lambda: run(["xmllint", "--stream", "--noout", files["xml"]]),
            limit=2),
    ]
    for turn in range(options.runs + 1):
        for contest in contests:
            # The first round fills the page cache and is not counted.
            contest.run(connect, is_counted=turn > 0)
    print("| file | rows | stacks-connect | memory | beside it | ratio | limit |\n|---|---|---|---|---|---|---|")
    isKept = [contest.report() for contest in contests]
    print_starts(options, files["csv"])
    sys.exit(0 if all(isKept) else 1)


def print_starts(options, csv):
    """Prints the time until the browser shows rows of a CSV file, and of the same rows as JSON Lines."""
    stacks = options.connector.parent / "stacks"
    figures = {"first": [], "whole": [], "copy": [], "lines": []}
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory() as home:
            start = Start(stacks, home)
            first, whole = start.seconds(csv, [rb"1/[1-9]", WHOLE], rest=3)
            figures["first"].append(first)
            figures["whole"].append(whole)
            lines = next(pathlib.Path(home).glob("cache/stacks/remote/*/data.jsonl"))
            # A separate file, whose index the first start caches.
            same = pathlib.Path(home) / "same.jsonl"
            same.hardlink_to(lines)
            start.seconds(same, [WHOLE], rest=3)
            for _ in range(3):
                figures["copy"] += start.seconds(csv, [WHOLE])
                figures["lines"] += start.seconds(same, [WHOLE])
    median = {name: statistics.median(values) * 1000 for name, values in figures.items()}
    print(
        f"\nFirst start with the CSV file: rows after {median['first']:.0f} ms, all after {median['whole']:.0f} ms. "
        f"Second start: {median['copy']:.1f} ms; the same rows as JSON Lines: {median['lines']:.1f} ms")


class Start:
    """Starts the browser on a terminal, with separate directories below `home`."""

    def __init__(self, stacks, home):
        self.stacks = stacks
        names = {"XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "data"}
        directories = {name: f"{home}/{directory}" for name, directory in names.items()}
        self.environment = {"HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
        self.environment |= directories

    def seconds(self, catalog, patterns, rest=0):
        """Returns the seconds until each of the patterns was on the screen; then leaves the browser running for
        `rest` seconds."""
        process_id, terminal = pty.fork()
        if process_id == 0:
            os.execve(self.stacks, [str(self.stacks), str(catalog)], self.environment)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        start, seen, found = time.monotonic(), b"", []
        for pattern in patterns:
            while not re.search(pattern, seen):
                assert select.select([terminal], [], [], 60)[0], seen[-500:]
                seen += os.read(terminal, 1 << 16)
            found.append(time.monotonic() - start)
        # The index is written during this time.
        time.sleep(rest)
        os.write(terminal, b"q")
        try:
            while os.read(terminal, 1 << 16):
                pass
        except OSError:
            # The terminal closes when the program ends.
            pass
        os.waitpid(process_id, 0)
        os.close(terminal)
        return found


class Contest:
    """A file that stacks-connect and another program read."""

    def __init__(self, kind, path, name, other, limit, or_seconds=0):
        self.kind, self.path, self.name, self.other = kind, path, name, other
        self.limit, self.or_seconds = limit, or_seconds
        self.ours, self.theirs = [], []

    def run(self, connect, is_counted):
        theirs, ours = self.other(), connect.copy(self.path)
        if is_counted:
            self.theirs.append(theirs)
            self.ours.append(ours)

    def report(self):
        """Prints a row of the table, and returns whether the limits are met."""
        median = lambda runs, key: statistics.median(run[key] for run in runs)
        cpu, wall, memory = (median(self.ours, key) for key in ("cpu", "wall", "memory"))
        other_cpu, other_wall = median(self.theirs, "cpu"), median(self.theirs, "wall")
        ratio = cpu / other_cpu
        is_fast = ratio <= self.limit or self.or_seconds and wall <= self.or_seconds
        limit = f"{self.limit}x" + (f" or {self.or_seconds} s" if self.or_seconds else "")
        size = self.path.stat().st_size / 1e6
        print(
            f"| {self.kind}, {size:.0f} MB | {self.ours[0]['rows']:,} | {cpu:.2f} s ({wall:.2f} s on the clock) "
            f"| {memory:.0f} MB of {MEMORY_LIMIT_MB} | {self.name}: {other_cpu:.2f} s ({other_wall:.2f} s) "
            f"| {ratio:.2f}x | {limit}{'' if is_fast and memory <= MEMORY_LIMIT_MB else ' EXCEEDED'} |")
        return bool(is_fast and memory <= MEMORY_LIMIT_MB)


class Connect:
    """stacks-connect, copying one file to JSON Lines."""

    def __init__(self, program, target):
        self.program, self.target = program, target

    def copy(self, path):
        start = time.monotonic()
        process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        requests = [
            {"id": 1, "do": "hello", "protocol": 4, "cache": str(self.target.parent), "sources": [str(path)]},
            {"id": 2, "do": "open", "source": str(path)}, {"id": 3, "do": "mirror", "to": str(self.target)}]
        process.stdin.write("".join(json.dumps(request) + "\n" for request in requests).encode())
        process.stdin.flush()
        for line in process.stdout:
            reply = json.loads(line)
            if "error" in reply or reply["re"] == 3 and "end" in reply:
                break
        assert reply.get("complete"), reply
        wall = time.monotonic() - start
        process.stdin.close()
        _, _, usage = os.wait4(process.pid, 0)
        return measured(wall, usage) | {"rows": reply["rows"]}


def run(arguments):
    """Runs another program, and returns its time and memory."""
    start = time.monotonic()
    process = subprocess.Popen([str(argument) for argument in arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, arguments
    return measured(time.monotonic() - start, usage)


def measured(wall, usage):
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024}


def make_files(options):
    """Generates the missing files: a million rows each, and enough MARC records for 200 MB."""
    files = {kind: options.files / f"books.{kind}" for kind in ("csv", "db", "mrc", "xml")}
    files["joined"] = options.files / "joined.db"
    made = options.files / "made"
    made.mkdir(exist_ok=True)
    python = sys.executable
    if not files["csv"].exists():
        generator = options.tools / "gen_catalog.py"
        subprocess.run(
            [python, generator, "--books", str(CSV_BOOKS), "--out", made / "books", "--formats", "csv"], check=True)
        (made / "books.csv").rename(files["csv"])
    if not files["xml"].exists():
        subprocess.run([python, options.tools / "connectors" / "gen.py", str(ROWS), made], check=True)
        (made / "marc.xml").rename(files["xml"])
    if not files["db"].exists():
        columns = "id INTEGER, title TEXT, author TEXT, year INTEGER, subject TEXT, isbn TEXT, publisher TEXT, lang TEXT"
        subprocess.run(
            ["sqlite3", files["db"], f"CREATE TABLE books ({columns})", ".mode tabs", ".import '" +
             str(made / "books.tsv") + "' books"], check=True)
    if not files["joined"].exists():
        subprocess.run(["sqlite3", files["joined"], f"BEGIN; {JOINED} COMMIT"], check=True)
    if not files["mrc"].exists():
        with open(files["mrc"], "wb") as file:
            subprocess.run(["yaz-marcdump", "-i", "marcxml", "-o", "marc", files["xml"]], stdout=file, check=True)
    return files


def build_loop(options):
    """Builds the C program that writes the rows of a table as JSON Lines."""
    source = pathlib.Path(__file__).with_name("rows.c")
    program = options.files / "rows"
    subprocess.run(["cc", "-O2", "-o", program, source, "-lsqlite3"], check=True)
    return program


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="the directory of gen_catalog.py")
    parser.add_argument("--files", type=pathlib.Path, required=True, help="the directory for the files")
    parser.add_argument("--connector", type=pathlib.Path, required=True, help="stacks-connect")
    parser.add_argument("--runs", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    main()
