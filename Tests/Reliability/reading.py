"""Catalogs on disks and mounts whose reads take seconds."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import subprocess
import sys
import time

from check import Check, Sabotage, Skipped, need, need_root
from terminal import Home, Session

# Rows far from each other are in other parts of the file.
COUNT = 30_000


class ReadingCheck(Check):
    ANSWER = 0.3

    def write_catalog(self, name: str, count: int = COUNT) -> str:
        books = [{"title": f"Book {n}", "authors": [f"Author {n}"], "about": "x" * 200} for n in range(1, count + 1)]
        return self.lab.write(name, json.dumps(books).encode())

    def timed(self, session: Session, keys: str, *expected: str) -> None:
        """Types keys, and notes how long it takes until a text is on the screen."""
        start = time.monotonic()
        session.type(keys)
        session.wait_for(*expected)
        self.slowest = max(self.slowest, time.monotonic() - start)

    def browse(self, session: Session) -> None:
        """Goes through a catalog that is open, while its books are read."""
        self.slowest = 0.0
        self.timed(session, "j", "2/")
        self.timed(session, "j", "3/")
        self.timed(session, "15000G", "15,000/")
        assert not session.shows("Book 15000"), "a book that was read late was shown at once"
        # Nothing is marked that is not known yet.
        self.timed(session, "t", "still being read")
        session.wait_for("Book 15000")
        self.timed(session, "t", "★ Favourite: Book 15000")
        self.timed(session, "20000G", "20,000/")
        self.timed(session, "100G", "100/")
        assert self.slowest < self.ANSWER, f"a key was answered after {self.slowest:.2f} s"
        session.type("q")
        session.wait_for_end()

    @property
    def figure(self) -> str:
        return f"the slowest key after {self.slowest * 1000:.0f} ms"


class SlowReads(ReadingCheck):
    name = "slow-reads"
    is_short = True
    promise = "While books are read from a slow disk, keys are answered within 300 ms, with placeholders in the rows"
    method = "`strace` delays each read of the catalog by 1 s, as if nothing of it were in memory; rows far apart, marks"
    sabotages = [Sabotage("the file system is asked in vain, which delays it", word="slow")]

    def run(self) -> str:
        need("strace")
        path = self.write_catalog("slow.json")
        error = "delay_enter=1000000" if self.lab.sabotage.word else "error=EAGAIN"
        slow = self.lab.strace(
            f"--trace-path={path}",
            "--trace=preadv2,pread64",
            f"--inject=preadv2:{error}",
            "--inject=pread64:delay_enter=1000000",
        )
        with Home() as home:
            with self.lab.session(home, catalog=path) as session:
                # The next start finds the index, so that only rows are read.
                session.wait_for(f"1/{COUNT:,}")
                session.type("q")
                session.wait_for_end()
            with self.lab.session(home, slow, catalog=path) as session:
                session.wait_for("Opening")
                session.wait_for(f"1/{COUNT:,}")
                session.wait_for("Book 20 ")
                self.browse(session)
            assert "Book 15000" in self.lab.favourites(home, path), "the favourite is lost"
        return self.figure


class SlowMount(ReadingCheck):
    name = "slow-mount"
    promise = "A catalog on a mount that takes 5 s for each read is browsed while it is read; so is one whose index is there"
    method = (
        "a FUSE file system with the catalog, which is opened for the first time, by the command or by `O`, or with the "
        "cache; keys are typed"
    )
    sabotages = [Sabotage("each write is delayed", injections=["write:delay_enter=400000"])]

    def run(self) -> str:
        need_root()
        if not os.path.exists("/usr/lib/python3/dist-packages/fusepy.py") or not os.path.exists("/dev/fuse"):
            raise Skipped("python3-fusepy is not installed, or there is no /dev/fuse")
        catalog = self.write_catalog("slow.json")
        cached = self.browse_with_slow_cache(catalog)
        source = os.path.join(self.lab.directory, "source")
        os.makedirs(source)
        os.rename(catalog, os.path.join(source, "slow.json"))
        with self.mounted(source, seconds=5) as mount, Home() as home:
            path = os.path.join(mount, "slow.json")
            with self.lab.session(home, catalog=path) as session:
                session.wait_for("Opening")
                session.wait_for("Book 20 ", seconds=60)
                self.slowest = 0.0
                for row in ("2/", "3/", "4/"):
                    self.timed(session, "j", row)
                self.timed(session, "t", "★ Favourite: Book 4")
                self.timed(session, "u", "Undone: added Book 4")
                assert session.shows("so far"), "the catalog was read before keys were typed"
                assert self.slowest < self.ANSWER, f"a key was answered after {self.slowest:.2f} s"
                session.type("q")
                session.wait_for_end()
        with self.mounted(source, seconds=5) as mount, Home() as home:
            self.open_from_another(home, os.path.join(mount, "slow.json"))
        return f"{self.figure}; {cached}"

    def open_from_another(self, home: Home, path: str) -> None:
        """Opens the catalog in place of one that is on the screen."""
        other = self.write_catalog("other.json", 10)
        with self.lab.session(home, catalog=other) as session:
            session.wait_for("1/10")
            for _ in range(2):
                session.type("O")
                session.wait_for("Open a catalog")
                session.type(path)
                session.wait_for("slow.json")
                self.timed(session, "\r", "Opening ", "Esc stop")
                self.timed(session, "\x1b", "Stopped opening")
                self.timed(session, "j", "/10")
            session.type("O")
            session.wait_for("Open a catalog")
            session.type(path)
            session.wait_for("slow.json")
            session.type("\r")
            session.wait_for("Book 20 ", seconds=60)
            self.timed(session, "j", "2/")
            assert self.slowest < self.ANSWER, f"with `O` a key was answered after {self.slowest:.2f} s"
            session.type("q")
            session.wait_for_end()

    def browse_with_slow_cache(self, catalog: str) -> str:
        """Opens a catalog that was read before, whose index is on such a mount."""
        with Home() as home:
            cache = os.path.join(home.path, "cache")
            with self.lab.session(home, catalog=catalog) as session:
                session.wait_for(f"1/{COUNT:,}")
                while not glob.glob(cache + "/stacks/index/*"):
                    session.settle(0.1)
                session.type("q")
                session.wait_for_end()
            with self.mounted(cache, seconds=0.5) as mount:
                environment = dict(home.environment, XDG_CACHE_HOME=mount)
                with self.lab.session(home, environment=environment, catalog=catalog) as session:
                    session.wait_for("Opening")
                    session.wait_for(f"1/{COUNT:,}", seconds=120)
                    self.slowest = 0.0
                    for keys, row in (("j", "2/"), ("15000G", "15,000/"), ("20000G", "20,000/"), ("100G", "100/")):
                        self.timed(session, keys, row)
                    assert self.slowest < self.ANSWER, f"with a slow cache a key was answered after {self.slowest:.2f} s"
                    session.type("q")
                    session.wait_for_end()
                self.reload_with_slow_cache(catalog, cache, home, environment)
        return f"with the cache there, after {self.slowest * 1000:.0f} ms"

    def reload_with_slow_cache(self, catalog: str, cache: str, home: Home, environment: dict[str, str]) -> None:
        """Reloads a catalog of which another instance has made the index, which is on such a mount."""
        (index,) = glob.glob(cache + "/stacks/index/*")
        os.remove(index)
        with self.lab.session(home, environment=environment, catalog=catalog) as session:
            session.wait_for(f"100/{COUNT:,}", seconds=60)
            self.write_catalog(os.path.basename(catalog), COUNT + 1)
            with self.lab.session(home, catalog=catalog) as other:
                other.wait_for(f"/{COUNT + 1:,}")
                while not os.path.exists(index):
                    other.settle(0.1)
                other.type("q")
                other.wait_for_end()
            session.wait_for("R reloads")
            session.type("R")
            session.wait_for("Reloading")
            for row in ("101/", "102/", "103/"):
                self.timed(session, "j", f"{row}{COUNT:,}")
            session.wait_for(f"103/{COUNT + 1:,}", seconds=120)
            assert self.slowest < self.ANSWER, f"while it was reloaded, a key was answered after {self.slowest:.2f} s"
            session.type("q")
            session.wait_for_end()

    @contextlib.contextmanager
    def mounted(self, source: str, seconds: float):
        mount = os.path.join(self.lab.directory, "mount")
        os.makedirs(mount, exist_ok=True)
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "slow_mount.py")
        server = subprocess.Popen([sys.executable, program, mount, source, str(seconds)], stderr=subprocess.PIPE)
        try:
            end = time.monotonic() + 20
            while not os.path.ismount(mount):
                if server.poll() is not None or time.monotonic() > end:
                    raise Skipped("FUSE does not mount here")
                time.sleep(0.05)
            yield mount
        finally:
            subprocess.run(["umount", "-l", mount], check=False)
            server.kill()
            server.wait()


CHECKS = [SlowReads, SlowMount]
