"""stacks-connect as if a catalog had taken it over: what it can still do, for files and for servers."""

from __future__ import annotations

import contextlib
import glob
import gzip
import http.server
import os
import re
import shutil
import socket
import subprocess
import threading

from check import Check, Sabotage, Skipped, TestServer
from terminal import Home

BOOKS = b"Title,Author\nEmma,Austen\n"
# EndNote, which a program of bibutils converts.
ENDNOTE = b"%0 Book\n%T Emma\n%A Austen\n%D 1815\n"

FILES = {
    "write-new", "write-old", "truncate", "delete", "mkdir", "rename", "symlink", "read-key", "list-home",
    "read-neighbour", "read-passwd", "read-environment", "read-copy", "write-copy", "write-terminal",
}  # fmt: skip
ATTRIBUTES = {"chmod", "fchmodat", "fchmodat2", "setxattr", "chown", "utimensat", "file_setattr"}
# What only the filter of system calls forbids.
CALLS = ATTRIBUTES | {
    "pidfd", "prlimit", "setpriority", "affinity", "shm", "keyctl", "io_uring", "unshare", "namespace", "namespace3",
    "packets", "fork", "setsid", "exec-memory",
}  # fmt: skip
# The source can be read, and therefore changed by its descriptor.
SOURCE = {"share-source", "lock-source", "flag-source"}
# What a server needs: connections and names. The resolvers of some systems use Unix sockets.
SERVER = {"tcp", "udp", "unix"}
OF_SERVER = {"both": SERVER, "landlock": CALLS | SERVER, "seccomp": FILES | SERVER | {"abstract"}}
# Until it is known that no converter is needed, and in a converter. One that does not end is killed.
OF_CONVERTER = {
    "both": {"fork"},
    "landlock": CALLS | SOURCE | {"udp", "unix"},
    "seccomp": FILES | {"fork", "exec", "exec-vfork", "signal-victim"},
}
# What succeeds with both means of confinement, with Landlock alone, and with the filter alone.
LISTED = {
    "file": {"both": set(), "landlock": CALLS | SOURCE | {"udp", "unix"}, "seccomp": FILES},
    "server": OF_SERVER,
    "paged server": OF_SERVER,
    "file of an unknown format": OF_CONVERTER,
    "file to convert": OF_CONVERTER,
    # Its parent is stacks-connect.
    "converter": OF_CONVERTER | {"landlock": OF_CONVERTER["landlock"] | {"signal-parent"}},
}
# What the machine may forbid to all programs, and the terminal that no program with a session of its own has.
LIMITED = ATTRIBUTES | {
    "ptrace", "process_vm", "mount", "type-tty", "type-terminal", "keyctl", "io_uring", "unshare", "namespace",
    "namespace3", "packets", "pidfd", "list-home", "flag-source", "shm",
}  # fmt: skip


class Confinement(Check):
    name = "confinement"
    is_short = True
    promise = (
        "A catalog that takes stacks-connect over gets nothing but its own source and its cache; a server, the network "
        "besides; without Landlock or without seccomp, the other still holds"
    )
    method = (
        "a library in the place of the decoders tries 53 ways to write, read keys and other copies, change attributes, "
        "connect, type into terminals, start programs, and look into or end processes: for a file, a server, a server "
        "whose books stay there, a file whose format is not known yet, one that is converted, and in its converter, with "
        "both means of confinement and with each alone; only what succeeds without any is counted"
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
            possible = self.possible(library, kind)
            for mean in means:
                tried = self.attempt(library, kind, mean)
                attempts += len(possible & set(tried))
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
            with Home() as home:
                export = ["export", self.lab.catalog, "--format", "sqlite", "--output", home.path + "/books.db"]
                result = self.lab.output(home, *export, environment=environment)
                assert result.returncode == 0, result.stderr
                assert (b"nothing confines" in result.stderr) == (without == "landlock,seccomp"), result.stderr

    def possible(self, library: str, kind: str) -> set[str]:
        """Returns what succeeds without any confinement: all that the machine does not forbid to every program."""
        tried = self.attempt(library, kind, "")
        failed = {name: result for name, result in tried.items() if result != "succeeded" and name not in LIMITED}
        assert not failed, f"{kind}: cannot be tried on this machine: {failed}"
        return {name for name, result in tried.items() if result == "succeeded"}

    def attempt(self, library: str, kind: str, means: str) -> dict[str, str]:
        """Opens a catalog with the library in stacks-connect or in its converter; returns what came of each attempt."""
        without = {"both": "", "landlock": "seccomp", "seccomp": "landlock", "": "landlock,seccomp"}[means]
        if self.lab.sabotage.word == "open" and means:
            without = "landlock,seccomp"
        with Home() as home, Home() as place, contextlib.ExitStack() as stack:
            catalog = ENDNOTE if "convert" in kind else BOOKS
            aims = Aims(place.path, stack, gzip.compress(catalog) if "unknown" in kind else catalog)
            # The copy of another catalog.
            assert self.lab.output(home, "search", "", aims.neighbour).stdout == b"Persuasion\tAusten\n"
            copy = glob.glob(home.path + "/cache/stacks/remote/*/data.jsonl")[0]
            report = place.path + "/report"
            environment = {
                "LD_PRELOAD": "libtaken-over.so",
                "LD_LIBRARY_PATH": library,
                "TAKEN_OVER_REPORT": report,
                "TAKEN_OVER_WITHOUT": without,
                "TAKEN_OVER_COPY": copy,
                **aims.environment,
            }
            if kind == "converter":
                environment["TAKEN_OVER_CONVERTER"] = "1"
            if "unknown" in kind:
                environment["TAKEN_OVER_EARLY"] = "1"
            source = aims.address if kind == "server" else aims.source
            if kind == "paged server":
                server = stack.enter_context(TestServer(self.lab, "sru.py"))
                source = f"sru+http://127.0.0.1:{server.ports[0]}/plain"
            result = self.lab.output(home, "search", "e", source, environment=environment)
            assert result.returncode == 0 and result.stdout, f"{kind}, {means}: {result.stdout} {result.stderr}"
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
        for name in ("home/.ssh/id", "home/notes", "home/cut", "home/deleted", "home/renamed"):
            with open(f"{directory}/{name}", "w") as file:
                file.write("secret\n")
        os.chmod(directory + "/home/.ssh/id", 0o600)
        self.source, self.neighbour = directory + "/source", directory + "/neighbour"
        with open(self.neighbour, "wb") as file:
            file.write(BOOKS.replace(b"Emma", b"Persuasion"))
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
