"""The content of a catalog reaches the terminal only as text, and no catalog is too large."""

from __future__ import annotations

import glob
import json
import os
import subprocess
import sys

from check import Check, Sabotage, Size
from scanner import forbidden
from terminal import Home, Session

# A program that prints its input unchanged, which stacks must never do.
ECHO = """
import json, os, sys, time
paths = [path for path in sys.argv[1:] if os.path.isfile(path)]
text = open(paths[0], encoding="utf-8", errors="surrogateescape").read() if paths else repr(sys.argv)
try:
    text = "\\n".join(str(book.get("title")) for book in json.loads(text))
except (ValueError, AttributeError):
    pass
sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
sys.stdout.flush()
if os.isatty(1):
    time.sleep(1)
"""
RAW = Sabotage("a program that prints titles unchanged", program=[sys.executable, "-c", ECHO])

HOSTILE = {
    "colour": "\x1b[31;7777mred",
    "title": "\x1b]0;title\x07",
    "report": "\x1b[6n\x1b[21t\x1b[c",
    "device control": "\x1bP1$r0m\x1b\\",
    "clear": "\x1b[2J\x1bc",
    "hyperlink": "\x1b]8;;http://a.example\x1b\\x\x1b]8;;\x1b\\",
    "paste": "\x1b[201~q",
    "eight bits": "\x9b31m\x90q\x9c\x85\x80",
    "backspaces": "abc\b\b\bxyz\x7f\r\v\f\0",
    "reordered": "\u202etxt.exe\u202c\u2066\u2069\u200f\u061c",
    "invisible": "zero\u200bwidth\u200c\u200d\u2060\ufeff\u00ad\u180e",
    "tags": "\U000e0001\U000e0041\U000e007f",
    "separators": "line\u2028paragraph\u2029",
    "annotation": "\ufff9a\ufffab\ufffb",
    "musical": "\U0001d173\U0001d17a",
    "zalgo": "z" + "\u0300\u0489" * 40,
    "shorthand": "\U0001bca0\U0001bca3",
    "halves": "\ufffe\uffff\U0010ffff",
}


def hostile_books() -> list[dict]:
    """Returns books with dangerous characters in every field."""
    books = []
    for name, text in HOSTILE.items():
        number = len(books)
        books.append(
            {
                "id": f"{name}{text}",
                "title": f"{name} {text} end",
                "subtitle": text,
                "authors": [f"By {text}", text],
                "isbn": "978" + text,
                "publisher": f"Press {text}",
                "published": f"19{number:02}",
                "language": text,
                "subjects": [f"On {text}", text],
                "series": f"Series {text}",
                "seriesPosition": number,
                "description": f"See {text}\n\nhttp://a.example/{text}",
                "cover": f"https://a.example/{text}",
                "link": f"https://a.example/{text}",
                "identifiers": {f"scheme{text}": text},
                "contributors": [{"name": text, "role": text}],
                "rating": 4,
                "pageCount": 100 + number,
                text: text,
            }
        )
    return books


# The keys that lead from the list to each screen and back.
SCREENS = [
    "j",
    "G",
    "gg",
    "J",
    "K",
    "\r",
    "\x1b",
    "L",
    "j",
    "k",
    "\x1b",
    "l",
    "F",
    "jjj",
    "\x1b",
    "/e\r",
    "n",
    "\x1b",
    "/:(",
    "\x1b",
    "/author:\t\t",
    "\x1b",
    "?",
    "j",
    "q",
    ":",
    "a",
    "\x1b",
    "b",
    "\x1b",
    "U",
    "\x1b",
    "|",
    "\x1b",
    "aa",
    "\x0f",
    "as",
    "\x0f",
    "aj",
    "\x0f",
    "St",
    "Ss",
    "Sa",
    "Sj",
    "Sn",
    "sa",
    "st",
    "sl",
    "t",
    "r4",
    "mr",
    "u",
    "yt",
    "yj",
    "yi",
    "3o",
    "g",
    "\x1b",
    "'",
    "\x1b",
    "W\x1b",
    "v\x1b",
    "V",
    "V",
    "D\x1b",
    "=\x1b",
    "R",
    "\x0c",
]


