"""Undo of edits of a catalog: whatever was saved in between, undoing everything gives the first bytes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from dataclasses import dataclass

from check import Sabotage
from editing import content, isbn
from journalling import DOWN, SAVE, JournalCheck
from terminal import PATIENCE, Home, Session

UP = "\x1b[1;5A"
NOTHING_TO_UNDO, NOTHING_TO_REDO = "Nothing to undo", "Nothing to redo"
# The messages with which edits in the browser are reported.
ANSWERS = ("Deleted ", "Moved ", "Changed ", "Added ", "Saved ", "No unsaved changes", "already")


def book(number: int) -> str:
    return json.dumps({"title": f"Book {number}", "authors": ["A B"], "isbn": isbn(number)}, separators=(",", ":"))


@dataclass
class Layout:
    """A catalog in a layout of another program."""

    name: str
    text: str
    is_lines: bool = False
    # Whether books can be added, deleted and moved.
    is_list: bool = True
    # The number of books at the start that stay, because the file would be no catalog without them.
    kept: int = 0


ONE, TWO, THREE, FOUR = (book(number) for number in range(1, 5))
LAYOUTS = [
    Layout("pretty", f"[\n  {ONE},\n  {TWO},\n  {THREE},\n  {FOUR}\n]\n"),
    Layout("minified", f"[{ONE},{TWO},{THREE},{FOUR}]"),
    Layout("uneven separators", f"[{ONE}\n,\n{TWO} , {THREE},\n\n {FOUR} ]"),
    Layout("lines with blank ones", f"\n{ONE}\n\n{TWO}  \n\n\n{THREE}\n{FOUR}", is_lines=True),
    Layout("CR LF", f"[\r\n\t{ONE},\r\n\t{TWO},\r\n\r\n\t{THREE}\r\n]\r\n"),
    Layout("BOM", f"\ufeff[ {ONE}, {TWO},\n{THREE}]\n"),
    Layout("one book", f"[\n {ONE}\n]\n"),
    Layout("nested list", f'{{"v":1.0,"shelves":[{{"books":[ {ONE},{TWO} ]}},{{"books":[{THREE},\n{FOUR}]}}]}}', kept=1),
    Layout("members", f'{{"books":{{"a": {ONE}, "b" : {TWO},"c":{THREE}}}}}', is_list=False),
]


class EditsUndone(JournalCheck):
    name = "edits-undone"
    is_short = True
    promise = "Undoing everything restores the same bytes, also after saves and restarts; redoing gives the saved bytes"
    method = (
        "random edits, merges and saves in the browser, restarts, kill -9 and commands in nine layouts; then everything is "
        "undone and saved, redone and saved"
    )
    sabotages = [
        Sabotage("the journal lacks the text around records", word="around"),
        Sabotage("the journal is deleted before everything is undone", word="journal"),
        Sabotage("a space is added at the end of the file", word="space"),
    ]

    def run(self) -> str:
        self.edits = self.saves = self.kills = self.commands = 0
        count = self.lab.pick(18, 200, 2000)
        jobs = list(range(count if self.lab.sabotage.what == "nothing" else 9))
        done = self.lab.each(jobs, self.session)
        return (
            f"{done} of {len(jobs)} sessions with {self.edits} edits, {self.commands} commands, {self.saves} saves and "
            f"{self.kills} kills were undone to the first bytes, and redone to the saved ones"
        )

    def session(self, number: int) -> None:
        layout = LAYOUTS[number % len(LAYOUTS)]
        with Home() as home:
            path = home.path + "/books/catalog.json" + ("l" if layout.is_lines else "")
            first = layout.text.encode()
            home.write(path, first)
            walk = Walk(self, layout, home, path, random.Random(f"{self.name} {number}"))
            try:
                walk.go()
                last = content(path)
                self.damage(home, path)
                self.reverse(home, path, "u", NOTHING_TO_UNDO)
                now = content(path)
                assert now == first, f"undone:\n{first!r}, and it is\n{now!r}"
                self.reverse(home, path, "\x12", NOTHING_TO_REDO)
                now = content(path)
                assert now == last, f"redone:\n{last!r}, and it is\n{now!r}"
                self.check_directory(path)
            except Exception as error:
                raise AssertionError(f"{layout.name}, {walk.log}: {error}") from error

    def damage(self, home: Home, path: str) -> None:
        word, journal = self.lab.sabotage.word, self.journal(home)
        if word == "journal" and journal:
            os.unlink(journal)
        if word == "around" and journal:
            text = content(journal)
            for key in (b'"before":', b'"joined":'):
                text = text.replace(key, b'"x":')
            home.write(journal, text)
        if word == "space":
            home.write(path, content(path) + b" ")

    def reverse(self, home: Home, path: str, key: str, end: str) -> None:
        """Undoes or redoes everything, and saves it."""
        with self.start(home, path) as session:
            session.wait_for("Book", "New", "Tome", "No books", "0/0")
            session.settle()
            for _ in range(100):
                session.type(key)
                session.settle()
                if session.shows(end):
                    break
            else:
                raise AssertionError(f"waited for {end}, and the window shows\n{session.text}")
            self.save_all(session)
            session.type("q")
            session.wait_for_end()

    def save_all(self, session: Session) -> None:
        session.type(SAVE)
        session.wait_for("Saved ", "No unsaved changes")
        deadline = time.monotonic() + PATIENCE
        while self.unsaved(session):
            assert time.monotonic() < deadline, f"it is not saved:\n{session.text}"
            session.pump(0.05)


class Walk:
    """A random session: several starts of the browser with edits, and commands between them."""

    def __init__(self, check: EditsUndone, layout: Layout, home: Home, path: str, choose: random.Random):
        self.check, self.layout, self.home, self.path, self.random = check, layout, home, path, choose
        self.log: list[str] = []
        self.count = 10

    def go(self) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.browse()
            if self.random.random() < 0.6:
                self.command()
        with self.check.start(self.home, self.path) as session:
            session.settle()
            self.check.save_all(session)

    def titles(self) -> list[str]:
        command = [self.check.lab.stacks, "search", "", self.path, "--format", "json"]
        result = subprocess.run(command, env=self.home.environment, capture_output=True, timeout=60)
        return [book["title"] for book in json.loads(result.stdout or b"[]")]

    # MARK: In the browser

    def browse(self) -> None:
        """Makes some edits in the browser, which then saves them, or quits, or is killed."""
        size = len(self.titles())
        with self.check.start(self.home, self.path) as session:
            session.wait_for(f"/{size}", "No books")
            session.settle()
            for _ in range(self.random.randint(1, 4)):
                size = self.edit(session, size)
            end = self.random.choice(["save", "quit", "kill"])
            self.log.append(end)
            if end == "save":
                self.check.saves += 1
                self.check.save_all(session)
            if end == "kill":
                self.check.kills += 1
                os.kill(session.pid, signal.SIGKILL)
            else:
                session.type("q")
            session.wait_for_end()

    def edit(self, session: Session, size: int) -> int:
        """Makes an edit; returns the number of books afterwards."""
        kept = self.layout.kept
        row = self.random.randint(kept + 1, size) if size > kept else 0
        kinds = ["change"] if row else []
        if self.layout.is_list:
            kinds += ["add", "merge"] + (["delete", "delete", "up", "down"] if row else [])
        if not kinds or self.random.random() < 0.2:
            self.log.append("^s")
            self.check.saves += 1
            self.check.save_all(session)
            return size
        kind = self.random.choice(kinds)
        # Nothing is above the first book, or below the last one.
        if kind == "up" and row <= kept + 1 or kind == "down" and row == size:
            return size
        self.count += 1
        self.check.edits += 1
        self.log.append(f"{kind} {row}")
        session.type(f"gg{'j' * (row - 1)}" if row else "gg")
        session.settle()
        if kind == "merge":
            return self.merge(session, size)
        # The form begins with the ISBN if a book is added.
        keys = {
            "change": f"E\x1b[B\x15Tome {self.count}\r",
            "add": f"A\r\x15New {self.count}\r",
            "delete": "X",
            "up": UP,
            "down": DOWN,
        }
        session.type(keys[kind])
        session.wait_for(*ANSWERS)
        session.settle()
        return size + {"add": 1, "delete": -1}.get(kind, 0)

    def merge(self, session: Session, size: int) -> int:
        """Adds a book twice, the second one a favourite, and merges both; returns the number of books afterwards."""
        for _ in range(2):
            session.type(f"A\r\x15Twin {self.count}\r")
            session.wait_for(*ANSWERS)
            session.settle()
        session.type("t")
        session.settle()
        session.type("gD")
        session.wait_for("no. ")
        session.settle()
        session.type("\r")
        session.wait_for("Merged 2 books")
        session.settle()
        session.type("\x1b")
        session.settle()
        return size + 1

    # MARK: Commands

    def command(self) -> None:
        """Runs a command. Beside unsaved edits, which it would not know, it only changes a field."""
        books = [title for title in self.titles()]
        names = [number for number in range(1, 5) if f"Book {number}" in books[self.layout.kept :]]
        if not names:
            return
        one = self.random.choice(names)
        rest = [number for number in names if number != one]
        pages = ["set", isbn(one), f"pages={self.random.randint(1, 900)}"]
        choices = [pages]
        if self.layout.is_list:
            with self.check.start(self.home, self.path) as session:
                session.settle()
                self.check.save_all(session)
            choices += [["delete", isbn(one)], ["add", f"title=New {self.count}", "authors=C D"]]
            if rest:
                other = isbn(self.random.choice(rest))
                choices += [["move", isbn(one), "--before", other], ["move", isbn(one), "--after", other]]
                choices += [["merge", isbn(one), other], ["sort", "title"], ["sort", "-title"]]
        arguments = self.random.choice(choices)
        self.count += 1
        self.check.commands += 1
        self.log.append(" ".join(arguments))
        where = [self.path] if arguments[0] == "sort" else []
        where = [arguments[0], *where, *arguments[1:]] + ([] if where else ["--catalog", self.path])
        result = subprocess.run(
            [self.check.lab.stacks, *where], env=self.home.environment, capture_output=True, timeout=60
        )
        # Several lists cannot be sorted.
        assert result.returncode in (0, 65), f"{where}: {result.returncode} {result.stderr.decode()}"


CHECKS = [EditsUndone]
