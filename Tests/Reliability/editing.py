"""Editing a catalog from the command line: everything else in it stays the same, and it is saved completely or not
at all."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import stat
import subprocess
import time
from dataclasses import dataclass

from check import Check, Sabotage, Size, Skipped, need, need_root
from terminal import Home

# The keys of each field in the native profile; the first one with a value counts.
KEYS = {
    "title": ["title", "name"],
    "authors": ["authors", "author"],
    "isbn": ["isbn", "isbn13"],
    "pageCount": ["pageCount", "pages"],
    "publisher": ["publisher"],
    "published": ["published", "publishedDate", "year"],
    "subjects": ["subjects", "categories", "tags"],
    "series": ["series"],
    "description": ["description", "summary"],
    "rating": ["rating"],
}
LISTS = ("authors", "subjects")
# The keys of values that are no fields of a book.
OWN_KEYS = ("x-1", "ключ", "big", "zero", "lone")
SPACE = re.compile(r"[ \t\r\n]*")
# Values that careless code would damage.
WORDS = [
    "Emma",
    "Ærø \u2014 Ω",
    "日本語の本",
    "😀 smile",
    'He said "no" \\ yes/no',
    "null",
    "-1e5",
    "true",
    "x" * 60,
    "{[,:]}",
    "a=b",
    "\u05e2\u05d1\u05e8\u05d9\u05ea",
]
FOUND, NOT_FOUND, USAGE, BAD_DATA, CANNOT_WRITE, CHANGED, FORBIDDEN = 0, 1, 64, 65, 74, 75, 77


# MARK: Reading records independently of the program


def read(field: str, record: dict):
    """Returns the value of a field: text, number or list of words, or None."""
    for key in KEYS[field]:
        value = record.get(key)
        if value is None or value == [] or isinstance(value, str) and not value.strip():
            continue
        if field in LISTS:
            return [value] if isinstance(value, str) else list(value)
        if field == "published":
            return str(value)
        return float(value) if field in ("pageCount", "rating") else value
    return None


def members(text: str) -> list[tuple[str, str, str]]:
    """Returns the members of an object: the key, and the spellings of the key and the value."""
    decoder = json.JSONDecoder(strict=False)
    position = SPACE.match(text, 1).end()
    found = []
    while text[position] != "}":
        key, end = decoder.raw_decode(text, position)
        start = SPACE.match(text, SPACE.match(text, end).end() + 1).end()
        _, stop = decoder.raw_decode(text, start)
        found.append((key, text[position:end], text[start:stop]))
        position = SPACE.match(text, stop).end()
        if text[position] == ",":
            position = SPACE.match(text, position + 1).end()
    return found


def same_ends(one: str, other: str) -> int:
    """Returns the number of equal characters at the start and at the end."""
    start = len(os.path.commonprefix([one, other]))
    end = len(os.path.commonprefix([one[start:][::-1], other[start:][::-1]]))
    return start + end


def isbn(number: int) -> str:
    """Returns a valid ISBN-13."""
    digits = f"978{number:09d}"
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(digits))
    return digits + str(-total % 10)


# MARK: Random catalogs


@dataclass
class Text:
    """A catalog as text: its items, and the text around and between them. Invalid UTF-8 is represented by
    surrogates."""

    start: str
    items: list[str]
    gaps: list[str]
    end: str
    is_lines: bool
    # Whether all items are separated by the same white space.
    is_regular: bool = True

    def whole(self) -> str:
        between = self.gaps + [""]
        return self.start + "".join(item + gap for item, gap in zip(self.items, between)) + self.end

    def bytes(self) -> bytes:
        return self.whole().encode("utf-8", "surrogateescape")

    def record(self, number: int) -> dict | None:
        """Returns the record of an item, or None if it is not an object."""
        try:
            value = json.loads(self.items[number], strict=False)
        except ValueError:
            return None
        return value if isinstance(value, dict) and read("title", value) else None

    def books(self) -> list[int]:
        return [number for number in range(len(self.items)) if self.record(number)]


class Author:
    """Generates random catalogs, commands and values."""

    def __init__(self, numbers: random.Random):
        self.random = numbers
        self.count = 0

    def title(self) -> str:
        self.count += 1
        return f"{self.random.choice(WORDS)} {self.count}"

    def words(self) -> list[str]:
        return self.random.sample([word for word in WORDS if "," not in word], self.random.randint(1, 3))

    def value(self, field: str):
        choose = self.random
        if field == "title":
            return self.title()
        if field == "isbn":
            self.count += 1
            return isbn(self.count)
        if field in LISTS:
            return self.words()
        if field == "pageCount":
            return choose.randint(1, 3000)
        if field == "published":
            return choose.choice(["1815", "2001", "1999-12", "1999-12-23"])
        if field == "rating":
            return choose.choice([0.5, 3, 4.5])
        return choose.choice(WORDS)

    def record(self) -> dict:
        """Returns a record as a list of members, in which keys may be repeated."""
        choose = self.random
        found = [("title", self.title())]
        for field in KEYS:
            if field in ("title", "isbn") or choose.random() < 0.4:
                continue
            value = self.value(field)
            if field in LISTS and choose.random() < 0.3:
                value = value[0]
            if field == "published" and len(value) == 4 and choose.random() < 0.5:
                value = int(value)
            found.append((choose.choice(KEYS[field]), value))
        if choose.random() < 0.7:
            found.append(("isbn", self.value("isbn")))
        used = {key for key, _ in found}
        for field in choose.sample(list(KEYS), 2):
            if KEYS[field][0] not in used and choose.random() < 0.5:
                found.append((KEYS[field][0], choose.choice([None, None, ""])))
        unknown = [("x-1", Spelled("1.50e+03")), ("ключ", {"a": [1, {"b": None}]}), ("x\ty", []), ("big", 2**70)]
        unknown += [("lone", Spelled('"\\ud83d \\/ \\u0041"')), ("zero", Spelled("-0.0")), ("{}", {})]
        found += [member for member in unknown if choose.random() < 0.25]
        choose.shuffle(found)
        if choose.random() < 0.15:
            # The last member with a key counts.
            key, value = choose.choice(found)
            old = f"{value} before" if key == "title" else value
            found.insert(choose.randrange(1 + [name for name, _ in found].index(key)), (key, old))
        return found

    def text(self) -> Text:
        """Returns a catalog in a random layout."""
        choose = self.random
        newline = choose.choice(["\n", "\n", "\n", "\r\n"])
        spell = Speller(choose, newline)
        records = [self.record() for _ in range(choose.randint(2, 9))]
        mark = choose.choice(["", "", "", "\ufeff"])
        if choose.random() < 0.35:
            items = [spell.inline(record) for record in records]
            for other in ('{"title": "torn', "garbage", '"a \udcff byte', '{"x":1}'):
                if choose.random() < 0.12:
                    items.insert(choose.randint(1, len(items)), other)
            gaps = [newline * (2 if choose.random() < 0.05 else 1) for _ in items[1:]]
            is_regular = set(gaps) <= {newline}
            return Text(mark, items, gaps, choose.choice([newline, ""]), True, is_regular)
        depth = choose.choice([0, 0, 1, 2])
        indent = choose.choice([None, None, "  ", "    ", "\t"])
        is_open = choose.random() < 0.5
        margin = (indent or "") * (depth + 1)
        lay_out = (lambda value: spell.pretty(value, indent, margin)) if indent and is_open else spell.inline
        items = [lay_out(record) for record in records]
        for other in ("null", "17", '"text"', "[]", '{"x": 1}'):
            if choose.random() < 0.08:
                items.insert(choose.randint(1, len(items)), other)
        line = newline + margin if indent else ""
        gap = "," + (line or spell.after_comma)
        gaps = [gap] * (len(items) - 1)
        if choose.random() < 0.1:
            gaps = [choose.choice([gap, " , ", f",{newline}{newline} ", f"{newline},"]) for _ in gaps]
        start = [mark + "[", mark + '{"meta":{"v":1.0, "n": null},"books":[', mark + '{"a":{"books":['][depth]
        closing = newline + (indent or "") * depth if indent else ""
        end = ["]", "]}", ']},"after":"\\u00e9"}'][depth] + choose.choice(["", newline])
        return Text(start + line, items, gaps, closing + end, False, set(gaps) <= {gap})


class Spelled(str):
    """A value with a fixed JSON spelling."""


class Speller:
    """Writes values in one of the spellings that other programs use."""

    def __init__(self, choose: random.Random, newline: str):
        self.newline = newline
        self.escapes = choose.random() < 0.3
        self.after_comma = choose.choice(["", " "])
        self.colon = choose.choice([":", ": "]) if self.after_comma else ":"
        self.has_inline_arrays = choose.random() < 0.5

    def scalar(self, value) -> str:
        return value if isinstance(value, Spelled) else json.dumps(value, ensure_ascii=self.escapes)

    def pairs(self, value) -> list:
        return list(value.items()) if isinstance(value, dict) else value

    def is_object(self, value) -> bool:
        return isinstance(value, dict) or isinstance(value, list) and bool(value) and isinstance(value[0], tuple)

    def inline(self, value) -> str:
        comma = "," + self.after_comma
        if self.is_object(value):
            return "{" + comma.join(self.scalar(k) + self.colon + self.inline(v) for k, v in self.pairs(value)) + "}"
        if isinstance(value, list):
            return "[" + comma.join(map(self.inline, value)) + "]"
        return self.scalar(value)

    def pretty(self, value, indent: str, margin: str) -> str:
        is_object = self.is_object(value)
        if not is_object and (not isinstance(value, list) or not value or self.has_inline_arrays):
            return self.inline(value)
        if not value:
            return "{}"
        inner = margin + indent
        if is_object:
            parts = [self.scalar(k) + ": " + self.pretty(v, indent, inner) for k, v in self.pairs(value)]
        else:
            parts = [self.pretty(element, indent, inner) for element in value]
        line = self.newline + inner
        return "[{"[is_object] + line + f",{line}".join(parts) + self.newline + margin + "]}"[is_object]


# MARK: Random edits


class EditingCheck(Check):
    """The base of the checks of editing commands."""

    promise = "Editing changes the requested values and not one byte more"

    def edit(self, home: Home, *arguments: str, before=(), **options) -> subprocess.CompletedProcess:
        environment = dict(home.environment, **self.lab.sabotage.environment)
        command = self.lab.command(*arguments, before=before)
        streams = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": 60}
        return subprocess.run(command, env=environment, **dict(streams, **options))

    def check_sentence(self, result: subprocess.CompletedProcess, *names: str) -> None:
        """Verifies that the error message is one sentence that names the file, by one of `names`."""
        said = result.stderr.decode(errors="replace")
        assert said.count("\n") == 1 and said.endswith(".\n"), f"not one sentence: {said!r}"
        assert any(name in said for name in names), f"it does not name the file: {said!r}"


def content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


class Edits(EditingCheck):
    name = "edits"
    is_short = True
    method = (
        "random `set`, `add`, `delete`, `move` and `merge` in random layouts, compared with a model in Python: values, "
        "bytes, `--dry-run | patch`, exit status"
    )
    sabotages = [
        Sabotage("rename() does nothing", injections=["rename:retval=0"]),
        Sabotage("another number is respelled", word="number"),
        Sabotage("a space is added between two books", word="space"),
        Sabotage("the diff lacks its last line", word="difference"),
    ]

    def run(self) -> str:
        need("patch")
        count = self.lab.pick(150, 1500, 10000)
        self.commands = self.refusals = self.undone = 0
        jobs = list(range(12 if self.lab.sabotage.what != "nothing" else count))
        done = self.lab.each(jobs, self.script)
        files = self.data_files()
        done_files = self.lab.each(files, self.edit_data)
        self.lab.each(["title", "subjects", "publisher"], self.respell)
        assert self.refusals < self.commands / 10, f"{self.refusals} of {self.commands} were refused"
        return (
            f"{done} of {len(jobs)} scripts with {self.commands:,} commands as the model has it, byte for byte; "
            f"{self.refusals} values refused, {self.undone} set back to the same bytes; "
            f"{done_files} of {len(files)} other catalogs"
        )

    def script(self, number: int) -> None:
        """Runs some commands on one catalog."""
        author = Author(random.Random(f"{self.name} {number}"))
        text = author.text()
        with Home() as home:
            os.makedirs(home.path + "/books")
            path = home.path + "/books/catalog.json" + ("l" if text.is_lines else "")
            home.write(path, text.bytes())
            script = Script(self, author, text, home, path)
            for _ in range(author.random.randint(2, 6)):
                try:
                    script.step()
                except Exception as error:
                    before, now = script.text.whole()[:1500], content(path)[:1500]
                    raise AssertionError(f"{error}\n{script.last}\nbefore: {before!r}\nnow: {now!r}") from error

    def respell(self, field: str) -> None:
        """Characters that look alike have different bytes: one can replace the other."""
        with Home() as home:
            path = home.path + "/books/catalog.json"
            value, other = "Caf\u00e9", "Cafe\u0301"
            record = {"title": "One", "isbn": isbn(1), field: [value] if field in LISTS else value}
            home.write(path, json.dumps([record], ensure_ascii=False).encode())
            result = self.edit(home, "set", isbn(1), f"{field}={other}", "--catalog", path)
            assert result.returncode == 0, f"{result.returncode} {result.stderr.decode()}"
            now = read(field, json.loads(content(path))[0])
            assert now in (other, [other]), f"{field} is {ascii(now)}: {result.stdout.decode()}"

    # MARK: Other catalogs

    def data_files(self) -> list[str]:
        """Returns catalogs of other programs, if the data is available."""
        found = []
        for directory, _, names in os.walk(self.lab.data or ""):
            for name in names:
                path = os.path.join(directory, name)
                if name.endswith((".json", ".jsonl", ".ndjson")) and os.path.getsize(path) < 600_000:
                    found.append(path)
        found = sorted(path for path in found if "jsontestsuite" not in path)
        return found if self.lab.sabotage.what == "nothing" else []

    def edit_data(self, source: str) -> None:
        """Changes a field of some books and changes it back; everything else stays the same."""
        choose = random.Random(source)
        with Home() as home:
            os.makedirs(home.path + "/books")
            path = shutil.copy(source, home.path + "/books")
            os.chmod(path, 0o644)
            books = self.books(home, path)
            if not books:
                return
            for _ in range(self.lab.pick(2, 6, 20)):
                number = choose.randrange(len(books))
                book = books[number]
                field, key, values = choose.choice(
                    [
                        ("title", "title", "A new title"),
                        ("pageCount", "pageCount", 4321),
                        ("publisher", "publisher", "P"),
                        ("authors", "authors", ["Ada One", "Bo Two"]),
                        ("subjects", "subjects", ["Tea", "Rain"]),
                        ("published", "published", "1815"),
                    ]
                )
                old = content(path)
                text = ";".join(values) if isinstance(values, list) else values
                result = self.edit(home, "set", book["id"], f"{field}={text}", "--catalog", path)
                if result.returncode == BAD_DATA:
                    assert content(path) == old, "it was refused, and changed"
                    self.refusals += 1
                    continue
                self.commands += 1
                assert result.returncode == 0, f"{result.returncode} {result.stderr.decode()}"
                new = content(path)
                now = self.books(home, path)
                assert len(now) == len(books), f"{len(now)} books of {len(books)}"
                for index, (one, other) in enumerate(zip(books, now)):
                    expected = dict(one, **{key: values}) if index == number else one
                    # If several books have the same identity, their ids end in an ordinal number; subjects may imply that
                    # the book is fiction.
                    ignored = {"id", "fiction"} if index == number else {"id"}
                    for name in set(expected) | set(other):
                        if name not in ignored:
                            assert expected.get(name) == other.get(name), f"{field} of {number}: {name} of {index}"
                length = same_ends(old.decode("latin-1"), new.decode("latin-1"))
                assert len(old) - length < 2000 + 6 * len(str(book.get(key))), f"{len(old) - length} bytes changed"
                is_simple = isinstance(book.get(key), (str, int))
                if is_simple and book[key] and len(str(book[key])) < 100_000 and "\0" not in str(book[key]):
                    identity = now[number]["id"]
                    result = self.edit(home, "set", identity, f"{field}={book[key]}", "--catalog", path)
                    assert result.returncode == 0, f"back: {result.returncode} {result.stderr.decode()}"
                    if content(path) != old:
                        # The original spelling with an escape is lost.
                        assert self.books(home, path) == books, f"{field} set back: {book[key]!r}"
                    else:
                        self.undone += 1
                else:
                    home.write(path, old)
            if all(book["title"] for book in books):
                self.arrange_data(home, path, books, choose)

    def arrange_data(self, home: Home, path: str, books: list[dict], choose: random.Random) -> None:
        """Adds, moves and deletes a book; the others keep their content and order."""
        original = content(path)
        number, goal = choose.randrange(len(books)), choose.randrange(len(books))
        rest = books[:number] + books[number + 1 :]
        name = books[number]["id"]
        cases = [
            (["delete", name], rest),
            (["move", name, "--before", books[goal]["id"]], self.moved(books, number, goal, 0)),
            (["move", name, "--after", books[goal]["id"]], self.moved(books, number, goal, 1)),
            (["add", "title=A title of mine", "authors=Ada One;Bo Two", "published=1815"], None),
        ]
        for arguments, expected in cases:
            home.write(path, original)
            self.commands += 1
            result = self.edit(home, *arguments, "--catalog", path)
            if result.returncode == BAD_DATA:
                self.refusals += 1
                assert content(path) == original, "it was refused, and changed"
                continue
            assert result.returncode == 0, f"{arguments}: {result.returncode} {result.stderr.decode()}"
            now = self.books(home, path)
            if expected is None:
                expected = books
                assert now[:-1] == books, "another book changed"
                new = now.pop()
                said = (new["title"], new["authors"], new["published"])
                assert said == ("A title of mine", ["Ada One", "Bo Two"], "1815"), f"added: {new}"
                # A new item of Zotero is a book, as its neighbours are.
                known = {"id", "title", "authors", "published", "itemType"}
                more = {key for key, value in new.items() if value} - known
                assert not more, f"the new book has {more} of its neighbour: {new}"
            # If several books have the same identity, their ids end in an ordinal number.
            assert [{**book, "id": 0} for book in now] == [{**book, "id": 0} for book in expected], f"{arguments}"

    def moved(self, books: list[dict], number: int, goal: int, shift: int) -> list[dict]:
        if number == goal:
            return books
        rest = [index for index in range(len(books)) if index != number]
        rest.insert(rest.index(goal) + shift, number)
        return [books[index] for index in rest]

    def books(self, home: Home, path: str) -> list[dict]:
        result = self.edit(home, "search", "", path, "--format", "json")
        return json.loads(result.stdout) if result.returncode == 0 else []


class Script:
    """Runs commands on one catalog and compares each result with a model."""

    def __init__(self, check: Edits, author: Author, text: Text, home: Home, path: str):
        self.check, self.author, self.text, self.home, self.path = check, author, text, home, path
        self.random = author.random
        self.last: list[str] = []

    # MARK: Running

    def name(self, number: int) -> str:
        """Returns the name of a book on the command line: its ISBN or its id."""
        record = self.text.record(number)
        if read("isbn", record) and self.random.random() < 0.7:
            return read("isbn", record)
        title = read("title", record)
        found = [book for book in self.check.books(self.home, self.path) if book["title"] == title]
        assert len(found) == 1, f"{len(found)} books are called {title!r}"
        return found[0]["id"]

    def execute(self, *arguments: str) -> int:
        """Runs a command after a dry run of it; returns the exit status."""
        self.last = list(arguments)
        self.check.commands += 1
        old = content(self.path)
        state = os.stat(self.path)
        arguments = (arguments[0], *arguments[1:], "--catalog", self.path)
        dry = self.check.edit(self.home, *arguments, "--dry-run")
        now = os.stat(self.path)
        same = (state.st_ino, state.st_mtime_ns, state.st_ctime_ns) == (now.st_ino, now.st_mtime_ns, now.st_ctime_ns)
        assert same and content(self.path) == old, "--dry-run wrote"
        self.check_directory()
        result = self.check.edit(self.home, *arguments)
        self.damage()
        new = content(self.path)
        self.check_directory()
        assert result.returncode == dry.returncode, f"{dry.returncode} dry, {result.returncode} {result.stderr}"
        if result.returncode not in (FOUND, NOT_FOUND):
            assert new == old, f"{result.returncode}, and written all the same"
            assert result.stderr.count(b"\n") == 1, result.stderr
            return result.returncode
        if new == old:
            assert not dry.stdout, f"nothing changed, and the difference is {dry.stdout}"
            return result.returncode
        assert self.patched(dry.stdout) == new, f"the difference is another: {dry.stdout.decode(errors='replace')}"
        return result.returncode

    def patched(self, difference: bytes) -> bytes:
        """Returns the old file with a difference applied."""
        if self.check.lab.sabotage.word == "difference":
            difference = difference[: difference[:-1].rfind(b"\n") + 1]
        old, new = self.home.path + "/old", self.home.path + "/new"
        self.home.write(old, self.text.bytes())
        result = subprocess.run(
            ["patch", "--binary", "--silent", "--force", "--fuzz=0", "-o", new, old], input=difference,
            capture_output=True,
        )
        assert result.returncode == 0, f"patch: {result.stdout} {result.stderr} {difference}"
        return content(new)

    def damage(self) -> None:
        word, now = self.check.lab.sabotage.word, content(self.path)
        if word == "number":
            self.home.write(self.path, re.sub(rb'("x-1": ?)1.50e\+03', rb"\g<1>1500", now))
        if word == "space" and self.text.gaps:
            gap = self.text.gaps[0].encode()
            self.home.write(self.path, now.replace(gap, gap + b" ", 1))

    def check_directory(self) -> None:
        names = os.listdir(os.path.dirname(self.path))
        assert names == [os.path.basename(self.path)], f"left over: {names}"

    # MARK: The model

    def step(self) -> None:
        steps = [self.set, self.set, self.set, self.set_back, self.add, self.delete, self.move, self.merge, self.misuse]
        self.random.choice(steps)()

    def assignment(self, field: str, record: dict) -> tuple[str, object]:
        """Returns an argument that changes a field, and the value of the field afterwards."""
        old = read(field, record)
        choice = self.random.random()
        if choice < 0.2 and field != "title":
            return f"{field}=", None
        value = self.author.value(field)
        if field not in LISTS:
            text = str(value)
            return f"{field}={text}", float(value) if field in ("pageCount", "rating") else value
        known = old or []
        if choice < 0.45:
            return f"{field}+={';'.join(value)}", known + [word for word in value if word not in known]
        if choice < 0.7 and known:
            gone = self.random.sample(known, 1) + ["not there"]
            return f"{field}-={';'.join(gone)}", [word for word in known if word not in gone] or None
        return f"{field}={';'.join(value)}", value

    def set(self) -> None:
        """Changes fields of one book, or one field of several books in the same way."""
        books = self.text.books()
        if self.random.random() < 0.3:
            return self.set_several(self.random.sample(books, self.random.randint(1, len(books))))
        number = self.random.choice(books)
        record = self.text.record(number)
        fields = self.random.sample(list(KEYS), self.random.choice([1, 1, 1, 2, 3]))
        assignments = {field: self.assignment(field, record) for field in fields}
        arguments = [argument for argument, _ in assignments.values()]
        self.change({number: {field: value for field, (_, value) in assignments.items()}}, self.name(number), *arguments)

    def set_several(self, numbers: list[int]) -> None:
        field = self.random.choice([field for field in KEYS if field not in ("title", "isbn")])
        value = self.author.value(field)
        text = ";".join(value) if field in LISTS else str(value)
        if field in ("pageCount", "rating"):
            value = float(value)
        names = [self.name(number) for number in numbers]
        goals = {number: {field: value} for number in numbers}
        if self.random.random() < 0.3:
            status = self.change(goals, *names, isbn(999_999_999), f"{field}={text}")
            assert status in (NOT_FOUND, BAD_DATA), f"{status} where one is unknown"
        elif self.random.random() < 0.5:
            every = {number: {field: value} for number in self.text.books()}
            if all(self.text.record(n) or '"x"' not in self.text.items[n] for n in range(len(self.text.items))):
                self.change(every, "--query", "", f"{field}={text}")
        else:
            self.change(goals, *names, f"{field}={text}")

    def set_back(self) -> None:
        """Changes an existing value and changes it back: the bytes are the same, unless they had an unusual
        spelling."""
        number = self.random.choice(self.text.books())
        record = self.text.record(number)
        fields = [field for field in KEYS if read(field, record) is not None]
        field = self.random.choice(fields)
        old, bytes_before = read(field, record), self.text.bytes()
        is_word = any(isinstance(record.get(key), str) for key in KEYS[field])
        if field in LISTS and (is_word or len(set(old)) < len(old)):
            # A single word may have become a list of one word.
            return
        value = self.author.value(field)
        text = ";".join(value) if field in LISTS else str(value)
        goal = float(value) if field in ("pageCount", "rating") else value
        if self.change({number: {field: goal}}, self.name(number), f"{field}={text}") != FOUND:
            return
        text = ";".join(old) if field in LISTS else f"{old:g}" if isinstance(old, float) else old
        if self.change({number: {field: old}}, self.name(number), f"{field}={text}") != FOUND:
            raise AssertionError(f"{field} was {old!r}, and that is refused now")
        keys = [key for key, _, _ in members(self.text.items[number])]
        is_doubled = any(keys.count(key) > 1 for key in KEYS[field])
        if b"\\" not in bytes_before and not is_doubled:
            assert self.text.bytes() == bytes_before, f"{field} set back to {old!r} is spelled otherwise"
            self.check.undone += 1

    def change(self, goals: dict[int, dict], *arguments: str) -> int:
        """Runs `set`, and compares the records with these numbers."""
        status = self.execute("set", *arguments)
        if status == BAD_DATA:
            self.check.refusals += 1
            return status
        assert status in (FOUND, NOT_FOUND), f"exit status {status}"
        new = self.located(self.text.items, self.text.gaps, set(goals))
        for number, goal in goals.items():
            self.compare(self.text.items[number], new[number], goal)
        self.text.items = new
        return status

    def compare(self, old: str, new: str, goal: dict, more: dict | None = None) -> None:
        """Verifies that the fields in `goal` have its values, that the members in `more` were added, and that all other
        members keep their spelling."""
        one, other = json.loads(old, strict=False), json.loads(new, strict=False)
        added = {key: other.get(key) for key in more or {}}
        assert added == (more or {}), f"{added} was added, and should be {more}"
        for field in KEYS:
            expected = goal[field] if field in goal else read(field, one)
            assert read(field, other) == expected, f"{field} is {read(field, other)!r}, and should be {expected!r}"
        keys = {key for field in goal for key in KEYS[field]} | set(more or {})
        before, after = members(old), members(new)
        kept = [member for member in before if member[0] not in keys]
        left = [member for member in after if member[0] not in keys]
        assert left == kept, f"other members are {left}, and should be {kept}"
        if [name for _, name, _ in before] == [name for _, name, _ in after]:
            assert self.frame(old, keys) == self.frame(new, keys), "white space in the record has changed"
        elif len(goal) == 1 and not more and abs(len(before) - len(after)) == 1:
            same = same_ends(old, new)
            assert same >= min(len(old), len(new)) or kept != before and len(before) == len(after), "more has changed"
        if len(goal) == 1 and not any(space in old for space in "\n") and "\n" not in old:
            assert "\n" not in new, "a record on one line has several now"

    def frame(self, text: str, keys: set[str]) -> str:
        """Returns a record without the values of some keys."""
        decoder = json.JSONDecoder(strict=False)
        position, parts = 1, [text[0]]
        for key, name, value in members(text):
            start = text.index(name, position)
            begin = SPACE.match(text, SPACE.match(text, start + len(name)).end() + 1).end()
            _, stop = decoder.raw_decode(text, begin)
            parts.append(text[position:begin] + ("" if key in keys else value))
            position = stop
        return "".join(parts) + text[position:]

    def located(self, items: list[str], gaps: list, touched: set[int]) -> list[str]:
        """Returns the items of the file; all except the touched ones, and the text between them, must be as given.

        A gap of None may be any existing one."""
        now = content(self.path).decode("utf-8", "surrogateescape")
        decoder = json.JSONDecoder(strict=False)
        known = set(self.text.gaps)
        assert now.startswith(self.text.start), "the start of the file has changed"
        position = len(self.text.start)
        if not self.text.is_regular:
            # The text between two items may remain at either end.
            position = SPACE.match(now, position).end()
            self.text.start = now[:position]
        found = []
        for number, item in enumerate(items):
            end = position + len(item)
            if number in touched:
                _, end = decoder.raw_decode(now, position)
            else:
                assert now[position:end] == item, f"item {number} is {now[position:end][:300]!r}, not {item[:300]!r}"
            found.append(now[position:end])
            position = end
            if number < len(gaps):
                gap = gaps[number]
                if gap is None:
                    pattern = r"(\r?\n)+" if self.text.is_lines else r"[ \t\r\n]*,[ \t\r\n]*"
                    match = re.compile(pattern).match(now, position)
                    assert match, f"no gap at {now[position:position + 40]!r}"
                    gap = match.group()
                    if known and self.text.is_regular:
                        assert gap in known, f"{gap!r} stands between two items, and others have {known}"
                    gaps[number] = gap
                assert now[position : position + len(gap)] == gap, f"{now[position:position + 40]!r} is not {gap!r}"
                position += len(gap)
        if not self.text.is_regular and now[position:].lstrip() == self.text.end.lstrip():
            self.text.end = now[position:]
        assert now[position:] == self.text.end, f"the end is {now[position:][:300]!r}, not {self.text.end!r}"
        return found

    def arrange(self, order: list[int], touched: dict[int, str] | None = None) -> None:
        """Compares the file with the items in another order; -1 is a new item."""
        items = [self.text.items[number] if number >= 0 else "" for number in order]
        gaps: list = []
        for one, other in zip(order, order[1:]):
            gaps.append(self.text.gaps[one] if one >= 0 and other == one + 1 else None)
        new = {index for index, number in enumerate(order) if number < 0}
        changed = {index for index, number in enumerate(order) if number in (touched or {})}
        self.text.items = self.located(items, gaps, new | changed)
        self.text.gaps = gaps

    def add(self) -> None:
        """Adds a book after the last one."""
        fields = ["title"] + self.random.sample([field for field in KEYS if field != "title"], 3)
        values = {field: self.author.value(field) for field in fields}
        arguments = [f"{f}={';'.join(v) if f in LISTS else v}" for f, v in values.items()]
        status = self.execute("add", *arguments)
        if status == BAD_DATA:
            self.check.refusals += 1
            return
        assert status == FOUND, f"exit status {status}"
        order = list(range(len(self.text.items)))
        # In JSON Lines it is added after the last book, and other lines may follow.
        last = self.objects()[-1] + 1 if self.text.is_lines else len(order)
        neighbour = self.text.items[self.objects()[-1]]
        self.arrange(order[:last] + [-1] + order[last:])
        new = self.text.items[last]
        record = json.loads(new, strict=False)
        for field in KEYS:
            value = values.get(field)
            expected = float(value) if field in ("pageCount", "rating") and value is not None else value
            assert read(field, record) == expected, f"{field} is {read(field, record)!r}, and should be {expected!r}"
        assert ("\n" in new) == ("\n" in neighbour), f"the new record has another layout: {new!r}"
        if "\n" in neighbour:
            assert new.split("\n")[-1] == neighbour.split("\n")[-1], "the last line has another indent"
            assert ("\r\n" in new) == ("\r\n" in neighbour), "it has other line ends"
        shared = [key for key, _, _ in members(neighbour) if key in record]
        mine = [key for key, _, _ in members(new) if key in shared]
        assert mine == list(dict.fromkeys(shared)), f"the keys are in another order: {mine} {shared}"

    def objects(self) -> list[int]:
        """Returns the numbers of the items that the program accepts as books: all objects."""
        return [n for n, item in enumerate(self.text.items) if item.startswith("{") and item.endswith("}")]

    def movable(self) -> list[int]:
        """Returns the numbers of the books that may be moved. A file that begins with a damaged line is not a
        catalog."""
        return [number for number in self.text.books() if number > 0 or not self.text.is_lines]

    def delete(self) -> None:
        books = self.movable()
        if len(books) < 3:
            return
        gone = self.random.sample(books, self.random.randint(1, min(3, len(books) - 2)))
        names = [self.name(number) for number in gone]
        is_unknown = self.random.random() < 0.15
        status = self.execute("delete", *names, *([isbn(999_999_999)] if is_unknown else []))
        assert status == (NOT_FOUND if is_unknown else FOUND), f"exit status {status}"
        self.arrange([number for number in range(len(self.text.items)) if number not in gone])

    def move(self) -> None:
        books = self.text.books()
        if len(books) < 2:
            return
        number = self.random.choice(self.movable())
        goal = self.random.choice([other for other in books if other != number])
        side = self.random.choice(["--before", "--after"])
        status = self.execute("move", self.name(number), side, self.name(goal))
        assert status == FOUND, f"exit status {status}"
        order = [index for index in range(len(self.text.items)) if index != number]
        order.insert(order.index(goal) + (side == "--after"), number)
        if [n for n in order if n in self.objects()] == self.objects():
            # Only items that are not books are in between.
            assert content(self.path) == self.text.bytes(), "it was there already, and was moved"
            return
        self.arrange(order)

    def merge(self) -> None:
        books = self.text.books()
        if len(books) < 4:
            return
        others = self.random.sample(self.movable(), self.random.choice([1, 1, 2]))
        first = self.random.choice([number for number in books if number not in others])
        status = self.execute("merge", *[self.name(number) for number in [first, *others]])
        if status == BAD_DATA:
            self.check.refusals += 1
            return
        assert status == FOUND, f"exit status {status}"
        record = self.text.record(first)
        goal: dict = {}
        own: dict = {}
        for number in others:
            other = self.text.record(number)
            for key in OWN_KEYS:
                if key in other and key not in record:
                    # A lone surrogate is not a character.
                    value = other[key].replace("\ud83d", "\ufffd") if key == "lone" else other[key]
                    own.setdefault(key, value)
            for field in KEYS:
                old, more = goal.get(field, read(field, record)), read(field, other)
                if more is not None and old is None:
                    goal[field] = more
                elif more is not None and field == "subjects":
                    known = [word.lower() for word in old]
                    goal[field] = old + [word for word in more if word.lower() not in known]
        old = self.text.items[first]
        order = [number for number in range(len(self.text.items)) if number not in others]
        self.arrange(order, {first: ""})
        self.compare(old, self.text.items[order.index(first)], goal, own)

    def misuse(self) -> None:
        """Arguments that do not fit are rejected, and nothing is written."""
        name = self.name(self.random.choice(self.text.books()))
        arguments, status = self.random.choice(
            [
                (["set", name, "pages=many"], BAD_DATA),
                (["set", name, "rating=9"], BAD_DATA),
                (["set", name, "isbn=123"], BAD_DATA),
                (["set", name, "title="], BAD_DATA),
                (["set", name, "colour=red"], USAGE),
                (["set", name, "title+=more"], USAGE),
                (["set", name], USAGE),
                (["set", isbn(999_999_999), "pages=3"], NOT_FOUND),
                (["delete", isbn(999_999_999)], NOT_FOUND),
                (["move", name, "--after", isbn(999_999_999)], NOT_FOUND),
                (["move", name], USAGE),
                (["merge", name, isbn(999_999_999)], NOT_FOUND),
                (["merge", name], USAGE),
            ]
        )
        self.last = arguments
        old = content(self.path)
        found = self.execute(*arguments)
        assert found == status, f"exit status {found}, not {status}"
        assert content(self.path) == old, "it was refused, and changed"


# MARK: Saving

IN_PLACE = """
import re, sys
path = sys.argv[sys.argv.index("--catalog") + 1]
text = open(path, "rb").read()
with open(path, "wb", buffering=0) as file:
    for piece in re.sub(rb'"pageCount": ?[0-9]+', b'"pageCount": 777', text, 1).split(b"e"):
        file.write(piece + b"e")
    file.truncate(file.tell() - 1)
