"""The promises about saving, held against the real program: prints a table "promise | figure".

    /usr/bin/python3 Tests/Reliability/reliability.py --stacks .build/release/stacks [--full] [NAME ...]

Without --full, of the system calls that only read a tenth is killed at. A check whose means are missing here (root, strace) says so in a sentence and is not counted.

Each check was seen to fail: its comment names the change of the program with which it did ("seen").
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminal import Gone, Home, Session  # noqa: E402

BOOKS = 5
ACKNOWLEDGED = "★ Favourite: Book 1"
NOT_SAVED = "Not saved yet"
# Each is walked by itself, as strace counts the calls of each name.
SAVING_CALLS = [
    "openat", "write", "fsync", "fdatasync", "rename", "renameat", "renameat2", "ftruncate", "flock", "close", "unlink",
    "fchmod", "mkdir", "readlink", "lseek",
]
READING_CALLS = ["read", "pread64", "newfstatat", "fstat", "access", "mmap", "futex", "poll", "rt_sigaction", "ioctl"]
ERRORS = ["EIO", "ENOSPC", "EDQUOT", "EROFS"]


class Skipped(Exception):
    pass


class Checks:
    def __init__(self, stacks, is_full):
        self.stacks = os.path.abspath(stacks)
        self.is_full = is_full
        self.directory = tempfile.mkdtemp(prefix="stacks-reliability-")
        self.catalog = self.write_catalog("catalog.json", BOOKS)
        self.template = self.make_template()
        self.failures = []

    # MARK: What they have in common

    def write_catalog(self, name, count):
        path = os.path.join(self.directory, name)
        with open(path, "w") as file:
            json.dump([{"title": f"Book {n}", "authors": [f"Author {n}"]} for n in range(1, count + 1)], file)
        return path

    def make_template(self):
        """A home in which Book 2 is a favourite, with a snapshot and a place: the old state."""
        home = Home()
        with self.session(home) as session:
            session.wait_for("1/5")
            session.type("jt")
            session.wait_for("★ Favourite: Book 2")
            session.type("k")
            session.wait_for("1/5")
            session.type("q")
            session.wait_for_end()
        assert os.path.exists(home.snapshot) and os.path.exists(home.preferences), "the old state was not saved"
        return home

    def session(self, home, before=(), environment=None, catalog=None):
        command = list(before) + [self.stacks, catalog or self.catalog]
        return Session(command, environment or home.environment)

    def favourites(self, home, catalog=None):
        """The titles that a new start has as favourites, by the program itself."""
        result = subprocess.run(
            [self.stacks, "search", "is:favourite", catalog or self.catalog, "--format", "json"],
            env=home.environment, capture_output=True, text=True)
        assert result.returncode in (0, 1), result.stderr
        return {book["title"] for book in json.loads(result.stdout or "[]")}

    def look_at(self, home, allowed):
        """Starts anew: nothing is torn, one of the allowed states is shown, and nothing temporary is left."""
        with self.session(home) as session:
            session.wait_for("/5")
            # What is the reader's own comes with the second screen at the latest.
            session.wait_for("★ Book 2")
            rows = session.screen.display
            shown = frozenset(title for title in (f"Book {n}" for n in range(1, BOOKS + 1))
                              if any("★ " + title in row for row in rows))
            status = session.row(-2)
            # Before anything is saved anew, which would take their places.
            self.check_nothing_left(home)
            session.type("q")
            session.wait_for_end()
        assert shown in allowed, f"{sorted(shown)} is shown, and allowed is {[sorted(a) for a in allowed]}"
        for word in ("damaged", "cannot be read", "missing"):
            assert word not in status, f"the next start says: {status}"
        self.check_nothing_left(home)
        self.check_whole(home)
        return shown

    def check_nothing_left(self, home):
        left = [name for name in home.files() if name.endswith(".tmp") or ".bad-" in name]
        assert not left, f"left over: {left}"

    def check_whole(self, home):
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
        # A torn line was never said to be saved; it stands alone, and spoils no other.
        assert torn <= 1, f"{torn} lines of the history are torn"

    def traced(self, call, inject, paths=(), log="/dev/null"):
        command = ["/usr/bin/strace", "-f", "-qq", "-o", log]
        for path in paths:
            command += ["-P", path]
        return command + ["-e", f"trace={call}"] + (["-e", f"inject={call}:{inject}"] if inject else [])

    def each(self, jobs, body):
        """Does them all, two at a time; returns how many went well, and keeps what went wrong."""
        def one(job):
            try:
                body(job)
                return None
            except (AssertionError, Gone, OSError, ValueError) as error:
                return f"{job}: {type(error).__name__} {error}"
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            problems = [problem for problem in pool.map(one, jobs) if problem]
        self.failures += problems
        return len(jobs) - len(problems)

    def need_strace(self):
        if not os.path.exists("/usr/bin/strace"):
            raise Skipped("strace is not installed")

    # MARK: The run whose calls are walked

    def run_once(self, home, before=()):
        """Makes Book 1 a favourite, goes to Book 3 and quits; says whether the reader was told that it is saved."""
        is_told = False
        with self.session(home, before) as session:
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

    def count_calls(self, call, paths=()):
        """How often the main thread makes the call in a run that nothing disturbs."""
        with Home(self.template) as home:
            log = home.path + "/strace"
            assert self.run_once(home, self.traced(call, None, [home.path + path for path in paths], log))
            with open(log) as file:
                lines = file.read().splitlines()
        if not lines:
            return 0
        main = lines[0].split()[0]
        return sum(1 for line in lines if line.startswith(main + " ") and f" {call}(" in line)

    # MARK: Checks

    def kills(self):
        """Killed at each system call of a run that saves a favourite, a place and the snapshot.

        Seen: with Shelves.commit() not saving, runs that were told "Favourite" have lost it; with SafeFile writing to the
        file itself, preferences and snapshot are damaged after four of the kills; with SafeFile.removeLeftOver() removing
        nothing, *.tmp is left over.
        """
        self.need_strace()
        old, new = frozenset({"Book 2"}), frozenset({"Book 1", "Book 2"})
        jobs = []
        for call in SAVING_CALLS + READING_CALLS:
            count = self.count_calls(call)
            step = 1 if self.is_full or call in SAVING_CALLS else max(1, count // 10)
            jobs += [(call, number) for number in range(1, count + 1, step)]
        killed = []

        def one(job):
            call, number = job
            with Home(self.template) as home:
                is_told = self.run_once(home, self.traced(call, f"signal=KILL:when={number}"))
                if not is_told:
                    killed.append(job)
                self.look_at(home, {new} if is_told else {old, new})
                assert self.favourites(home) in ({frozenset(new)} if is_told else {old, new})
        whole = self.each(jobs, one)
        assert len(killed) > 10, "hardly a run was killed before the favourite was saved"
        return f"{whole} of {len(jobs)} kills left the old or the new state, {len(killed)} of them before it was said"

    def errors_in_the_journal(self):
        """Errors in the save of a favourite: said, or saved; never neither, and the old lines stay.

        Seen: with errors of write() and fsync() ignored in Journal.append(), or with Shelves.commit() not saving, what was
        said to be saved is not there.
        """
        self.need_strace()
        jobs = [(call, error) for call in ("openat", "write", "fsync", "flock", "ftruncate", "close", "pread64")
                for error in ERRORS]
        said = []

        def one(job):
            call, error = job
            with Home(self.template) as home:
                paths = [home.history, home.history + ".lock", os.path.dirname(home.history)]
                log = home.path + "/strace"
                # From the first call of the save on; those of the start come before, and are counted first.
                start = self.calls_before_saving(call)
                with open(home.history, "rb") as file:
                    before = file.read()
                inject = f"error={error}:when={start + 1}"
                with self.session(home, self.traced(call, inject, paths, log)) as session:
                    session.wait_for("1/5")
                    session.type("t")
                    shown = session.wait_for(NOT_SAVED, ACKNOWLEDGED)
                    assert "★ Book 1" in session.text, "the change is not kept in memory"
                    with open(home.history, "rb") as file:
                        now = file.read()
                    assert now.startswith(before), "the old lines are not there any more"
                    if shown == NOT_SAVED:
                        said.append(job)
                        assert now == before, "a line is there that was said not to be saved"
                    else:
                        assert len(now) > len(before), "what was said to be saved is not there"
                    # The next one saves both.
                    session.type("jjt")
                    session.wait_for("★ Favourite: Book 3")
                    session.type("q")
                    session.wait_for_end()
                assert self.favourites(home) == {"Book 1", "Book 2", "Book 3"}
                self.check_whole(home)
        whole = self.each(jobs, one)
        assert len(said) >= 8, f"hardly an error came where it is said: {said}"
        return f"{whole} of {len(jobs)} kept the old lines and the change; {len(said)} could not be saved at once, and said so"

    def calls_before_saving(self, call):
        """How often the main thread makes a call on the journal before the reader does anything."""
        known = self.__dict__.setdefault("calls_at_start", {})
        if call not in known:
            with Home(self.template) as home:
                log = home.path + "/strace"
                paths = [home.history, home.history + ".lock", os.path.dirname(home.history)]
                with self.session(home, self.traced(call, None, paths, log)) as session:
                    session.wait_for("★ Book 2")
                    time.sleep(0.3)
                    while session.pump(0.1) and session.row(-2) == "":
                        pass
                    with open(log) as file:
                        lines = file.read().splitlines()
                    main = lines[0].split()[0] if lines else ""
                    known[call] = sum(1 for line in lines if line.startswith(main + " ") and f" {call}(" in line)
        return known[call]

    def errors_in_files(self):
        """Errors when preferences and the snapshot are replaced: the old file stays, or the new one is whole.

        Seen: with SafeFile writing to the file itself and not to a temporary one, the snapshot is gone.
        """
        self.need_strace()
        jobs = [(name, call, error, number) for name in ("preferences", "snapshot")
                for call in ("openat", "write", "fsync", "rename", "close", "fchmod")
                for error in ERRORS for number in ((1, 2, 3) if self.is_full else (1,))]
        said = []

        def one(job):
            name, call, error, number = job
            with Home(self.template) as home:
                path = getattr(home, name)
                with open(path, "rb") as file:
                    before = file.read()
                paths = [path + ".tmp"] + ([path] if call in ("rename",) else [])
                with self.session(home, self.traced(call, f"error={error}:when={number}", paths)) as session:
                    session.wait_for("1/5")
                    session.type("t")
                    session.wait_for(ACKNOWLEDGED)
                    session.type("jjL")
                    session.wait_for("Abandoned")
                    if session.shows("your place is not remembered"):
                        said.append(job)
                    session.type("q")
                    session.wait_for_end()
                with open(path, "rb") as file:
                    now = file.read()
                if now != before:
                    json.loads(now)
                self.look_at_lists(home)
                assert self.favourites(home) == {"Book 1", "Book 2"}
        whole = self.each(jobs, one)
        assert len(said) >= 8, f"hardly an error was said: {said}"
        return f"{whole} of {len(jobs)} left a whole file; {len(said)} times a place could not be kept, and that was said"

    def look_at_lists(self, home):
        with self.session(home) as session:
            session.wait_for("/5", "Abandoned")
            self.check_nothing_left(home)
            session.type("q")
            session.wait_for_end()
        self.check_whole(home)

    def full_disk(self):
        """A disk of 64 kB that is full: said, kept in memory, and saved when there is room again.

        Seen: with errors of write() ignored in Journal.append(), a full disk refuses nothing.
        """
        with Home() as home:
            os.makedirs(home.path + "/data")
            if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", home.path + "/data"],
                              capture_output=True).returncode != 0:
                raise Skipped("a tmpfs can only be mounted by root")
            try:
                catalog = self.write_catalog("many.json", 300)
                with self.session(home, catalog=catalog) as session:
                    session.wait_for("1/300")
                    session.type("t")
                    session.wait_for(ACKNOWLEDGED)
                    filler = home.path + "/data/filler"
                    with open(filler, "wb", buffering=0) as file:
                        try:
                            while True:
                                file.write(b"x" * 1024)
                        except OSError:
                            pass
                    saved = 1
                    refused = None
                    for number in range(2, 300):
                        session.type("jt")
                        shown = session.wait_for(f"★ Favourite: Book {number} ", NOT_SAVED)
                        if shown == NOT_SAVED:
                            refused = number
                            break
                        saved = number
                    assert refused, "a full disk refused nothing"
                    assert self.favourites(home, catalog) == {f"Book {n}" for n in range(1, saved + 1)}
                    self.check_whole(home)
                    os.unlink(filler)
                    session.type("jt")
                    session.wait_for(f"★ Favourite: Book {refused + 1} ")
                    session.type("q")
                    session.wait_for_end()
                kept = self.favourites(home, catalog)
                assert kept == {f"Book {n}" for n in range(1, refused + 2)}, sorted(kept)
            finally:
                subprocess.run(["umount", home.path + "/data"])
        return f"{refused + 1} of {refused + 1} changes kept, the one that did not fit with the next"

    def two_writers(self):
        """Two programs change one journal 300 times each at the same time.

        Seen: without flock() in Journal.append(), two changes have one number.
        """
        count = 300
        catalog = self.write_catalog("writers.json", 2 * count)
        with Home() as home:
            with self.session(home, catalog=catalog) as one, self.session(home, catalog=catalog) as other:
                one.wait_for("1/600")
                other.wait_for("1/600")
                other.type(f"{count + 1}G")
                other.wait_for(f"{count + 1}/600")
                for number in range(count):
                    one.type("tj")
                    other.type("tj")
                    one.pump(0)
                    other.pump(0)
                one.wait_for(f"{count + 1}/600", seconds=120)
                # At the last row it goes no further.
                other.wait_for(f"★ Favourite: Book {2 * count}", f"{2 * count}/600", seconds=120)
                time.sleep(0.5)
                for session in (one, other):
                    session.type("q")
                    session.wait_for_end()
            kept = self.favourites(home, catalog)
            self.check_whole(home)
            with open(home.history) as file:
                numbers = [json.loads(line)["seq"] for line in file]
            assert len(set(numbers)) == len(numbers), "two changes have one number"
        assert len(kept) == 2 * count, f"{len(kept)} of {2 * count} are there"
        return f"{len(kept)} of {2 * count} present"

    def links_and_modes(self):
        """Symbolic links stay links, and modes are kept.

        Seen: with SafeFile.linkTarget() being the path itself, the link is a file; without fchmod(), 0644 is 0600.
        """
        kept = 0
        for mode in (0o600, 0o644, 0o640):
            with Home(self.template) as home:
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
        return f"{kept} of {kept} links and modes kept (0600, 0644, 0640)"

    def nowhere_to_save(self):
        """A directory that cannot be written, no HOME, HOME=/dev/null: a sentence says so, and browsing works.

        Seen: with Shelves.isSaved being true whatever is, nothing is said.
        """
        places = []
        with Home() as home:
            bare = {name: value for name, value in home.environment.items()
                    if name not in ("HOME",) and not name.startswith("XDG")}
            places.append(("no HOME", bare, ()))
            places.append(("HOME=/dev/null", dict(bare, HOME="/dev/null"), ()))
            os.chmod(home.path, 0o555)
            os.chmod(self.directory, 0o755)
            os.chmod(self.catalog, 0o644)
            skipped = ""
            if os.getuid() == 0:
                program = shutil.copy(self.stacks, self.directory + "/stacks")
                os.chmod(program, 0o755)
                before = ("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
                places.append(("a directory that is not theirs", home.environment, before))
            else:
                places.append(("a read-only directory", home.environment, ()))
                program = self.stacks
            for name, environment, before in places:
                with Session(list(before) + [program, self.catalog], environment) as session:
                    session.wait_for("1/5")
                    session.type("t")
                    session.wait_for("Until you quit, as it cannot be saved", NOT_SAVED)
                    assert "★ Book 1" in session.text, name
                    session.type("jj")
                    session.wait_for("3/5")
                    session.type("q")
                    session.wait_for_end()
                    assert os.WIFEXITED(session.status), name
            assert not os.listdir(home.path), os.listdir(home.path)
        return f"{len(places)} of {len(places)} say so and browse on: " + ", ".join(name for name, _, _ in places)

    def later_versions(self):
        """Files of a later version keep their bytes.

        Seen: with 99 taken for a version of ours, preferences start afresh and nothing is said; with Shelves.isSaved being
        true whatever is, the history is added to.
        """
        kept = 0
        for name in ("snapshot", "preferences"):
            with Home(self.template) as home:
                path = getattr(home, name)
                content = b'{"version": 99, "stacks": {"of": ["a later", "kind"]}}\n'
                with open(path, "wb") as file:
                    file.write(content)
                with open(home.history, "rb") as file:
                    history = file.read()
                with self.session(home) as session:
                    session.wait_for("1/5")
                    session.wait_for("newer one wrote" if name == "preferences" else "later version")
                    session.type("t")
                    session.wait_for(ACKNOWLEDGED)
                    session.type("jjLq")
                    session.wait_for_end()
                assert open(path, "rb").read() == content, f"{path} was changed"
                if name == "snapshot":
                    assert open(home.history, "rb").read() == history, "the history was changed"
                kept += 1
        return f"{kept} of {kept} unchanged, byte by byte"

    # MARK: All of them

    NAMES = {
        "kills": "kill -9 at every system call of a save",
        "errors_in_the_journal": "EIO, ENOSPC, EDQUOT, EROFS in the save of a favourite",
        "errors_in_files": "the same in that of preferences and snapshot",
        "full_disk": "a full disk of 64 kB",
        "two_writers": "two writers x 300 changes",
        "links_and_modes": "symbolic links and modes",
        "nowhere_to_save": "nowhere to save",
        "later_versions": "files of a later version",
    }

    def run(self, chosen):
        is_well = True
        for name, promise in self.NAMES.items():
            if chosen and name not in chosen:
                continue
            self.failures = []
            start = time.monotonic()
            try:
                figure = getattr(self, name)()
            except Skipped as reason:
                figure = f"not checked here: {reason}"
            except (AssertionError, Gone) as error:
                self.failures.append(str(error) or type(error).__name__)
                figure = "FAILED"
            if self.failures:
                is_well = False
            print(f"{promise} | {figure} | {time.monotonic() - start:.0f} s", flush=True)
            for failure in self.failures[:20]:
                print("    " + failure.replace("\n", "\n    "), flush=True)
        return is_well


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stacks", default=".build/release/stacks")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("checks", nargs="*", metavar="NAME", help=", ".join(Checks.NAMES))
    arguments = parser.parse_args()
    unknown = set(arguments.checks) - set(Checks.NAMES)
    if unknown:
        parser.error(f"there is no check {', '.join(sorted(unknown))}")
    checks = Checks(arguments.stacks, arguments.full)
    print("promise | figure | time")
    try:
        is_well = checks.run(arguments.checks)
    finally:
        shutil.rmtree(checks.directory, ignore_errors=True)
        shutil.rmtree(checks.template.path, ignore_errors=True)
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
