#!/usr/bin/env python3
"""Measures stacks-connect with a catalog in ClickHouse: two shards on this machine, and a million books in each.

Prints a table for the guide: how long the catalog takes to load and how much space it takes, and the times of the first
page, of a jump, of the next page, of the end and of a search, over the pipe as stacks receives them, beside OFFSET.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = "the king silent garden mountain étude łódź stone daughter haruki kinggsley queen kingdom virginia".split()
PAGE = 100


class Connector:
    """A conversation with stacks-connect."""

    def __init__(self, path, cache):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0
        self.ask(do="hello", protocol=2, cache=cache)

    def send(self, **message):
        self.last += 1
        message["id"] = self.last
        self.process.stdin.write((json.dumps(message) + "\n").encode())
        self.process.stdin.flush()
        return self.last

    def read(self, number):
        rows = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("clickhouse.py: stacks-connect has ended")
            reply = json.loads(line)
            if reply["re"] != number:
                continue
            rows += reply.get("rows", [])
            if "end" in reply or "error" in reply:
                return reply, rows

    def ask(self, **message):
        reply, rows = self.read(self.send(**message))
        if "error" in reply:
            sys.exit(f"clickhouse.py: {reply}")
        return reply, rows

    def page(self, row, sort=(), query=None):
        return self.ask(do="page", query=query, sort=list(sort), at={"row": row}, limit=PAGE, generation=1)


def make_rows(tools, directory, count):
    """Writes generated books as stacks publishes them."""
    path = os.path.join(directory, f"clickhouse-{count}.jsonl")
    if os.path.exists(path):
        return path
    with tempfile.TemporaryDirectory(dir=directory) as made:
        subprocess.run([sys.executable, os.path.join(tools, "connectors", "gen.py"), str(count), made], check=True)
        with open(made + "/books.jsonl", encoding="utf-8") as books, open(path + ".new", "w", encoding="utf-8") as file:
            for line in books:
                book = json.loads(line)
                row = {
                    "id": f"isbn:{book['isbn']}~{book['id']}", "title": book["title"], "authors": [book["author"]],
                    "isbn": book["isbn"], "pageCount": 100 + book["id"] % 700, "fiction": book["subject"] == "Fiction",
                    "sourceID": str(book["id"]), "publisher": book["publisher"], "published": str(book["year"]),
                    "language": [book["lang"]], "subjects": [book["subject"]],
                }  # fmt: skip
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    os.rename(path + ".new", path)
    return path


def percentiles(times):
    times = sorted(times)
    return f"{times[len(times) // 2]:.1f}", f"{times[int(len(times) * 0.99)]:.1f}"


def measure(name, body, count):
    times = []
    for index in range(count):
        start = time.perf_counter()
        body(index)
        times.append((time.perf_counter() - start) * 1000)
    print(f"| {name} | " + " | ".join(percentiles(times)) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", required=True)
    parser.add_argument("--files", required=True)
    parser.add_argument("--connector", required=True)
    parser.add_argument("--books", type=int, default=2_000_000)
    options = parser.parse_args()
    os.makedirs(options.files, exist_ok=True)
    rows = make_rows(options.tools, options.files, options.books)
    directory = tempfile.mkdtemp(dir=options.files)
    servers = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "..", "Servers", "clickhouse.py"), directory],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        ports = servers.stdout.readline().split()
        run(options, rows, directory, ports)
    finally:
        servers.stdin.close()
        servers.wait()
        shutil.rmtree(directory)


def run(options, rows, directory, ports):
    count = options.books
    address = f"clickhouse://127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}/library?cluster=two"

    def sql(statement, port=ports[0]):
        url = f"http://127.0.0.1:{port}/?wait_end_of_query=1"
        with urllib.request.urlopen(url, statement.encode()) as reply:
            return reply.read().decode()

    connector = Connector(options.connector, directory)
    start = time.perf_counter()
    publication = {"do": "publish", "target": address, "kind": "clickhouse", "from": rows, "rows": count}
    connector.ask(**publication, dryRun=False)
    duration = time.perf_counter() - start
    print(f"{count:,} books loaded in {duration:.0f} s, {count / duration:,.0f} a second")
    start = time.perf_counter()
    connector.ask(**publication, dryRun=False)
    print(f"published again without a change in {time.perf_counter() - start:.1f} s")
    sizes = {}
    for port in ports:
        for line in sql(
            "SELECT table, sum(rows), sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'library' "
            "GROUP BY table", port,
        ).splitlines():  # fmt: skip
            name, number, size = line.split("\t")
            name = name.rsplit("_", 1)[0]
            sizes[name] = (sizes.get(name, (0, 0))[0] + int(number), sizes.get(name, (0, 0))[1] + int(size))
    print("\n| table | rows | MB | bytes a book |\n|---|---|---|---|")
    for name, (number, size) in sorted(sizes.items(), key=lambda item: -item[1][1]):
        print(f"| {name} | {number:,} | {size / 1e6:.0f} | {size / count:.1f} |")
    total = sum(size for _, size in sizes.values())
    print(f"| together | | {total / 1e6:.0f} | {total / count:.1f} |")
    version = sql("SELECT version FROM library.catalog ORDER BY number DESC LIMIT 1").strip()
    table = f"library.all_by_title_{version}"
    chance = random.Random(3)
    print("\n| what | p50 ms | p99 ms |\n|---|---|---|")
    measure("a round trip of the server: SELECT 1", lambda index: sql("SELECT 1"), 50)
    measure("open", lambda index: connector.ask(do="open", source=address), 10)
    for sort in ([], [["title", 1]], [["author", 1]], [["year", -1]]):
        name = ("-" if sort and sort[0][1] < 0 else "") + sort[0][0] if sort else "catalog"
        measure(f"first page, by {name}", lambda index: connector.page(0, sort), 50)
        measure(f"next page, by {name}", lambda index: connector.page(5000 + PAGE * index, sort), 50)
        measure(f"jump to any row, by {name}", lambda index: connector.page(chance.randrange(count - PAGE), sort), 100)
        measure(f"end, by {name}", lambda index: connector.page(count - PAGE, sort), 20)
    measure("row of a book, by title", lambda index: connector.ask(
        do="page", sort=[["title", 1]], limit=PAGE, generation=1,
        at={"book": json.loads(linecache(rows, chance.randrange(1000)))["id"]}), 30)  # fmt: skip
    middle = count // 2
    order = "ORDER BY unknown, key, n LIMIT"
    measure("SELECT … OFFSET, first page", lambda index: sql(f"SELECT record FROM {table} {order} 0, {PAGE}"), 5)
    measure("SELECT … OFFSET, middle", lambda index: sql(f"SELECT record FROM {table} {order} {middle}, {PAGE}"), 5)
    typed = [word[:length] for word in WORDS for length in range(2, len(word) + 1)]
    for sort in ([], [["title", 1]]):
        connector.ask(do="open", source=address)
        name = "by title" if sort else "in the order of the catalog"
        measure(f"each key of a search, {name}", lambda index: connector.page(0, sort, typed[index]), len(typed))
    connector.ask(do="open", source=address)
    measure("two words, by title", lambda index: connector.page(0, [["title", 1]], WORDS[index] + " s" + "tone"[: index % 5]), 14)

    # A fast typist does not wait: earlier keys are cancelled, and only the last one counts.
    def type_word(index):
        word, earlier = WORDS[index], None
        for length in range(2, len(word) + 1):
            if earlier:
                connector.send(do="cancel", of=earlier)
            earlier = connector.send(
                do="page", query=word[:length] + " -zz", sort=[["title", 1]], at={"row": 0}, limit=PAGE, generation=length)
            time.sleep(0.03)
        connector.read(earlier)

    measure("a whole word typed at 30 ms a key, to its rows", type_word, len(WORDS))


def linecache(path, number):
    with open(path, encoding="utf-8") as file:
        for _ in range(number):
            file.readline()
        return file.readline()


if __name__ == "__main__":
    main()
