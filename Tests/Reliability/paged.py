"""Catalogs that stay on servers: a cluster of ClickHouse that loses a part, restarts, and gets another catalog."""

from __future__ import annotations

import json
import random
import re
import subprocess
import time

from check import Check, Sabotage, TestServer, need
from terminal import Home, Session

WORDS = "apple breeze candle dragon ember forest garden harbour island jungle kettle lantern meadow needle orchard".split()
NAMES = "Adams Baker Chen Dubois Evans Fischer Garcia Hansen Ivanova Jansen".split()
ROWS, COLUMNS = 24, 120
# The rows of the list on the screen: below the title bar and the heads, above the status line and the hints.
LIST = range(2, ROWS - 2)


class Cluster(TestServer):
    """Two parts of a cluster of ClickHouse."""

    def __init__(self, lab, directory):
        super().__init__(lab, "clickhouse.py", directory)

    def address(self) -> str:
        return f"clickhouse://127.0.0.1:{self.ports[0]},127.0.0.1:{self.ports[1]}/library?cluster=two"

    def sql(self, statement: str) -> list[str]:
        return json.loads(self.ask("sql 1 " + statement)).splitlines()

    @property
    def books(self) -> str:
        version = self.sql("SELECT version FROM library.catalog ORDER BY number DESC LIMIT 1")[0]
        return f"library.all_books_{version}"

    def titles(self, order: str, first: int, count: int) -> list[str]:
        """The titles of some rows, as SQL sorts all books."""
        records = self.sql(
            f"SELECT record FROM {self.books} ORDER BY {order} LIMIT {first}, {count} FORMAT TabSeparatedRaw"
        )
        return [json.loads(record)["title"] for record in records]


