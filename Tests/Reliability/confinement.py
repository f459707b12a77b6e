"""stacks-connect as if a catalog had taken it over: what it can still do, for files and for servers."""

from __future__ import annotations

import contextlib
import http.server
import os
import re
import shutil
import socket
import subprocess
import threading

from check import Check, Sabotage, Skipped
from terminal import Home

BOOKS = b"Title,Author\nEmma,Austen\n"
# EndNote, which a program of bibutils converts.
ENDNOTE = b"%0 Book\n%T Emma\n%A Austen\n%D 1815\n"

FILES = {
    "write-new", "write-old", "truncate", "delete", "mkdir", "rename", "symlink", "read-key", "list-home",
    "read-neighbour", "read-passwd", "read-environment", "write-terminal",
}  # fmt: skip
MODES = {"chmod", "fchmodat", "fchmodat2", "setxattr", "chown"}
OTHERS = {"ptrace", "process_vm", "mount", "type-tty", "type-terminal", "signal-parent", "exec", "exec-vfork"}
# What only the filter of system calls forbids.
CALLS = MODES | {"pidfd", "prlimit", "keyctl", "io_uring", "unshare", "packets", "fork", "setsid", "exec-memory"}
# What a server needs: connections and names, for which the resolvers of some systems use Unix sockets.
SERVER = {"tcp", "udp", "unix"}
# What succeeds with both means of confinement, with Landlock alone, and with the filter alone.
LISTED = {
    "file": {"both": set(), "landlock": CALLS | {"udp", "unix", "share-source"}, "seccomp": FILES},
    "server": {"both": SERVER, "landlock": CALLS | SERVER, "seccomp": FILES | SERVER | {"abstract"}},
    # A converter is a process, and one that does not end is killed.
    "file to convert": {
        "both": {"fork"},
        "landlock": CALLS | {"udp", "unix", "share-source"},
        "seccomp": FILES | {"fork", "exec", "exec-vfork", "signal-victim"},
    },
}
# Its parent is stacks-connect.
LISTED["converter"] = LISTED["file to convert"] | {"landlock": LISTED["file to convert"]["landlock"] | {"signal-parent"}}
# What the machine may forbid to all programs, and the terminal that no program with a session of its own has.
LIMITED = MODES | OTHERS | {"keyctl", "io_uring", "unshare", "packets", "pidfd", "list-home"}


