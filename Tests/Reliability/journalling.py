"""Editing a catalog in the browser: each edit is in the journal before it is reported, and the file is written
only on demand."""

from __future__ import annotations

import collections
import json
import os
import random
import re
import signal
import subprocess
import time

from check import Check, Sabotage, Skipped, need, need_root
from editing import content
from terminal import PATIENCE, Gone, Home, Session

# Changes the title in the form: clears the field, types the title and saves.
RETITLE = "E\x15{}\r"
# Adds a book with a title after the current one; the first field of the form is the ISBN.
ADD = "A\r{}\r"
DOWN, SAVE = "\x1b[1;5B", "\x13"
UNSAVED = re.compile(r"· ([\d,]+) unsaved")
WRITING = (
    "openat",
    "write",
    "fsync",
    "rename",
    "flock",
    "ftruncate",
    "close",
    "copy_file_range",
    "sendfile",
    "fchmod",
    "fchown",
    "mkdir",
    "unlink",
    "pread64",
    "newfstatat",
)


def lines_of(titles: list[str]) -> bytes:
    """Returns the catalog of these books, one per line; only the original books have an author."""
    records = [{"title": title, "authors": [f"Author {title.split()[-1]}"]} for title in titles]
    for record in records:
        if record["title"].startswith("New"):
            del record["authors"]
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records).encode()


def titles_of(path: str) -> list[str]:
    return [json.loads(line)["title"] for line in content(path).splitlines()]


class JournalCheck(Check):
    """The base of the checks of unsaved edits."""

    promise = "A reported edit survives kill -9; the file has the old bytes or the new ones"
    COUNT = 5

    def catalog(self, home: Home, count: int = COUNT) -> str:
        path = home.path + "/books/catalog.jsonl"
        home.write(path, lines_of([f"Book {n}" for n in range(1, count + 1)]))
        return path

    def journal(self, home: Home) -> str:
        directory = home.path + "/state/stacks/edits"
        names = [name for name in os.listdir(directory) if name.endswith(".jsonl")] if os.path.isdir(directory) else []
        return f"{directory}/{names[0]}" if names else ""

    def start(self, home: Home, path: str, before=()) -> Session:
        return self.lab.session(home, before=before, catalog=path)

    def unsaved(self, session: Session) -> int:
        found = UNSAVED.search(session.row(0))
        return int(found[1].replace(",", "")) if found else 0

    def save(self, session: Session) -> None:
        session.type(SAVE)
        session.wait_for("Saved ", "No unsaved changes")
        session.wait_for("1/", "2/", "3/", "4/", "5/", "6/", "7/", "8/", "9/")

    def forget(self, session: Session, answer: str) -> None:
        """Goes to the first book, so that the previous message disappears."""
        session.type("gg")
        end = time.monotonic() + PATIENCE
        while session.shows(answer):
            assert time.monotonic() < end, f"{answer} stays"
            session.pump(0.05)

    def check_directory(self, path: str) -> None:
        names = os.listdir(os.path.dirname(path))
        assert names == [os.path.basename(path)], f"left over: {names}"


