"""A long session with random keys, random sizes and a catalog that changes."""

from __future__ import annotations

import os
import random
import select
import statistics
import sys
import time

from changing import Change, catalog_of
from check import Check, Sabotage
from ending import cpu
from scanner import forbidden
from terminal import Home, Session

# None of them quits or suspends; "e" and "o" start programs that do nothing.
READING = (
    list("jkgGzhlJLK<>|vVyaI/nNFHM'sSdp?:,-[]0123459cxoR ") * 2
    + ["j", "k", "\x06", "\x02"] * 8
    + [
        "\x1b",
        "\x1b",
        "\t",
        "\x7f",
        "\x04",
        "\x15",
        "\x0f",
        "\x0c",
        "\x1b[A",
        "\x1b[B",
        "\x1b[5~",
        "\x1b[6~",
        "\x1b[<0;10;5M\x1b[<0;10;5m",
        "\x1b[<64;10;5M",
        "\x1b[200~a paste\n\x1b[201~",
        "\x1b[Z",
    ]
)
# Changes stay in the history, which is kept in memory for the history screen and undo.
CHANGING = READING + list("t*mbBrUu+=DWe\r\x12") * 2
ROOM_FOR_A_CHANGE = 2048
# In kB.
LARGE_PAGE = 2048


class Soak(Check):
    name = "soak"
    promise = "A long session stays healthy: no crash, stable memory, and no CPU when idle"
    method = (
        "random keys on a terminal, random sizes and a changing catalog; comparison of resident memory in the first "
        "and the last tenth (5 %, plus 2 kB for each change of user data), and CPU when idle"
    )
    sabotages = [
        Sabotage(
            "a program that keeps all input in memory and is never idle",
            program=[
                sys.executable,
                "-c",
                "import os, tty\ntty.setraw(0)\nos.set_blocking(0, False)\nkept = []\nprint('1/', flush=True)\n"
                "while True:\n"
                "  try: kept.append(os.read(0, 9) * 20000); os.write(1, b'.')\n  except BlockingIOError: pass",
            ],
        )
    ]

    def run(self) -> str:
        count = int(os.environ.get("SOAK_KEYS", 0)) or self.lab.pick(6_000, 20_000, 1_000_000)
        # These keys change thousands of books at once; more of them would only measure a history of gigabytes.
        changing = min(count // 2, 10_000)
        return f"{self.soak(count - changing, READING)}; with changes of user data: {self.soak(changing, CHANGING)}"

    def soak(self, count: int, keys: list[str]) -> str:
        dice = random.Random(count)
        self.path = self.lab.directory + "/soak.json"
        with open(self.path, "wb") as file:
            file.write(catalog_of(1))
        change = Change(self.path, dice)
        with Home() as home:
            environment = dict(home.environment, BROWSER="/bin/true", EDITOR="/bin/true", VISUAL="/bin/true")
            with self.lab.session(home, catalog=self.path, environment=environment, draws=False, size=(30, 120)) as session:
                session.settle(0.3)
                memory = self.type_keys(session, dice, change, count, keys)
                ticks = self.rest(session)
                figure = self.judge(memory, home, count, ticks)
                session.resize(30, 120)
                session.settle(0.1)
                self.quit(session)
        return figure

    def judge(self, memory: list[int], home: Home, count: int, ticks: int) -> str:
        history = len(home.files().get("data/stacks/history.jsonl", b"").splitlines())
        tenth = max(1, len(memory) // 10)
        # The median, because some memory is returned late; the memory that the first keys need does not count.
        first, last = statistics.median(memory[:tenth]), statistics.median(memory[-tenth:])
        growth = (last - first) / first
        figure = (
            f"{count:,} keys, {history:,} changes of user data; {first / 1024:.1f} MiB in the first tenth, "
            f"{last / 1024:.1f} MiB in the last ({growth:+.1%}); {ticks} ticks of CPU in 3 s of rest"
        )
        # In a short run the difference may be one large page.
        room = self.lab.pick(LARGE_PAGE, LARGE_PAGE, 0) if count < 100_000 else 0
        assert last - first < 0.05 * first + room + history * ROOM_FOR_A_CHANGE / 1024, figure
        assert ticks <= 1, figure
        return figure

    def type_keys(
        self, session: Session, dice: random.Random, change: Change, count: int, possible: list[str]
    ) -> list[int]:
        memory = []
        typed = 0
        every = max(100, count // 200)
        # By then nearly every feature has been used once, and the memory that this needs is not growth. The memory for
        # the history is counted.
        warm = max(count // 4, 20_000 if possible is READING else 0)
        while typed < count + warm:
            keys = "".join(dice.choice(possible) for _ in range(20))
            session.type(keys)
            typed += 20
            end = time.monotonic() + 5
            session.pump(0.02)
            while session.pump(0.004) and len(session.output) and time.monotonic() < end:
                # Scanned output need not be kept.
                if len(session.output) > 200_000:
                    self.scan(session)
                if not session.is_alive or not self.has_more(session):
                    break
            assert session.is_alive, f"ended with {session.status} after {typed:,} keys, the last {keys!r}"
            if dice.random() < 0.02:
                session.resize(dice.randint(1, 60), dice.randint(1, 220))
            if dice.random() < 0.005:
                change.apply()
            if typed > warm and typed % every < 20:
                memory.append(self.measure(session))
        return memory

    def measure(self, session: Session) -> int:
        """Returns the memory of the program with the original catalog and window size."""
        with open(self.path, "wb") as file:
            file.write(catalog_of(1))
        session.resize(30, 120)
        for key in ["\x1b"] * 4 + ["R"]:
            session.type(key)
            session.settle(0.05)
        session.settle(0.2)
        return resident(session.pid)

    def has_more(self, session: Session) -> bool:
        return bool(select.select([session.master], [], [], 0.002)[0])

    def scan(self, session: Session) -> None:
        # A sequence may be cut off at the end.
        whole = session.output.rfind(b"\x1b")
        found = forbidden(bytes(session.output[:whole]), True)
        # Drawn pastes contain no control characters either.
        assert not found, found[:3]
        del session.output[:whole]

    def rest(self, session: Session) -> int:
        session.settle(0.5, 10)
        before = cpu(session.pid)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            session.pump(0.1)
        return round((cpu(session.pid) - before) * os.sysconf("SC_CLK_TCK"))

    def quit(self, session: Session) -> None:
        for key in ["\x1b"] * 6 + ["q", "q"]:
            if session.is_alive:
                session.type(key)
                session.settle(0.08)
        session.wait_for_end(5)
        assert session.status == 0, session.status


def resident(pid: int) -> int:
    """Returns the resident memory of a process in kB."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


CHECKS = [Soak]
