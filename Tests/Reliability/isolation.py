"""stacks executes no programs and opens no network connections."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

from check import Check, Sabotage, need
from hostile import SCREENS, hostile_books
from terminal import Home

CALLS = "execve,execveat,connect,socket,socketpair,bind,listen,accept,accept4,sendto,sendmsg"
# Every key that a terminal can send, except those that quit, suspend, or start an external program.
KEYS = [chr(code) for code in range(1, 127) if chr(code) not in "eoqQ\x03\x1a\x1b\x1c\x11\x13"]
KEYS += [f"\x1b[{letter}" for letter in "ABCDHFZ"] + [f"\x1b[{number}~" for number in (2, 3, 5, 6, 15, 17, 18, 24)]
KEYS += ["\x1bOP", "\x1bOQ", "\x1b[M !!", "\x1b[<0;5;5M", "\x1b[<0;5;5m", "\x1b[1;5C", "\x1b[200~x\x1b[201~"]


class Isolation(Check):
    name = "isolation"
    is_short = True
    promise = (
        "stacks executes nothing and connects to nothing, except your editor and your browser on request, and "
        "stacks-connect for catalogs that are not JSON and for its state in stacks config, which connects to nothing but the servers whose addresses or names you give, or that a "
        "dialog has named before you agree"
    )
    method = f"`strace -f -e trace={CALLS}` over sessions that type every key in every situation"
    sabotages = [
        Sabotage("a shell that starts it", program=["/bin/sh", "-c", '"$0" "$@"; exit 0', ".build/release/stacks"]),
        Sabotage(
            "a program that connects",
            program=[
                sys.executable,
                "-c",
                "import socket\ntry: socket.create_connection(('127.0.0.1', 9))\nexcept OSError: pass",
            ],
        ),
    ]

    def run(self) -> str:
        need("strace")
        catalog = self.lab.write("hostile.json", json.dumps(hostile_books()).encode())
        situations = ["", "L", "\r", "/e\r", "/e", "?", ":", "F", "|", "b", "U"]
        situations = situations[:: self.lab.pick(11, 2, 1)]
        keys = 0
        for situation in situations:
            keys += self.session(catalog, situation)
        for arguments in (
            ["search", "x", catalog],
            ["check", catalog],
            ["lists", catalog],
            ["export", catalog],
            ["export", catalog, "--format", "opds"],
            ["favourites", "list"],
            ["profiles"],
            ["config"],
            ["show", "x", catalog],
            # Servers of the config file are asked only if they are named.
            ["lookup", "9780553103540"],
            ["scan", catalog, "--mode", "find"],
            ["lookup", "9780553103540", "--sources", catalog],
        ):
            with Home() as home:
                log = home.path + "/log"
                home.write(home.configuration, b'[catalogs]\nloc = "sru+http://127.0.0.1:9/"\n')
                subprocess.run(
                    self.lab.command(*arguments, before=self.strace(log)),
                    env=home.environment,
                    capture_output=True,
                    stdin=subprocess.DEVNULL,
                    timeout=60,
                )
                self.expect(log, [self.connector] if arguments == ["config"] else [])
        self.on_demand(catalog)
        self.other_formats()
        self.lookups()
        return (
            f"only our own binary, and no socket, for {keys:,} keys; an editor and a browser only on request, and "
            f"stacks-connect only for a copy that is not there or old, and for a lookup in servers once they were agreed to"
        )

    @property
    def connector(self) -> str:
        """The path of the connector program."""
        return os.path.join(os.path.dirname(os.path.realpath(self.lab.stacks)), "stacks-connect")

    def other_formats(self) -> None:
        """A catalog that is not JSON starts the connector program once, without a network connection."""
        if self.lab.sabotage.program:
            return
        catalog = self.lab.write("books.csv", b"Title,Author\nEmma,Austen\n")
        with Home() as home:
            for programs in ([self.connector], [], []):
                log = home.path + "/log"
                command = self.lab.command("search", "", catalog, before=self.strace(log))
                result = subprocess.run(command, env=home.environment, capture_output=True, timeout=60)
                assert result.stdout == b"Emma\tAusten\n", result.stderr
                self.expect(log, programs)

    def lookups(self) -> None:
        """Servers that a dialog names see nothing before the answer, after another one, or if lookups are switched off."""
        if self.lab.sabotage.program:
            return
        servers = ["loc", "dnb", "bnf", "k10plus", "libris", "openlibrary"]
        names = "".join(f'{name} = "sru+http://127.0.0.1:9/{name}"\n' for name in servers)
        isbn = "9780553103540"
        cases = [
            # Typed, and looked up as soon as it is complete; scanned; asked for, and refused or given up.
            ("", "A" + isbn, []),
            ("", f"gb\r\x1b{isbn}\r", []),
            ("", f"A{isbn}\x07", []),
            ("", f"A{isbn}\x07\x1b", []),
            ("", f"A{isbn}\x07n", []),
            ("sources = []", f"A{isbn}\x07y", []),
            ("", f"A{isbn}\x07y", [self.connector] * len(servers)),
            ('sources = ["dnb"]', f"A{isbn}", [self.connector]),
        ]
        for setting, keys, programs in cases:
            with Home() as home:
                log = home.path + "/log"
                home.write(home.configuration, f"[lookup]\n{setting}\n[catalogs]\n{names}".encode())
                catalog = self.lab.write("one.json", b'[{"title": "Book 1"}]')
                with self.lab.session(home, self.strace(log), home.environment, catalog) as session:
                    session.wait_for("1/1")
                    for key in keys:
                        session.type(key)
                        session.settle(0.02)
                    session.settle(1.5 if programs else 0.5)
                try:
                    self.expect_connections(log, programs)
                except AssertionError as failure:
                    raise AssertionError(f"{keys!r} with {setting!r}: {failure}") from failure

    def expect_connections(self, log: str, programs: list[str]) -> None:
        """Verifies that only these programs were started, and that they connected to no server but the named one."""
        if not programs:
            return self.expect(log, [])
        with open(log, errors="replace") as file:
            lines = [line.rstrip() for line in file]
        started = [line for line in lines if "execve(" in line][1:]
        assert len(started) == len(programs), f"{len(started)} programs were started: {started}"
        assert all(f'execve("{programs[0]}"' in line for line in started), started
        connections = [line for line in lines if "connect(" in line and "AF_INET" in line]
        assert connections, "no server was asked"
        others = [line for line in connections if 'sin_port=htons(9), sin_addr=inet_addr("127.0.0.1")' not in line]
        assert not others, others[0]

    def strace(self, log: str) -> list[str]:
        return [
            "/usr/bin/strace",
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-s",
            "200",
            "-e",
            f"trace={CALLS}",
            "-e",
            "signal=none",
            "-o",
            log,
        ]

    def session(self, catalog: str, situation: str) -> int:
        count = 0
        with Home() as home:
            log = home.path + "/log"
            environment = dict(home.environment, BROWSER="/bin/false", EDITOR="/bin/false", VISUAL="/bin/false")
            with self.lab.session(home, self.strace(log), environment, catalog, draws=False) as session:
                session.settle(0.2)
                for key in KEYS + [key for key in SCREENS if "o" not in key and key != "q"]:
                    if not session.is_alive:
                        break
                    session.type(situation)
                    session.settle(0.004)
                    session.type(key)
                    session.settle(0.008)
                    session.type("\x1b")
                    session.settle(0.03)
                    session.type("\x1b")
                    session.settle(0.03)
                    count += 1
                assert (
                    self.lab.sabotage.program or session.is_alive
                ), f"{key!r} after {situation!r} ended it with {session.status}"
                if session.is_alive:
                    session.type("q")
                    session.wait_for_end()
            self.expect(log, [])
        return count

    def expect(self, log: str, programs: list[str]) -> None:
        """Verifies that the log contains only the program itself and the requested programs."""
        with open(log, errors="replace") as file:
            lines = [line.rstrip() for line in file if re.search(r"\d+ +[a-z0-9_]+\(", line)]
        calls = [line for line in lines if "= -1 ENOENT" not in line]
        first, others = calls[0], calls[1:]
        assert "execve(" in first, first
        unexpected = [line for line in others if not any(f'execve("{program}"' in line for program in programs)]
        assert not unexpected, unexpected[0]
        found = sum("execve(" in line for line in others)
        assert found == len(programs), f"{found} programs were started: {others}"

    def on_demand(self, catalog: str) -> None:
        """Verifies that the check sees started programs: the editor and the browser, once each."""
        with Home() as home:
            log = home.path + "/log"
            environment = dict(home.environment, BROWSER="/bin/true", EDITOR="/bin/false", VISUAL="/bin/false")
            books = self.lab.write("linked.json", b'[{"title": "Book 1", "link": "https://a.example/"}]')
            with self.lab.session(home, self.strace(log), environment, books) as session:
                session.wait_for("1/1")
                session.type("o")
                session.settle(0.4)
                session.type("e")
                session.settle(0.6)
                session.type("\x1b")
                session.type("q")
                session.settle(0.1)
                if session.is_alive:
                    session.type("q")
                session.wait_for_end()
            if self.lab.sabotage.program:
                return
            with open(log) as file:
                started = re.findall(r'execve\("([^"]+)", (\[[^\]]*\])[^=]*= 0', file.read())[1:]
            names = sorted(os.path.basename(program) for program, _ in started)
            assert "true" in names and "false" in names, f"started: {started}"
            browser = next(arguments for program, arguments in started if program.endswith("/true"))
            assert browser.count('"') == 4 and "https://a.example" in browser, browser


CHECKS = [Isolation]
