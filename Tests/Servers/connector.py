#!/usr/bin/python3
"""A connector program of a library like calibre's. The books are lines of JSON in the file library.jsonl, in a directory
above the cache; each has an id. The file "kind" beside it has the behaviour when changes are sent:

locked    they need the user ann with the password key; anyone may read
curious   the same, but the question is for another server
lost      the first change is made, but then the connection breaks off
refusing  the changes are made, but then each is refused"""

import json
import pathlib
import sys

library = kind = None


def say(number, **members):
    print(json.dumps(dict({"re": number}, **members)), flush=True)


def read():
    with open(library) as file:
        return [json.loads(line) for line in file]


def change(books, row):
    old, new = row.get("old"), row.get("new")
    if old is None:
        new = dict(new, id=max([book["id"] for book in books], default=0) + 1)
    rest = [book for book in books if old is None or book["id"] != old["id"]]
    return sorted(rest + ([new] if new else []), key=lambda book: book["id"])


def is_allowed(number):
    # Credentials that are refused are asked for once more.
    for repeated in (False, True):
        origin = "http://elsewhere.example" if kind == "curious" else "http://127.0.0.1:9"
        say(number, ask="credential", realm="writers", origin=origin, repeated=repeated)
        answer = json.loads(sys.stdin.readline())
        if "user" not in answer or (answer["user"], answer["secret"]) == ("ann", "key"):
            return "user" in answer
    return False


def publish(number, path):
    if kind in ("locked", "curious") and not is_allowed(number):
        say(number, error="auth", reason="password", detail="books.example")
        return
    with open(path) as file:
        rows = [json.loads(line) for line in file]
    books = read()
    for row in rows[:1] if kind == "lost" else rows:
        books = change(books, row)
    with open(library, "w") as file:
        file.writelines(json.dumps(book) + "\n" for book in books)
    if kind == "lost":
        say(number, error="offline", reason="brokenOff", detail="books.example")
        return
    if kind == "refusing":
        refused = [{"row": row + 1, "why": "server", "detail": "502 Bad Gateway"} for row in range(len(rows))]
        say(number, refused=refused)
    say(number, end=True, sent=0 if kind == "refusing" else len(rows))


for line in sys.stdin:
    request = json.loads(line)
    number = request["id"]
    if request["do"] == "hello":
        place = next(path for path in pathlib.Path(request["cache"]).parents if (path / "library.jsonl").exists())
        library, kind = place / "library.jsonl", (place / "kind").read_text()
        say(number, end=True, protocol=1, kinds=["calibre-server"], confined=False)
    elif request["do"] == "open":
        say(number, end=True, mode="mirror", kind="calibre-server", profile="calibre", fresh=False)
    elif request["do"] == "mirror":
        content = "".join(json.dumps(book) + "\n" for book in read())
        with open(request["to"], "w") as file:
            file.write(content)
        say(number, end=True, rows=len(read()), bytes=len(content), complete=True)
    elif request["do"] == "publish":
        publish(number, request["from"])
