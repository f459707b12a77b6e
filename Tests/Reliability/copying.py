"""Kills during the copying of catalogs that are not JSON, for which stacks runs stacks-connect."""

from __future__ import annotations

import collections
import gzip
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import time

from check import STRACE, Check, Sabotage, need
from terminal import Home

ROWS = 3000
# The system calls of stacks-connect, and those of stacks, that affect a copy.
READING = "write,openat,pread64,read,ftruncate,rename,unlink,close"
KEEPING = "rename,fsync,openat,unlink,mkdir,write"
CALL = re.compile(r"^\d+ +([a-z0-9_]+)\(")


def rows_of(version: int) -> list[tuple[str, str]]:
    return [(f"Tome {n}v{version}", f"Writer {n}v{version}") for n in range(1, ROWS + version)]


def listed(version: int) -> bytes:
    """Returns the output of `stacks search ""` for a version."""
    return "".join(f"{title}\t{author}\n" for title, author in rows_of(version)).encode()


def csv_of(version: int) -> bytes:
    return b"Title,Author\n" + "".join(f"{title},{author}\n" for title, author in rows_of(version)).encode()


def marcxml_of(version: int) -> bytes:
    record = (
        '<record><datafield tag="100" ind1="1" ind2=" "><subfield code="a">{1}</subfield></datafield>'
        '<datafield tag="245" ind1="1" ind2="0"><subfield code="a">{0}</subfield></datafield></record>\n'
    )
    records = "".join(record.format(*row) for row in rows_of(version))
    return f'<collection xmlns="http://www.loc.gov/MARC21/slim">\n{records}</collection>\n'.encode()


def make_source(kind: str, path: str, version: int) -> None:
    """Writes a version of the catalog to the path, like an editor that saves it."""
    new = path + ".new"
    if kind == "db":
        database = sqlite3.connect(new)
        database.execute("CREATE TABLE books (title TEXT, author TEXT)")
        database.executemany("INSERT INTO books VALUES (?, ?)", rows_of(version))
        database.commit()
        database.close()
    else:
        content = marcxml_of(version) if kind == "xml" else csv_of(version)
        with open(new, "wb") as file:
            file.write(gzip.compress(content) if kind == "csv.gz" else content)
    os.replace(new, path)