class Bytes(Check):
    """The base of the checks that scan the output to terminals and pipes."""

    def __init__(self, lab):
        super().__init__(lab)
        self.count = 0

    def scan(self, output: bytes, what: str, is_screen=False) -> None:
        self.count += len(output)
        found = forbidden(output, is_screen)
        if found:
            self.lab.failures.append(f"{what}: {len(found)} forbidden: {found[:3]}")

    def browse(self, home: Home, catalog: str, keys: list[str], what: str, size=(30, 150), arguments=()) -> int:
        """Types keys one after another, and scans the output after each."""
        screens = 1
        environment = dict(home.environment, BROWSER="true", EDITOR="true", VISUAL="true")
        with self.lab.session(
            home, catalog=catalog, size=size, draws=False, environment=environment, arguments=arguments
        ) as session:
            session.settle(0.1)
            for key in keys:
                if not session.is_alive:
                    break
                session.type(key)
                # After a key that others begin with, the program waits for the next one.
                session.settle(0.35 if key in ("g", "'") else 0.03 if key != "\x1b" else 0.05)
                screens += 1
            if session.is_alive:
                session.type("\x1b")
                session.settle(0.05)
                session.type("q")
                session.wait_for_end()
        assert self.lab.sabotage.program or os.WIFEXITED(session.status), f"{what} ended with {session.status}"
        self.scan(bytes(session.output), f"the screen of {what}", is_screen=True)
        return screens


class Scalars(Bytes):
    name = "scalars"
    promise = "No control, C1, bidi, zero-width or other format character of a catalog reaches your terminal"
    method = "a catalog whose titles contain every Unicode scalar, printed, and paged through on a terminal"
    sabotages = [RAW]

    def run(self) -> str:
        every = [chr(value) for value in range(0x110000) if not 0xD800 <= value < 0xE000]
        if self.lab.size is Size.SHORT or self.lab.sabotage.program:
            every = (
                every[:0x3000] + every[0xD000 : 0x10000 - 0x800 : 3] + every[0x1D000:0x1E000] + every[0xDF000:0xE0000]
            )
        per_title = 40
        titles = [
            f"{start:06X}." + ".".join(every[start : start + per_title]) for start in range(0, len(every), per_title)
        ]
        catalog = self.lab.write("scalars.json", json.dumps([{"title": title} for title in titles]).encode())
        with Home() as home:
            printed = self.lab.output(home, catalog).stdout
            self.scan(printed, "the list")
            through = len({character for character in printed.decode(errors="replace") if character > "\x7f"})
            pages = len(titles) // self.lab.pick(1000, 170, 170)
            self.browse(home, catalog, ["\x06"] * (pages + 2), "all scalars", size=(176, 400))
        assert self.lab.sabotage.program or through > len(every) // 20, f"only {through} characters were printed"
        return (
            f"0 forbidden of {len(every):,} scalars, in {self.count:,} bytes; "
            f"{through:,} of them are printed unchanged"
        )


