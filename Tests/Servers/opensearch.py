"""Runs an emulator of OpenSearch with generated books: opensearch.py DIRECTORY [COUNT].

Prints its port, then serves until the end of its input: the index books with COUNT books (1,200 by default), and the
index shop with the same books under other field names. The file books.json in DIRECTORY has the same books. The
emulator is a package of PyPI (osmem-server), which `make test` installs in .build/servers. Lines of the input, each
answered by a line: "add" adds a book, "kill" ends the server.
"""

import ctypes
import glob
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request

# PR_SET_PDEATHSIG
PRCTL = ctypes.CDLL(None).prctl
directory = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 1200
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORDS = ["river", "mountain", "garden", "winter", "music", "stars", "letters", "bread", "clocks", "ships", "glass"]
OTHERS = ["Émile", "Война и мир", "Ὀδύσσεια", "紅樓夢", "ألف ليلة", "O'Neill*", "Straße", 'A "quoted" \\ title', "Łódź"]
NAMES = ["Ann Abel", "Émilie Brandt", "Iván Castro", "Alexandre Dumas", "Umberto Eco", "Theodor Fontane"]
SUBJECTS = ["History", "Cooking", "Physics", "Fiction", "World Travel"]
LANGUAGES = ["en", "de", "fr", "en-GB"]


def isbn(number):
    digits = f"978{310000000 + number:09}"
    check = -sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10
    return digits + str(check)


def book(number):
    """Returns the book with this number; some fields are missing in some books, and values repeat."""
    title = f"The {WORDS[number % 11]} of {WORDS[number * 7 % 11]} {number}"
    if number % 10 == 3:
        title = f"{OTHERS[number // 10 % len(OTHERS)]} {number}"
    values = {
        "title": title,
        "authors": [NAMES[number % 6], NAMES[number * 5 % 6]] if number % 7 == 0 else [NAMES[number % 6]],
        "subjects": [SUBJECTS[number // 2 % 5]],
        "publisher": f"House {number % 8}",
        "isbn": isbn(number),
        "language": LANGUAGES[number % 4],
        "fiction": number % 4 == 1,
    }
    if number % 9:
        values["year"] = 1900 + number * 37 % 120
    if number % 5:
        values["pageCount"] = 100 + number % 400
    return values


TEXT = {"type": "text", "fields": {"keyword": {"type": "keyword"}}}
MAPPING = {
    "title": TEXT, "authors": TEXT, "publisher": TEXT, "subjects": {"type": "keyword"}, "isbn": {"type": "keyword"},
    "language": {"type": "keyword"}, "year": {"type": "integer"}, "pageCount": {"type": "integer"},
    "fiction": {"type": "boolean"}, "note": {"type": "text"},
}  # fmt: skip
SHOP = {
    "work": {"properties": {"name": {"type": "text", "fields": {"raw": {"type": "keyword"}}}}},
    "people": {"properties": {"full": {"type": "text"}}}, "released": {"type": "date"}, "number": {"type": "long"},
}  # fmt: skip


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


PORT = free_port()


def request(method, path, body):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    target = urllib.request.Request(
        f"http://127.0.0.1:{PORT}{path}", data, {"Content-Type": "application/json"}, method=method)  # fmt: skip
    with urllib.request.urlopen(target, timeout=60) as answer:
        return json.load(answer)


def shop_book(number, values):
    found = {
        "work": {"name": values["title"]}, "people": [{"full": name} for name in values["authors"]],
        "number": int(values["isbn"]),
    }  # fmt: skip
    if "year" in values:
        found["released"] = f"{values['year']}-{number % 12 + 1:02}-01"
    return found


def add(numbers):
    lines = []
    for number in numbers:
        values = book(number)
        for index, document in (("books", values), ("shop", shop_book(number, values))):
            lines.append(json.dumps({"index": {"_index": index, "_id": f"b{number:05}"}}))
            lines.append(json.dumps(document, ensure_ascii=False))
    request("POST", "/_bulk?refresh=true", ("\n".join(lines) + "\n").encode())
    with open(directory + "/books.json", "w", encoding="utf-8") as file:
        books = [{"id": f"b{number:05}", **book(number)} for number in range(numbers[-1] + 1)]
        json.dump(books, file, ensure_ascii=False)


programs = glob.glob(REPOSITORY + "/.build/servers/lib/python3*/site-packages/osmem_server/bin/osmem-server")
if not programs:
    sys.exit("opensearch.py: osmem-server is missing. Run make test, or: make .build/servers/installed")
server = subprocess.Popen(
    [programs[0], "-addr", f"127.0.0.1:{PORT}", "-no-stdin-watch", "-no-ja"], cwd=directory,
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: PRCTL(1, 9))  # fmt: skip
for _ in range(200):
    try:
        socket.create_connection(("127.0.0.1", PORT), 1).close()
        break
    except OSError:
        time.sleep(0.05)
request("PUT", "/books", {"mappings": {"properties": MAPPING}})
request("PUT", "/shop", {"mappings": {"properties": SHOP}})
add(range(COUNT))
print(PORT, flush=True)
for line in sys.stdin:
    if line.strip() == "add":
        add([COUNT])
        COUNT += 1
    elif line.strip() == "kill":
        server.kill()
        server.wait()
    print("done", flush=True)
server.kill()
server.wait()