class EditsInBrowser(JournalCheck):
    name = "edits-in-browser"
    is_short = True
    method = (
        "kill -9 at system calls of edits and of a save in the browser, and at random moments; then a new start has "
        "every reported edit once, and saves exactly those"
    )
    sabotages = [
        Sabotage("rename() does nothing", injections=["rename:retval=0"]),
        Sabotage("the journal is deleted before the new start", word="journal"),
        Sabotage("the journal has one more edit", word="more"),
    ]
    # Keys, the message that follows, and the books afterwards.
    STEPS = [
        ("jX", "Deleted Book 2", ["Book 1", "Book 3", "Book 4", "Book 5"]),
        (DOWN, "Moved Book 3", ["Book 1", "Book 4", "Book 3", "Book 5"]),
        (RETITLE.format("Tome 3"), "Changed Book 3", ["Book 1", "Book 4", "Tome 3", "Book 5"]),
        (SAVE, "Saved ", ["Book 1", "Book 4", "Tome 3", "Book 5"]),
        (ADD.format("New 6"), "Added New 6", ["Book 1", "Book 4", "Tome 3", "New 6", "Book 5"]),
        (SAVE, "Saved ", ["Book 1", "Book 4", "Tome 3", "New 6", "Book 5"]),
    ]
    FIRST = [f"Book {n}" for n in range(1, JournalCheck.COUNT + 1)]

    def run(self) -> str:
        need("strace")
        self.answered = 0
        calls = self.calls()
        jobs = [(call, number) for call, (start, end) in calls.items() for number in range(start + 1, end + 1)]
        self.random().shuffle(jobs)
        count = self.lab.pick(36, 400, len(jobs))
        if self.lab.sabotage.what != "nothing":
            count = 6
        jobs = jobs[:count]
        done = self.lab.each(jobs, self.killed_at)
        moments = list(range(self.lab.pick(12, 150, 3000) if self.lab.sabotage.what == "nothing" else 3))
        done_moments = self.lab.each(moments, self.killed_some_time)
        return (
            f"{done} of {len(jobs)} kills at system calls and {done_moments} of {len(moments)} at random moments lost "
            f"nothing; {self.answered} answered edits were there once"
        )

    def calls(self) -> dict[str, tuple[int, int]]:
        """Counts each system call before the first edit, and up to the last one."""
        with Home() as home:
            path, log = self.catalog(home), home.path + "/log"
            before = ["/usr/bin/strace", "-f", "-qq", "-o", log, "--trace=" + ",".join(WRITING)]

            def count() -> collections.Counter:
                found = re.findall(r"^\d+ +(\w+)\(", content(log).decode(errors="replace"), re.MULTILINE)
                return collections.Counter(found)

            with Session([*before, self.lab.stacks, path], home.environment) as session:
                session.wait_for("1/5")
                session.settle()
                start = count()
                self.play(session)
                end = count()
        return {call: (start[call], end[call]) for call in WRITING if end[call] > start[call]}

    def play(self, session: Session) -> int:
        """Makes the edits; returns the number of those reported before the program was killed."""
        count = 0
        try:
            for keys, answer, _ in self.STEPS:
                session.type(keys)
                session.wait_for(answer)
                count += 1
                # The message of the same key appears again.
                session.type("\x0c")
                session.settle(0.02)
        except Gone as gone:
            # The last message may have arrived together with the end.
            return count + (1 if self.STEPS[count][1] in str(gone) else 0)
        return count

    def killed_at(self, job) -> None:
        call, number = job
        with Home() as home:
            path = self.catalog(home)
            before = [
                "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", f"--trace={call}",
                f"--inject={call}:signal=KILL:when={number}",
            ]
            with Session([*before, self.lab.stacks, path], home.environment) as session:
                try:
                    session.wait_for("1/5")
                except Gone:
                    self.check(home, path, 0)
                    return
                count = self.play(session)
            self.check(home, path, count)

    def killed_some_time(self, number: int) -> None:
        choose = random.Random(f"{self.name} {number}")
        with Home() as home:
            path = self.catalog(home)
            with Session([self.lab.stacks, path], home.environment) as session:
                session.wait_for("1/5")
                count = 0
                end = choose.randrange(len(self.STEPS))
                for keys, answer, _ in self.STEPS[:end]:
                    session.type(keys)
                    session.wait_for(answer)
                    count += 1
                session.type(self.STEPS[end][0])
                time.sleep(choose.random() * 0.02)
                os.kill(session.pid, signal.SIGKILL)
                session.wait_for_end()
            self.check(home, path, count)

    def check(self, home: Home, path: str, count: int) -> None:
        """The file and a new start have the reported edits, or one more."""
        states = [self.FIRST] + [books for _, _, books in self.STEPS]
        saves = [0] + [number + 1 for number, step in enumerate(self.STEPS) if step[0] == SAVE]
        possible = states[count : count + 2]
        on_disk = titles_of(path)
        saved = [number for number in saves if number <= count + 1]
        assert on_disk in [states[number] for number in saved[-2:]], f"after {count} answers the file has {on_disk}"
        assert content(path) == lines_of(on_disk), f"the file is torn: {content(path)!r}"
        if self.lab.sabotage.word == "journal" and self.journal(home):
            os.unlink(self.journal(home))
        if self.lab.sabotage.word == "more" and self.journal(home):
            record = json.dumps({"title": "New 7"})
            line = json.dumps({"edit": 99, "changes": [{"insert": [{"at": 0, "record": record}]}]})
            home.write(self.journal(home), content(self.journal(home)) + line.encode() + b"\n")
        with self.start(home, path) as session:
            session.wait_for(f"/{len(possible[0])}", f"/{len(possible[-1])}")
            session.settle()
            shown = [row[1:].strip(" ▌").split("  ")[0] for row in session.screen.display[2:8]]
            shown = [title for title in shown if re.match(r"(Book|Tome|New) \d", title)]
            assert shown in possible, f"after {count} answers a new start has {shown}, not one of {possible}"
            assert content(path) == lines_of(on_disk), "the start alone has written the file"
            assert (self.unsaved(session) > 0) == (shown != on_disk), f"{session.row(0)}: {shown} and {on_disk}"
            self.save(session)
            assert content(path) == lines_of(shown), f"^s wrote {content(path)!r} for {shown}"
            session.type("q")
            session.wait_for_end()
        self.check_directory(path)
        self.answered += count


