"""Runs calibre's content server with new libraries: calibre.py DIRECTORY [USER PASSWORD | read-only | empty].

Creates a library with 250 books, or none if it is to be empty, and a second one with one book, prints the port of the
server, and serves until the end of its input. The lines "add", "remove", "rename" and "rename back" of the input change
the library; "list" prints its books. Each is answered by a line. calibre allows one server for each user: this program waits for others like it."""

import ctypes
import fcntl
import os
import socket
import subprocess
import sys
import time

# PR_SET_PDEATHSIG
PRCTL = ctypes.CDLL(None).prctl
directory = sys.argv[1]
credentials = sys.argv[2:4]
lock = open(f"/tmp/stacks-tests-calibre-{os.getuid()}.lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
environment = dict(
    os.environ, QT_QPA_PLATFORM="offscreen", CALIBRE_CONFIG_DIRECTORY=directory + "/config", HOME=directory, LC_ALL="C.UTF-8"
)
library, other = directory + "/Library", directory + "/Comics"


def run(*command):
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


for path in (library, other):
    os.makedirs(path)
    run("calibredb", "list", "--with-library", path)
run("calibredb", "add_custom_column", "--with-library", library, "pages", "Pages", "int")
# A single process for all books, because each start of calibre takes a second.
code = """
import sys
from calibre.db.legacy import LibraryDatabase
from calibre.ebooks.metadata.book.base import Metadata
for path, count in ((sys.argv[1], int(sys.argv[3])), (sys.argv[2], 1)):
    database = LibraryDatabase(path).new_api
    for number in range(count):
        book = Metadata(f"Book {number} & Étude", ["Ann Other", f"Writer, {number % 9}"])
        book.tags, book.languages, book.series, book.series_index = ["History", "日本"], ["eng"], "Saga", number + 0.5
        book.set_identifiers({"isbn": "9780141439587"})
        book.comments, book.publisher, book.rating = "<p>Good &amp; long</p>", "Press", number % 11
        database.create_book_entry(book)
    if count > 1:
        database.set_field("#pages", {1: 321})
"""
run("calibre-debug", "-c", code, library, other, "0" if credentials == ["empty"] else "250")
probe = socket.socket()
probe.bind(("127.0.0.1", 0))
port = probe.getsockname()[1]
probe.close()
command = ["calibre-server", "--listen-on", "127.0.0.1", "--port", str(port), "--disable-use-bonjour"]
if credentials == ["read-only"]:
    pass
elif len(credentials) == 2:
    users = directory + "/users.sqlite"
    run("calibre-server", "--userdb", users, "--manage-users", "--", "add", *credentials)
    command += ["--enable-auth", "--userdb", users]
else:
    command += ["--enable-local-write"]
# The kernel kills the server when this program ends, for whatever reason.
server = subprocess.Popen(
    command + [library, other], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    preexec_fn=lambda: PRCTL(1, 9),
)
address = f"http://127.0.0.1:{port}"
for _ in range(300):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        break
    except OSError:
        time.sleep(0.1)
print(port, flush=True)
for line in sys.stdin:
    action = line.strip()
    remote = ["--with-library", address + "/#Library"]
    if action == "add":
        run("calibredb", "add", "--empty", "-t", "The New One", "-a", "New Writer", *remote)
    elif action == "remove":
        run("calibredb", "remove", "2", *remote)
    elif action == "rename":
        run("calibredb", "set_metadata", "3", "-f", "title:Renamed", *remote)
    elif action == "rename back":
        run("calibredb", "set_metadata", "3", "-f", "title:Renamed back", *remote)
    elif action == "list":
        print(run("calibredb", "list", "--for-machine", "-f", "all", *remote).replace("\n", " "), flush=True)
        continue
    print("done", flush=True)
# The server terminates slowly; killing it is faster.
server.kill()
server.wait()
