"""stacks restores the terminal, and ends if the terminal goes away."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

from check import Check, Sabotage, Skipped, Size
from terminal import Home, Session

# The states of a terminal that outlive a program: the screen, the cursor, mouse reports, bracketed paste, the keypad.
PRIVATE_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])|\x1b([=>])|\x1b\[([0-9;]*)m|\x1b\[4([hl])")
AS_FOUND = {"1049": "l", "25": "h", "1000": "l", "1002": "l", "1003": "l", "1006": "l", "2004": "l", "1": "l", "7": "h"}


def left_behind(output: bytes) -> list[str]:
    """Returns the modes that differ from a terminal's initial modes after this output."""
    modes: dict[str, str] = {}
    for match in PRIVATE_MODE.finditer(output):
        private, state, keypad, attributes, insert = match.groups()
        if private:
            for number in private.decode().split(";"):
                modes[number] = state.decode()
        elif keypad:
            modes["keypad"] = keypad.decode()
        elif insert:
            modes["insert"] = insert.decode()
        else:
            modes["attributes"] = "off" if attributes in (b"", b"0", b"39;49") else attributes.decode()
    found = dict(AS_FOUND, keypad=">", insert="l", attributes="off", **{"12": "l"})
    return [f"{mode} is {state}" for mode, state in modes.items() if state != found.get(mode, "l")]


# The keys that lead to a screen before the end comes.
SITUATIONS = {
    "list": "jj",
    "search": "/bo",
    "help": "?",
    "palette": ":so",
    "lists": "L",
    "facets": "F",
    "counting": "12",
    "shelf": "b",
    "marked": "vjj",
    "linear": "",
}
DYING = [
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGABRT,
    signal.SIGSEGV,
    signal.SIGBUS,
    signal.SIGILL,
    signal.SIGFPE,
    signal.SIGTRAP,
]
TRAPS = ["index", "unwrap", "overflow", "fatalError", "precondition", "stack", "abort"]

# A program that changes the terminal like stacks and does not restore it.
RUDE = """
import os, sys, termios, time, tty
tty.setraw(0)
sys.stdout.write("\\x1b[?1049h\\x1b[?25lREADY 1/5")
sys.stdout.flush()
os.read(0, 1)
time.sleep(60)
"""


class Signals(Check):
    name = "signals"
    is_short = True
    promise = "Your terminal is restored however stacks ends (except by kill -9)"
    method = (
        "termios and private modes before and after: TERM HUP INT QUIT ABRT SEGV BUS ILL FPE TRAP in each of ten "
        "situations and at random moments during startup, and every kind of Swift trap"
    )
    sabotages = [Sabotage("a program that never restores anything", program=[sys.executable, "-c", RUDE])]

    def compare(self, session: Session, what: str, expected: int | None) -> None:
        status = session.status
        if expected is not None:
            assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == expected, f"{what} ended with {status}"
        assert session.modes == session.original_modes, f"{what}: the modes of the terminal are not as they were"
        left = left_behind(bytes(session.output))
        assert not left, f"{what}: {', '.join(left)}"

    def one_situation(self, job: tuple[str, int]) -> None:
        name, number = job
        with Home(self.lab.template) as home:
            arguments = ["--linear"] if name == "linear" else []
            # Processes end without a core file.
            with self.lab.session(home, arguments=arguments, draws=False, prepare=without_core) as session:
                end = time.monotonic() + 10
                while b"1/5" not in session.output and b"Book 1" not in session.output and time.monotonic() < end:
                    session.pump(0.1)
                session.type(SITUATIONS[name])
                session.settle(0.05)
                os.kill(session.pid, number)
                session.wait_for_end(5)
                self.compare(session, f"{signal.Signals(number).name} in {name}", number)

    def one_moment(self, moment: float) -> None:
        """Ends the program at a moment during its startup."""
        with Home(self.lab.template) as home:
            with self.lab.session(home, draws=False, prepare=without_core) as session:
                end = time.monotonic() + moment
                while time.monotonic() < end:
                    session.pump(max(0.0, end - time.monotonic()))
                os.kill(session.pid, signal.SIGTERM)
                session.wait_for_end(5)
                self.compare(session, f"SIGTERM after {moment * 1000:.1f} ms", None)

    def one_trap(self, way: str) -> None:
        probe = os.path.join(self.lab.build, "debug", "CrashProbe")
        with Home() as home, Session([probe, way], home.environment, draws=False, prepare=without_core) as session:
            end = time.monotonic() + 10
            while b"READY" not in session.output and time.monotonic() < end:
                session.pump(0.1)
            session.type("x")
            session.wait_for_end(20)
            assert os.WIFSIGNALED(session.status), f"{way} ended with {session.status}"
            self.compare(session, way, None)

    def run(self) -> str:
        situations = [(name, int(number)) for name in SITUATIONS for number in DYING]
        situations = situations[:: self.lab.pick(9, 1, 1)]
        done = self.lab.each(situations, self.one_situation)
        dice = self.random()
        moments = [dice.uniform(0, 0.03) for _ in range(self.lab.pick(10, 100, 2000))]
        starts = self.lab.each(moments, self.one_moment)
        figure = f"{done} of {len(situations)} signals and {starts} of {len(moments)} during startup clean"
        if os.path.exists(os.path.join(self.lab.build, "debug", "CrashProbe")):
            figure += f", {self.lab.each(TRAPS, self.one_trap)} of {len(TRAPS)} traps"
        else:
            figure += "; traps not tried: make build-tests makes CrashProbe"
        return figure


