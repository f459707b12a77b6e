"""Changes that were reported as saved survive kills, errors, full disks, read-only directories and other instances."""

from __future__ import annotations

import collections
import json
import os
import shutil
import stat
import subprocess
import time

from check import ACKNOWLEDGED, BOOKS, NOT_SAVED, Check, Sabotage, Skipped, Size, need, need_root
from terminal import Gone, Home, Session

# Each is tested separately, because strace counts the calls by name.
SAVING_CALLS = [
    "openat",
    "write",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "ftruncate",
    "flock",
    "close",
    "unlink",
    "fchmod",
    "mkdir",
    "readlink",
    "lseek",
]
READING_CALLS = ["read", "pread64", "newfstatat", "fstat", "access", "mmap", "futex", "poll", "rt_sigaction", "ioctl"]
ERRORS = ["EIO", "ENOSPC", "EDQUOT", "EROFS"]
SAVED = "A favourite, once shown as saved, survives"


def lose_a_line(home: Home) -> None:
    """Simulates a journal that was not written: removes its last line."""
    with open(home.history, "rb+") as file:
        content = file.read()
        file.truncate(content.rstrip(b"\n").rfind(b"\n") + 1)
    if os.path.exists(home.snapshot):
        os.unlink(home.snapshot)


def tear_the_snapshot(home: Home) -> None:
    for path in (home.snapshot, home.preferences):
        if os.path.exists(path):
            os.truncate(path, os.path.getsize(path) // 2)


class SavingCheck(Check):
    promise = SAVED

    # MARK: Looking at what was left

    def look_at(self, home: Home, allowed: set[frozenset]) -> frozenset:
        """Starts the program again: nothing is torn, one of the allowed states is shown, and there are no
        temporary files."""
        if self.lab.sabotage.damage:
            self.lab.sabotage.damage(home)
        with Session([self.lab.stacks, self.lab.catalog], home.environment) as session:
            session.wait_for("★ Book 2")
            rows = session.screen.display
            shown = frozenset(
                title
                for title in (f"Book {n}" for n in range(1, BOOKS + 1))
                if any("★ " + title in row for row in rows)
            )
            status = session.row(-2)
            # Check before the program saves again, which would replace the leftovers.
            self.check_nothing_left(home)
            session.type("q")
            session.wait_for_end()
        assert shown in allowed, f"{sorted(shown)} is shown, and allowed is {[sorted(a) for a in allowed]}"
        for word in ("damaged", "cannot be read", "missing"):
            assert word not in status, f"the next start says: {status}"
        self.check_nothing_left(home)
        self.check_whole(home)
        return shown

    def check_nothing_left(self, home: Home) -> None:
        left = [name for name in home.files() if name.endswith(".tmp") or ".bad-" in name]
        assert not left, f"left over: {left}"

    def check_whole(self, home: Home) -> None:
        for path in (home.snapshot, home.preferences):
            if os.path.exists(path):
                with open(path) as file:
                    json.load(file)
        with open(home.history, "rb") as file:
            lines = file.read().split(b"\n")
        torn = 0
        for line in lines:
            try:
                if line:
                    json.loads(line)
            except ValueError:
                torn += 1
        # A torn line was never reported as saved; it is on a line of its own and damages no other.
        assert torn <= 1, f"{torn} lines of the history are torn"

    # MARK: Walking the calls

    def traced(self, call: str, inject: str | None, paths=(), log="/dev/null") -> list[str]:
        options = [f"--trace-path={path}" for path in paths] + [f"--trace={call}"]
        return self.lab.strace(*options, *([f"--inject={call}:{inject}"] if inject else []), log=log)

    def calls_of_a_thread(self, log: str, call: str) -> int:
        """Returns the largest number of these calls by one thread, as strace counts them by thread."""
        with open(log) as file:
            counts = collections.Counter(line.split()[0] for line in file if f" {call}(" in line)
        return max(counts.values(), default=0)


class Kills(SavingCheck):
    name = "kills"
    promise = SAVED + " kill -9"
    method = (
        "`strace` kills the program at each system call of a run that saves a favourite, the position and the "
        "snapshot"
    )
    sabotages = [
        Sabotage("the journal lacks its last line afterwards", damage=lose_a_line),
        Sabotage("preferences and snapshot are torn afterwards", damage=tear_the_snapshot),
    ]

    def run_once(self, home: Home, before=()) -> bool:
        """Makes Book 1 a favourite, goes to Book 3 and quits; returns whether the favourite was reported as saved."""
        is_told = False
        with self.lab.session(home, before) as session:
            try:
                session.wait_for("1/5")
                session.type("t")
                session.wait_for(ACKNOWLEDGED)
                is_told = True
                session.type("jj")
                session.wait_for("3/5")
                session.type("q")
            except Gone:
                is_told = is_told or session.shows(ACKNOWLEDGED)
            session.wait_for_end()
        return is_told

    def count_calls(self, call: str) -> int:
        """Returns the number of these calls in an undisturbed run."""
        with Home(self.lab.template) as home:
            log = home.path + "/strace"
            assert self.run_once(home, self.traced(call, None, log=log))
            return self.calls_of_a_thread(log, call)

    def jobs(self) -> list[tuple[str, int]]:
        if self.lab.sabotage.damage:
            return [("write", 3), ("fsync", 1), ("close", 9)]
        jobs = []
        for call in self.lab.pick(["write", "fsync", "rename"], SAVING_CALLS, SAVING_CALLS) + READING_CALLS:
            count = self.count_calls(call)
            step = 1 if self.lab.size is Size.FULL else self.lab.pick(max(3, count // 3), max(1, count // 6), 1)
            if call in ("write", "fsync", "rename", "ftruncate", "unlink"):
                step = self.lab.pick(max(1, count // 4), 1, 1)
            jobs += [(call, number) for number in range(1, count + 1, step)]
        return jobs

    def run(self) -> str:
        need("strace")
        old, new = frozenset({"Book 2"}), frozenset({"Book 1", "Book 2"})
        jobs = self.jobs()
        killed = []

        def one(job):
            call, number = job
            with Home(self.lab.template) as home:
                is_told = self.run_once(home, self.traced(call, f"signal=KILL:when={number}"))
                if not is_told:
                    killed.append(job)
                self.look_at(home, {new} if is_told else {old, new})
                assert frozenset(self.lab.favourites(home)) in ({new} if is_told else {old, new})

        whole = self.lab.each(jobs, one)
        assert len(jobs) < 10 or len(killed) > 5, "hardly a run was killed before the favourite was saved"
        return (
            f"{whole} of {len(jobs)} kills left the old or the new state, "
            f"{len(killed)} of them before it was reported"
        )


class KillsElsewhere(SavingCheck):
    """The files that `kills` does not cover: the index cache, the config and the profiles, an import, an undo."""

    name = "kills-elsewhere"
    promise = "No crash leaves a partial file: index cache, config, profiles, imports, exports"
    method = "`strace` kills a command at each system call on the files that it writes; the command is then repeated"
    sabotages = [Sabotage("the written files are torn afterwards", word="tear")]

    def commands(self) -> dict[str, tuple[list[str], str]]:
        """Returns, by name, the arguments, the written file and its directory."""
        csv = self.lab.write(
            "goodreads.csv",
            b"Title,Author,ISBN13,My Rating,Exclusive Shelf\n"
            + b"".join(b'"Book %d","Author %d","",4,read\n' % (n, n) for n in range(1, BOOKS + 1)),
        )
        return {
            "import": (["import", csv, "--catalog", self.lab.catalog], "data/stacks"),
            "favourites add": (["favourites", "add", self.identity(), "--catalog", self.lab.catalog], "data/stacks"),
            "profiles new": (["profiles", "new", self.lab.catalog, "--yes", "--force"], "config/stacks"),
            "config --edit": (["config", "--edit"], "config/stacks"),
            "index": (["search", "Book 7777", self.large_catalog()], "cache/stacks"),
        }

    def identity(self) -> str:
        with Home() as home:
            books = json.loads(self.lab.output(home, "search", "title:3", self.lab.catalog, "--format", "json").stdout)
        return books[0]["id"]

    def large_catalog(self) -> str:
        books = (
            json.dumps({"title": f"Book {n}", "authors": [f"Author {n}"], "description": "x" * 120})
            for n in range(1, 12001)
        )
        return self.lab.write("large.json", ("[" + ",\n".join(books) + "]").encode())

    def run_command(self, home: Home, arguments: list[str], before=()) -> subprocess.CompletedProcess:
        # strace watches the directory of the file, so that it shows all calls that concern the file.
        return subprocess.run(
            self.lab.command(*arguments, before=before),
            env=dict(home.environment, EDITOR="true", VISUAL="true"),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
        )

    def state(self, home: Home, directory: str) -> dict[str, bytes]:
        found = {name: content for name, content in home.files().items() if name.startswith(directory)}
        return {name: b"" if name.endswith(".lock") else content for name, content in found.items()}

    def run(self) -> str:
        need("strace")
        done = of = 0
        for name, (arguments, directory) in self.commands().items():
            jobs = []
            with Home(self.lab.template) as home:
                whole = self.run_command(home, arguments)
                assert whole.returncode == 0, f"{name}: {whole.returncode} {whole.stderr.decode()}"
                expected = whole.stdout
            for call in ("openat", "write", "pwrite64", "fsync", "rename", "renameat2", "close", "fchmod", "mkdir"):
                with Home(self.lab.template) as home:
                    log = home.path + "/strace"
                    self.run_command(home, arguments, self.traced(call, None, log=log))
                    with open(log) as file:
                        count = sum(1 for line in file if f" {call}(" in line)
                step = max(1, count // self.lab.pick(1, 4, 1000))
                jobs += [(name, call, number) for number in range(1, count + 1, step)]
            if self.lab.sabotage.word:
                jobs = jobs[:4]

            def one(job, arguments=arguments, directory=directory):
                _, call, number = job
                with Home(self.lab.template) as home:
                    self.run_command(home, arguments, self.traced(call, f"signal=KILL:when={number}"))
                    if self.lab.sabotage.word == "tear":
                        for path in home.files():
                            os.truncate(home.path + "/" + path, os.path.getsize(home.path + "/" + path) // 2)
                    # If the command was killed after its work was done, nothing is left to do.
                    again = self.run_command(home, arguments)
                    assert again.returncode == 0, f"{again.returncode} {again.stderr.decode()}"
                    assert not again.stderr, again.stderr.decode()
                    if job[0] == "index":
                        assert again.stdout == expected, again.stdout
                    if directory != "cache/stacks":
                        self.check_nothing_left(home)
                    self.check_whole(home)
                    assert self.lab.favourites(home) >= {"Book 2"}

            done += self.lab.each(jobs, one)
            of += len(jobs)
        return f"{done} of {of} kills damaged nothing, and the repeated command succeeded"


class ErrorsInTheJournal(SavingCheck):
    name = "errors-journal"
    promise = "A favourite is saved, or reported as not saved and kept in memory, for every disk error"
    method = "EIO, ENOSPC, EDQUOT, EROFS on openat, write, fsync, flock, ftruncate, close, pread64 of the save"
    sabotages = [Sabotage("the old lines are removed during the save", word="empty")]

    def __init__(self, lab):
        super().__init__(lab)
        self.calls_at_start: dict[str, int] = {}

    def paths(self, home: Home) -> list[str]:
        return [home.history, home.history + ".lock", os.path.dirname(home.history)]

    def calls_before_saving(self, call: str) -> int:
        """Returns the number of these calls of the main thread on the journal before the first command."""
        if call not in self.calls_at_start:
            with Home(self.lab.template) as home:
                log = home.path + "/strace"
                with self.lab.session(home, self.traced(call, None, self.paths(home), log)) as session:
                    session.wait_for("★ Book 2")
                    session.settle(0.4)
                    self.calls_at_start[call] = self.calls_of_a_thread(log, call)
        return self.calls_at_start[call]

    def run(self) -> str:
        need("strace")
        calls = ("openat", "write", "fsync", "flock", "ftruncate", "close", "pread64")
        jobs = [(call, error) for call in calls for error in self.lab.pick(ERRORS[:1], ERRORS, ERRORS)]
        said = []

        def one(job):
            call, error = job
            with Home(self.lab.template) as home:
                # Only calls from the first one of the save on count; those at startup come before.
                start = self.calls_before_saving(call)
                with open(home.history, "rb") as file:
                    before = file.read()
                inject = f"error={error}:when={start + 1}"
                with self.lab.session(home, self.traced(call, inject, self.paths(home))) as session:
                    session.wait_for("1/5")
                    session.type("t")
                    shown = session.wait_for(NOT_SAVED, ACKNOWLEDGED)
                    assert "★ Book 1" in session.text, "the change is not kept in memory"
                    if self.lab.sabotage.word:
                        os.truncate(home.history, 0)
                    with open(home.history, "rb") as file:
                        now = file.read()
                    assert now.startswith(before), "the old lines are not there any more"
                    if shown == NOT_SAVED:
                        said.append(job)
                        assert now == before, "a line is there that was said not to be saved"
                    else:
                        assert len(now) > len(before), "what was said to be saved is not there"
                    # The next change saves both. If the error has not come yet, it may come now.
                    session.type("jj")
                    session.settle(0.1)
                    session.type("t")
                    if session.wait_for(NOT_SAVED, "★ Favourite: Book 3") == NOT_SAVED:
                        assert shown != NOT_SAVED, "a second change is not saved either"
                        session.type("tt")
                        session.wait_for("★ Favourite: Book 3")
                    session.type("q")
                    session.wait_for_end()
                assert self.lab.favourites(home) == {"Book 1", "Book 2", "Book 3"}
                self.check_whole(home)

        whole = self.lab.each(jobs, one)
        assert len(said) >= self.lab.pick(2, 8, 8), f"hardly an error came where it is said: {said}"
        return (
            f"{whole} of {len(jobs)} kept the old lines and the change; "
            f"{len(said)} were not saved at once, which was reported"
        )


class ErrorsInFiles(SavingCheck):
    name = "errors-files"
    promise = "An error while a file is replaced leaves the old file or a complete new one"
    method = "EIO, ENOSPC, EDQUOT, EROFS on openat, write, fsync, rename, close, fchmod for preferences and snapshot"
    sabotages = [Sabotage("preferences and snapshot are torn afterwards", damage=tear_the_snapshot)]

    def run(self) -> str:
        need("strace")
        jobs = [
            (name, call, error, number)
            for name in ("preferences", "snapshot")
            for call in ("openat", "write", "fsync", "rename", "close", "fchmod")
            for error in self.lab.pick(ERRORS[:1], ERRORS[:2], ERRORS)
            for number in self.lab.pick((1,), (1,), (1, 2, 3))
        ]
        said = []

        def one(job):
            name, call, error, number = job
            with Home(self.lab.template) as home:
                path = getattr(home, name)
                with open(path, "rb") as file:
                    before = file.read()
                paths = [path + ".tmp"] + ([path] if call in ("rename",) else [])
                with self.lab.session(home, self.traced(call, f"error={error}:when={number}", paths)) as session:
                    session.wait_for("1/5")
                    session.type("t")
                    session.wait_for(ACKNOWLEDGED)
                    session.type("jjL")
                    session.wait_for("Abandoned")
                    if session.shows("Your position is not saved"):
                        said.append(job)
                    session.type("q")
                    session.wait_for_end()
                if self.lab.sabotage.damage:
                    self.lab.sabotage.damage(home)
                with open(path, "rb") as file:
                    now = file.read()
                if now != before:
                    json.loads(now)
                self.look_at_lists(home)
                assert self.lab.favourites(home) == {"Book 1", "Book 2"}

        whole = self.lab.each(jobs, one)
        assert len(said) >= self.lab.pick(1, 4, 8), f"hardly an error was said: {said}"
        return (
            f"{whole} of {len(jobs)} left an intact file; "
            f"{len(said)} times the position was not saved, which was reported"
        )

    def look_at_lists(self, home: Home) -> None:
        with self.lab.session(home) as session:
            session.wait_for("/5", "Abandoned")
            self.check_nothing_left(home)
            session.type("q")
            session.wait_for_end()
        self.check_whole(home)


class FullDisk(SavingCheck):
    name = "full-disk"
    is_short = True
    promise = SAVED + " a full disk"
    method = "a tmpfs of 64 kB fills up while favourites are added, and then has space again"
    sabotages = [Sabotage("the disk always has space", word="room")]

    def run(self) -> str:
        need_root()
        with Home() as home:
            data = home.path + "/data"
            os.makedirs(data)
            mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", data], capture_output=True)
            if mount.returncode != 0:
                raise Skipped("a tmpfs cannot be mounted")
            try:
                changes = self.fill_up(home, data + "/filler")
            finally:
                subprocess.run(["umount", data])
        return f"{changes} of {changes} changes kept; the one that did not fit was saved with the next"

    def fill_up(self, home: Home, filler: str) -> int:
        count = 300 if not self.lab.sabotage.word else 12
        catalog = self.lab.write_catalog("many.json", count)
        with self.lab.session(home, catalog=catalog) as session:
            session.wait_for(f"1/{count}")
            session.type("t")
            session.wait_for(ACKNOWLEDGED)
            with open(filler, "wb", buffering=0) as file:
                try:
                    while not self.lab.sabotage.word:
                        file.write(b"x" * 1024)
                except OSError:
                    pass
            saved = 1
            refused = None
            for number in range(2, count):
                session.type("jt")
                if session.wait_for(f"★ Favourite: Book {number} ", NOT_SAVED) == NOT_SAVED:
                    refused = number
                    break
                saved = number
            assert refused, "a full disk refused nothing"
            assert self.lab.favourites(home, catalog) == {f"Book {n}" for n in range(1, saved + 1)}
            self.check_whole(home)
            os.unlink(filler)
            session.type("jt")
            session.wait_for(f"★ Favourite: Book {refused + 1} ")
            session.type("q")
            session.wait_for_end()
        kept = self.lab.favourites(home, catalog)
        assert kept == {f"Book {n}" for n in range(1, refused + 2)}, sorted(kept)
        return refused + 1


class Instances(SavingCheck):
    name = "instances"
    is_short = True
    promise = "Several running instances do not lose each other's changes"
    method = "two and five instances change one journal at the same time; every change has a unique number"
    sabotages = [Sabotage("flock() does nothing", injections=["flock:retval=0"])]

    def race(self, instances: int, count: int) -> tuple[int, int]:
        catalog = self.lab.write_catalog("writers.json", instances * count)
        total = instances * count
        with Home() as home:
            sessions = []
            try:
                for index in range(instances):
                    session = self.lab.session(home, catalog=catalog)
                    sessions.append(session)
                    session.wait_for(f"1/{total:,}")
                    session.type(f"{index * count + 1}G")
                    session.wait_for(f"{index * count + 1:,}/{total:,}")
                for _ in range(count):
                    for session in sessions:
                        session.type("tj")
                        session.pump(0)
                for index, session in enumerate(sessions):
                    # On the last row the cursor stays where it is.
                    session.wait_for(f"{min(total, (index + 1) * count + 1):,}/{total:,}", seconds=120)
                    session.settle(0.2)
                    session.type("q")
                    session.wait_for_end()
            finally:
                for session in sessions:
                    session.__exit__()
            kept = self.lab.favourites(home, catalog)
            self.check_whole(home)
            with open(home.history) as file:
                numbers = [json.loads(line)["seq"] for line in file]
            assert len(set(numbers)) == len(numbers), "two changes have one number"
        assert len(kept) == total, f"{len(kept)} of {total} are there"
        return len(kept), total

    def run(self) -> str:
        two = self.race(2, 300 if self.lab.sabotage.injections else self.lab.pick(30, 300, 300))
        if self.lab.size is Size.SHORT:
            return f"{two[0]} of {two[1]} changes of two kept"
        five = self.race(5, self.lab.pick(0, 60, 120))
        return f"{two[0]} of {two[1]} changes of two kept, {five[0]} of {five[1]} of five"


class LinksAndModes(Kills):
    name = "links-and-modes"
    is_short = True
    promise = "Symbolic links stay links, and modes are kept"
    method = "journal, snapshot and preferences are links to files with mode 0600, 0644, 0640"
    sabotages = [Sabotage("fchmod() does nothing", injections=["fchmod:retval=0"])]

    def run(self) -> str:
        kept = 0
        for mode in (0o600, 0o644, 0o640):
            with Home(self.lab.template) as home:
                paths = [home.history, home.snapshot, home.preferences]
                os.makedirs(home.path + "/elsewhere")
                for path in paths:
                    target = home.path + "/elsewhere/" + os.path.basename(path)
                    shutil.move(path, target)
                    os.symlink(target, path)
                    os.chmod(target, mode)
                before = {path: open(path, "rb").read() for path in paths}
                assert self.run_once(home)
                for path in paths:
                    assert os.path.islink(path), f"{path} is no link any more"
                    assert stat.S_IMODE(os.stat(path).st_mode) == mode, f"{path}: {oct(os.stat(path).st_mode)}"
                    assert open(path, "rb").read() != before[path], f"{path} was not written"
                    kept += 1
        return f"{kept} of 9 links and modes kept"


class NowhereToSave(SavingCheck):
    name = "nowhere-to-save"
    is_short = True
    promise = "If nothing can be saved, stacks says so, and browsing works"
    method = "no HOME, HOME=/dev/null, a read-only mount, a directory of another user, `prlimit --fsize`"
    sabotages = [Sabotage("everything is writable", word="writable")]

    def run(self) -> str:
        with Home() as home, Home() as mounted:
            places = self.places(home, mounted)
            try:
                done = self.lab.each(list(places), lambda name: self.browse(name, *places[name]))
                if not self.lab.sabotage.word:
                    assert not os.listdir(home.path), os.listdir(home.path)
                    assert not os.listdir(mounted.path), os.listdir(mounted.path)
            finally:
                subprocess.run(["umount", mounted.path], capture_output=True)
        return f"{done} of {len(places)} report it and browsing works: " + ", ".join(places)

    def places(self, home: Home, mounted: Home) -> dict[str, tuple[dict, list[str]]]:
        bare = {
            name: value for name, value in home.environment.items() if name != "HOME" and not name.startswith("XDG")
        }
        if self.lab.sabotage.word:
            return {"a home": (home.environment, [])}
        places = {"no HOME": (bare, []), "HOME=/dev/null": (dict(bare, HOME="/dev/null"), [])}
        os.chmod(home.path, 0o555)
        os.chmod(self.lab.catalog, 0o644)
        if os.getuid() != 0:
            places["a read-only directory"] = (home.environment, [])
            return places
        other = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        places["a directory of another user"] = (home.environment, other)
        subprocess.run(["mount", "--bind", mounted.path, mounted.path], check=True)
        subprocess.run(["mount", "-o", "remount,ro,bind", mounted.path], check=True)
        places["a read-only mount"] = (mounted.environment, [])
        # An exhausted quota: nothing can be written, and the resulting signal must not end the program.
        places["prlimit --fsize=0"] = (None, ["/usr/bin/prlimit", "--fsize=0"])
        return places

    def browse(self, name: str, environment: dict | None, before: list[str]) -> None:
        program = self.lab.shared_program if "setpriv" in "".join(before) else self.lab.stacks
        with Home() as quota:
            with Session(before + [program, self.lab.catalog], environment or quota.environment) as session:
                session.wait_for("1/5")
                session.type("t")
                session.wait_for("★ Book 1")
                # If the files cannot even be read, that message may follow a moment later and replace the first.
                said = ("lost when you quit", NOT_SAVED, "Cannot read your favourites")
                session.wait_for(*said, seconds=5)
                session.type("jj")
                session.wait_for("3/5")
                session.type("q")
                session.wait_for_end()
                assert os.WIFEXITED(session.status), f"{name}: {session.status}"
            if environment is None:
                torn = {path: content for path, content in quota.files().items() if content}
                assert not torn, f"{name}: {list(torn)}"


class Quota(SavingCheck):
    name = "quota"
    promise = SAVED + " a quota"
    method = "`prlimit --fsize` with every size up to the full size: the old lines stay, and failed saves are reported"
    sabotages = [Sabotage("the journal lacks its last line afterwards", damage=lose_a_line)]

    def run(self) -> str:
        need("prlimit")
        size = os.path.getsize(self.lab.template.history)
        limits = range(size, size + 700, self.lab.pick(400, 100, 20))
        refused = []

        def one(limit):
            with Home(self.lab.template) as home:
                before = ["/usr/bin/prlimit", f"--fsize={limit}"]
                with self.lab.session(home, before) as session:
                    session.wait_for("1/5")
                    session.type("t")
                    if session.wait_for(NOT_SAVED, ACKNOWLEDGED) == NOT_SAVED:
                        refused.append(limit)
                        expected = {"Book 2"}
                    else:
                        expected = {"Book 1", "Book 2"}
                    session.type("q")
                    session.wait_for_end()
                    assert os.WIFEXITED(session.status), session.status
                self.check_whole(home)
                kept = self.lab.favourites(home)
                assert kept == expected, f"{kept} of {expected}"

        done = self.lab.each(list(limits), one)
        assert refused and len(refused) < len(limits), f"refused at {refused} of {list(limits)}"
        return (
            f"{done} of {len(limits)} limits kept everything reported as saved; "
            f"{len(refused)} refused to save, which was reported"
        )


class Clock(SavingCheck):
    name = "clock"
    promise = "A clock that jumps loses no changes, and changes keep their order"
    method = "`faketime` sets the clock to 1970, 2000, 2038, 2106, 2200 and back between changes and undo"
    sabotages = [Sabotage("the journal lacks its last line afterwards", damage=lose_a_line)]

    DATES = [
        "1970-01-02 00:00:00",
        "2200-02-28 23:59:59",
        "2000-01-01 00:00:00",
        "2038-01-19 03:14:08",
        "1999-12-31 23:59:59",
        "2106-02-07 06:28:16",
    ]

    def run(self) -> str:
        need("faketime")
        # faketime works through the dynamic loader, which the static release does not use.
        program = os.path.join(self.lab.build, "debug", "stacks")
        if not os.path.exists(program):
            raise Skipped("there is no .build/debug/stacks: make build-tests makes it")
        dates = self.DATES[: self.lab.pick(2, 6, 6)]
        catalog = self.lab.write_catalog("clock.json", len(dates))
        with Home() as home:
            for number, date in enumerate(dates, 1):
                self.at(date, program, home, catalog, f"{number}Gt", f"★ Favourite: Book {number}")
            kept = self.lab.favourites(home, catalog)
            assert kept == {f"Book {n}" for n in range(1, len(dates) + 1)}, kept
            with open(home.history) as file:
                numbers = [json.loads(line)["seq"] for line in file]
            assert numbers == sorted(set(numbers)), numbers
            # Undo reverts the last change, whatever the clock showed.
            self.at("1980-01-01 00:00:00", program, home, catalog, "u", f"Book {len(dates)}")
            kept = self.lab.favourites(home, catalog)
            assert kept == {f"Book {n}" for n in range(1, len(dates))}, kept
        return f"{len(dates)} of {len(dates)} changes kept and in order, and the last one undone"

    def at(self, date: str, program: str, home: Home, catalog: str, keys: str, sign: str) -> None:
        with Session(["/usr/bin/faketime", "-f", date, program, catalog], home.environment) as session:
            session.wait_for("/" + str(len(self.DATES[: self.lab.pick(2, 6, 6)])))
            session.type(keys)
            session.wait_for(sign)
            session.settle(0.1)
            session.type("q")
            session.wait_for_end()


class LaterVersions(SavingCheck):
    name = "later-versions"
    is_short = True
    promise = "An older version never destroys a newer one's files"
    method = 'snapshot and preferences with `"version": 99` and unknown keys'
    sabotages = [Sabotage("the file has the current version number", word="1")]

    def run(self) -> str:
        kept = 0
        version = self.lab.sabotage.word or "99"
        for name in ("snapshot", "preferences"):
            with Home(self.lab.template) as home:
                path = getattr(home, name)
                content = b'{"version": %s, "stacks": {"of": ["a later", "kind"]}}\n' % version.encode()
                home.write(path, content)
                with open(home.history, "rb") as file:
                    history = file.read()
                with self.lab.session(home) as session:
                    session.wait_for("1/5")
                    session.wait_for("a newer stacks wrote", seconds=5)
                    session.type("t")
                    session.wait_for(ACKNOWLEDGED)
                    session.type("jjLqq")
                    session.wait_for_end()
                assert open(path, "rb").read() == content, f"{path} was changed"
                if name == "snapshot":
                    assert open(home.history, "rb").read() == history, "the history was changed"
                kept += 1
        return f"{kept} of 2 unchanged, byte for byte"


class SlowDisk(SavingCheck):
    name = "slow-disk"
    promise = "While a favourite is being saved, keys are answered within 300 ms; it is confirmed once it is on disk"
    method = "`strace` delays each flush by 1.5 s; the cursor moves, a favourite is undone, and another one ends the run"
    sabotages = [Sabotage("each write is delayed, too", injections=["write:delay_enter=400000"])]
    DELAY, ANSWER = 1.5, 0.3

    def timed(self, session: Session, keys: str, expected: str) -> float:
        start = time.monotonic()
        session.type(keys)
        session.wait_for(expected)
        return time.monotonic() - start

    def run(self) -> str:
        need("strace")
        slow = self.lab.strace(
            "--trace=fsync,fdatasync,write", f"--inject=fsync,fdatasync:delay_enter={round(self.DELAY * 1e6)}"
        )
        slowest = 0.0
        # In a new home, directories and files must be flushed as well.
        for home in (Home(), Home(self.lab.template)):
            old = self.lab.favourites(home) - {"Book 1"}
            with home, self.lab.session(home, slow) as session:
                session.wait_for("1/5")
                start = time.monotonic()
                session.type("t")
                session.wait_for(ACKNOWLEDGED)
                assert time.monotonic() - start > self.DELAY, "the favourite was confirmed before it was flushed"
                session.type("jjtu")
                session.wait_for("Undone: added Book 3 to favourites")
                session.type("t")
                for row in ("4/5", "5/5"):
                    slowest = max(slowest, self.timed(session, "j", row))
                session.type("tq")
                session.wait_for("Saving your changes")
                session.wait_for_end()
                found = self.lab.favourites(home)
                assert found == old | {"Book 1", "Book 3", "Book 5"}, f"the favourites are {sorted(found)}"
        assert slowest < self.ANSWER, f"a key was answered after {slowest:.2f} s"
        return f"2 of 2, the slowest key after {slowest * 1000:.0f} ms"


CHECKS = [
    Kills,
    KillsElsewhere,
    ErrorsInTheJournal,
    ErrorsInFiles,
    FullDisk,
    Quota,
    Instances,
    LinksAndModes,
    NowhereToSave,
    Clock,
    LaterVersions,
    SlowDisk,
]
