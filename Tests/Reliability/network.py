"""Catalogs on servers that fail, and without a network."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request

from check import Check, Sabotage, TestServer, need
from terminal import Home, Session

BOOKS = 5000
# The exit status for each failure of the server if there is a copy; see the exit codes in the guide.
FAULTS = {
    "empty": 68, "reset": 68, "garbage": 69, "headers": 69, "cut": 65, "cut_chunk": 65, "cut_close": 65, "cut_gzip": 65,
    "cut_length": 65, "cut_array": 65, "changed": 65, "bomb": 65, "401": 77, "403": 69, "404": 69, "429": 69,
    "429_date": 69, "503": 69, "500": 69, "loop": 69, "to_file": 69, "to_gopher": 69, "login": 65, "nothing": 65,
    "portal": 68, "511": 68,
    "ok": 0, "hang": 68, "stall": 65, "drip": 65,
}  # fmt: skip
SLOW = {"hang", "stall", "drip"}
SECRET = "secret-4711"


class Server(TestServer):
    """A server that fails in many ways."""

    def __init__(self, lab, before=()):
        super().__init__(lab, "faults.py", before=before)

    def address(self, path: str, user: str = "") -> str:
        return f"http://{user}127.0.0.1:{self.ports[0]}/{path}"

    def visit(self, path: str) -> bytes:
        return urllib.request.urlopen(self.address(path), timeout=10).read()


class Delay(TestServer):
    """A proxy before a server, which delays, stalls and cuts what it sends."""

    def __init__(self, lab, port):
        super().__init__(lab, "delay.py", str(port))
        self.port = self.ports[0]

    def tell(self, mode: str) -> None:
        assert self.ask(mode) == "done"


class Network(Check):
    name = "network"
    is_short = True
    promise = (
        "What was fetched once is there without a network; a body cut short never takes the place of a catalog; no "
        "password leaves for another origin or is kept in a file, an argument or a message"
    )
    method = (
        "a server that fails in each way after a complete copy was made; a network namespace whose only link is taken down, "
        "and whose names are gone; keys while a proxy delays, stalls and cuts the connection; a search through everything "
        "that was written, started and sent"
    )
    sabotages = [
        Sabotage("the copies are deleted before each start", word="forget"),
        Sabotage("the password is written down", word="leak"),
    ]

    def run(self) -> str:
        names = sorted(FAULTS)
        names = [name for name in names if name not in SLOW] if self.lab.pick(True, False, False) else names
        done = self.lab.each(names, self.fault)
        unplugged = self.unplugged()
        keys = self.keys()
        self.password()
        return (
            f"{done} of {len(names)} faults left the copy of {BOOKS:,} books as it was, with the exit code of their kind; "
            f"{unplugged}; {keys}; the password was in none of the files, arguments and messages, nor at the other origin"
        )

    def search(self, home: Home, address: str, *more: str, before=()) -> subprocess.CompletedProcess:
        if self.lab.sabotage.word == "forget":
            shutil.rmtree(home.path + "/cache/stacks/remote", ignore_errors=True)
        return subprocess.run(
            [*before, self.lab.stacks, "search", "", address, *more],
            env=home.environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=120,
        )  # fmt: skip

    @staticmethod
    def age(home: Home) -> None:
        """Makes all copies an hour old."""
        remote = home.path + "/cache/stacks/remote"
        for name in os.listdir(remote) if os.path.isdir(remote) else ():
            path = f"{remote}/{name}/state.json"
            if not os.path.exists(path):
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(re.sub(r'"(fetched|checked)":\d+', lambda m: f'"{m[1]}":{int(time.time()) - 3600}', text))

    def fault(self, name: str) -> bool:
        with Server(self.lab) as server, Home() as home:
            address = server.address("then/" + name)
            first = self.search(home, address)
            assert first.returncode == 0 and first.stdout.count(b"\n") == BOOKS, f"{name}: {first.stderr}"
            server.visit("next")
            self.age(home)
            start = time.monotonic()
            second = self.search(home, address)
            took = time.monotonic() - start
            # The user must confirm a catalog with far fewer books, so the copy stays.
            assert second.stdout == first.stdout, f"{name}: the copy is not printed: {second.stderr}"
            assert second.returncode == FAULTS[name], f"{name}: exit {second.returncode}: {second.stderr}"
            assert second.stderr or FAULTS[name] == 0, f"{name}: nothing is said"
            assert took < 60, f"{name}: {took:.0f} s"
            offline = self.search(home, address, "--offline")
            assert offline.stdout == first.stdout and offline.returncode == 0, f"{name}: --offline: {offline.stderr}"
        return True

    def keys(self) -> str:
        """Types keys while the connection is delayed by 300 ms, stalls, and is cut."""
        times = []
        count = self.lab.pick(20, 60, 200)

        def press(session, end):
            """The time until the row that j or k goes to is the current one."""
            for number in range(count):
                key, place = ("j", "2/") if number % 2 == 0 else ("k", "1/")
                session.settle(0.02, 1)
                start = time.monotonic()
                session.type(key)
                while not any(line.startswith(" " + place) for line in session.screen.display):
                    assert time.monotonic() - start < 5, f"{key} is not answered\n{session.text}"
                    assert session.pump(0.005), f"it ended\n{session.text}"
                times.append(time.monotonic() - start)
            if end:
                assert session.shows(end), f"waited for {end}\n{session.text}"

        with Server(self.lab) as server, Delay(self.lab, server.ports[0]) as delay, Home() as home:
            address = f"http://127.0.0.1:{delay.port}/"
            with Session([self.lab.stacks, address + "opds"], home.environment) as session:
                session.wait_for("Book 12")
                delay.tell("stall")
                press(session, "so far")
                delay.tell("go")
                session.wait_for("1/51")
                session.type("q")
                session.wait_for_end()
            delay.tell("stall")
            with Session([self.lab.stacks, address + "books"], home.environment) as session:
                session.wait_for("Connecting to")
                delay.tell("once")
                session.wait_for("Book 0")
                press(session, None)
                session.type("q")
                session.wait_for_end()
        times.sort()
        typical, slowest = times[len(times) // 2] * 1000, times[-1] * 1000
        # A frame has 16 ms; other programs have the processors, too.
        assert typical < 100, f"keys take {typical:.0f} ms"
        return (
            f"{len(times)} keys were answered while a proxy delayed by 300 ms, stalled and cut, after {typical:.0f} ms, the "
            f"slowest after {slowest:.0f} ms"
        )

    def unplugged(self) -> str:
        """Takes the only link of a network namespace down, before and during a download."""
        need("unshare")
        need("ip")
        script = os.path.abspath(__file__)
        with Home() as home:
            if self.lab.sabotage.word == "forget":
                home.environment["STACKS_FORGET"] = "1"
            result = subprocess.run(
                ["unshare", "-rnm", sys.executable, script, self.lab.source, self.lab.stacks, home.path],
                env=home.environment, capture_output=True, text=True, timeout=200,
            )  # fmt: skip
        if "unshare" in result.stderr and "failed" in result.stderr:
            return "no network namespace here"
        assert result.returncode == 0, result.stderr[-500:]
        return result.stdout.strip()

    def password(self) -> None:
        need("strace")
        with Server(self.lab) as server, Home() as home:
            log = home.path + "/log"
            trace = ["strace", "-f", "-qq", "-s", "4096", "-e", "trace=execve", "-o", log]
            program = home.path + "/print-password"
            home.write(program, f"#!/bin/sh\necho {SECRET}\n".encode())
            os.chmod(program, 0o755)
            os.makedirs(os.path.dirname(home.configuration), exist_ok=True)
            with open(home.configuration, "w", encoding="utf-8") as file:
                for name, path in (("a", "private"), ("b", "private/cross")):
                    table = f'{{source = "{server.address(path)}", user = "ann", password-cmd = ["{program}"]}}'
                    file.write(("[catalogs]\n" if name == "a" else "") + f"{name} = {table}\n")
            for name in ("a", "b"):
                result = self.search(home, name, before=trace)
                assert result.returncode == 0, f"{name}: {result.stderr}"
                assert SECRET.encode() not in result.stdout + result.stderr, "the password is in a message"
            if self.lab.sabotage.word == "leak":
                home.write(home.path + "/cache/stacks/leak", SECRET.encode())
            seen = json.loads(server.visit("seen"))
            assert any(path == "/ok" for path, _ in seen), "the other origin was not asked"
            assert SECRET not in json.dumps(seen) and "Authorization" not in json.dumps(seen), "it went to another origin"
            found = subprocess.run(["grep", "-rl", SECRET, home.path], capture_output=True, text=True, check=False).stdout
            assert found.split() == [program], f"the password is in {found}"


def inside(source: str, stacks: str, home: str) -> None:
    """Runs in the namespace and prints the results."""
    link = ["ip", "link", "set", "lo"]
    subprocess.run([*link, "up"], check=True)

    class Here:
        pass

    Here.source = source
    with Server(Here) as server:

        def search(path, host="127.0.0.1"):
            if os.environ.get("STACKS_FORGET"):
                shutil.rmtree(home + "/cache/stacks/remote", ignore_errors=True)
            return subprocess.run(
                [stacks, "search", "", server.address(path).replace("127.0.0.1", host)], capture_output=True, stdin=subprocess.DEVNULL, timeout=90
            )

        class Aged:
            path = home

        def name(hosts):
            """Has the names of hosts that the namespace knows in its own file."""
            with open(home + "/hosts", "w", encoding="utf-8") as file:
                file.write(hosts)

        name("127.0.0.1 books.test\n")
        subprocess.run(["mount", "--bind", home + "/hosts", "/etc/hosts"], check=True)
        named = search("etag", "books.test")
        assert named.returncode == 0, named.stderr
        Network.age(Aged)
        name("")
        nameless = search("etag", "books.test")
        assert nameless.returncode == 68 and nameless.stdout == named.stdout, f"without a name: {nameless.stderr}"
        assert b"books.test" in nameless.stderr and b"is not known" in nameless.stderr, nameless.stderr
        first = search("books")
        assert first.returncode == 0, first.stderr
        Network.age(Aged)
        subprocess.run([*link, "down"], check=True)
        gone = search("books")
        assert gone.returncode == 68 and gone.stdout == first.stdout, f"without a link: {gone.returncode} {gone.stderr}"
        look_up(stacks, home, server.address("books").replace("http://", "sru+http://"))
        subprocess.run([*link, "up"], check=True)
        # During a download: the server has sent a part and waits.
        running = subprocess.Popen(
            [stacks, "search", "", server.address("stall")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(2)
        subprocess.run([*link, "down"], check=True)
        start = time.monotonic()
        output, errors = running.communicate(timeout=90)
        took = time.monotonic() - start
        assert running.returncode in (65, 68) and b"Book 0" in output, f"in the middle: {running.returncode} {errors}"
        subprocess.run([*link, "up"], check=True)
        again = search("books")
        assert again.returncode == 0 and again.stdout == first.stdout, again.stderr
        print(
            f"without a name or a link the copy was printed at once, a download ended {took:.0f} s after its link was taken down, with "
            f"what had come, and a lookup had what a catalog of this machine knows"
        )


def look_up(stacks: str, home: str, address: str) -> None:
    """Without a link, a lookup has what the catalogs of this machine know, and a scan adds the ISBN alone; both say why."""
    with open(home + "/home.json", "w", encoding="utf-8") as file:
        file.write('[{"title": "A game of thrones", "isbn": "9780553103540"}]')
    sources = f"{home}/home.json,{address}"
    found = subprocess.run([stacks, "lookup", "9780553103540", "--sources", sources], capture_output=True, timeout=90)
    assert found.returncode == 0 and b"A game of thrones" in found.stdout, f"a lookup without a link: {found}"
    assert b"127.0.0.1" in found.stderr, f"a lookup does not say why: {found.stderr}"
    scan = [stacks, "scan", home + "/new.json", "--sources", address]
    added = subprocess.run(scan, input=b"9780553103540\n", capture_output=True, timeout=90)
    with open(home + "/new.json", encoding="utf-8") as file:
        isbns = [book["isbn"] for book in json.load(file)]
    assert added.returncode == 1 and isbns == ["9780553103540"], f"a scan without a link: {added}"
    assert b"127.0.0.1" in added.stderr, f"a scan does not say why: {added.stderr}"


CHECKS = [Network]

if __name__ == "__main__":
    inside(*sys.argv[1:])