class EditsInTwoBrowsers(JournalCheck):
    name = "edits-in-two-browsers"
    is_short = True
    promise = "Two instances that edit one catalog at the same time lose none of each other's edits"
    method = "random edits and saves of one file by two browsers and `stacks set`; at the end it has all edits"
    sabotages = [Sabotage("rename() does nothing", injections=["rename:retval=0"])]

    def run(self) -> str:
        jobs = list(range(self.lab.pick(3, 30, 400) if self.lab.sabotage.what == "nothing" else 2))
        self.edits = self.saves = 0
        done = self.lab.each(jobs, self.one)
        return f"{done} of {len(jobs)} rounds have all of {self.edits} edits, with {self.saves} saves between"

    def one(self, number: int) -> None:
        choose = random.Random(f"{self.name} {number}")
        with Home() as home:
            path = self.catalog(home, count=8)
            titles = {n: f"Book {n}" for n in range(1, 9)}
            pages: dict[int, int] = {}
            new = 0
            with self.start(home, path) as one, self.start(home, path) as other:
                sessions = [one, other]
                for session in sessions:
                    session.wait_for("1/8")
                for turn in range(self.lab.pick(14, 30, 60)):
                    session = choose.choice(sessions)
                    kind = choose.random()
                    if kind < 0.2:
                        session.type("\x0c" + SAVE)
                        session.wait_for("Saved ", "No unsaved changes")
                        self.saves += 1
                    elif kind < 0.35:
                        new += 1
                        session.type("\x0cG" + ADD.format(f"New {new + 100}"))
                        session.wait_for(f"Added New {new + 100}", "Another window changed")
                        self.edits += 1
                    elif kind < 0.5:
                        # From the command line the book is found by its author, which never changes.
                        book, pages_now = choose.randint(1, 8), choose.randint(1, 999)
                        query = f'author:"Author {book}"'
                        result = self.lab.output(home, "set", "--query", query, f"pages={pages_now}", "--catalog", path)
                        assert result.returncode == 0, f"{result.returncode} {result.stderr.decode()}"
                        pages[book] = pages_now
                        self.edits += 1
                    else:
                        book = choose.randint(1, 8)
                        titles[book] = f"Tome {turn} {book}"
                        session.type(f"\x0c{book}G" + RETITLE.format(titles[book]))
                        session.wait_for("Changed ", "Another window changed")
                        session.settle(0.02)
                        self.edits += 1
                for session in sessions:
                    session.type("\x0c" + SAVE)
                    session.wait_for("Saved ", "No unsaved changes")
                for session in sessions:
                    # Reload the books that the other process has saved.
                    session.type("R")
                    session.settle(0.1)
                    assert self.unsaved(session) == 0, session.text
                    session.type("q")
                    session.wait_for_end()
            records = [json.loads(line) for line in content(path).splitlines()]
            known = {int(record["authors"][0].split()[-1]): record for record in records if "authors" in record}
            assert {n: record["title"] for n, record in known.items()} == titles, f"{records}"
            now = {n: record.get("pageCount", record.get("pages")) for n, record in known.items() if n in pages}
            assert now == pages, f"{now} pages, not {pages}"
            added = sorted(record["title"] for record in records if "authors" not in record)
            assert added == sorted(f"New {n + 100}" for n in range(1, new + 1)), f"added: {added}"
            self.check_directory(path)


