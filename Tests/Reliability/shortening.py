"""A long journal of edits: old steps are removed from it, but never unsaved edits."""

from __future__ import annotations

import collections
import json
import os
import re
import shutil
import subprocess

from check import Sabotage, need
from editing import content
from journalling import RETITLE, SAVE, WRITING, JournalCheck
from terminal import Home

LONG, SHORT = 64 << 20, 32 << 20
# Each step contains the record twice.
DESCRIPTION = "x" * (2 << 20)
STEP = 2 * len(DESCRIPTION) + 1000


class EditsShortened(JournalCheck):
    name = "edits-shortened"
    promise = "The journal of edits has a size limit, and no unsaved edit is lost when it is shortened"
    method = (
        "commands make it longer than 64 MiB beside an unsaved edit of the browser; kill -9 at system calls of the "
        "command that shortens it; then a new start has the unsaved edit, undoes the last change, and saves both"
    )
    sabotages = [
        Sabotage("the journal is deleted before the new start", word="journal"),
        Sabotage("the journal is never shortened", word="never"),
        Sabotage("rename() does nothing", injections=["rename:retval=0"]),
    ]

    def run(self) -> str:
        need("strace")
        with Home() as home:
            path = self.catalog(home)
            self.last = self.grow(home, path)
            template = home.path + ".template"
            try:
                shutil.copytree(home.path, template)
                return self.kill_all(home, path, template)
            finally:
                shutil.rmtree(template, ignore_errors=True)

    def catalog(self, home: Home, count: int = JournalCheck.COUNT) -> str:
        path = super().catalog(home, count)
        lines = content(path).splitlines()
        record = json.loads(lines[-1]) | {"description": DESCRIPTION, "pageCount": 1}
        lines[-1] = json.dumps(record, separators=(",", ":")).encode()
        home.write(path, b"".join(line + b"\n" for line in lines))
        return path

    def set(self, home: Home, path: str, pages: int, before=()) -> int:
        command = [*before, self.lab.stacks, "set", "--query", 'author:"Author 5"', f"pages={pages}", "--catalog", path]
        return subprocess.run(command, env=home.environment, capture_output=True, timeout=120).returncode

    def grow(self, home: Home, path: str) -> int:
        """Makes the journal as long as allowed, with an unsaved edit in its first line; returns the last value."""
        with self.start(home, path) as session:
            session.wait_for("1/5")
            session.type(RETITLE.format("Tome 1"))
            session.wait_for("Changed Book 1")
            session.type("q")
            session.wait_for_end()
        pages = 1
        while os.path.getsize(self.journal(home)) + STEP < LONG:
            pages += 1
            assert self.set(home, path, pages) == 0, "a command failed"
        assert os.path.getsize(self.journal(home)) > SHORT, "it was shortened too early"
        return pages

    def restore(self, home: Home, template: str) -> None:
        shutil.rmtree(home.path)
        shutil.copytree(template, home.path)

    def kill_all(self, home: Home, path: str, template: str) -> str:
        calls = self.calls(home, path)
        if self.lab.sabotage.word == "never":
            self.restore(home, template)
        self.check_size(home)
        jobs = calls[-self.lab.pick(8, 60, len(calls)) :]
        if self.lab.sabotage.what != "nothing":
            jobs = jobs[:3]

        def kill(job) -> None:
            self.restore(home, template)
            self.killed_at(home, path, *job)

        # There is one home, because the name of the journal depends on the path of the catalog.
        done = self.lab.each(jobs, kill, workers=1)
        return f"{done} of {len(jobs)} kills lost nothing; {LONG >> 20} MiB became at most {SHORT >> 20} MiB"

    def calls(self, home: Home, path: str) -> list[tuple[str, int]]:
        """Returns the system calls of the command that shortens the journal in order, each with its number."""
        log = home.path + "/log"
        tracing = ["/usr/bin/strace", "-f", "-qq", "-o", log, "--trace=" + ",".join(WRITING)]
        injections = [f"--inject={injection}" for injection in self.lab.sabotage.injections]
        assert self.set(home, path, self.last + 1, [*tracing, *injections]) == 0, "the command failed"
        assert self.pages(path) == self.last + 1, f"{self.pages(path)} pages were written"
        names = re.findall(r"^\d+ +(\w+)\(", content(log).decode(errors="replace"), re.MULTILINE)
        counts: collections.Counter = collections.Counter()
        found = []
        for name in names:
            counts[name] += 1
            found.append((name, counts[name]))
        os.unlink(log)
        return found

    def check_size(self, home: Home) -> None:
        size = os.path.getsize(self.journal(home))
        assert size <= SHORT + (1 << 20), f"the journal has {size:,} bytes after it was shortened"
        left = [name for name in os.listdir(os.path.dirname(self.journal(home))) if name.endswith(".tmp")]
        assert not left, f"left over: {left}"

    def killed_at(self, home: Home, path: str, call: str, number: int) -> None:
        before = [
            "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", f"--trace={call}",
            f"--inject={call}:signal=KILL:when={number}",
        ]
        self.set(home, path, self.last + 1, before)
        now = self.pages(path)
        assert now in (self.last, self.last + 1), f"{now} pages are in the file"
        for line in content(self.journal(home)).splitlines()[:-1]:
            assert json.loads(line), "a line of the journal is torn"
        if self.lab.sabotage.word == "journal":
            os.unlink(self.journal(home))
        with self.start(home, path) as session:
            session.wait_for("1/5")
            session.wait_for("· 1 unsaved")
            session.type("gg")
            session.settle()
            # The command may have been killed after writing the file and before recording that for undo.
            session.type("u")
            is_undone = session.wait_for("Undone: changed Book 5", "Not undone: ") != "Not undone: "
            assert is_undone or now == self.last + 1, "the last change that was noted is not undone"
            self.save(session)
            session.type("q")
            session.wait_for_end()
        expected = now - 1 if is_undone else now
        assert self.pages(path) == expected, f"{self.pages(path)} pages after undo, not {expected}"
        titles = [json.loads(line)["title"] for line in content(path).splitlines()]
        assert titles == ["Tome 1", "Book 2", "Book 3", "Book 4", "Book 5"], f"{titles} were saved"
        # The next command removes the leftovers of the killed one.
        assert self.set(home, path, 999) == 0, "the next command failed"
        self.check_size(home)

    def pages(self, path: str) -> int:
        record = json.loads(content(path).splitlines()[-1])
        return record["pageCount"]


CHECKS = [EditsShortened]