"""


class SavedEdits(EditingCheck):
    """The base of the checks of saving: a small catalog, a change of it, and the system calls of that change."""

    GOAL = 777

    def catalog(self, home: Home, mode: int = 0o644, count: int = 8) -> str:
        """Creates a catalog in a separate directory; returns its path."""
        path = home.path + "/books/catalog.json"
        books = [{"title": f"Book {n}", "isbn": isbn(n), "pageCount": 100 + n} for n in range(1, count + 1)]
        home.write(path, ("[\n" + ",\n".join(json.dumps(book) for book in books) + "\n]\n").encode())
        os.chmod(path, mode)
        return path

    def arguments(self, path: str, number: int = 1, pages: int = GOAL) -> list[str]:
        return ["set", isbn(number), f"pageCount={pages}", "--catalog", path]

    def new_bytes(self, path: str) -> bytes:
        """Returns the content of the file after the change."""
        return content(path).replace(b'"pageCount": 101', b'"pageCount": %d' % self.GOAL)

    def calls(self) -> list[tuple[str, int, str]]:
        """Returns the system calls of an undisturbed change: the name, its ordinal among those of the same name,
        and the line."""
        with Home() as home:
            path, log = self.catalog(home), home.path + "/strace"
            strace = ["/usr/bin/strace", "-f", "-qq", "-o", log, "-e", "signal=none"]
            result = self.edit(home, *self.arguments(path), before=strace)
            assert result.returncode == 0, result.stderr.decode()
            counts: dict[str, int] = {}
            found = []
            with open(log, errors="replace") as file:
                for line in file:
                    match = re.match(r"\d+ +(\w+)\(", line)
                    if match and match[1] not in ("execve", "exit_group"):
                        counts[match[1]] = counts.get(match[1], 0) + 1
                        found.append((match[1], counts[match[1]], line))
        return found

    def injecting(self, call: str, action: str, log: str = "/dev/null") -> list[str]:
        return self.lab.strace(f"--trace={call}", f"--inject={call}:{action}", log=log)

    def left_over(self, path: str) -> list[str]:
        """Returns the other files beside the catalog."""
        directory = os.path.dirname(path)
        return [os.path.join(directory, name) for name in os.listdir(directory) if name != os.path.basename(path)]


class EditsKilled(SavedEdits):
    name = "edits-killed"
    promise = "A catalog is saved completely or not at all, whenever stacks is killed"
    method = "`strace` kills `stacks set` at each system call; then the next command runs beside the leftovers"
    sabotages = [
        Sabotage("a program that writes into the file", program=["/usr/bin/python3", "-c", IN_PLACE]),
        Sabotage("the catalog is torn afterwards", word="tear"),
    ]

    def run(self) -> str:
        need("strace")
        calls = [(call, number) for call, number, _ in self.calls()]
        if self.lab.sabotage.program:
            calls = [job for job in calls if job[0] == "write"]
        saving = ("write", "copy_file_range", "fsync", "fchmod", "rename", "openat")
        jobs = calls[:: self.lab.pick(6, 1, 1)] + [job for job in calls if job[0] in saving and self.lab.size is Size.SHORT]
        results = {"old": 0, "new": 0, "left": 0}

        def one(job):
            call, number = job
            with Home() as home:
                path = self.catalog(home)
                old, new = content(path), self.new_bytes(path)
                self.edit(home, *self.arguments(path), before=self.injecting(call, f"signal=KILL:when={number}"))
                if self.lab.sabotage.word:
                    os.truncate(path, os.path.getsize(path) - 1)
                now = content(path)
                assert now in (old, new), f"torn: {now!r}"
                results["new" if now == new else "old"] += 1
                results["left"] += bool(self.left_over(path))
                again = self.edit(home, *self.arguments(path))
                assert again.returncode == 0, f"{again.returncode} {again.stderr.decode()}"
                assert content(path) == new, "the next command did not change it"

        done = self.lab.each(jobs, one)
        assert results["old"] > 5 and (results["new"] or self.lab.sabotage.program), f"hardly a kill hit: {results}"
        kinds = self.hindrances()
        return (
            f"{done} of {len(jobs)} kills left the old ({results['old']}) or the new bytes ({results['new']}), and "
            f"the next command worked; {results['left']} left a temporary file; {kinds} left-over files of that name "
            f"did not hinder"
        )

    def hindrances(self) -> str:
        """Checks the leftovers of a process with the same number: in a PID namespace, each process has the number 1."""
        if os.getuid() != 0 or not shutil.which("unshare") or self.lab.sabotage.what != "nothing":
            return "0 of 0"
        kinds = ["a longer file", "a read-only file", "a link to another file"]

        def one(kind):
            with Home() as home:
                path, other = self.catalog(home), home.path + "/other"
                new = self.new_bytes(path)
                home.write(other, b"untouched")
                if "link" in kind:
                    os.symlink(other, path + ".1.tmp")
                else:
                    home.write(path + ".1.tmp", b"x" * 5000)
                    os.chmod(path + ".1.tmp", 0o400 if "read" in kind else 0o600)
                result = self.edit(home, *self.arguments(path), before=["unshare", "--pid", "--fork"])
                assert content(other) == b"untouched", "it wrote through the link"
                assert result.returncode == 0, f"{result.returncode} {result.stderr.decode()}"
                assert content(path) == new, "it was not changed"

        return f"{self.lab.each(kinds, one)} of {len(kinds)}"


class EditsFullDisk(SavedEdits):
    name = "edits-full-disk"
    is_short = True
    promise = "If a catalog cannot be saved, it stays unchanged, and stacks says why"
    method = (
        "EIO, ENOSPC, EDQUOT, EROFS, EACCES in each call that writes; `prlimit --fsize`; a full tmpfs"
    )
    sabotages = [
        Sabotage("a program that writes into the file", program=["/usr/bin/python3", "-c", IN_PLACE]),
        Sabotage("unlink() does nothing", injections=["unlink:retval=0"]),
    ]
    CALLS = ("write", "copy_file_range", "fsync", "fchmod", "rename", "openat")
    CAUSES = {
        "EIO": ("input/output error", (CANNOT_WRITE,)),
        "ENOSPC": ("no space left", (CANNOT_WRITE,)),
        "EDQUOT": ("quota", (CANNOT_WRITE,)),
        "EROFS": ("read-only file system", (CANNOT_WRITE, FORBIDDEN)),
        "EACCES": ("permission denied", (FORBIDDEN,)),
    }

    def run(self) -> str:
        need("strace", "prlimit")
        calls = self.calls()
        names = [call for call, _, _ in calls]
        # The calls from the creation of the temporary file to its renaming.
        first = next((n for n, (call, _, line) in enumerate(calls) if call == "openat" and ".tmp" in line), 0)
        last = names.index("rename") if "rename" in names else len(calls) - 1
        # A journal that cannot be read at first is read again when it is written.
        saving = [call for call in calls[first : last + 1] if not ("O_RDONLY" in call[2] and ".jsonl" in call[2])]
        places = [(call, number) for call, number, _ in saving if call in self.CALLS]
        errors = list(self.CAUSES)[:: self.lab.pick(4, 1, 1)]
        jobs = [(*place, error) for place in places for error in errors]
        # After these errors the file is copied in another way.
        jobs = [job for job in jobs if job[0] != "copy_file_range" or job[2] not in ("EROFS", "EACCES")]
        if self.lab.sabotage.what != "nothing":
            jobs = jobs[:8]
        done = self.lab.each(jobs, self.refused)
        fallbacks = self.lab.each(["EXDEV", "ENOSYS", "EINVAL", "EOPNOTSUPP"], self.copied_otherwise)
        sizes = list(range(0, 420, self.lab.pick(140, 35, 7)))
        limited = self.lab.each(sizes, self.limited)
        # The fsync of the directory comes after the new file is in place.
        late = self.lab.each([n for call, n, _ in calls[last:] if call == "fsync"], self.late)
        full = self.full_disk()
        return (
            f"{done} of {len(jobs)} errors left the old bytes, a sentence with the cause, and nothing beside it; "
            f"{limited} of {len(sizes)} limits of the size likewise; {full}; {fallbacks} of 4 ways to copy; "
            f"{late} late errors told the truth"
        )

    def check_refused(
        self, path: str, old: bytes, result, causes: tuple[str, tuple[int, ...]], *names: str
    ) -> None:
        cause, statuses = causes
        assert content(path) == old, f"it was changed: {content(path)!r}"
        assert not self.left_over(path), f"left over: {self.left_over(path)}"
        assert result.returncode in statuses, f"exit status {result.returncode}: {result.stderr.decode()}"
        self.check_sentence(result, path, *names)
        assert cause in result.stderr.decode().lower(), f"{cause} is not in {result.stderr.decode()}"
        assert not result.stdout, result.stdout

    def refused(self, job) -> None:
        call, number, error = job
        with Home() as home:
            path = self.catalog(home)
            old, new = content(path), self.new_bytes(path)
            before = self.injecting(call, f"error={error}:when={number}")
            result = self.edit(home, *self.arguments(path), before=before)
            if error in ("EROFS", "EACCES") and content(path) == new:
                # A user who may not write the journal may still change the catalog.
                said = result.stderr.decode()
                assert result.returncode == 0 and "cannot be undone" in said, f"{result.returncode} {said}"
                assert self.CAUSES[error][0] in said.lower(), f"the cause is not in {said}"
            else:
                # The journal, or a directory on its path, may be the file that cannot be written.
                self.check_refused(path, old, result, self.CAUSES[error], home.path, "~/state")
            again = self.edit(home, *self.arguments(path))
            assert again.returncode == 0, f"{again.returncode} {again.stderr.decode()}"

    def copied_otherwise(self, error: str) -> None:
        with Home() as home:
            path = self.catalog(home)
            new = self.new_bytes(path)
            result = self.edit(home, *self.arguments(path), before=self.injecting("copy_file_range", f"error={error}"))
            assert result.returncode == 0 and content(path) == new, f"{result.returncode} {result.stderr.decode()}"

    def late(self, number: int) -> None:
        with Home() as home:
            path = self.catalog(home)
            old, new = content(path), self.new_bytes(path)
            before = self.injecting("fsync", f"error=EIO:when={number}")
            result = self.edit(home, *self.arguments(path), before=before)
            assert content(path) in (old, new) and not self.left_over(path)
            is_changed = content(path) == new
            said = result.stderr.decode()
            assert not (is_changed and "nothing changed" in said), f"it was changed, and it says: {said}"

    def limited(self, size: int) -> None:
        with Home() as home:
            path = self.catalog(home)
            old = content(path)
            result = self.edit(home, *self.arguments(path), before=["/usr/bin/prlimit", f"--fsize={size}"])
            self.check_refused(path, old, result, ("too large", (CANNOT_WRITE,)))

    def full_disk(self) -> str:
        """Checks a tmpfs without room for a second copy of the catalog."""
        if os.getuid() != 0 or self.lab.sabotage.what != "nothing":
            return "no full disk here"
        with Home() as home:
            os.makedirs(home.path + "/books")
            mount = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", home.path + "/books"]
            if subprocess.run(mount, capture_output=True).returncode != 0:
                return "no full disk here"
            try:
                path = self.catalog(home, count=800)
                old = content(path)
                assert len(old) > 48 << 10, "the catalog fits twice"
                result = self.edit(home, *self.arguments(path))
                self.check_refused(path, old, result, self.CAUSES["ENOSPC"])
            finally:
                subprocess.run(["umount", home.path + "/books"])
        return "a full disk likewise"


class EditsTogether(SavedEdits):
    name = "edits-together"
    is_short = True
    promise = "No program that changes a catalog at the same time loses its change"
    method = (
        "8 processes change a different book each at once, as one user and as 8; another program rewrites the file while "
        "`stacks set` pauses after each of its system calls"
    )
    sabotages = [
        Sabotage("flock() does nothing, and rename() waits", injections=["flock:retval=0", "rename:delay_enter=20000"]),
        Sabotage("a program that writes into the file", program=["/usr/bin/python3", "-c", IN_PLACE]),
    ]

    def run(self) -> str:
        need("strace")
        rounds = self.lab.pick(4, 40, 400)
        kept = self.lab.each(list(range(rounds)), self.race, workers=1)
        users = self.lab.each([f"{n} by 8 users" for n in range(rounds)], lambda _: self.race(0, 8), workers=1)
        jobs = [(*place, kind) for place in self.places() for kind in ("in place", "replaced", "longer")]
        jobs = jobs[:: self.lab.pick(5, 1, 1)]
        self.refusals = 0
        done = self.lab.each(jobs, self.disturbed) if self.lab.sabotage.what == "nothing" else 0
        shared = self.namespaces()
        return (
            f"{kept} of {rounds} rounds of 8 have all 8 changes, {users} with a home each; {done} of {len(jobs)} rewrites meanwhile kept both, or "
            f"({self.refusals}) refused ours{shared}"
        )

    def race(self, number: int, users: int = 1) -> None:
        """8 processes change one book each; processes of different users have different state directories."""
        with Home() as home:
            path = self.catalog(home)
            homes = [dict(home.environment, XDG_STATE_HOME=f"{home.path}/state-{n % users}") for n in range(8)]
            started = [
                subprocess.Popen(
                    self.lab.command(*self.arguments(path, book, 1000 * (number + 1) + book)),
                    env=homes[book - 1],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )
                for book in range(1, 9)
            ]
            said = [(process.communicate(timeout=60)[1], process.returncode) for process in started]
            pages = [book["pageCount"] for book in json.loads(content(path))]
            lost = [n for n, page in enumerate(pages, 1) if page != 1000 * (number + 1) + n]
            assert not lost, f"the changes of {lost} are lost: {said}"
            assert all(status == 0 for _, status in said), said
            assert not self.left_over(path), self.left_over(path)

    def places(self) -> list[tuple[str, int]]:
        """Returns the calls from opening the catalog to the last check of it.

        No program can close the gap between that check and rename()."""
        calls = self.calls()
        first = next((n for n, (call, _, line) in enumerate(calls) if call == "openat" and "catalog.json" in line), 0)
        names = [call for call, _, _ in calls]
        last = names.index("rename") if "rename" in names else len(names)
        while last > first + 1 and "stat" not in names[last]:
            last -= 1
        # Calls for memory and for the start of a thread, of which there are not as many in each run.
        others = ("brk", "mmap", "munmap", "rseq", "rt_sigprocmask", "set_robust_list", "clone3", "futex")
        return [(call, number) for call, number, _ in calls[first:last] if call not in others]

    def disturbed(self, job) -> None:
        """Another program rewrites the file after a certain call of `stacks set`."""
        call, number, kind = job
        with Home() as home:
            path, log = self.catalog(home), home.path + "/strace"
            books = json.loads(content(path))
            changed = books[3:] + books[:3] + ([{"title": "Theirs", "isbn": isbn(99)}] if kind == "longer" else [])
            theirs = ("[\n" + ",\n".join(json.dumps(book) for book in changed) + "\n]\n").encode()
            command = self.lab.command(
                *self.arguments(path), before=self.injecting(call, f"signal=STOP:when={number}", log)
            )
            with subprocess.Popen(
                command, env=home.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            ) as process:
                stopped = self.wait_for_stop(log, process)
                if kind == "replaced":
                    home.write(path + ".theirs", theirs)
                    os.rename(path + ".theirs", path)
                else:
                    with open(path, "rb+") as file:
                        file.write(theirs)
                os.kill(stopped, 18)
                _, said = process.communicate(timeout=60)
            now = content(path)
            if process.returncode == 0:
                goal = [dict(book, pageCount=self.GOAL) if book["isbn"] == isbn(1) else book for book in changed]
                assert json.loads(now) == goal, f"not both: {now!r}"
            else:
                self.refusals += 1
                assert now == theirs, f"{process.returncode}, and it was written: {now!r}"
                assert process.returncode == CHANGED, f"{process.returncode} {said.decode()}"
            assert not self.left_over(path), self.left_over(path)

    def wait_for_stop(self, log: str, process: subprocess.Popen) -> int:
        for _ in range(2000):
            if os.path.exists(log):
                with open(log, errors="replace") as file:
                    match = re.search(r"^(\d+) +--- stopped by SIGSTOP", file.read(), re.MULTILINE)
                if match:
                    return int(match[1])
            assert process.poll() is None, f"it ended with {process.returncode} and never stopped"
            time.sleep(0.005)
        raise AssertionError("it never stopped")

    def namespaces(self) -> str:
        """Two containers share a directory: both processes have the number 1, and neither sees the other's locks."""
        if os.getuid() != 0 or not shutil.which("unshare") or self.lab.sabotage.what != "nothing":
            return ""
        with Home() as home, Home() as other:
            path = self.catalog(home)
            started = []
            # The first process pauses in the middle of writing until the second one has written everything and pauses.
            books = json.loads(content(path))
            books[7]["pageCount"], books[0]["title"] = 5008, "A much longer title"
            waits = [
                ("copy_file_range:delay_exit=1000000:when=1", home, [isbn(8), "pageCount=5008"]),
                ("fsync:delay_exit=2000000:when=4", other, [isbn(1), "title=A much longer title"]),
            ]
            for wait, own, arguments in waits:
                call = wait.partition(":")[0]
                trace = ["/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", f"--trace={call}", f"--inject={wait}"]
                command = ["unshare", "--pid", "--fork", self.lab.stacks, "set", *arguments, "--catalog", path]
                started.append(
                    subprocess.Popen(
                        trace + command,
                        env=own.environment,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.PIPE,
                    )
                )
                time.sleep(0.3)
            statuses = [(process.communicate(timeout=60)[1].decode(), process.returncode) for process in started]
            try:
                if json.loads(content(path)) != books:
                    self.lab.failures.append(f"two containers lost a change: {statuses} {content(path)!r}")
            except ValueError:
                self.lab.failures.append(f"two containers tore the catalog: {statuses} {content(path)!r}")
        return "; two containers with one directory were tried"