class DamagedJournal(JournalCheck):
    name = "damaged-journal"
    is_short = True
    promise = "A damaged journal of edits does no harm: no crash, and the file stays as it is until it is saved"
    method = (
        "cut, duplicated, lost and reordered lines, flipped bytes, zeros, other files; before a start and while the "
        "browser runs, which goes on to edit and to save"
    )
    sabotages = [
        Sabotage("a program that writes at the start", program=["/bin/sh", "-c", 'echo >> "$0"; echo 1/5; cat']),
        Sabotage("a program that ends", program=["/bin/false"]),
    ]

    def run(self) -> str:
        self.template_lines = self.lines()
        jobs = list(range(self.lab.pick(40, 400, 10000) if not self.lab.sabotage.program else 2))
        done = self.lab.each(jobs, self.one)
        open_jobs = list(range(self.lab.pick(8, 60, 1000) if not self.lab.sabotage.program else 0))
        done_open = self.lab.each(open_jobs, self.while_open)
        return (
            f"{done} of {len(jobs)} damaged journals at a start and {done_open} of {len(open_jobs)} under a running "
            "browser: no crash, nothing written unasked, and what was saved is a catalog"
        )

    def lines(self) -> list[bytes]:
        """Returns a journal with edits of all kinds, some of them saved. Its path and times are those of another
        catalog."""
        with Home() as home:
            path = self.catalog(home)
            with Session([self.lab.stacks, path], home.environment) as session:
                session.wait_for("1/5")
                keys = [
                    ("jX", "Deleted"), (ADD.format("New 6"), "Added"), (SAVE, "Saved"), (DOWN, "Moved"),
                    (RETITLE.format("Tome"), "Changed"), ("u", "Undone"), ("\x12", "Redone"), ("ggX", "Deleted"),
                    ("u", "Undone"),
                ]
                for key, answer in keys:
                    session.type(key)
                    session.wait_for(answer)
                    session.settle(0.03)
            return content(self.journal(home)).splitlines(keepends=True)

    def damaged(self, choose: random.Random, lines: list[bytes]) -> bytes:
        lines = list(lines)
        for _ in range(choose.randint(1, 3)):
            kind, place = choose.randrange(7), choose.randrange(len(lines))
            line = bytearray(lines[place])
            if kind == 0:
                lines.insert(choose.randint(0, len(lines)), bytes(line))
            elif kind == 1 and len(lines) > 1:
                del lines[place]
            elif kind == 2:
                lines[place] = bytes(line[: choose.randint(0, len(line))])
            elif kind == 3:
                for _ in range(choose.randint(1, 4)):
                    line[choose.randrange(len(line))] ^= 1 << choose.randrange(8)
                lines[place] = bytes(line)
            elif kind == 4:
                choose.shuffle(lines)
            elif kind == 5:
                # Other numbers, as positions, steps or sizes.
                numbers = [b"0", b"7", b"-1", b"9223372036854775807", b"99999999999999999999", b"1.5", b"null"]
                count = choose.randint(1, 3)
                lines[place] = re.sub(rb"\d+", lambda _: choose.choice(numbers), bytes(line), count=count)
            else:
                lines[place] = choose.choice([b"\0" * 50, b"\xff\xfe\n", b"[" * 500 + b"\n", b"{}\n", b"null\n"])
        whole = b"".join(lines)
        return whole[: choose.randint(0, len(whole))] if choose.random() < 0.2 else whole

    def one(self, number: int) -> None:
        choose = random.Random(f"{self.name} {number}")
        with Home() as home:
            path = self.catalog(home)
            # The first edit determines the name of the journal.
            with Session([self.lab.stacks, path], home.environment) as session:
                session.wait_for("1/5")
                session.type("X")
                session.wait_for("Deleted")
            old = content(path)
            journal = self.journal(home)
            home.write(journal, self.damaged(choose, self.template_lines))
            said = content(journal)
            try:
                with self.start(home, path) as session:
                    session.wait_for("1/", "No books", "no books")
                    session.type("jjk")
                    session.settle(0.03)
                    assert session.is_alive, f"it ended with {session.status}"
                    assert content(path) == old, "the file was written without ^s"
                    session.type("X")
                    session.settle(0.05)
                    session.type(SAVE)
                    session.settle(0.1)
                    assert session.is_alive, f"it ended with {session.status}"
                    # Conflicts are left unresolved.
                    for key in ("\x1b", "\x1b", "q"):
                        session.type(key)
                        session.settle(0.06)
                    session.wait_for_end()
                    assert session.status == 0, f"it ended with {session.status}"
            except (AssertionError, Gone) as error:
                raise AssertionError(f"{error}\njournal: {said!r}") from error
            for line in content(path).splitlines():
                assert isinstance(json.loads(line), dict), f"{line!r} is in the catalog; the journal: {said!r}"
            self.check_directory(path)

    def while_open(self, number: int) -> None:
        """The browser keeps its edits, and later edits are saved in the journal again."""
        choose = random.Random(f"{self.name} open {number}")
        with Home() as home:
            path = self.catalog(home)
            with self.start(home, path) as session:
                session.wait_for("1/5")
                session.type("X")
                session.wait_for("Deleted Book 1")
                session.type(ADD.format("New 6"))
                session.wait_for("Added New 6")
                journal = self.journal(home)
                if number % 4 == 0:
                    os.unlink(journal)
                else:
                    home.write(journal, self.damaged(choose, content(journal).splitlines(keepends=True)))
                session.type("GX")
                session.wait_for("Deleted Book 5")
                session.settle(0.05)
                os.kill(session.pid, signal.SIGKILL)
                session.wait_for_end()
            expected = ["Book 2", "New 6", "Book 3", "Book 4"]
            said = content(journal)
            with self.start(home, path) as session:
                session.wait_for("1/4", "4/4", "3/4")
                self.save(session)
                session.type("q")
                session.wait_for_end()
            assert content(path) == lines_of(expected), f"{content(path)!r}; the journal: {said!r}"


