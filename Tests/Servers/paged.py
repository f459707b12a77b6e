#!/usr/bin/python3
"""A connector program in place of stacks-connect, for tests of catalogs that stay on a server.

It answers the messages of stacks for a list of made-up books. The address says how it behaves:
    opensearch+http://fake/books?rows=10000&delay=20&count=exact
rows: the number of books; delay: milliseconds before each page; count: exact, about, atLeast or none;
partial: 1 says that a part did not answer; fail: pages (by number) that fail; sorts: the fields that it sorts by;
plain: 1 makes books without a year; unsteady: 1 answers requests that run at the same time in reverse order; die: the number of the page request at which
it dies; leave: the number of the page request after which it does; log: the file to which requests are written; state: a file whose existence makes every request fail as offline.
"""
import json
import os
import re
import sys
import threading
import time
from urllib.parse import parse_qs, urlsplit

output = threading.Lock()
cancelled = set()


def send(message):
    with output:
        sys.stdout.buffer.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
        sys.stdout.buffer.flush()


class Source:
    def __init__(self, address):
        query = {key: values[-1] for key, values in parse_qs(urlsplit(address).query).items()}
        self.rows = int(query.get("rows", 1000))
        self.delay = int(query.get("delay", 0)) / 1000
        self.count = query.get("count", "exact")
        self.partial = query.get("partial") == "1"
        self.failing = {int(number) for number in query.get("fail", "").split(",") if number}
        self.sorts = [field for field in query.get("sorts", "title,year").split(",") if field]
        self.isUnsteady = query.get("unsteady") == "1"
        self.death = int(query.get("die", 0))
        self.leaving = int(query.get("leave", 0))
        self.log = query.get("log")
        self.state = query.get("state")
        self.isPlain = query.get("plain") == "1"
        self.requests = 0

    def numbers(self, request):
        """The books of a list, and the terms that are ignored."""
        text = request.get("query") or ""
        author = re.search(r'author:"([^"]*)"', text)
        words = re.sub(r'author:"[^"]*"', "", text).split()
        ignored = [word for word in words if word.startswith(("is:", "on:", "status:"))]
        words = [word.lower() for word in words if word not in ignored]
        numbers = range(self.rows)
        if words:
            numbers = [
                number for number in numbers if all(word in f"book {number:07d} author {number % 97}" for word in words)
            ]
        if author:
            numbers = [number for number in numbers if self.record(number)["authors"] == [author[1]]]
        for field, way in reversed(request.get("sort") or []):
            key = {"title": lambda number: self.record(number)["title"], "year": lambda number: number % 120}[field]
            numbers = sorted(numbers, key=key, reverse=way < 0)
        return numbers, ignored

    def first(self, value, numbers, sort):
        """The first row at a letter or year in the order of a list, or after it; None in another order."""
        if not sort:
            return None
        field, way = sort[0]
        if field == "title":
            keys = [self.record(number)["title"][:len(value)].lower() for number in numbers]
            value = value.lower()
        else:
            keys, value = [1900 + number % 120 for number in numbers], int(value)
        rows = (row for row, key in enumerate(keys) if (key >= value if way > 0 else key <= value))
        return next(rows, len(keys))

    def record(self, number):
        """The book with a number."""
        if self.isPlain:
            return {"id": f"b{number}", "title": f"Book {number}", "authors": [f"Author {number % 7}"],
                    "pageCount": 100 + number}
        return {
            "id": f"b{number}", "title": f"Book {number:07d}", "authors": [f"Author {number % 97}"],
            "published": str(1900 + number % 120), "pages": 100 + number % 900,
        }

    def page(self, request):
        number = request["id"]
        self.requests += 1
        if self.requests == self.death:
            os._exit(1)
        end = time.monotonic() + self.delay
        while time.monotonic() < end:
            if number in cancelled:
                return send({"re": number, "error": "cancelled"})
            time.sleep(min(0.005, self.delay))
        if self.state and os.path.exists(self.state):
            return send({"re": number, "error": "offline", "reason": "noConnection", "detail": "fake"})
        numbers, ignored = self.numbers(request)
        at, limit = request["at"], request["limit"]
        if "book" in at:
            wanted = int(at["book"][1:]) if at["book"][1:].isdigit() else -1
            row = list(numbers).index(wanted) if wanted in numbers else None
            first = 0 if row is None else row // limit * limit
        elif "value" in at:
            first = self.first(at["value"], numbers, request.get("sort") or [])
            if first is None:
                return send({"re": number, "error": "unsupported", "detail": "value"})
        else:
            first = at["row"]
        if first // limit in self.failing:
            return send({"re": number, "error": "server", "reason": "status", "detail": "500 no shard"})
        rows = [self.record(book) for book in numbers[first:first + limit]]
        for start in range(0, len(rows), 40):
            part = rows[start:start + 40]
            send({"re": number, "rows": part, "from": first + start, "generation": request["generation"]})
        end = {"re": number, "end": True, "partial": self.partial}
        if self.count != "none":
            kind = {"exact": "exact", "about": "approximate", "atLeast": "atLeast"}[self.count]
            value = min(len(numbers), first + limit) if kind == "atLeast" else len(numbers)
            end["count"] = {"value": value, "kind": kind}
        if ignored:
            end["ignored"] = ignored
        send(end)
        if self.requests == self.leaving:
            os._exit(0)

    def books(self, request):
        ids = [int(id[1:]) for id in request["ids"] if id[1:].isdigit()]
        rows = [self.record(number) for number in ids if number < self.rows]
        send({"re": request["id"], "rows": rows, "from": 0, "generation": 0})
        send({"re": request["id"], "end": True})


def main():
    source = None
    waiting = []
    for line in sys.stdin:
        request = json.loads(line)
        number, action = request["id"], request["do"]
        if source and source.log:
            with open(source.log, "a") as log:
                log.write(line)
        if action == "hello":
            send({"re": number, "end": True, "protocol": 4, "kinds": ["fake"], "landlock": 0, "seccomp": False})
        elif action == "open":
            source = Source(request["source"])
            if source.state and os.path.exists(source.state):
                send({"re": number, "error": "offline", "reason": "noConnection", "detail": "fake"})
                continue
            abilities = {"jump": "anywhere", "sorts": source.sorts, "pageSize": 64}
            send({"re": number, "end": True, "mode": "paged", "kind": "fake", "profile": "native", "fresh": False,
                  "abilities": abilities})
        elif action == "page":
            if source.isUnsteady:
                # The first of two requests is answered after the second, or after a while without one.
                thread = threading.Timer(0.05 if not waiting else 0, source.page, [request])
                waiting = [] if waiting else [number]
            else:
                thread = threading.Thread(target=source.page, args=[request])
            thread.daemon = True
            thread.start()
        elif action == "books":
            source.books(request)
        elif action == "cancel":
            cancelled.add(request["of"])
            send({"re": number, "end": True})
        else:
            send({"re": number, "error": "unsupported", "detail": action})


main()
