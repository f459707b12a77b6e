"""The base of all checks: each has a name, a promise and a method, and run() returns the figure or fails."""

from __future__ import annotations

import concurrent.futures
import enum
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from typing import Callable, Iterable

from terminal import COLUMNS, ROWS, Home, Session

BOOKS = 5
ACKNOWLEDGED = "★ Favourite: Book 1"
NOT_SAVED = "Not saved; the next"
STRACE = "/usr/bin/strace"


class Size(enum.IntEnum):
    """The extent of a run: the short checks for every change, a representative part, or everything."""

    SHORT = 0
    SLICE = 1
    FULL = 2


class Skipped(Exception):
    """Raised if the machine lacks something that a check needs; the reason names it."""


@dataclass
class Sabotage:
    """A deliberate defect of the program or its files, which the check must notice; `--prove` applies it."""

    what: str
    # Faults for system calls, in the syntax of strace's --inject.
    injections: list[str] = field(default_factory=list)
    # A command that replaces the program.
    program: list[str] = field(default_factory=list)
    # Damages the user's files before they are checked.
    damage: Callable[[Home], None] | None = None
    # Additional environment variables of the program.
    environment: dict[str, str] = field(default_factory=dict)
    # A word that selects a defect implemented in the check itself.
    word: str = ""