def without_core() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Vanishing(Check):
    name = "vanishing"
    is_short = True
    promise = "It stops when the terminal closes: within 1 s, using less than 0.1 s of CPU, with the position saved"
    method = "the master side closed in each of ten situations, also with SIGHUP ignored, and during a long read"
    sabotages = [
        Sabotage(
            "a program that stays",
            program=[
                sys.executable,
                "-c",
                "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\nprint('1/5', flush=True)\n"
                "while True: pass",
            ],
        )
    ]

    def run(self) -> str:
        large = self.lab.write_catalog("large.json", self.lab.pick(50_000, 200_000, 1_000_000))
        jobs = [
            (name, is_ignored, catalog)
            for catalog in (self.lab.catalog, large)
            for name in SITUATIONS
            for is_ignored in (False, True)
        ] * self.lab.pick(1, 1, 10)
        slowest = [0.0]
        most = [0.0]

        def one(job):
            name, is_ignored, catalog = job
            arguments = ["--linear"] if name == "linear" else []
            with Home(self.lab.template) as home:
                with self.lab.session(
                    home,
                    catalog=catalog,
                    arguments=arguments,
                    draws=False,
                    prepare=ignore_hanging_up if is_ignored else None,
                ) as session:
                    end = time.monotonic() + 10
                    while not re.search(rb"1/|Book 1", session.output) and time.monotonic() < end:
                        session.pump(0.1)
                    session.type(SITUATIONS[name])
                    session.settle(0.03, seconds=0.2)
                    # Reading in the background goes on for a while and is not measured here.
                    if catalog == self.lab.catalog:
                        session.settle(0.1)
                    before = cpu(session.pid)
                    session.close_slave()
                    session.close_master()
                    start = time.monotonic()
                    while session.is_alive and time.monotonic() < start + 3:
                        time.sleep(0.002)
                    seconds = time.monotonic() - start
                    assert session.status is not None, "it stays"
                    used = session.usage.ru_utime + session.usage.ru_stime - before
                    slowest[0] = max(slowest[0], seconds)
                    most[0] = max(most[0], used)
                    assert seconds < 1, f"gone after {seconds:.2f} s"
                    assert used < 0.1, f"{used:.2f} s of CPU"
                    # The position is saved, and no file is torn.
                    if name != "linear":
                        assert os.path.getsize(home.preferences) > 2

        done = self.lab.each(jobs, one)
        return (
            f"{done} of {len(jobs)} ended, the slowest after {slowest[0] * 1000:.0f} ms, at most {most[0]:.2f} s of CPU"
        )