class EditsWithoutSpace(JournalCheck):
    name = "edits-without-space"
    is_short = True
    promise = "If an edit cannot be saved in the journal, it is not made, and stacks says why"
    method = "a tmpfs of 64 kB for the journal fills up during edits, and then has space again; one for the catalog"
    sabotages = [Sabotage("ftruncate() does nothing", injections=["ftruncate:retval=0"])]

    def run(self) -> str:
        need_root()
        with Home() as home:
            path = self.catalog(home)
            old = content(path)
            state = home.path + "/state"
            os.makedirs(state)
            mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", state], capture_output=True)
            if mount.returncode != 0:
                raise Skipped("a tmpfs cannot be mounted")
            try:
                figure = self.fill(home, path, state, old)
            finally:
                subprocess.run(["umount", "-l", state])
        return figure + self.full_catalog()

    def fill(self, home: Home, path: str, state: str, old: bytes) -> str:
        made = 0
        with self.start(home, path) as session:
            session.wait_for("1/5")
            home.write(state + "/ballast", b"x" * (40 << 10))
            title = ""
            for number in range(1000):
                title = f"{number} " + "y" * 600
                session.type("\x0c" + RETITLE.format(title))
                if session.wait_for("Changed ", "o space left") != "Changed ":
                    break
                made += 1
                self.forget(session, "Changed ")
            assert 2 < made < 900, f"{made} edits until the disk was full"
            assert content(path) == old, "the file was written"
            lines = content(self.journal(home)).split(b"\n")
            assert lines.pop() == b"", "the journal's last line is torn"
            assert all(json.loads(line) for line in lines), "a line of the journal is torn"
            # The form is still open; once there is space, the change can be made.
            os.unlink(state + "/ballast")
            session.type("\r")
            session.wait_for("Changed ")
            os.kill(session.pid, signal.SIGKILL)
            session.wait_for_end()
        with self.start(home, path) as session:
            session.wait_for("1 unsaved")
            self.save(session)
        assert titles_of(path)[0] == title, f"{titles_of(path)[0][:9]} is the title, not {title[:9]}"
        return f"{made} edits until it was full, the next one refused with the cause and made when there was space"

    def full_catalog(self) -> str:
        """The journal keeps the edits for which the catalog's disk has no space."""
        with Home() as home:
            books = home.path + "/books"
            os.makedirs(books)
            mount = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", books]
            if subprocess.run(mount, capture_output=True).returncode != 0:
                raise Skipped("a tmpfs cannot be mounted")
            try:
                path = self.catalog(home, count=1200)
                old = content(path)
                assert len(old) > 48 << 10, "the catalog fits twice"
                with self.start(home, path) as session:
                    session.wait_for("1/1,200")
                    # The last rows are there a moment before the catalog is read to its end.
                    session.settle(quiet=0.5)
                    session.type("X")
                    session.wait_for("Deleted Book 1")
                    session.type(SAVE)
                    session.wait_for("o space left")
                    assert content(path) == old, "it was changed"
                    self.check_directory(path)
                    assert self.unsaved(session) == 1, session.row(0)
                    os.kill(session.pid, signal.SIGKILL)
                    session.wait_for_end()
                subprocess.run(["mount", "-o", "remount,size=400k", books], check=True)
                with self.start(home, path) as session:
                    session.wait_for("1 unsaved")
                    session.type(SAVE)
                    session.wait_for("Saved ")
                assert content(path) == old.partition(b"\n")[2], "it was not saved"
            finally:
                subprocess.run(["umount", "-l", books])
        return "; a catalog that has no room keeps its bytes, and its edits in the journal"


