"""Changing a catalog from the command line: nothing else in it changes, and it is saved whole or not at all."""

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

# The keys of each field in the native profile, the first one with a value counts.
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
SPACE = re.compile(r"[ \t\r\n]*")
# Values that a careless writer spoils.
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
DATA = "/work/shared/data"
FOUND, NOT_FOUND, USAGE, BAD_DATA, CANNOT_WRITE, CHANGED, FORBIDDEN = 0, 1, 64, 65, 74, 75, 77


# MARK: Reading records independently of the program


def read(field: str, record: dict):
    """The value of a field: text, number, or list of words; None if there is none."""
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
    """Each member of an object: its key, and how the key and the value are spelled."""
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
    """How many characters at the start and at the end are the same."""
    start = len(os.path.commonprefix([one, other]))
    end = len(os.path.commonprefix([one[start:][::-1], other[start:][::-1]]))
    return start + end


def isbn(number: int) -> str:
    """A valid ISBN-13."""
    digits = f"978{number:09d}"
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(digits))
    return digits + str(-total % 10)


# MARK: Random catalogs


@dataclass
class Text:
    """A catalog as text: its items, and what stands around and between them. Bytes that are no UTF-8 are surrogates."""

    start: str
    items: list[str]
    gaps: list[str]
    end: str
    is_lines: bool
    # Whether the white space between all items is the same.
    is_regular: bool = True

    def whole(self) -> str:
        between = self.gaps + [""]
        return self.start + "".join(item + gap for item, gap in zip(self.items, between)) + self.end

    def bytes(self) -> bytes:
        return self.whole().encode("utf-8", "surrogateescape")

    def record(self, number: int) -> dict | None:
        """The record of an item; None if it is none."""
        try:
            value = json.loads(self.items[number], strict=False)
        except ValueError:
            return None
        return value if isinstance(value, dict) and read("title", value) else None

    def books(self) -> list[int]:
        return [number for number in range(len(self.items)) if self.record(number)]


class Author:
    """Makes random catalogs, commands and values."""

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
        """A record as a list of members, which may have keys more than once."""
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
            # The last one is in effect.
            key, value = choose.choice(found)
            old = f"{value} before" if key == "title" else value
            found.insert(choose.randrange(1 + [name for name, _ in found].index(key)), (key, old))
        return found

    def text(self) -> Text:
        """A catalog in a random layout."""
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
    """A value that is written as it is here."""


class Speller:
    """Writes values in one of the ways in which other programs do."""

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
    """What the checks of the editing commands share."""

    promise = "Editing changes what was asked for and not one byte more"

    def edit(self, home: Home, *arguments: str, before=(), **options) -> subprocess.CompletedProcess:
        environment = dict(home.environment, **self.lab.sabotage.environment)
        command = self.lab.command(*arguments, before=before)
        streams = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": 60}
        return subprocess.run(command, env=environment, **dict(streams, **options))

    def check_sentence(self, result: subprocess.CompletedProcess, path: str) -> None:
        """One sentence that names the file."""
        said = result.stderr.decode(errors="replace")
        assert said.count("\n") == 1 and said.endswith(".\n"), f"not one sentence: {said!r}"
        assert path in said, f"it does not name the file: {said!r}"


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
        Sabotage("a number beside the value is respelled", word="number"),
        Sabotage("a space is added between two books", word="space"),
        Sabotage("the difference lacks its last line", word="difference"),
    ]

    def run(self) -> str:
        need("patch")
        count = self.lab.pick(150, 1500, 10000)
        self.commands = self.refusals = self.undone = 0
        jobs = list(range(12 if self.lab.sabotage.what != "nothing" else count))
        done = self.lab.each(jobs, self.script)
        files = self.data_files()
        done_files = self.lab.each(files, self.edit_data)
        assert self.refusals < self.commands / 10, f"{self.refusals} of {self.commands} were refused"
        return (
            f"{done} of {len(jobs)} scripts with {self.commands:,} commands as the model has it, byte for byte; "
            f"{self.refusals} values refused, {self.undone} set back to the same bytes; "
            f"{done_files} of {len(files)} other catalogs"
        )

    def script(self, number: int) -> None:
        """One catalog, and some commands on it."""
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
                    kept = os.path.join("/tmp", f"edits-{number}.json")
                    shutil.copy(path, kept)
                    raise AssertionError(f"{error}\n{script.last}\nbefore: {script.text.whole()[:1500]!r}\n"
                                         f"now:    {content(path)[:1500]!r}") from error

    # MARK: Other catalogs

    def data_files(self) -> list[str]:
        """Catalogs that other programs made, if they are here."""
        found = []
        for directory, _, names in os.walk(self.lab.data or DATA):
            for name in names:
                path = os.path.join(directory, name)
                if name.endswith((".json", ".jsonl", ".ndjson")) and os.path.getsize(path) < 600_000:
                    found.append(path)
        found = sorted(path for path in found if "jsontestsuite" not in path)
        return found if self.lab.sabotage.what == "nothing" else []

    def edit_data(self, source: str) -> None:
        """Sets a field of some books and sets it back; all else of the catalog and of its books stays."""
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
                    [("title", "title", "A new title"), ("pageCount", "pageCount", 4321), ("publisher", "publisher", "P")]
                )
                old = content(path)
                result = self.edit(home, "set", book["id"], f"{field}={values}", "--catalog", path)
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
                    ignored = {"id"} if index == number else set()
                    for name in set(expected) | set(other):
                        if name not in ignored:
                            assert expected.get(name) == other.get(name), f"{field} of {number}: {name} of {index}"
                length = same_ends(old.decode("latin-1"), new.decode("latin-1"))
                assert len(old) - length < 2000 + 6 * len(str(book.get(key))), f"{len(old) - length} bytes changed"
                if book.get(key) and "\0" not in str(book[key]):
                    identity = now[number]["id"]
                    result = self.edit(home, "set", identity, f"{field}={book[key]}", "--catalog", path)
                    assert result.returncode == 0, f"back: {result.returncode} {result.stderr.decode()}"
                    if content(path) != old:
                        # An escape that was there once is not known any more.
                        assert self.books(home, path) == books, f"{field} set back: {book[key]!r}"
                    else:
                        self.undone += 1
                else:
                    home.write(path, old)

    def books(self, home: Home, path: str) -> list[dict]:
        result = self.edit(home, "search", "", path, "--format", "json")
        return json.loads(result.stdout) if result.returncode == 0 else []