class Screens(Bytes):
    name = "screens"
    is_short = True
    promise = "No control byte from a catalog, your own files or a name reaches your terminal"
    method = (
        "a byte scanner on a terminal over every screen, for hostile books and every fixture (with DATA: every file)"
    )
    sabotages = [RAW]

    def run(self) -> str:
        screens = 0
        fixtures = [self.lab.write("hostile.json", json.dumps(hostile_books()).encode())]
        root = self.lab.source
        if self.lab.size is not Size.SHORT:
            fixtures += sorted(glob.glob(root + "/Tests/Fuzzing/corpus/*")) + [root + "/Resources/catalog.json"]
        if self.lab.data and self.lab.size is not Size.SHORT:
            data = sorted(
                path
                for path in glob.glob(self.lab.data + "/**/*", recursive=True)
                if os.path.isfile(path) and path.endswith(("json", "jsonl", "ndjson"))
            )
            fixtures += data if self.lab.size is Size.FULL else data[:: max(1, len(data) // 40)]
        with Home() as home:
            self.make_hostile(home, fixtures[0])
            for width in ((30, 160), (24, 80), (15, 50)):
                screens += self.browse(home, fixtures[0], SCREENS, f"hostile books {width}", size=width)
                screens += self.browse(
                    home, fixtures[0], ["j"] * 10 + ["L", "\r", "/a\r"], "linear", arguments=["--linear"]
                )
        short = ["\x06", "G", "\r", "J", "L", "\x1b", "/a\r", "\x1b", "F", "\x1b"]
        for fixture in fixtures[1:]:
            with Home() as home:
                screens += self.browse(home, fixture, short, os.path.relpath(fixture, root))
        return f"0 forbidden in {self.count:,} bytes of {screens:,} screens of {len(fixtures)} catalogs"

    def make_hostile(self, home: Home, catalog: str) -> None:
        """Writes shelves, notes, a position, a config and a profile with dangerous characters."""
        if self.lab.sabotage.program:
            return
        names = "Title,Author,ISBN13,My Rating,Exclusive Shelf,Bookshelves,Private Notes\n"
        rows = [
            f'"{name} {text} end","By {text}",,4,read,"shelf {text}","note {text}"\n' for name, text in HOSTILE.items()
        ]
        names_of_shelves = self.lab.write("hostile.csv", (names + "".join(rows)).encode())
        done = self.lab.output(home, "import", names_of_shelves, "--catalog", catalog)
        self.scan(done.stdout + done.stderr, "an import")
        assert done.returncode == 0, done.stderr
        hostile = HOSTILE["title"] + HOSTILE["reordered"] + HOSTILE["eight bits"]
        home.write(home.configuration, f'theme = "{hostile}"\n[keys]\n"{hostile}" = ["{hostile}"]\n'.encode())
        home.write(
            home.path + "/config/stacks/profiles/hostile.json",
            json.dumps({"name": hostile, "label": hostile, "fields": {"title": hostile, hostile: hostile}}).encode(),
        )


class Output(Bytes):
    name = "output"
    is_short = True
    promise = "All printed output and all error messages are harmless too"
    method = "a byte scanner over every command with hostile books, names, queries, options, journals and configs"
    sabotages = [RAW]

    def commands(self, catalog: str) -> list[list[str]]:
        hostile = "".join(HOSTILE.values()).replace("\0", "")
        named = os.path.join(self.lab.directory, "a" + hostile.replace("/", "")[:60] + ".json")
        with open(named, "w") as file:
            file.write("[1, {]")
        formats = [["--format", form] for form in ("json", "jsonl", "csv", "bibtex", "csl")]
        commands = [
            [catalog],
            ["check", catalog],
            ["check", catalog, "--format", "json"],
            ["lists", catalog],
            ["lists", catalog, "--format", "json"],
            ["profiles", "new", catalog, "--yes", "--force"],
            ["profiles"],
            ["profiles", "show", hostile],
            ["config"],
            ["favourites", "list"],
            ["favourites", "list", "--catalog", catalog, "--format", "csv"],
        ]
        commands += [["search", "", catalog, *form] for form in [[]] + formats]
        commands += [["export", catalog, "--list", name, *form] for form in formats for name in ("All books", hostile)]
        commands += [
            ["search", query, catalog]
            for text in HOSTILE.values()
            for query in (text.replace("\0", ""), "title:" + text.replace("\0", ""))
        ]
        with Home() as home:
            found = subprocess.run(
                [self.lab.stacks, "search", "", catalog, "--format", "json"], env=home.environment, capture_output=True
            )
        commands += [["show", book["id"], catalog] for book in json.loads(found.stdout)]
        for text in [*HOSTILE.values(), hostile]:
            text = text.replace("\0", "")
            commands += [
                [text],
                ["--" + text],
                ["--theme", text, catalog],
                ["--sort", text, catalog],
                ["search", "/(" + text, catalog],
                ["show", text, catalog],
                ["import", text],
                ["favourites", "add", text, "--catalog", catalog],
                ["--profile", text, catalog],
                ["export", catalog, "--list", text],
                ["--query", "title:(" + text, catalog],
            ]
        commands += [[named], ["check", named], ["import", named], ["--follow", named], ["search", "x", named]]
        # Messages about errors anywhere in a fixture do not contain its bytes.
        commands += [["check", fixture] for fixture in glob.glob(self.lab.source + "/Tests/Fuzzing/corpus/*")]
        return commands

    def run(self) -> str:
        catalog = self.lab.write("hostile.json", json.dumps(hostile_books()).encode())
        commands = self.commands(catalog)
        with Home() as home:
            if not self.lab.sabotage.program:
                Screens.make_hostile(self, home, catalog)

            def one(arguments):
                result = self.lab.output(home, *arguments)
                assert result.returncode in range(0, 79), f"{result.returncode}"
                self.scan(result.stdout + result.stderr, repr(arguments)[:120])

            self.lab.each(commands, one)
            # Run some commands on a terminal, where results are in columns, and read their errors.
            some = commands[:: self.lab.pick(12, 5, 1)]
            self.lab.each(some, lambda arguments: self.on_a_terminal(home, arguments))
        return f"0 forbidden in {self.count:,} bytes of {len(commands)} commands, {len(some)} of them on a terminal"

    def on_a_terminal(self, home: Home, arguments: list[str]) -> None:
        with Session(self.lab.command(*arguments), home.environment, draws=False) as session:
            session.settle(0.1)
            if session.is_alive:
                session.type("\x1b")
                session.type("q")
                session.settle(0.05)
                if session.is_alive:
                    session.type("q\x04")
                session.wait_for_end(5)
        self.scan(bytes(session.output), repr(arguments)[:120], is_screen=True)


# Starts a program from a small process, because the peak memory of a process includes that of its parent. Prints the
# peak in kB and the exit status.
MEASURE = """
import os, sys
child = os.fork()
if child == 0:
    os.dup2(os.open("/dev/null", os.O_WRONLY), 2)
    os.execvp(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss, status, file=sys.stderr)
"""


class Large(Check):
    name = "large"
    is_short = True
    promise = "Every catalog can be opened, searched and closed within a stated memory limit"
    method = (
        "texts of 10 MB, zalgo, a million lines, a million levels, 100,000 authors, a million empty records, 100,000 "
        "keys: printed and browsed, peak memory at most 64 MB and ten times the file"
    )
    sabotages = [
        Sabotage(
            "a program that takes a gigabyte",
            program=[
                sys.executable,
                "-c",
                "import os, sys\nx = bytearray(1 << 30)\nfor i in range(0, 1 << 30, 4096): x[i] = 1\n"
                "os.execv('.build/release/stacks', ['stacks', *sys.argv[1:]])",
            ],
        )
    ]

    def catalogs(self) -> dict[str, bytes]:
        # The 64 MB would hide the copies of a smaller text. A short run has only those of which the browser makes most.
        book = b'[{"title": "Whole", "'
        texts = {
            "a description of 10 MB": book + b'description": "' + b"word " * 2_000_000 + b'"}]',
            "a description of a million lines": book + b'description": "' + b"word\\n" * 1_000_000 + b'"}]',
            "a series of 10 MB": book + b'series": "' + b"word " * 2_000_000 + b'#5"}]',
        }
        return texts if self.lab.size is Size.SHORT else texts | self.other_catalogs()

    def other_catalogs(self) -> dict[str, bytes]:
        book = b'{"title": "Whole", "authors": ["Somebody"]}'
        return {
            "a title of 10 MB": b"[" + book + b',{"title": "' + b"x" * 10_000_000 + b'"}]',
            "10 MB in one word of wide characters": b"["
            + book
            + b',{"title": "'
            + "書".encode() * 3_000_000
            + b'"}]',
            "zalgo": b"[" + book + b',{"title": "z' + "\u0301".encode() * 5_000_000 + b'"}]',
            "a million levels": b"["
            + book
            + b',{"title": "Deep", "x": '
            + b"[" * 1_000_000
            + b"]" * 1_000_000
            + b"}]",
            "a million levels without an end": b"[" + book + b"," + b'{"a":[' * 500_000,
            "100,000 authors": b'[{"title": "Whole", "authors": ["'
            + b'","'.join(b"Author %d" % n for n in range(100_000))
            + b'"]}]',
            "a million empty records": b"[" + book + b"," + b",".join([b"{}"] * 1_000_000) + b"]",
            "a million records that are none": b"[" + book + b"," + b",".join([b"7"] * 1_000_000) + b"]",
            "100,000 keys": b"["
            + book
            + b',{"title": "Keys", '
            + b",".join(b'"key%d": %d' % (n, n) for n in range(100_000))
            + b"}]",
            "100,000 subjects in 100,000 books": b"["
            + book
            + b","
            + b",".join(b'{"title": "T%d", "subjects": ["S%d"]}' % (n, n) for n in range(100_000))
            + b"]",
        }

    def run(self) -> str:
        peaks = {}
        done = 0
        catalogs = self.catalogs()
        for name, content in catalogs.items():
            path = self.lab.write("large.json", content)
            bound = 64_000 + 10 * len(content) // 1000
            with Home() as home:
                problem, peak = self.try_one(home, path)
            peaks[name] = peak
            if problem is None and peak > bound:
                problem = f"{peak // 1000} MB, of at most {bound // 1000}"
            if problem:
                self.lab.failures.append(f"{name}: {problem}")
            done += problem is None
        worst = max(peaks, key=lambda name: peaks[name])
        return f"{done} of {len(catalogs)} passed; at most {peaks[worst] // 1000} MB ({worst})"

    def try_one(self, home: Home, path: str) -> tuple[str | None, int]:
        """Returns the problem, if any, and the peak memory in kB."""
        peak = 0
        for arguments in (["search", "whole", path], ["check", path]):
            command = [sys.executable, "-I", "-S", "-c", MEASURE, *self.lab.command(*arguments)]
            result = subprocess.run(command, env=home.environment, capture_output=True, stdin=subprocess.DEVNULL)
            output = result.stdout
            kilobytes, status = (int(number) for number in result.stderr.split())
            peak = max(peak, kilobytes)
            if not os.WIFEXITED(status) or os.WEXITSTATUS(status) not in (0, 65):
                return f"{arguments[0]} ended with {status}", peak
            if arguments[0] == "search" and b"Whole" not in output:
                return "the book beside it is not found", peak
        with self.lab.session(home, catalog=path, size=(24, 100), draws=False) as session:
            session.settle(0.3, 60)
            for key in ["j", "\r", "J", "\x1b", "L", "\x1b", "G", "/o\r", "\x1b", "F", "\x1b", "St", "?", "q", "gg"]:
                if session.is_alive:
                    session.type(key)
                    session.settle(0.08, 60)
            if not session.is_alive:
                return f"browsing ended with {session.status}", peak
            with open(f"/proc/{session.pid}/status") as file:
                peak = max(peak, next(int(line.split()[1]) for line in file if line.startswith("VmHWM")))
            session.type("\x1b")
            session.settle(0.05)
            session.type("q")
            session.wait_for_end(10)
        found = forbidden(bytes(session.output), True)
        if found:
            return f"forbidden: {found[:2]}", peak
        return None if session.status == 0 else f"ended with {session.status}", peak


CHECKS = [Scalars, Screens, Output, Large]
