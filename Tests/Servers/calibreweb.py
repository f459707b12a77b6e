"""Runs calibre-web with a new calibre library: calibreweb.py DIRECTORY.

Prints the port of the server, then serves until the end of its input. The user is admin with the password admin123; the
feed at /opds has 250 books. calibre-web comes from the environment with the reference readers.
"""

import ctypes
import fcntl
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time

# PR_SET_PDEATHSIG
PRCTL = ctypes.CDLL(None).prctl
directory = sys.argv[1]
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
program = os.path.join(root, ".build/reference/bin/cps")
environment = dict(
    os.environ, QT_QPA_PLATFORM="offscreen", CALIBRE_CONFIG_DIRECTORY=directory + "/config", HOME=directory,
    LC_ALL="C.UTF-8", CALIBRE_DBPATH=directory + "/web",
)  # fmt: skip
library = directory + "/Library"
os.makedirs(directory + "/web")
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
environment["CALIBRE_PORT"] = str(port)
code = """
import sys
from calibre.db.legacy import LibraryDatabase
from calibre.ebooks.metadata.book.base import Metadata
from io import BytesIO
database = LibraryDatabase(sys.argv[1]).new_api
for number in range(250):
    book = Metadata(f"Book {number} & Étude", [f"Writer {number % 9}"])
    book.tags, book.languages = ["History"], ["eng"]
    id = database.create_book_entry(book)
    database.add_format(id, "TXT", BytesIO(b"text"), run_hooks=False)
"""
os.makedirs(library)
# calibredb refuses to run beside a server of calibre: the lock that calibre.py holds is waited for.
with open(f"/tmp/stacks-tests-calibre-{os.getuid()}.lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    subprocess.run(["calibredb", "list", "--with-library", library], env=environment, check=True, capture_output=True)
    subprocess.run(["calibre-debug", "-c", code, library], env=environment, check=True, capture_output=True)


def start():
    return subprocess.Popen(
        [program, "-p", directory + "/web/app.db", "-i", "127.0.0.1"], env=environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, cwd=directory, preexec_fn=lambda: PRCTL(1, 9),
    )  # fmt: skip


def is_there(number):
    try:
        socket.create_connection(("127.0.0.1", number), 1).close()
        return True
    except OSError:
        return False


# The settings are in a database that calibre-web creates at its first start.
server = start()
for _ in range(300):
    if is_there(port):
        break
    time.sleep(0.1)
with sqlite3.connect(directory + "/web/app.db") as database:
    database.execute("update settings set config_calibre_dir = ?", (library,))
server.kill()
server.wait()
server = start()
for _ in range(300):
    if is_there(port):
        break
    time.sleep(0.1)
print(port, flush=True)
sys.stdin.read()
server.kill()
server.wait()