class EditsAttributes(SavedEdits):
    name = "edits-attributes"
    is_short = True
    promise = "A changed catalog keeps its mode, owner, attributes and links; if that is impossible, it is not changed"
    method = "modes, another owner, `user.` attributes, links, hard links, read-only files and directories, pipes"
    sabotages = [
        Sabotage("fchmod() does nothing", injections=["fchmod:retval=0"]),
        Sabotage("fchown() does nothing", injections=["fchown:retval=0"]),
        Sabotage("fsetxattr() does nothing", injections=["fsetxattr:retval=0"]),
    ]
    MODES = (0o600, 0o640, 0o644, 0o664, 0o666, 0o400, 0o755, 0o4711)

    def run(self) -> str:
        jobs = [getattr(self, name) for name in dir(self) if name.startswith("keeps_") or name.startswith("refuses_")]
        names = {job.__name__.replace("_", " "): job for job in jobs}
        self.skipped: list[str] = []
        done = self.lab.each(list(names), lambda name: self.one(name, names[name]))
        figure = f"{done - len(self.skipped)} of {len(names)}: " + ", ".join(name for name in names if name not in self.skipped)
        return figure + (f"; not checked here: {', '.join(self.skipped)}" if self.skipped else "")

    def one(self, name: str, job) -> None:
        with Home() as home:
            os.chmod(home.path, 0o755)
            try:
                job(home, self.catalog(home))
            except Skipped:
                self.skipped.append(name)

    def change(self, home: Home, path: str, before=()) -> None:
        new = self.new_bytes(path)
        result = self.edit(home, *self.arguments(path), before=before)
        assert result.returncode == 0, f"{result.returncode} {result.stderr.decode()}"
        assert content(path) == new, "it was not changed"

    def refuse(self, home: Home, path: str, status: int, before=(), **options) -> None:
        old, state = content(path), os.stat(path)
        arguments = self.arguments(path)
        for extra in ([], ["--dry-run"]):
            result = self.edit(home, *arguments, *extra, before=before, **options)
            assert result.returncode == status, f"{extra} {result.returncode} {result.stderr.decode()}"
            self.check_sentence(result, path)
        assert content(path) == old and os.stat(path).st_mtime_ns == state.st_mtime_ns, "it was written"

    def other_user(self) -> list[str]:
        need_root()
        return ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    def shared(self, home: Home, owner: int) -> None:
        """Makes a home that another user may use."""
        for directory, _, names in os.walk(home.path):
            os.chown(directory, owner, owner)
            for name in names:
                os.chown(os.path.join(directory, name), owner, owner)

    def keeps_modes(self, home: Home, path: str) -> None:
        for mode in self.MODES:
            path = self.catalog(home)
            os.chmod(path, mode)
            if mode & 0o200 or os.getuid() == 0:
                self.change(home, path)
                assert stat.S_IMODE(os.stat(path).st_mode) == mode, f"{mode:o} is {os.stat(path).st_mode:o} now"
            os.unlink(path)

    def keeps_owner(self, home: Home, path: str) -> None:
        need_root()
        os.chown(path, 1234, 2345)
        os.chmod(path, 0o4640)
        self.change(home, path)
        state = os.stat(path)
        assert (state.st_uid, state.st_gid) == (1234, 2345), f"it belongs to {state.st_uid} and {state.st_gid}"
        assert stat.S_IMODE(state.st_mode) == 0o4640, f"its mode is {state.st_mode:o}"

    def keeps_attributes(self, home: Home, path: str) -> None:
        values = {"user.note": b"read", "user.binary": bytes(range(256)), "user.empty": b"", "user.long": b"x" * 1500}
        try:
            for name, value in values.items():
                os.setxattr(path, name, value)
        except OSError as reason:
            raise Skipped("the file system has no extended attributes") from reason
        self.change(home, path)
        now = {name: os.getxattr(path, name) for name in os.listxattr(path) if name.startswith("user.")}
        assert now == values, f"the attributes are {now}"

    def keeps_a_link(self, home: Home, path: str) -> None:
        os.makedirs(home.path + "/elsewhere")
        os.rename(path, home.path + "/elsewhere/real.json")
        os.symlink("../elsewhere/real.json", path)
        os.symlink("catalog.json", home.path + "/books/link.json")
        self.change(home, home.path + "/books/link.json")
        assert os.readlink(path) == "../elsewhere/real.json" and os.path.islink(home.path + "/books/link.json")
        assert os.listdir(home.path + "/elsewhere") == ["real.json"], os.listdir(home.path + "/elsewhere")

    def keeps_what_is_private(self, home: Home, path: str) -> None:
        """Other users cannot read the temporary file either, not even after a kill."""
        need("strace")
        os.chmod(path, 0o600)
        for call in ("copy_file_range", "write", "fchmod"):
            self.edit(home, *self.arguments(path), before=self.injecting(call, "signal=KILL:when=1"))
            for name in self.left_over(path):
                mode = stat.S_IMODE(os.stat(name).st_mode)
                assert not mode & 0o077, f"the catalog is 600, and its copy {mode:o}"

    def keeps_the_file_without_a_change(self, home: Home, path: str) -> None:
        state = os.stat(path)
        result = self.edit(home, *self.arguments(path, 1, 101))
        assert result.returncode == 0, result.stderr.decode()
        now = os.stat(path)
        assert (state.st_ino, state.st_ctime_ns) == (now.st_ino, now.st_ctime_ns), "it was written without a change"

    def refuses_hard_links(self, home: Home, path: str) -> None:
        os.link(path, home.path + "/books/second.json")
        self.refuse(home, path, FORBIDDEN)
        assert os.stat(path).st_nlink == 2

    def refuses_a_read_only_file(self, home: Home, path: str) -> None:
        before = self.other_user()
        self.shared(home, 65534)
        os.chmod(path, 0o444)
        self.refuse_as_other(home, path, before)

    def refuses_a_read_only_directory(self, home: Home, path: str) -> None:
        before = self.other_user()
        self.shared(home, 65534)
        os.chmod(os.path.dirname(path), 0o555)
        self.refuse_as_other(home, path, before)

    def refuses_another_owner(self, home: Home, path: str) -> None:
        """Only root could give the new file to the owner of the old one."""
        before = self.other_user()
        self.shared(home, 65534)
        os.chown(path, 1234, 65534)
        os.chmod(path, 0o664)
        self.refuse_as_other(home, path, before, extras=([],))

    def refuse_as_other(self, home: Home, path: str, before: list[str], extras=([], ["--dry-run"])) -> None:
        old = content(path)
        for extra in extras:
            command = [*before, self.lab.shared_program, *self.arguments(path), *extra]
            result = subprocess.run(
                command, env=home.environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=60
            )
            assert result.returncode == FORBIDDEN, f"{extra} {result.returncode} {result.stderr.decode()}"
            self.check_sentence(result, path)
        assert content(path) == old and not self.left_over(path), "it was written"

    def refuses_a_read_only_mount(self, home: Home, path: str) -> None:
        need_root()
        directory = os.path.dirname(path)
        if subprocess.run(["mount", "--bind", directory, directory], capture_output=True).returncode != 0:
            raise Skipped("nothing can be mounted")
        try:
            subprocess.run(["mount", "-o", "remount,ro,bind", directory], check=True)
            self.refuse(home, path, FORBIDDEN)
        finally:
            subprocess.run(["umount", directory])

    def refuses_an_immutable_file(self, home: Home, path: str) -> None:
        need_root()
        if subprocess.run(["chattr", "+i", path], capture_output=True).returncode != 0:
            raise Skipped("the file system has no immutable files")
        try:
            self.refuse(home, path, FORBIDDEN)
            assert not self.left_over(path)
        finally:
            subprocess.run(["chattr", "-i", path])

    def refuses_standard_input(self, home: Home, path: str) -> None:
        for commands in (["set", isbn(1), "pages=3"], ["delete", isbn(1)], ["move", isbn(1), "--after", isbn(2)]):
            with open(path, "rb") as file:
                result = self.edit(home, *commands, "--catalog", "-", stdin=file)
            assert result.returncode == USAGE, f"{result.returncode} {result.stderr.decode()}"
            self.check_sentence(result, "standard input")

    def refuses_a_pipe(self, home: Home, path: str) -> None:
        pipe = home.path + "/books/pipe.json"
        os.mkfifo(pipe)
        text = content(path)
        writer = subprocess.Popen(["/bin/sh", "-c", 'cat "$0" > "$1"', path, pipe])
        try:
            result = self.edit(home, *self.arguments(pipe))
        finally:
            writer.kill()
            writer.wait()
        assert result.returncode in (USAGE, FORBIDDEN), f"{result.returncode} {result.stderr.decode()}"
        assert content(path) == text and stat.S_ISFIFO(os.stat(pipe).st_mode), "the pipe is gone"


CHECKS = [Edits, EditsKilled, EditsFullDisk, EditsTogether, EditsAttributes]