class Script:
    """Commands on one catalog, each compared with the model."""

    def __init__(self, check: Edits, author: Author, text: Text, home: Home, path: str):
        self.check, self.author, self.text, self.home, self.path = check, author, text, home, path
        self.random = author.random
        self.last: list[str] = []

    # MARK: Running

    def name(self, number: int) -> str:
        """What a book is called on the command line: its ISBN or its id."""
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
        """The old file with a difference applied."""
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
        """An argument that changes a field, and the value that the field has then."""
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
        """Changes fields of one book, or one field of several in the same way."""
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
        """Sets a value that is there to another and back: the same bytes, unless they were spelled in a way of their own."""
        number = self.random.choice(self.text.books())
        record = self.text.record(number)
        fields = [field for field in KEYS if read(field, record) is not None]
        field = self.random.choice(fields)
        old, bytes_before = read(field, record), self.text.bytes()
        is_word = any(isinstance(record.get(key), str) for key in KEYS[field])
        if field in LISTS and (is_word or len(set(old)) < len(old)):
            # One word may be a list of one word now.
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
        """Runs `set`, and looks at the records with these numbers."""
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

    def compare(self, old: str, new: str, goal: dict) -> None:
        """The fields of `goal` have its values, and all other members their spelling."""
        one, other = json.loads(old, strict=False), json.loads(new, strict=False)
        for field in KEYS:
            expected = goal[field] if field in goal else read(field, one)
            assert read(field, other) == expected, f"{field} is {read(field, other)!r}, and should be {expected!r}"
        keys = {key for field in goal for key in KEYS[field]}
        before, after = members(old), members(new)
        kept = [member for member in before if member[0] not in keys]
        assert [member for member in after if member[0] not in keys] == kept, "another member is spelled otherwise"
        if [name for _, name, _ in before] == [name for _, name, _ in after]:
            assert self.frame(old, keys) == self.frame(new, keys), "white space in the record has changed"
        elif len(goal) == 1 and abs(len(before) - len(after)) == 1:
            same = same_ends(old, new)
            assert same >= min(len(old), len(new)) or kept != before and len(before) == len(after), "more has changed"
        if len(goal) == 1 and not any(space in old for space in "\n") and "\n" not in old:
            assert "\n" not in new, "a record on one line has several now"

    def frame(self, text: str, keys: set[str]) -> str:
        """A record without the values of some keys."""
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
        """The items of the file now; all but the touched ones, and what stands between them, must be as given.

        A gap of None may be any that was there."""
        now = content(self.path).decode("utf-8", "surrogateescape")
        decoder = json.JSONDecoder(strict=False)
        known = set(self.text.gaps)
        assert now.startswith(self.text.start), "the start of the file has changed"
        position = len(self.text.start)
        if not self.text.is_regular:
            # What stood between two items may be left at either end.
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
        """Compares the file with the items in another order; -1 is a new one."""
        items = [self.text.items[number] if number >= 0 else "" for number in order]
        gaps: list = []
        for one, other in zip(order, order[1:]):
            gaps.append(self.text.gaps[one] if one >= 0 and other == one + 1 else None)
        new = {index for index, number in enumerate(order) if number < 0}
        changed = {index for index, number in enumerate(order) if number in (touched or {})}
        self.text.items = self.located(items, gaps, new | changed)
        self.text.gaps = gaps

    def add(self) -> None:
        """Adds a book behind the last one."""
        fields = ["title"] + self.random.sample([field for field in KEYS if field != "title"], 3)
        values = {field: self.author.value(field) for field in fields}
        arguments = [f"{f}={';'.join(v) if f in LISTS else v}" for f, v in values.items()]
        status = self.execute("add", *arguments)
        if status == BAD_DATA:
            self.check.refusals += 1
            return
        assert status == FOUND, f"exit status {status}"
        order = list(range(len(self.text.items)))
        # In lines it comes behind the last book, and something else may follow.
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
        """The numbers of what the program takes as a book: each object."""
        return [n for n, item in enumerate(self.text.items) if item.startswith("{") and item.endswith("}")]

    def movable(self) -> list[int]:
        """The numbers of books that may go elsewhere. A file that begins with a damaged line is no catalog."""
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
            # Only what is no book stands in between.
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
        goal = {}
        for number in others:
            other = self.text.record(number)
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
        self.compare(old, self.text.items[order.index(first)], goal)

    def misuse(self) -> None:
        """What does not fit is refused, and nothing is written."""
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


CHECKS = [Edits]
