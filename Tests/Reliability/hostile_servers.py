"""Servers that lie about numbers, never stop, or hardly send."""

from __future__ import annotations

import glob
import os
import shutil
import signal
import subprocess
import sys
import time

from check import Check, Lab, Sabotage, TestServer
from terminal import Gone, Home, Session

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Servers"))
from lying import KINDS, MODES, VALUES, address  # noqa: E402

# What the guide documents for a command that reads a catalog.
EXIT_CODES = {0, 1, 65, 66, 68, 69, 74, 75, 77}
# The most memory in MB that stacks and stacks-connect may use, whatever a server sends. Most of that of stacks-connect
# is a reply of 64 MiB in memory, in which each number and text has a value of its own.
BOUNDS = {"stacks": 100, "stacks-connect": 500}
# The kinds of servers that list books only for a search.
SEARCHED = ("xsearch+", "openlibrary+")
# The seconds after which a command that goes on is interrupted, and within which it must end then.
PATIENCE, END = 6, 5
# What is said when stacks-connect was killed, or stopped.
DEATHS = ("stacks-connect ended", "stacks-connect does not answer")


def processes(parent: int) -> list[int]:
    """The process and its descendants."""
    children: dict[int, list[int]] = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                text = file.read()
        except OSError:
            continue
        above = int(text[text.rindex(")") + 2 :].split()[1])
        children.setdefault(above, []).append(int(path.split("/")[2]))
    found = [parent]
    for process in found:
        found += children.get(process, [])
    return found


class Peaks:
    """The peak memory of each program in MB."""

    def __init__(self):
        self.values: dict[str, int] = {}

    def note(self, parent: int) -> None:
        for process in processes(parent):
            try:
                with open(f"/proc/{process}/status") as file:
                    fields = dict(line.split(":", 1) for line in file)
            except OSError:
                continue
            # A process before its exec has another name, or no memory any more.
            name = fields["Name"].strip()
            if "VmHWM" in fields:
                peak = int(fields["VmHWM"].split()[0]) // 1000
                name = "stacks-connect" if name not in BOUNDS else name
                self.values[name] = max(self.values.get(name, 0), peak)

    def check(self) -> None:
        for name, bound in BOUNDS.items():
            peak = self.values.get(name, 0)
            assert peak <= bound, f"{name} has {peak} MB, of at most {bound}"


def stop(parent: int) -> None:
    for process in processes(parent):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