def ignore_hanging_up() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def cpu(pid: int) -> float:
    """Returns the CPU time of a process in seconds."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Suspending(Check):
    name = "suspending"
    promise = "After suspending, resizing and continuing, stacks shows the same screen as a fresh start at that size"
    method = "^Z in a shell, a resize, `fg`, at random sizes and in random situations"
    sabotages = [
        Sabotage(
            "a program that draws once",
            program=[sys.executable, "-c", "import sys\nprint('1/5 Stopped', flush=True)\nsys.stdin.read()"],
        )
    ]

    def run(self) -> str:
        dice = self.random()
        jobs = [
            (dice.randint(16, 50), dice.randint(80, 200), dice.choice(["", "jj", "L", "?", "t"]))
            for _ in range(self.lab.pick(3, 12, 100))
        ]
        done = self.lab.each(jobs, self.one)
        return f"{done} of {len(jobs)} the same, and the shell had its terminal in between"

    def one(self, job: tuple[int, int, str]) -> None:
        rows, columns, keys = job
        with Home() as home:
            command = " ".join("'" + part.replace("'", "'\\''") + "'" for part in self.lab.command(self.lab.catalog))
            shell = ["/bin/bash", "--norc", "--noprofile", "-i"]
            with Session(shell, dict(home.environment, PS1="ready> ")) as session:
                session.wait_for("ready>")
                modes = session.modes
                session.type(command + "\n")
                session.wait_for("1/5")
                session.type("\x1a")
                session.wait_for("Stopped", seconds=5)
                session.wait_for("ready>")
                session.settle(0.1)
                assert session.modes == modes, "the shell's terminal has other modes while stacks is stopped"
                assert not left_behind(re.sub(rb"\x1b\[\?2004h(?=ready>)", b"", bytes(session.output))), "while stopped"
                session.resize(rows, columns)
                session.type("fg\n")
                session.wait_for("1/5", seconds=5)
                session.type(keys)
                session.settle(0.15)
                shown = session.screen.display
            with self.lab.session(home, size=(rows, columns), arguments=["--no-resume"]) as fresh:
                fresh.wait_for("1/5")
                if keys != "t":
                    fresh.type(keys)
                else:
                    fresh.wait_for("★ Book 1")
                fresh.settle(0.15)
                again = fresh.screen.display
            # The status line differs, because it shows the last command.
            assert shown[:-2] == again[:-2], "\n".join(["it shows", *shown, "and a fresh start", *again])


class TerminalTypes(Check):
    name = "terminal-types"
    is_short = True
    promise = "Every terminal and every locale shows the list or an error message, never a blank screen"
    method = (
        "TERM: all entries of ncurses-term (a sample of them), unset, empty, hostile; LANG: C, UTF-8, unknown, unset"
    )
    sabotages = [
        Sabotage(
            "a program that shows nothing",
            program=[sys.executable, "-c", "import sys, time\ntime.sleep(1)\nsys.exit(64)"],
        )
    ]

    def run(self) -> str:
        types = [
            "xterm",
            "xterm-256color",
            "xterm-direct",
            "linux",
            "vt100",
            "vt220",
            "vt52",
            "ansi",
            "screen",
            "tmux-256color",
            "rxvt-unicode",
            "dumb",
            "unknown",
            "",
            None,
            "\x1b[31mx",
            "../../etc/passwd",
            "x" * 5000,
        ]
        listed = subprocess.run(["toe", "-a"], capture_output=True, text=True).stdout.splitlines()
        known = sorted({line.split()[0] for line in listed if line.split()})
        types += known[:: self.lab.pick(200, 12, 1)]
        locales = self.lab.pick(
            ["C", "C.UTF-8"],
            ["C", "C.UTF-8", None, "xx_YY.ISO-8859-1"],
            ["C", "C.UTF-8", None, "", "xx_YY.ISO-8859-1", "en_US.UTF-8", "POSIX"],
        )
        jobs = [(kind, locale) for kind in types[:18] for locale in locales] + [
            (kind, "C.UTF-8") for kind in types[18:]
        ]
        sentences = [0]

        def one(job):
            kind, locale = job
            with Home() as home:
                environment = {**home.environment, "TERM": kind, "LANG": locale}
                environment = {name: value for name, value in environment.items() if value is not None}
                with self.lab.session(home, environment=environment, draws=False) as session:
                    session.settle(0.15)
                    if session.is_alive:
                        session.type("q")
                        session.wait_for_end(5)
                    text = bytes(session.output)
                    if session.status == 0:
                        # For some terminals, letters are sent one by one, with delays or cursor movements in between.
                        letters = re.sub(rb"\x1b\[[0-9;]*[A-Za-z]|\x1b.|\$<[^>]*>|[\x00-\x1f\x7f]", b"", text)
                        assert b"Book" in letters or b"ook" in letters, f"it shows {text[:200]!r}"
                    else:
                        assert os.WEXITSTATUS(session.status) == 64, (session.status, text)
                        # ncurses may have sent the initialization of the terminal before the message.
                        assert re.search(rb"stacks: [^\x1b]+\.\r\n$", text), text
                        assert text.count(b"\n") == 1, text
                        sentences[0] += 1
                    assert session.modes == session.original_modes, "the modes of the terminal are not as they were"

        done = self.lab.each(jobs, one)
        return f"{done} of {len(jobs)} show the list or, in {sentences[0]} cases, an error message"


class Pasting(Check):
    name = "pasting"
    is_short = True
    promise = "Pasted text never acts as commands"
    method = (
        "bracketed pastes of every byte, every key and random bytes, in each situation: nothing changes, and nothing "
        "quits"
    )
    sabotages = [Sabotage("pastes are sent as typed keys", word="typed")]

    def run(self) -> str:
        dice = self.random()
        texts = [
            bytes(range(256)).replace(b"\x1b[201~", b""),
            b"qqttDDyy\r\x03\x03",
            b"\x1b[200~" * 3 + b"tq",
            b"t" * 100_000,
        ]
        texts += [
            dice.randbytes(dice.randint(1, 300)).replace(b"\x1b", b"e") for _ in range(self.lab.pick(4, 40, 1000))
        ]
        jobs = [(name, index) for index in range(len(texts)) for name in ("list", "lists", "help", "facets")]
        jobs = jobs if self.lab.size is not Size.SHORT else jobs[::3]

        def one(job):
            name, index = job
            with Home() as home, self.lab.session(home, draws=False) as session:
                session.settle(0.1)
                session.type(SITUATIONS[name])
                session.settle(0.05)
                if self.lab.sabotage.word:
                    session.type("\x1btttq")
                else:
                    send(session, b"\x1b[200~" + texts[index] + b"\x1b[201~")
                session.settle(0.05)
                assert session.is_alive, "pasting ends it"
                history = home.files().get("data/stacks/history.jsonl", b"")
                assert not history, f"pasting changes something: {history[:200]!r}"
                for key in ("\x1b", "\x1b", "\x1b", "q", "q"):
                    if session.is_alive:
                        session.type(key)
                        session.settle(0.06)
                session.wait_for_end(5)
                assert session.status == 0, session.status

        done = self.lab.each(jobs, one)
        return f"{done} of {len(jobs)} pastes changed nothing"


class Typing(Check):
    name = "typing"
    is_short = True
    promise = "No terminal input crashes it"
    method = (
        "random bytes, partial sequences and partial characters typed at random sizes; after quitting, it is started "
        "again"
    )
    sabotages = [
        Sabotage(
            "a program that crashes on a byte",
            program=[
                sys.executable,
                "-c",
                "import os, tty\ntty.setraw(0)\nprint('1/5', flush=True)\nos.read(0, 1)\nos.kill(os.getpid(), 11)",
            ],
        )
    ]

    def run(self) -> str:
        count = self.lab.pick(4_000, 60_000, 3_000_000)
        jobs = list(range(max(2, count // 10_000)))
        typed = [0] * len(jobs)

        def one(job):
            dice = self.random()
            dice.seed(job)
            with Home() as home:
                # External programs that are started on request are not checked here.
                environment = dict(home.environment, BROWSER="true", EDITOR="true", VISUAL="true")
                while typed[job] < count // len(jobs):
                    size = (dice.randint(2, 50), dice.randint(2, 200))
                    with self.lab.session(home, draws=False, size=size, environment=environment) as session:
                        session.settle(0.03)
                        while session.is_alive and typed[job] < count // len(jobs):
                            data = self.data(dice)
                            session.type(data)
                            session.settle(0.004, 1)
                            typed[job] += len(data)
                        if session.is_alive:
                            os.kill(session.pid, signal.SIGTERM)
                            session.wait_for_end(5)
                        ended = session.status
                        by = os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else 0
                        assert by in (
                            0,
                            signal.SIGTERM,
                            signal.SIGINT,
                            signal.SIGQUIT,
                        ), f"ended with {ended} by {data!r}"

        done = self.lab.each(jobs, one)
        return f"{sum(typed):,} bytes in {done} of {len(jobs)} sessions"

    def data(self, dice) -> bytes:
        kind = dice.randrange(4)
        if kind == 0:
            data = dice.randbytes(dice.randint(1, 40))
        elif kind == 1:
            data = b"\x1b[" + bytes(dice.choice(b"0123456789;<>?M~ABCDmhHR") for _ in range(dice.randint(1, 12)))
        elif kind == 2:
            data = "".join(chr(dice.choice([0x301, 0x4E00, 0x1F600, 0x202E, 0xE9, 0x61])) for _ in range(9)).encode()
            data = data[: dice.randint(1, len(data))]
        else:
            data = bytes(dice.choice(b"jkgGzL/:?FUrmsSbtvV|\r\x1b\t") for _ in range(dice.randint(1, 10)))
        # The terminal itself handles these characters: it suspends the program or stops its output.
        return data.replace(b"\x1a", b"").replace(b"\x13", b"") or b"j"


def send(session: Session, data: bytes) -> None:
    """Types a lot of text while reading the output."""
    for start in range(0, len(data), 1000):
        session.type(data[start : start + 1000])
        session.pump(0)


CHECKS = [Signals, Vanishing, Suspending, TerminalTypes, Pasting, Typing]