class Servers(Check):
    name = "servers"
    is_short = True
    promise = (
        "What is shown of a catalog on servers is what SQL answers; a lost part is said, and never makes a smaller "
        "catalog; after a restart or another catalog, no screen mixes two states"
    )
    method = (
        "two ClickHouse servers with 100,000 books; jumps, orders, letters, years and searches in a terminal, compared "
        "with SQL over the table of the books; a favourite, and another start; one server killed in the middle and started again; another catalog "
        "published between two pages"
    )
    sabotages = [
        Sabotage("one part of the cluster has lost its books", word="half"),
        Sabotage("the server is not killed", word="alive"),
        Sabotage("the same catalog is published again", word="same"),
    ]

    def run(self) -> str:
        need("clickhouse-server")
        random = self.random()
        count = self.lab.pick(100_000, 100_000, 500_000)
        sabotage = self.lab.sabotage.word
        with Home() as home, Home() as place, Cluster(self.lab, place.path) as cluster:
            self.publish(cluster, home, "One", count)
            if sabotage == "half":
                cluster.ask(f"sql 2 TRUNCATE TABLE {cluster.books.replace('all_', '')}")
            command = [self.lab.stacks, cluster.address()]
            with Session(command, home.environment, size=(ROWS, COLUMNS)) as session:
                session.wait_for(f"{count:,} books")
                compared = self.compare(session, cluster, random, count)
                title = self.mark(session, random, count)
                session.type("q")
                session.wait_for_end()
            with Session(command, home.environment, size=(ROWS, COLUMNS)) as session:
                self.resume(session, cluster, title, count)
                self.lose(session, cluster, random, count, sabotage != "alive")
                self.replace(session, cluster, home, count, "One" if sabotage == "same" else "Two")
                session.type("q")
                session.wait_for_end()
        return (
            f"{compared} screens over {count:,} books were as SQL has them; a part was lost, said and back, and another "
            "catalog took the place of the first on every screen at once; a favourite far from the start was the current "
            "book after a restart, and in its list"
        )

    def publish(self, cluster, home, author: str, count: int) -> None:
        path = home.path + "/books.jsonl"
        numbers = random.Random(1)
        with open(path, "w", encoding="utf-8") as file:
            for number in range(count):
                title = f"{numbers.choice(WORDS).capitalize()} {numbers.choice(WORDS)} {number:06}"
                book = {"id": f"b{number}", "title": title, "authors": [f"{author} {numbers.choice(NAMES)}"]}
                if number % 10:
                    book["published"] = str(1800 + numbers.randrange(220))
                file.write(json.dumps(book) + "\n")
        result = subprocess.run(
            [self.lab.stacks, "publish", path, cluster.address()],
            env=home.environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=300, check=False,
        )  # fmt: skip
        assert result.returncode == 0, result.stderr

    @staticmethod
    def rows(session) -> list[str]:
        """The rows of the list, without the detail beside it."""
        return [session.screen.display[row] for row in LIST if session.screen.display[row].strip()]

    @staticmethod
    def position(session) -> int:
        """The number of the current row, in the status line."""
        found = re.search(r"^ ([\d,]+)/[\d,]+", session.text, re.M)
        assert found, f"no position\n{session.text}"
        return int(found[1].replace(",", ""))

    def settle(self, session, seconds=20) -> None:
        """Waits until no row of the screen is on its way."""
        end = time.monotonic() + seconds
        while True:
            session.settle(0.1, 2)
            rows = self.rows(session)
            if rows and not any(row[3:].startswith("… ") for row in rows):
                return
            assert time.monotonic() < end, f"rows do not arrive\n{session.text}"

    def check(self, session, cluster, order: str) -> int:
        """Compares the rows on the screen with those that SQL has at the position of the current row."""
        self.settle(session)
        current = next(index for index, row in enumerate(self.rows(session)) if row.startswith("▌"))
        position = self.position(session) - 1
        shown = self.rows(session)
        expected = cluster.titles(order, position - current, len(shown))
        for row, title in zip(shown, expected, strict=True):
            assert title in row, f"SQL has {title} here ({order})\n{session.text}"
        return position

    def compare(self, session, cluster, random, count: int) -> int:
        orders = [
            ("", "n"), ("st", "title_key = '', title_key, n"), ("st", "title_key = '', title_key DESC, n"),
            ("sy", "year = -32768, year DESC, n"), ("sa", "author_key = '', author_key, n"),
        ]  # fmt: skip
        checked = 0
        for keys, order in orders:
            session.type(keys)
            for row in [1, count, count // 2] + [random.randint(1, count) for _ in range(self.lab.pick(3, 10, 50))]:
                session.type(f"{row}G")
                session.wait_for(f" {row:,}/")
                self.check(session, cluster, order)
                checked += 1
            if keys == "st" and "DESC" not in order:
                for letter in "dgkz":
                    session.type("gs" + letter)
                    before = cluster.sql(f"SELECT count() FROM {cluster.books} WHERE title < '{letter}'")[0]
                    session.wait_for(f" {min(int(before) + 1, count):,}/")
                    self.check(session, cluster, order)
                    checked += 1
            if keys == "sy":
                for year in (1999, 1850):
                    session.type(f"{year}gs")
                    before = cluster.sql(f"SELECT count() FROM {cluster.books} WHERE year > {year}")[0]
                    session.wait_for(f" {int(before) + 1:,}/")
                    self.check(session, cluster, order)
                    checked += 1
        # Esc leaves the order; the list's own is restored by its key.
        session.type("sl")
        for word in random.sample(WORDS, self.lab.pick(2, 6, 15)):
            session.type(f"/{word[:4]}")
            number = cluster.sql(f"SELECT count() FROM {cluster.books} WHERE match(title, '(^| ){word[:4]}')")[0]
            session.wait_for(f"{int(number):,} of ")
            session.type("\r")
            self.settle(session)
            assert all(word in row.lower() for row in self.rows(session)), session.text
            session.type("\x1b")
            session.wait_for(f"· {count:,} book")
            checked += 1
        return checked

    def mark(self, session, random, count: int) -> str:
        """Makes a book anywhere a favourite, and returns its title."""
        row = random.randint(count // 10, count)
        session.type(f"{row}G")
        session.wait_for(f" {row:,}/")
        self.settle(session)
        session.type("t")
        session.wait_for("★ Favourite: ")
        return next(row for row in self.rows(session) if row.startswith("▌★"))[3:].split("  ")[0]

    def resume(self, session, cluster, title: str, count: int) -> None:
        """Checks that the program is at the same book again, a favourite that Favourites lists."""
        session.wait_for("▌★ " + title)
        self.check(session, cluster, "n")
        session.type("L")
        session.wait_for("Favourites")
        session.type("j\r")
        session.wait_for("· 1 of ")
        session.wait_for("▌★ " + title)
        session.type("Lk\r")
        session.wait_for(f"· {count:,} book")
        session.wait_for("▌★ " + title)

    def lose(self, session, cluster, random, count: int, is_killed: bool) -> None:
        """Kills a server in the middle, and starts it again."""
        session.type("1G")
        session.wait_for(" 1/")
        self.settle(session)
        if is_killed:
            cluster.ask("stop 2")
        session.type(f"{count // 3}G")
        session.wait_for("not answered", "offline", seconds=40)
        session.settle(0.3, 5)
        assert f"{count:,} books" in session.text, f"the number of books is another one\n{session.text}"
        shown = [row for row in self.rows(session) if any(word in row.lower() for word in WORDS)]
        assert not shown, f"rows are shown without those of the other part\n{session.text}"
        cluster.ask("start 2")
        session.type("R")
        session.wait_for(f" {count // 3:,}/")
        self.check(session, cluster, "n")
        assert "not answered" not in session.text and "offline" not in session.text, session.text
        # The server that is asked restarts between two pages.
        cluster.ask("stop 1")
        cluster.ask("start 1")
        session.type(f"{count // 2}G")
        session.wait_for(f" {count // 2:,}/")
        self.check(session, cluster, "n")

    def replace(self, session, cluster, home, count: int, author: str) -> None:
        """Publishes another catalog while the first one is on the screen, and goes on page by page."""
        assert all("One " in row for row in self.rows(session)), session.text
        self.publish(cluster, home, author, count)
        for _ in range(12):
            session.type("\x06")
            self.settle(session)
            rows = self.rows(session)
            authors = {"One" if "One " in row else "Two" if "Two " in row else "?" for row in rows}
            assert len(authors) == 1 and "?" not in authors, f"two catalogs on one screen\n{session.text}"
        assert authors == {"Two"}, f"the new catalog is not shown\n{session.text}"


CHECKS = [Servers]