class HostileServers(Check):
    name = "hostile-servers"
    is_short = True
    promise = (
        "No server crashes stacks or stacks-connect, takes their memory (at most 100 MB and 500 MB), or keeps them from "
        "being stopped"
    )
    method = (
        "a server of each kind that says 0, -1, 2^31, 2^32, 2^53, 2^63-1, 2^64 and text for every count, size, position "
        "and rating, replies without an end, or sends 16 bytes every 0.2 s: searched by a command, and browsed to the "
        "end, searched and quit; exit status, peak memory, messages"
    )
    sabotages = [
        Sabotage("stacks-connect traps when it starts", word='#!/bin/sh\nread -r line\nkill -ILL $$\n'),
        Sabotage(
            "stacks-connect takes a gigabyte",
            word=f"#!{sys.executable}\nimport time\nx = b'x' * (1 << 30)\ntime.sleep(4)\n",
        ),
        Sabotage("a program that traps", program=["/bin/sh", "-c", "kill -ILL $$"]),
        Sabotage("a program that stays", program=["/bin/sh", "-c", "trap '' INT; sleep 20"]),
    ]

    def __init__(self, lab: Lab):
        super().__init__(lab)
        self.peaks = Peaks()

    def run(self) -> str:
        self.peaks = Peaks()
        names = self.lab.pick(["minus", "p63"], list(VALUES), list(VALUES)) + MODES
        short = ["sru", "z3950", "xsearch", "openlibrary", "opensearch", "solr", "clickhouse", "calibre", "atom"]
        kinds = self.lab.pick(short, KINDS, KINDS)
        jobs = [(kind, name) for name in names for kind in kinds]
        if self.lab.sabotage.what != "nothing":
            jobs = jobs[:2]
        with TestServer(self.lab, "lying.py") as server:
            ports = [int(port) for port in server.ports]
            program = self.program()
            commands = self.lab.each(jobs, lambda job: self.search(program, address(*job, *ports)))
            browsers = self.lab.each(jobs, lambda job: self.browse(program, address(*job, *ports)))
        peaks = ", ".join(f"{name} {self.peaks.values.get(name, 0)} MB" for name in BOUNDS)
        return f"{commands} of {len(jobs)} searches and {browsers} of {len(jobs)} sessions; at most {peaks}"

    def program(self) -> list[str]:
        """The program, with the connector program of the sabotage beside it."""
        sabotage = self.lab.sabotage
        if sabotage.program or not sabotage.word:
            return sabotage.program or [self.lab.stacks]
        directory = os.path.join(self.lab.directory, "sabotaged")
        os.makedirs(directory, exist_ok=True)
        shutil.copy(self.lab.stacks, directory)
        connector = os.path.join(directory, "stacks-connect")
        with open(connector, "w", encoding="utf-8") as file:
            file.write(sabotage.word)
        os.chmod(connector, 0o755)
        return [os.path.join(directory, "stacks")]

    def search(self, program: list[str], place: str) -> None:
        query = "book" if place.startswith(SEARCHED) else ""
        with Home() as home, open(home.path + "/output", "w+b") as output:
            process = subprocess.Popen(
                [*program, "search", query, place], env=home.environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=output,
            )  # fmt: skip
            peaks = Peaks()
            start = time.monotonic()
            is_interrupted = False
            try:
                while process.poll() is None:
                    peaks.note(process.pid)
                    peaks.check()
                    took = time.monotonic() - start
                    if took > PATIENCE and not is_interrupted:
                        is_interrupted = True
                        process.send_signal(signal.SIGINT)
                    assert took < PATIENCE + END, f"it goes on after {took:.0f} s"
                    time.sleep(0.05)
            finally:
                stop(process.pid)
                process.wait()
                self.join(peaks)
            output.seek(0)
            text = output.read().decode(errors="replace")
            allowed = EXIT_CODES | ({-signal.SIGINT, 128 + signal.SIGINT} if is_interrupted else set())
            assert process.returncode in allowed, f"exit {process.returncode}: {text[-500:]}"
            assert not any(death in text for death in DEATHS), text[-500:]

    def browse(self, program: list[str], place: str) -> None:
        with Home() as home, Session([*program, place], home.environment) as session:
            peaks = Peaks()
            shown = ""
            try:
                for key in ["", "j", "G", "k", "R", "G", "/book\r", "G", "\x1b", "gg", "st", "G"]:
                    session.type(key)
                    session.settle(0.15, 1.5)
                    shown += session.text
                    peaks.note(session.pid)
                    peaks.check()
                    if not session.is_alive:
                        break
                if session.is_alive:
                    # Esc closes what is open, and stops what has not answered; a failure at the start needs no key.
                    session.type("\x1b")
                    session.settle(0.1, 1)
                    session.type("q")
                    session.wait_for_end(END)
            except Gone:
                session.wait_for_end(END)
            finally:
                if session.is_alive:
                    stop(session.pid)
                self.join(peaks)
            shown += session.text
            code = os.WEXITSTATUS(session.status) if os.WIFEXITED(session.status) else -os.WTERMSIG(session.status)
            assert code in EXIT_CODES, f"the browser ended with {code}\n{session.text}"
            assert not any(death in shown for death in DEATHS), shown[-2000:]

    def join(self, peaks: Peaks) -> None:
        with self.lab.lock:
            for name, value in peaks.values.items():
                self.peaks.values[name] = max(self.peaks.values.get(name, 0), value)


CHECKS = [HostileServers]