class Lab:
    """The resources that checks share: the program, a directory, catalogs and homes."""

    def __init__(self, stacks: str, size: Size, data: str | None = None):
        self.stacks = os.path.abspath(stacks)
        self.build = os.path.dirname(os.path.dirname(self.stacks))
        self.source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        self.size = size
        self.data = data
        self.sabotage = Sabotage("nothing")
        self.failures: list[str] = []
        self.directory = tempfile.mkdtemp(prefix="stacks-reliability-")
        # Programs that run as another user read catalogs here.
        os.chmod(self.directory, 0o755)
        self.catalog = self.write_catalog("catalog.json", BOOKS)
        self.lock = threading.RLock()
        self._template: Home | None = None

    def close(self) -> None:
        shutil.rmtree(self.directory, ignore_errors=True)
        if self._template:
            shutil.rmtree(self._template.path, ignore_errors=True)

    def pick(self, short, slice, full):
        """Returns the argument for the size of this run."""
        return (short, slice, full)[self.size]

    # MARK: Catalogs and homes

    def write_catalog(self, name: str, count: int) -> str:
        books = [{"title": f"Book {n}", "authors": [f"Author {n}"]} for n in range(1, count + 1)]
        return self.write(name, json.dumps(books).encode())

    def write(self, name: str, content: bytes) -> str:
        path = os.path.join(self.directory, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    @property
    def template(self) -> Home:
        """A home in which Book 2 is a favourite, with a snapshot and a position: the old state."""
        with self.lock:
            return self._template or self.make_template()

    def make_template(self) -> Home:
        if self._template is None:
            home = Home()
            with Session([self.stacks, self.catalog], home.environment) as session:
                session.wait_for("1/5")
                session.type("jt")
                session.wait_for("★ Favourite: Book 2")
                session.type("k")
                session.wait_for("1/5")
                session.type("q")
                session.wait_for_end()
            assert os.path.exists(home.snapshot) and os.path.exists(home.preferences), "the old state was not saved"
            self._template = home
        return self._template

    @property
    def shared_program(self) -> str:
        """A copy of the program that other users may start."""
        path = os.path.join(self.directory, "stacks")
        with self.lock:
            if not os.path.exists(path):
                shutil.copy(self.stacks, path)
                os.chmod(path, 0o755)
        return path

    # MARK: Running the program

    def command(self, *arguments: str, before: Iterable[str] = ()) -> list[str]:
        """Returns the command line of the program, run by the command `before` and with the sabotage applied."""
        before = list(before)
        if self.sabotage.injections and not (before and before[0] == STRACE):
            before += self.strace()
        return before + (self.sabotage.program or [self.stacks]) + list(arguments)

    def strace(self, *options: str, log: str = "/dev/null") -> list[str]:
        """Returns the command that starts a program under strace, with the sabotage's injections."""
        options += tuple(f"--inject={injection}" for injection in self.sabotage.injections)
        calls = [injection.partition(":")[0] for injection in self.sabotage.injections]
        trace = [] if any(option.startswith("--trace=") for option in options) else ["--trace=" + ",".join(calls)]
        return [STRACE, "-f", "-qq", "-o", log, *trace, *options]

    def session(
        self, home: Home, before=(), environment=None, catalog=None, arguments=(), size=(ROWS, COLUMNS), **options
    ) -> Session:
        command = self.command(*arguments, catalog or self.catalog, before=before)
        environment = dict(environment or home.environment, **self.sabotage.environment)
        return Session(command, environment, size=size, **options)

    def output(self, home: Home, *arguments: str, **options) -> subprocess.CompletedProcess:
        """Runs the program with its output to a pipe."""
        environment = dict(home.environment, **self.sabotage.environment, **options.pop("environment", {}))
        return subprocess.run(
            self.command(*arguments),
            env=environment,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=300,
            **options,
        )

    def favourites(self, home: Home, catalog: str | None = None) -> set[str]:
        """Returns the titles of the favourites, as a new process of the program reports them."""
        if self.sabotage.damage:
            self.sabotage.damage(home)
        result = self.output(home, "search", "is:favourite", catalog or self.catalog, "--format", "json")
        assert result.returncode in (0, 1), result.stderr.decode(errors="replace")
        return {book["title"] for book in json.loads(result.stdout or b"[]")}

    def each(self, jobs: list, body: Callable, workers: int = 2) -> int:
        """Runs all jobs, several at a time; returns the number of successes and records the failures."""

        def one(job):
            try:
                body(job)
                return None
            except Exception as error:  # Any error means that the promise was not verified.
                return f"{job}: {type(error).__name__} {error}"

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            problems = [problem for problem in pool.map(one, jobs) if problem]
        self.failures += problems
        return len(jobs) - len(problems)


class Check:
    """A promise and its proof."""

    name = ""
    promise = ""
    method = ""
    # Whether the check is among the short ones for every change.
    is_short = False
    # The defects with which --prove tries to make it fail.
    sabotages: list[Sabotage] = []

    def __init__(self, lab: Lab):
        self.lab = lab

    def run(self) -> str:
        """Returns the figure. Raises AssertionError, or adds to the lab's failures, if the promise is broken."""
        raise NotImplementedError

    def random(self) -> random.Random:
        """Returns a generator with the same sequence in every run."""
        return random.Random(self.name)


class TestServer:
    """A program of Tests/Servers, which runs as long as a `with` block: it prints its ports, and answers lines."""

    def __init__(self, lab, script: str, *arguments: str, before=()):
        path = os.path.join(lab.source, "Tests/Servers", script)
        self.process = subprocess.Popen(
            [*before, sys.executable, path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ports = self.process.stdout.readline().split()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def ask(self, line: str) -> str:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip("\n")


def need(*programs: str) -> None:
    """Skips the check if a program is missing."""
    for program in programs:
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            raise Skipped(f"{program} is not installed")


def need_root() -> None:
    if os.getuid() != 0:
        raise Skipped("only root can do it")


@dataclass
class Outcome:
    check: Check
    figure: str
    failures: list[str]
    seconds: float
    is_skipped: bool = False


def carry_out(check: Check) -> Outcome:
    """Runs a check and returns the outcome."""
    start = time.monotonic()
    check.lab.failures = []
    is_skipped = False
    try:
        figure = check.run()
    except Skipped as reason:
        figure = f"not checked here: {reason}"
        is_skipped = True
    except Exception as error:
        check.lab.failures.append(f"{type(error).__name__} {error}")
        figure = ""
    if check.lab.failures:
        figure = f"FAILED {len(check.lab.failures)} times; {figure}".rstrip("; ")
    return Outcome(check, figure, list(check.lab.failures), time.monotonic() - start, is_skipped)


def run_all(checks: list[Check]) -> bool:
    """Runs the checks, reports failures, and prints the table."""
    outcomes = []
    for check in checks:
        print(f"{check.name} ...", file=sys.stderr, flush=True)
        outcome = carry_out(check)
        outcomes.append(outcome)
        for failure in outcome.failures[:12]:
            print("    " + failure[:3000].replace("\n", "\n    "), file=sys.stderr, flush=True)
    print("| check | promise | method | figure | time |\n|---|---|---|---|---|")
    for outcome in outcomes:
        check = outcome.check
        cells = [f"`{check.name}`", check.promise, check.method, outcome.figure, f"{outcome.seconds:.0f} s"]
        print("| " + " | ".join(cells) + " |")
    return not any(outcome.failures for outcome in outcomes)


def prove(checks: list[Check]) -> bool:
    """Runs each check with each of its sabotages: all runs must fail."""
    is_well = True
    print("| check | broken deliberately | what the check said |\n|---|---|---|")
    for check in checks:
        for sabotage in check.sabotages:
            check.lab.sabotage = sabotage
            outcome = carry_out(check)
            check.lab.sabotage = Sabotage("nothing")
            if outcome.is_skipped:
                said = outcome.figure
            elif outcome.failures:
                said = outcome.failures[0].split("\n")[0][:160]
            else:
                said = "NOTHING: it does not see it"
                is_well = False
            print(f"| `{check.name}` | {sabotage.what} | {said.replace('|', '/')} |", flush=True)
    return is_well