class Confinement(Check):
    name = "confinement"
    is_short = True
    promise = (
        "A catalog that takes stacks-connect over gets nothing but its own source and its cache; a server, the network "
        "besides; without Landlock or without seccomp, the other still holds"
    )
    method = (
        "a library in the place of the decoders tries 42 ways to write, read keys, change modes, connect, type into "
        "terminals, start programs, and look into or end processes: for a file, a server, a file that is converted, and "
        "in its converter, with both means of confinement and with each alone; without any, all of it succeeds"
    )
    sabotages = [Sabotage("a helper that gives up no rights", word="open")]

    def run(self) -> str:
        said = self.lab.output(self.lab.template, "--version").stdout.decode()
        version = int((re.search(r"Landlock (\d+)", said) or [0, 0])[1])
        if "seccomp" not in said:
            raise Skipped("this kernel has no seccomp")
        library = self.build()
        means = ["seccomp"] if version < 6 else ["both", "landlock", "seccomp"]
        attempts = 0
        self.tell(library, version)
        for kind in LISTED:
            self.attempt_all(library, kind)
            for mean in means:
                tried = self.attempt(library, kind, mean)
                attempts += len(tried)
                succeeded = {name for name, result in tried.items() if result == "succeeded"}
                if wrong := succeeded - LISTED[kind][mean]:
                    self.lab.failures.append(f"{kind}, {mean}: {', '.join(sorted(wrong))}")
        older = "" if version >= 6 else f"; Landlock {version} of this kernel is too old to be checked"
        return f"of {attempts} attempts, 0 succeeded but those that the guide lists{older}"

    def build(self) -> str:
        """Builds the library, and returns its directory."""
        compiler = next((found for found in map(shutil.which, ("cc", "clang", "gcc")) if found), None)
        if not compiler:
            raise Skipped("there is no C compiler")
        directory = os.path.join(self.lab.directory, "taken-over")
        os.makedirs(directory, exist_ok=True)
        source = os.path.join(self.lab.source, "Tests/Reliability/taken_over.c")
        library = os.path.join(directory, "libtaken-over.so")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        return directory

    def tell(self, library: str, version: int) -> None:
        """`stacks config` says what is in force; that nothing is, is said once."""
        landlock = f"Landlock {version} (files, TCP, signals)"
        sentences = {"landlock": "by seccomp", "seccomp": f"by {landlock}", "landlock,seccomp": "is not confined"}
        for without, sentence in sentences.items() if version >= 6 else ():
            with Home() as home:
                environment = {
                    "LD_PRELOAD": "libtaken-over.so",
                    "LD_LIBRARY_PATH": library,
                    "TAKEN_OVER_WITHOUT": without,
                }
                last = self.lab.output(home, "config", environment=environment).stdout.decode().splitlines()[-1]
                assert sentence in last, f"without {without}: {last}"
                source = self.lab.write("books.csv", BOOKS)
                for isFirst in (True, False):
                    result = self.lab.output(home, "search", "", source, "--refresh", environment=environment)
                    assert result.stdout == b"Emma\tAusten\n", result
                    is_told = b"nothing confines" in result.stderr
                    assert is_told == (isFirst and without == "landlock,seccomp"), f"{without}: {result.stderr}"

    def attempt_all(self, library: str, kind: str) -> None:
        """Without any confinement, all succeeds that the machine does not forbid to every program."""
        tried = self.attempt(library, kind, "")
        failed = {name: result for name, result in tried.items() if result != "succeeded" and name not in LIMITED}
        assert not failed, f"{kind}: cannot be tried on this machine: {failed}"

    def attempt(self, library: str, kind: str, means: str) -> dict[str, str]:
        """Opens a catalog with the library in stacks-connect or in its converter; returns what came of each attempt."""
        without = {"both": "", "landlock": "seccomp", "seccomp": "landlock", "": "landlock,seccomp"}[means]
        if self.lab.sabotage.word == "open" and means:
            without = "landlock,seccomp"
        with Home() as home, Home() as place, contextlib.ExitStack() as stack:
            aims = Aims(place.path, stack, ENDNOTE if "convert" in kind else BOOKS)
            report = place.path + "/report"
            environment = {
                "LD_PRELOAD": "libtaken-over.so",
                "LD_LIBRARY_PATH": library,
                "TAKEN_OVER_REPORT": report,
                "TAKEN_OVER_WITHOUT": without,
                **aims.environment,
            }
            if kind == "converter":
                environment["TAKEN_OVER_CONVERTER"] = "1"
            source = aims.address if kind == "server" else aims.source
            result = self.lab.output(home, "search", "", source, environment=environment)
            assert b"Emma" in result.stdout, f"{kind}, {means}: {result.stdout} {result.stderr}"
            with open(report) as file:
                told = file.read()
        session = re.search(r"session (\d+) of (\d+), terminal (\w+)", told)
        # A converter belongs to the session of the program that starts it.
        assert session and (session[1] == session[2] or kind == "converter"), f"{kind}, {means}: {told}"
        assert session[3] == "none", f"{kind}, {means}: {told}"
        return dict(re.findall(r"^([\w-]+) (succeeded|failed: .*)$", told, re.M))


class Aims:
    """What a program that was taken over would aim at: files of a user, servers, a terminal, another process."""

    def __init__(self, directory: str, stack: contextlib.ExitStack, catalog: bytes):
        os.makedirs(directory + "/home/.ssh")
        os.makedirs(directory + "/mounted")
        for name in ("home/.ssh/id", "home/notes", "home/cut", "home/deleted", "home/renamed", "neighbour"):
            with open(f"{directory}/{name}", "w") as file:
                file.write("secret\n")
        os.chmod(directory + "/home/.ssh/id", 0o600)
        self.source = directory + "/source"
        with open(self.source, "wb") as file:
            file.write(catalog)
        bus = stack.enter_context(socket.socket(socket.AF_UNIX))
        bus.bind(directory + "/bus")
        bus.listen()
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        name = "taken-over" + directory
        abstract.bind("\0" + name)
        abstract.listen()
        datagrams = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        datagrams.bind(("127.0.0.1", 0))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Books)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        stack.callback(server.server_close)
        stack.callback(server.shutdown)
        self.address = f"http://127.0.0.1:{server.server_port}/books.csv"
        ends = os.openpty()
        for end in ends:
            stack.callback(os.close, end)
        victim = subprocess.Popen(["sleep", "600"])
        stack.callback(victim.wait)
        stack.callback(victim.kill)
        self.environment = {
            "TAKEN_OVER_AIMS": directory,
            "TAKEN_OVER_TCP": str(server.server_port),
            "TAKEN_OVER_UDP": str(datagrams.getsockname()[1]),
            "TAKEN_OVER_ABSTRACT": name,
            "TAKEN_OVER_TERMINAL": os.ttyname(ends[1]),
            "TAKEN_OVER_VICTIM": str(victim.pid),
        }


class Books(http.server.BaseHTTPRequestHandler):
    """A server with one catalog."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/csv")
        self.send_header("Content-Length", str(len(BOOKS)))
        self.end_headers()
        self.wfile.write(BOOKS)

    def log_message(self, *_):
        pass


CHECKS = [Confinement]
