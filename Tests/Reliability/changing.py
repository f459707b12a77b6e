"""Checks with catalogs that change while they are open."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
import time

from check import Check, Sabotage
from terminal import Home, Session

BOOKS = 4000
# The numbers in a row must match: title and author of a book have the same ones.
ROW = re.compile(r"Tome (\d+)v(\d+)\s.*?Writer (\d+)v(\d+)\b")
SAID = (
    "changed on disk",
    "Reloaded",
    "no such file",
    "no books found",
    "Check its permissions",
    "cannot be read",
    "not readable",
    "permission",
    "The rest",
    "not valid JSON",
    "The file is",
    "is empty",
    "This catalog has no books",
    "stops being",
)


def catalog_of(version: int, count: int = BOOKS) -> bytes:
    books = (
        json.dumps(
            {
                "title": f"Tome {n}v{version}",
                "authors": [f"Writer {n}v{version}"],
                "pageCount": n,
                "description": f"Story {n}v{version} " + "x" * (version * 7 % 50),
            }
        )
        for n in range(1, count + 1)
    )
    return ("[" + ",\n".join(books) + "]").encode()


class Change:
    """Changes a file in one of several ways, and restores it."""

    def __init__(self, path: str, dice: random.Random):
        self.path = path
        self.dice = dice
        self.version = 1

    def apply(self) -> str:
        kind = self.dice.choice(["truncate", "overwrite", "replace", "append", "delete", "forbid", "empty", "touch"])
        self.restore()
        self.version += 1
        content = catalog_of(self.version, self.dice.choice([BOOKS, BOOKS // 2, BOOKS + 500]))
        if kind == "truncate":
            os.truncate(self.path, self.dice.randint(0, os.path.getsize(self.path)))
        elif kind == "overwrite":
            # Written in place while the program reads: for a moment half of the file is old.
            with open(self.path, "rb+") as file:
                file.write(content[: len(content) // 2])
                file.flush()
                time.sleep(0.005)
                file.write(content[len(content) // 2 :])
                file.truncate()
        elif kind == "replace":
            with open(self.path + ".new", "wb") as file:
                file.write(content)
            os.rename(self.path + ".new", self.path)
        elif kind == "append":
            with open(self.path, "ab") as file:
                file.write(content[: self.dice.randint(1, 3000)])
        elif kind == "delete":
            os.unlink(self.path)
        elif kind == "forbid":
            with open(self.path, "ab") as file:
                file.write(b" ")
            os.chmod(self.path, 0)
        elif kind == "empty":
            os.truncate(self.path, 0)
        else:
            os.utime(self.path)
        return kind

    def restore(self) -> None:
        if os.path.exists(self.path):
            os.chmod(self.path, 0o644)
        if not os.path.exists(self.path) or os.path.getsize(self.path) < 10_000:
            with open(self.path, "wb") as file:
                file.write(catalog_of(self.version))


class ChangedFiles(Check):
    name = "changed-files"
    is_short = True
    promise = "A catalog that changes while it is open does no harm: no crash, no wrong book, and a message"
    method = (
        "truncated, overwritten, replaced, appended to, deleted, emptied or made unreadable at random moments during "
        "scrolling and searching, as a user other than root"
    )
    sabotages = [
        Sabotage(
            "a program that shows a book with another's author",
            program=[
                sys.executable,
                "-c",
                "import sys\nprint('1/4,000\\r\\n Tome 1v1   Writer 2v1', flush=True)\nsys.stdin.read()",
            ],
        ),
        Sabotage(
            "a program that sends an unknown sequence",
            program=[
                sys.executable,
                "-c",
                "import sys\nprint('1/4,000\\r\\n Tome 1v1   Writer 1v1\\x1b[99y', flush=True)\nsys.stdin.read()",
            ],
        ),
    ]
    KEYS = [
        "j",
        "k",
        "\x06",
        "\x02",
        "G",
        "gg",
        "/tome\r",
        "/12",
        "\x1b",
        "\r",
        "h",
        "l",
        "sy",
        "st",
        "sl",
        "R",
        "R",
        "F",
        "\x1b",
        "2000G",
        "n",
        "St",
        "Sn",
        "L\r",
        "J",
        "t",
    ]

    def run(self) -> str:
        moments = self.lab.pick(24, 200, 4000)
        per_session = 12
        counts = {"said": 0, "rows": 0, "moments": 0}
        jobs = list(range(moments // per_session if not self.lab.sabotage.program else 1))

        def one(seed):
            dice = random.Random(seed)
            directory = os.path.join(self.lab.directory, f"changing-{seed}")
            os.makedirs(directory, exist_ok=True)
            path = directory + "/books.json"
            with open(path, "wb") as file:
                file.write(catalog_of(1))
            change = Change(path, dice)
            with Home() as home:
                os.chmod(home.path, 0o777)
                before = []
                program = self.lab.stacks
                if os.getuid() == 0:
                    # Root would ignore the file permissions.
                    before = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
                    program = self.lab.shared_program
                command = before + (self.lab.sabotage.program or [program]) + [path]
                with Session(command, home.environment, size=(24, 100)) as session:
                    session.wait_for("1/4,000")
                    # Books of another version may appear only after a reload.
                    self.look(session, counts, "")
                    for number in range(per_session):
                        for _ in range(dice.randint(0, 3)):
                            session.type(dice.choice(self.KEYS))
                            session.settle(0.015, 0.5)
                        kind = change.apply()
                        # Before the reload, the books stay the same and the message stays on the screen.
                        for key in [dice.choice([key for key in self.KEYS if key != "R"]), "", "j"]:
                            session.type(key)
                            session.settle(0.03, 1)
                            self.look(session, counts, kind)
                        counts["moments"] += 1
                        assert session.is_alive, f"{kind}: ended with {session.status}"
                        if kind != "touch":
                            self.expect_said(session, kind)
                            counts["said"] += 1
                        session.type("\x1b\x1b")
                        session.settle(0.06)
                        change.restore()
                        session.type("R")
                        session.settle(0.1, 3)
                        self.look(session, counts, kind)
                    for key in ("\x1b", "\x1b", "q"):
                        session.type(key)
                        session.settle(0.06)
                    session.wait_for_end()
                    assert session.status == 0, session.status
            shutil.rmtree(directory)

        done = self.lab.each(jobs, one)
        assert done == 0 or counts["rows"] > counts["moments"], f"hardly a row was seen: {counts}"
        return (
            f"{done * per_session} of {len(jobs) * per_session} changes survived, {counts['said']} reported, 0 of "
            f"{counts['rows']:,} checked rows wrong"
        )

    def look(self, session: Session, counts: dict, kind: str) -> None:
        if any(row[:2] != row[2:] for row in self.rows(session)):
            # On a slow machine only half of a frame may have arrived.
            session.settle(0.3, 3)
        for title, version, author, other in self.rows(session):
            counts["rows"] += 1
            assert (title, version) == (author, other), f"{kind}: Tome {title}v{version} by Writer {author}v{other}"

    def rows(self, session: Session) -> list[tuple[str, str, str, str]]:
        return [found for row in session.screen.display for found in ROW.findall(row)]

    def expect_said(self, session: Session, kind: str) -> None:
        """Waits until the message about the change, or the reloaded catalog, is on the screen."""
        end = time.monotonic() + 3
        while not any(text in session.text for text in SAID):
            # The message of a command may have replaced it; it belongs to the state of the catalog and returns.
            assert time.monotonic() < end, f"{kind}: nothing is said\n{session.text}"
            session.pump(0.05)


CHECKS = [ChangedFiles]