class EditsRefused(JournalCheck):
    name = "edits-refused"
    is_short = True
    promise = "A catalog that cannot be edited is reported at the first command, before anything is typed"
    method = (
        "`A`, `E`, `X`, `^x ^e` and `^Down` on a read-only file, in a read-only directory, with hard links, of another "
        "user, from a pipe"
    )
    sabotages = [Sabotage("everything is writable", word="writable")]
    KEYS = ("A", "E", "X", "\x18\x05", DOWN)
    CASES = {
        "file": "is read-only. Export a copy",
        "directory": "its directory is read-only",
        "links": "has other names (hard links)",
        "owner": "belongs to another user or group",
        "pipe": "Read-only format",
    }

    def run(self) -> str:
        need_root()
        jobs = [(kind, key) for kind in self.CASES for key in self.KEYS]
        if self.lab.sabotage.word:
            jobs = jobs[:1]
        done = self.lab.each(jobs, self.one)
        return f"{done} of {len(jobs)} keys were answered with the reason, and nothing was written"

    def one(self, job) -> None:
        kind, key = job
        with Home() as home:
            path = self.catalog(home)
            directory = os.path.dirname(path)
            # Root would ignore the file permissions.
            command = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", self.lab.shared_program]
            for name in (home.path, directory, path):
                os.chown(name, 65534, 65534)
            if not self.lab.sabotage.word:
                if kind == "file":
                    os.chmod(path, 0o444)
                elif kind == "directory":
                    os.chmod(directory, 0o555)
                elif kind == "owner":
                    # It may be written to, but its copy would belong to who writes it.
                    os.chown(path, 1234, 65534)
                    os.chmod(path, 0o664)
            if kind == "links":
                os.link(path, home.path + "/other.jsonl")
            command = [*command, path]
            if kind == "pipe":
                command = ["/bin/sh", "-c", 'cat "$0" | "$@" -', path, *command[:-1]]
            old = content(path)
            with Session(command, home.environment) as session:
                session.wait_for("1/5")
                session.type(key)
                session.wait_for(self.CASES[kind], seconds=5)
                assert not session.shows("─ Edit ") and not session.shows("─ Add "), "a form was opened all the same"
                assert self.unsaved(session) == 0, session.row(0)
                session.type("q")
                session.wait_for_end()
            assert content(path) == old and not self.journal(home), "something was written"


CHECKS = [EditsRefused, EditsInBrowser, EditsInTwoBrowsers, DamagedJournal, EditsWithoutSpace]