class Copies(Check):
    name = "copies-killed"
    is_short = True
    promise = "A copy of a catalog that is not JSON is complete or the previous one after any kill"
    method = (
        "`strace` kills stacks-connect, and stacks, at each system call of a first copy and of a new one, and both are "
        "killed at random moments; then the copy is read offline, and the next start follows"
    )
    sabotages = [
        Sabotage("the copy is torn afterwards", word="tear"),
        Sabotage("the file is replaced before the next start", word="stale"),
    ]
    KINDS = ["csv", "csv.gz", "xml", "db"]

    def run(self) -> str:
        need("strace")
        connector = os.path.realpath(os.path.join(os.path.dirname(self.lab.stacks), "stacks-connect"))
        assert os.path.exists(connector), f"{connector} is missing: make build"
        self.connector = connector
        self.results: collections.Counter[str] = collections.Counter()
        jobs = []
        for kind in self.KINDS:
            for who, calls in (("stacks-connect", READING), ("stacks", KEEPING)):
                for is_first in (True, False):
                    jobs += [
                        (kind, who, is_first, call, number)
                        for call, count in sorted(self.count(kind, who, is_first, calls).items())
                        for number in range(1, count + 1)
                    ]
        calls = len(jobs)
        jobs = jobs[:: self.lab.pick(max(1, calls // 24), 4, 1)]
        dice = self.random()
        moments = [
            (dice.choice(self.KINDS), dice.choice(["stacks-connect", "stacks"]), dice.random() < 0.5, "", dice.random() * 0.06)
            for _ in range(self.lab.pick(6, 60, 1000))
        ]
        done = self.lab.each(jobs + moments, self.one)
        assert self.results["old"] and self.results["new"], f"hardly a kill hit: {dict(self.results)}"
        return (
            f"{done} of {len(jobs) + len(moments)} kills, {len(moments)} of them at random moments, left the last copy "
            f"({self.results['old']}), none ({self.results['none']}) or the new one ({self.results['new']}); each next "
            f"start had the new one"
        )

    def programs(self, home: Home, injection: str) -> str:
        """Creates a directory with the program beside a stacks-connect under strace; returns the program's path."""
        directory = home.path + "/bin"
        os.makedirs(directory)
        # The program resolves symbolic links and would find the other stacks-connect.
        os.link(self.lab.stacks, directory + "/stacks") if self.can_link(home) else shutil.copy(
            self.lab.stacks, directory + "/stacks"
        )
        if injection:
            home.write(
                directory + "/stacks-connect",
                f"#!/bin/sh\nexec {STRACE} -f -qq -o {home.path}/connect.log {injection} {self.connector}\n".encode(),
            )
            os.chmod(directory + "/stacks-connect", 0o755)
        else:
            os.symlink(self.connector, directory + "/stacks-connect")
        return directory + "/stacks"

    def can_link(self, home: Home) -> bool:
        return os.stat(home.path).st_dev == os.stat(self.lab.stacks).st_dev

    def prepared(self, home: Home, kind: str, is_first: bool) -> str:
        """Creates a catalog without a copy, or one that has changed since it was copied; returns its path."""
        path = f"{home.path}/books.{kind}"
        if not is_first:
            make_source(kind, path, 1)
            assert self.lab.output(home, "search", "", path).stdout == listed(1), "the first copy failed"
        make_source(kind, path, 2)
        return path

    def count(self, kind: str, who: str, is_first: bool, calls: str) -> dict[str, int]:
        """Counts these calls in an undisturbed run."""
        with Home() as home:
            path = self.prepared(home, kind, is_first)
            watch = f"--trace={calls}"
            program = self.programs(home, watch if who == "stacks-connect" else "")
            before = [] if who == "stacks-connect" else [STRACE, "-qq", "-f", "-o", home.path + "/stacks.log", watch]
            subprocess.run(before + [program, "search", "", path], env=home.environment, capture_output=True, timeout=120)
            log = home.path + ("/connect.log" if who == "stacks-connect" else "/stacks.log")
            with open(log, errors="replace") as file:
                found = [CALL.match(line) for line in file]
            # Threads and child processes are counted separately: this is the maximum of any of them.
            counts = collections.Counter(match.group(1) for match in found if match)
            return {call: min(count, 40) for call, count in counts.items()}

    def one(self, job: tuple) -> None:
        kind, who, is_first, call, number = job
        with Home() as home:
            path = self.prepared(home, kind, is_first)
            injection = f"--trace={call} --inject={call}:signal=KILL:when={number}" if call else ""
            program = self.programs(home, injection if who == "stacks-connect" else "")
            before = [STRACE, "-qq", "-f", "-o", "/dev/null", *injection.split()] if who == "stacks" and call else []
            process = subprocess.Popen(
                before + [program, "search", "", path], env=home.environment, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True,
            )
            if not call:
                time.sleep(number)
                self.kill(who, process)
            output, error = process.communicate(timeout=120)
            if who == "stacks-connect":
                assert process.returncode >= 0, f"stacks died of {-process.returncode}"
                assert process.returncode == 0 or error.count(b"\n") == 1, error.decode()
            self.check_copy(home, path, is_first)

    def kill(self, who: str, process: subprocess.Popen) -> None:
        """Kills the program or its child, if it has one; the child must not outlive the program."""
        found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        children = [int(child) for child in found]
        if who == "stacks":
            process.kill()
        else:
            for child in children:
                try:
                    os.kill(child, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        end = time.monotonic() + 5
        while any(self.runs(child) for child in children):
            assert time.monotonic() < end or who != "stacks", "stacks-connect goes on without stacks"
            if time.monotonic() > end:
                break
            time.sleep(0.01)

    def runs(self, process: int) -> bool:
        """Returns whether a process exists and is not a zombie."""
        try:
            with open(f"/proc/{process}/stat") as file:
                return file.read().rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def check_copy(self, home: Home, path: str, is_first: bool) -> None:
        """The copy is one of the versions or missing, and the next start shows the new version."""
        remote = home.path + "/cache/stacks/remote"
        copies = [f"{remote}/{name}/data.jsonl" for name in os.listdir(remote)] if os.path.isdir(remote) else []
        for copy in copies:
            if self.lab.sabotage.word == "tear" and os.path.exists(copy):
                os.truncate(copy, os.path.getsize(copy) // 2)
        alone = self.lab.output(home, "search", "", path, "--offline")
        if alone.returncode == 66 and is_first and b"has no copy yet" in alone.stderr:
            self.results["none"] += 1
        else:
            assert alone.stdout in (listed(1), listed(2)), f"{len(alone.stdout)} bytes: {alone.stderr.decode()}"
            assert alone.stdout == listed(2) or not is_first, "a copy of an older file"
            self.results["new" if alone.stdout == listed(2) else "old"] += 1
        if self.lab.sabotage.word == "stale":
            make_source(path.partition("/books.")[2], path, 1)
        after = self.lab.output(home, "search", "", path)
        assert after.returncode == 0, f"{after.returncode} {after.stderr.decode()}"
        assert after.stdout == listed(2), f"the next start has {len(after.stdout)} bytes: {after.stderr.decode()}"


CHECKS = [Copies]
