"""Scanning bar codes into a catalog: a book that is said to be added is in the file."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

from check import Check, Sabotage
from editing import content, isbn
from terminal import Home

ADDED = re.compile(rb"Added \xe2\x80\x9c(.*?)\xe2\x80\x9d")
SHOWN = re.compile(r"(978-\d+) +Added")
COUNT = 20


class Scans(Check):
    name = "scans"
    is_short = True
    promise = "A book that a scan says it has added survives kill -9, and no scan leaves a partial catalog"
    method = (
        "`stacks scan`, and a scan in the browser, are killed at random moments while codes come one after the other, with "
        "and without sources; then the same codes are scanned again, and the browser's catalog is read"
    )
    sabotages = [
        Sabotage("the catalog loses its last book", word="lost"),
        Sabotage("the file of the catalog is cut off", word="cut"),
    ]

    def run(self) -> str:
        self.said = self.added = 0
        count = self.lab.pick(12, 100, 1000) if self.lab.sabotage.what == "nothing" else 6
        jobs = list(range(count))
        done = self.lab.each(jobs, self.scan)
        assert self.said, "no scan has said anything before it was killed"
        self.shown = 0
        screens = max(2, count // 5)
        seen = self.lab.each(list(range(screens)), self.on_screen)
        assert self.shown, "no scan in the browser has said anything before it was killed"
        return (
            f"{done} of {count} killed scans lost none of {self.said} books; {self.added} were added by the second scan; "
            f"{seen} of {screens} in the browser lost none of {self.shown}"
        )

    def scan(self, number: int) -> None:
        choose = random.Random(f"{self.name} {number}")
        codes = [isbn(1000 + index) for index in range(COUNT)]
        with Home() as home:
            os.makedirs(home.path + "/books")
            path = home.path + "/books/catalog.json" + choose.choice(["", "l"])
            arguments = ["scan", path]
            if number % 2:
                source = home.path + "/books/source.json"
                books = [{"title": f"Book {code}", "isbn": code} for code in codes[::2]]
                home.write(source, json.dumps(books).encode())
                arguments += ["--sources", source]
            said = self.killed(home, arguments, codes, choose)
            self.damage(home, path)
            found = self.isbns(path)
            missing = [code for code in said if code not in found]
            assert not missing, f"{missing} was said to be added, and is not in {found}"
            result = subprocess.run(
                self.lab.command(*arguments), env=home.environment, input="\n".join(codes).encode(), capture_output=True,
                timeout=60)
            # With sources, some books have none.
            assert result.returncode in (0, 1), f"{result.returncode} {result.stderr.decode()}"
            now = self.isbns(path)
            assert sorted(now) == sorted(codes), f"{now} after the second scan"
            self.said += len(said)
            self.added += len(now) - len(found)

    def on_screen(self, number: int) -> None:
        """Scans in the browser until a random moment; what the screen said to be added is an unsaved change."""
        choose = random.Random(f"{self.name} on screen {number}")
        codes = [isbn(2000 + index) for index in range(10)]
        with Home() as home:
            path = home.path + "/catalog.json"
            home.write(path, b"[]\n")
            home.write(home.configuration, b"[lookup]\nsources = []\n")
            with self.lab.session(home, [], home.environment, path) as session:
                session.wait_for("catalog.json")
                session.type("gb")
                session.wait_for("Add to the catalog")
                session.type("\r")
                session.wait_for("Scan a bar code")
                stop = time.monotonic() + choose.uniform(0.05, 0.6)
                for code in codes:
                    session.type(code + "\r")
                    session.pump(choose.uniform(0, 0.05))
                    if time.monotonic() > stop:
                        break
                session.pump(choose.uniform(0, 0.1))
                said = [re.sub(r"\D", "", line) for line in SHOWN.findall(session.text)]
                os.kill(session.pid, signal.SIGKILL)
            if self.lab.sabotage.what != "nothing":
                shutil.rmtree(home.path + "/state", ignore_errors=True)
            result = subprocess.run(
                self.lab.command("search", "", path, "--format", "json"), env=home.environment, capture_output=True, timeout=60)
            found = [book["isbn"] for book in json.loads(result.stdout)]
            missing = [code for code in said if code not in found]
            assert not missing, f"{missing} was said to be added, and is not in {found}"
            self.shown += len(said)

    def killed(self, home: Home, arguments: list[str], codes: list[str], choose: random.Random) -> list[str]:
        """Scans until a random moment; returns the ISBNs that were said to be added."""
        log = home.path + "/log"
        with open(log, "wb") as output:
            process = subprocess.Popen(
                self.lab.command(*arguments), env=home.environment, stdin=subprocess.PIPE, stdout=output,
                stderr=subprocess.DEVNULL)
            stop = time.monotonic() + choose.uniform(0.005, 0.4)
            for code in codes:
                if time.monotonic() > stop:
                    break
                process.stdin.write(code.encode() + b"\n")
                process.stdin.flush()
                time.sleep(choose.uniform(0, 0.02))
            time.sleep(max(0, stop - time.monotonic()))
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        # What is said has the title, which ends with the ISBN.
        titles = ADDED.findall(content(log))
        return [re.sub(rb"\D", b"", title).decode() for title in titles]

    def isbns(self, path: str) -> list[str]:
        """Returns the ISBNs in a file that must be a catalog, if there is one."""
        if not os.path.exists(path):
            return []
        text = content(path).decode()
        records = [json.loads(line) for line in text.splitlines()] if path.endswith("l") else json.loads(text)
        return [record["isbn"] for record in records]

    def damage(self, home: Home, path: str) -> None:
        word = self.lab.sabotage.word
        if not os.path.exists(path) or word not in ("lost", "cut"):
            return
        text = content(path)
        if word == "cut":
            home.write(path, text[: len(text) // 2])
        elif path.endswith("l"):
            home.write(path, b"".join(text.splitlines(True)[:-1]))
        else:
            home.write(path, json.dumps(json.loads(text)[:-1]).encode())


CHECKS = [Scans]
