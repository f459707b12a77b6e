#!/usr/bin/env python3
"""Measures stacks and other programs, and prints the figures with their limits as tables; `make bench` calls it.

ttybench.py measures whole programs, which it drives on a pty like a user; the Benchmarks target measures the
parts. Measurements that are compared alternate in one run, and the medians are compared, so that other load on
the machine affects all of them alike."""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import bulk
import cleaning
import covers
import editing
import keys
import marks
import searches

# The numbers of books by the names of the catalogs.
BOOKS = {"11": 11, "100k": 100_000, "1m": 1_000_000, "10m": 10_000_000}
# Ten million complete books would take four gigabytes: these have only the required fields.
BRIEF = {"10m"}
TITLES = {"11": "11", "100k": "100k", "1m": "1M", "10m": "10M (brief records)"}
# The sortings, with one thread and with two; for titles also the computation of the keys.
SORTINGS = ("titlekeys", "titles", "authors", "numbers")
# The row and the detail of the first book on the first screen.
FIRST_ROW, FIRST_ISBN = "At Shadow Night", "978-3874204897"
ROWS, COLUMNS = 40, 120
# The number of first screens per size, alternating with those of the C program.
FIRST_SCREENS = 21
# The load while a catalog is indexed on a busy machine: one such program per processor.
BUSY = "while :; do :; done"
# The maximum time for a program to load the catalog.
PATIENCE_S = 300


def main():
    options = parse_arguments()
    sys.path.insert(0, str(options.tools))
    import ttybench

    say("making what is missing in", options.catalogs)
    options.catalogs.mkdir(parents=True, exist_ok=True)
    for size in options.sizes:
        make_catalogs(options, size)
    floor = build_floor(options)

    bench = Bench(ttybench, options, floor)
    for turn in range(options.runs + 1):
        # The first round fills the page cache and is not counted.
        bench.round(is_counted=turn > 0)
    for size in options.sizes:
        bench.first_screens(size)
    bench.peers()
    large = [size for size in options.sizes if size in ("1m", "10m")]
    # The index is kept, because only the search is measured.
    for size in large:
        bench.make_cache(size)
    words = searches.measure(bench, large)
    commands = searches.commands(options, bench.home) if "1m" in large else []
    if "1m" in large:
        commands += [("VisiData: [ sorts by title", time / 1e3, "")
                     for time in searches.measure_visidata(bench, words) if time is not None]
    pressed = keys.measure(bench, ROWS, COLUMNS) if "1m" in large else {}
    marked = marks.measure(bench, options.sizes)
    changed = bulk.measure(bench, options.sizes)
    cleaned = cleaning.measure(bench, options.sizes)
    edited = editing.measure(bench, options.sizes)
    covered = covers.measure(bench)
    grid = covers.measure_grid(bench) if "1m" in large else {}
    parts = measure_parts(options)
    print_report(options, bench, parts)
    if pressed:
        print("\nKeys at a million books, from key to finished screen, and what they send.\n")
        keys.print_keys(pressed, print_table)
    if marked:
        print("\nMarks: until all are shown, and until a new one is.\n")
        marks.print_marks(marked, print_table)
    bulk.print_bulk(changed, print_table)
    cleaning.print_cleaning(cleaned, print_table)
    editing.print_editing(*edited, print_table)
    if covered:
        print("\nCovers: j held through a catalog, with covers and without.\n")
        covers.print_covers(covered, print_table)
    if grid:
        print("\nThe grid of covers of a million books beside the list.\n")
        covers.print_grid(grid, print_table)
    if words:
        print("\nWords typed into the search, from key to finished screen.\n")
        searches.print_words(words, print_table)
    if commands:
        print("\nOne search of a million books by a whole program.\n")
        print_table(["program", "ms", "holds"],
                    [[name, "" if time is None else f"{time * 1e3:,.0f}", holds] for name, time, holds in commands])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="directory of gen_catalog.py and ttybench.py")
    parser.add_argument("--catalogs", type=pathlib.Path, required=True, help="directory that the catalogs are kept in")
    parser.add_argument("--stacks", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--benchmarks", type=pathlib.Path, required=True, help="the Benchmarks program")
    parser.add_argument("--runs", type=int, default=5, help="how often each is measured")
    parser.add_argument("sizes", nargs="+", choices=list(BOOKS))
    options = parser.parse_args()
    for name in ("tools", "catalogs", "stacks", "benchmarks"):
        setattr(options, name, getattr(options, name).absolute())
    return options


def say(*words):
    print("#", *words, file=sys.stderr, flush=True)


# ---------------------------------------------------------------- what is measured


def make_catalogs(options, size):
    """Generates the missing catalogs of a size."""
    base = options.catalogs / size
    suffixes = {"json": ".json"}
    if size == "1m":
        # The other formats, and the files for fzf and less.
        suffixes |= {"pretty": ".pretty.json", "jsonl": ".jsonl", "tsv": ".tsv"}
    missing = [form for form, suffix in suffixes.items() if not base.with_name(size + suffix).exists()]
    if missing:
        say("generating", size, *missing)
        command = [sys.executable, str(options.tools / "gen_catalog.py"), "--books", str(BOOKS[size])]
        command += ["--out", str(base), "--formats", ",".join(missing)] + (["--brief"] if size in BRIEF else [])
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    minified = base.with_name(size + ".min.json")
    if size == "1m" and not minified.exists():
        say("minifying", size)
        minify(base.with_name(size + ".jsonl"), minified)
    brief = options.catalogs / "brief.json"
    if size == "1m" and not brief.exists():
        say("generating", brief.name)
        subprocess.run([sys.executable, str(options.tools / "gen_catalog.py"), "--books", "1000", "--brief",
                        "--out", str(brief.with_suffix("")), "--formats", "json"], check=True,
                       stdout=subprocess.DEVNULL)
    for name, shape in MAPPED.items() if size == "1m" else []:
        mapped = base.with_name(f"{size}.{name}.json")
        if not mapped.exists():
            say("writing", mapped.name)
            write_mapped(base.with_name(size + ".jsonl"), mapped, shape)
    own = base.with_name(size + ".own.jsonl")
    if size == "1m" and not own.exists():
        say("writing", own.name)
        write_own(base.with_name(size + ".jsonl"), own)


def minify(lines, minified):
    """Writes JSON Lines as one array on one line, without blanks."""
    partial = minified.with_name(minified.name + ".partial")
    with open(lines, encoding="utf-8") as source, open(partial, "w", encoding="utf-8") as target:
        for number, line in enumerate(source):
            target.write("[" if number == 0 else ",")
            target.write(json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")))
        target.write("]")
    partial.rename(minified)


def write_own(lines, own):
    """Writes the books of JSON Lines with eight fields of a reader's own."""
    partial = own.with_name(own.name + ".partial")
    with open(lines, encoding="utf-8") as source, open(partial, "w", encoding="utf-8") as target:
        for number, line in enumerate(source):
            fields = {
                "location": ("hall", "attic", "study", "cellar", "office", "lent")[number * 7 % 6],
                "price": number * 7919 % 5000 / 100, "narrator": f"Narrator {number * 104729 % 3000}",
                "condition": ("new", "good", "fair", "poor")[number * 13 % 4],
                "acquired": f"{2000 + number % 26}-{1 + number % 12:02}-{1 + number % 28:02}",
                "shelfmark": f"{chr(65 + number % 26)} {number * 611953 % 100000}", "copies": 1 + number % 3,
                "lentTo": f"Friend {number % 40}" if number % 50 == 0 else None,
            }
            target.write(line.rstrip()[:-1] + ", " + json.dumps(fields)[1:] + "\n")
    partial.rename(own)


def opds(book):
    book = dict(book)
    authors = [{"name": author} for author in book.pop("authors", None) or []]
    isbn, pages = book.pop("isbn", None), book.pop("pageCount", None)
    return {"metadata": book | {"author": authors, "identifier": f"urn:isbn:{isbn}", "numberOfPages": pages}}


def google(book):
    book = dict(book)
    numbers = [{"type": "ISBN_13", "identifier": book.pop("isbn", None)}]
    return {"volumeInfo": book | {"industryIdentifiers": numbers}}


def gutendex(book):
    book = dict(book)
    authors = [{"name": author, "birth_year": None} for author in book.pop("authors", None) or []]
    return book | {"authors": authors, "bookshelves": []}


# The same books in the formats of other profiles, with the text around the records.
MAPPED = {"opds": ('{"metadata": {"title": "All"}, "publications": [\n', opds, "\n]}"),
          "google": ('{"kind": "books#volumes", "items": [\n', google, "\n]}"),
          "gutendex": ('{"results": [\n', gutendex, "\n]}")}


def write_mapped(lines, mapped, shape):
    """Writes JSON Lines in the format of another profile, one record per line."""
    head, mapping, tail = shape
    partial = mapped.with_name(mapped.name + ".partial")
    with open(lines, encoding="utf-8") as source, open(partial, "w", encoding="utf-8") as target:
        target.write(head)
        for number, line in enumerate(source):
            target.write(",\n" if number else "")
            target.write(json.dumps(mapping(json.loads(line)), ensure_ascii=False))
        target.write(tail)
    partial.rename(mapped)


def build_floor(options):
    """Builds the C program that only starts ncurses, and the one that shows a list."""
    for name in ("ncmin", "nclist"):
        source = options.tools / "baseline" / (name + ".c")
        subprocess.run(["cc", "-O2", str(source), "-lncursesw", "-ltinfo", "-o", str(options.catalogs / name)], check=True)
    return options.catalogs


def measure_parts(options):
    """Returns the samples of the Benchmarks program: seconds by measure and file, each with bytes and records."""
    files = [name for size in options.sizes for name in part_files(size)]
    if not files:
        return {}
    samples = {}
    for name in files:
        # All measures but the index give the same results for more records.
        is_short = name == "10m.json" or name.split(".")[1] in MAPPED
        measures = "read,index1,index2" if is_short else "read,positions,index1,index2,validation,decoder,folding"
        if name == "1m.own.jsonl":
            measures = "columns"
        if name == "1m.json":
            measures += "".join(f",{what}{threads}" for what in SORTINGS for threads in (1, 2)) + ",reversed"
            measures += ",search,facets,statistics,sections"
        runs = min(3, options.runs) if name == "10m.json" else options.runs
        say("parts of", name)
        command = [str(options.benchmarks), str(runs), measures, str(options.catalogs / name)]
        for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
            sample = json.loads(line)
            samples.setdefault((sample["measure"], sample["file"]), []).append(sample)
    return samples


def part_files(size):
    shapes = ["1m.json", "1m.pretty.json", "1m.min.json", "1m.jsonl", "1m.own.jsonl"] + [f"1m.{name}.json" for name in MAPPED]
    return {"1m": shapes, "10m": ["10m.json"]}.get(size, [])


class Bench:
    """Measures whole programs."""

    def __init__(self, ttybench, options, floor):
        self.ttybench, self.options, self.floor = ttybench, options, floor
        self.home = options.catalogs / "home"
        self.first_row, self.patience, self.say = FIRST_ROW, PATIENCE_S, say
        self.rows, self.columns = ROWS, COLUMNS
        self.figures = {}   # (name, size) -> samples
        self.errors = []

    def keep(self, name, size, figure):
        if figure is not None:
            self.figures.setdefault((name, size), []).append(figure)

    def median(self, name, size):
        samples = self.figures.get((name, size))
        return statistics.median(samples) if samples else None

    def run(self, name, command, idle=0, **peer):
        """Runs a program once on a pty and returns the report of ttybench.py."""
        peer = {"name": name, "dataset": "-", "command": command, "ready_timeout": PATIENCE_S, **peer}
        peer.setdefault("env", {}).setdefault("HOME", str(self.home))
        arguments = argparse.Namespace(emulator="auto", show=False, idle=idle)
        result = self.ttybench.run_once(peer, arguments, ROWS, COLUMNS)
        for error in result["errors"]:
            self.errors.append(f"{name}: {error}")
            say(name, error)
        return result

    # -- stacks

    def stacks(self, size, steps=(), idle=0):
        count = f"{BOOKS[size]:,}"
        return self.run(
            f"stacks {size}", f"{self.options.stacks} --no-resume {self.options.catalogs / size}.json", idle=idle,
            # The first screen is complete with the row and the detail of the first book; the catalog is loaded once the
            # title no longer says "so far".
            ready=f"(?s){FIRST_ROW}.*{FIRST_ISBN}", loaded=rf"\b{count} books(?! so far)", quit="q", steps=list(steps))

    def steps(self, size):
        count = f"{BOOKS[size]:,}"
        return [
            {"name": "down", "keys": "<Down>", "repeat": 20},
            {"name": "page down", "keys": "<PgDn>", "repeat": 20},
            {"name": "G", "keys": "G", "expect": rf"\b{count}/{count}\b"},
            {"name": "gg", "keys": "gg", "expect": rf"\b1/{count}\b"},
        ]

    def round(self, is_counted):
        """Takes every measure once."""
        keep = self.keep if is_counted else lambda *_: None
        for size in self.options.sizes:
            say("round of", size)
            shutil.rmtree(self.home, ignore_errors=True)
            keep("cat", size, seconds_of_cat(f"{self.options.catalogs / size}.json") * 1e3)
            fresh = self.stacks(size, self.steps(size))
            keep("known", size, fresh.get("loaded_ms"))
            keep("memory", size, fresh.get("mem_loaded", {}).get("anon_mb"))
            if size == "1m":
                shutil.rmtree(self.home, ignore_errors=True)
                with busy_machine():
                    keep("known, busy", size, self.stacks(size).get("loaded_ms"))
            for step in fresh["steps"]:
                keep(step["name"], size, on_screen(step))
            if self.make_cache(size):
                cached = self.stacks(size, idle=2 if is_counted and not self.figures.get(("idle", size)) else 0)
                keep("cached known", size, cached.get("loaded_ms"))
                keep("cached memory", size, cached.get("mem_loaded", {}).get("anon_mb"))
                keep("idle", size, cached.get("idle", {}).get("cpu_pct"))
        shutil.rmtree(self.home, ignore_errors=True)

    def first_screens(self, size):
        """Measures the time to the first screen, with a cached index and without, alternating with the C program.
        The program gets only the catalog as an argument, and a HOME without a position to resume at."""
        say("first screens of", size)
        kept = self.options.catalogs / "home-with-index"
        shutil.rmtree(kept, ignore_errors=True)
        if not self.make_cache(size, kept):
            return
        for turn in range(FIRST_SCREENS + 1):
            shutil.rmtree(self.home, ignore_errors=True)
            shutil.rmtree(kept / ".local", ignore_errors=True)
            floor = self.run("ncmin", str(self.floor / "ncmin"), ready="READY", quit="q", settle_ms=1)
            samples = {"floor": floor, "paint": self.first_screen(size, self.home), "cached paint": self.first_screen(size, kept)}
            shutil.rmtree(self.home, ignore_errors=True)
            samples["paint with an option"] = self.first_screen(size, self.home, "--no-resume")
            for name, sample in samples.items() if turn > 0 else ():
                self.keep(name, size, sample.get("paint_ms"))
        shutil.rmtree(kept, ignore_errors=True)

    def first_screen(self, size, home, *options):
        command = " ".join([str(self.options.stacks), *options, f"{self.options.catalogs / size}.json"])
        return self.run(f"stacks {size}", command, ready=f"(?s){FIRST_ROW}.*{FIRST_ISBN}", quit="q", settle_ms=1,
                        env={"HOME": str(home)})

    def make_cache(self, size, home=None):
        """Makes stacks write the index of a catalog to a HOME; returns false if it wrote none. Small catalogs have
        none."""
        home = home or self.home
        if BOOKS[size] < 10_000:
            return True
        session = self.ttybench.Session(
            {"command": f"{self.options.stacks} --no-resume {self.options.catalogs / size}.json",
             "env": {"HOME": str(home)}}, ROWS, COLUMNS, "auto")
        try:
            deadline = time.monotonic() + PATIENCE_S
            # The file of an index has a name only once it is complete.
            while time.monotonic() < deadline:
                session.collect(time.monotonic_ns(), 200, 200, timeout=.2)
                if any(path.is_file() for path in (home / ".cache" / "stacks").rglob("*.index")):
                    return True
            self.errors.append(f"stacks {size}: no index was written")
            return False
        finally:
            session.close()

    # -- others

    def peers(self):
        """Measures other programs with the largest catalog that they can open in reasonable time."""
        if "1m" not in self.options.sizes:
            return
        base, count = str(self.options.catalogs / "1m"), str(BOOKS["1m"])
        keys = [{"name": "down", "keys": "<Down>", "repeat": 20}, {"name": "page down", "keys": "<PgDn>", "repeat": 20}]
        end = {"name": "G", "keys": "G", "expect": "Of Penniless", "quiet_ms": 100}
        programs = [
            ("less (lines of text)", self.options.runs, f"less -S {base}.jsonl",
             {"ready": FIRST_ROW, "quit": "q", "steps": keys + [end]}),
            ("fzf (a prepared TSV)", self.options.runs, "fzf -e --layout=reverse --bind end:last",
             {"ready": FIRST_ROW, "loaded": rf"\b{count}/{count}\b", "quit": "<Esc>", "stdin": f"{base}.tsv",
              "steps": keys + [end | {"keys": "<End>"}]}),
            # It takes minutes; one run is enough.
            ("VisiData (JSON)", 1, f"vd {base}.json",
             {"ready": FIRST_ROW, "loaded": rf"\b{count} rows", "quit": "gq",
              "steps": keys + [end | {"quiet_ms": 300}]}),
        ]
        for turn in range(self.options.runs):
            for name, runs, command, peer in programs:
                if turn >= runs:
                    continue
                say("peer", name)
                try:
                    result = self.run(name, command, **peer)
                except FileNotFoundError as missing:
                    self.errors.append(f"{name}: {missing} is not installed")
                    continue
                self.keep("paint", name, result.get("paint_ms"))
                # less reads only as far as it shows; it has read all lines once it has shown the last one.
                self.keep("known", name, result.get("loaded_ms"))
                self.keep("memory", name, result.get("mem_end", {}).get("anon_mb"))
                for step in result["steps"]:
                    self.keep(step["name"], name, on_screen(step))
        say("peer jq")
        usage = time_and_memory(["jq", "length", base + ".json"])
        self.keep("known", "jq length", usage[0] * 1e3)
        self.keep("memory", "jq length", usage[1])


def on_screen(step):
    """Returns the milliseconds from a key to its effect on the screen: the median of a step's keys, or the time
    until the expected text appeared; None if the screen did not change."""
    if step["keys"][-1]["match"] is not None:
        return step["keys"][-1]["match"]
    times = [key["last"] for key in step["keys"] if key["last"] is not None]
    return statistics.median(times) if times else None


@contextlib.contextmanager
def busy_machine():
    """A context manager that keeps all processors busy."""
    others = [subprocess.Popen(["sh", "-c", BUSY]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def seconds_of_cat(path):
    """Returns the time for which `cat` reads a file."""
    start = time.monotonic()
    with open(os.devnull, "wb") as nothing:
        subprocess.run(["cat", path], stdout=nothing, check=True)
    return time.monotonic() - start


def time_and_memory(command):
    """Returns the seconds and the peak MiB of a program."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return time.monotonic() - start, usage.ru_maxrss / 1024


# ---------------------------------------------------------------- the report


class Row:
    """A row of the table of limits."""

    def __init__(self, title, limits, figure, is_minimum=False, digits=1):
        self.title, self.limits, self.figure = title, limits, figure
        self.is_minimum, self.digits = is_minimum, digits

    def cells(self, sizes):
        cells, verdicts = [], []
        for size in sizes:
            figure, limit = self.figure(size), self.limits.get(size)
            if figure is None:
                cells.append("" if limit is None else "not measured")
                continue
            text = f"{figure:,.{self.digits}f}"
            if limit is not None:
                holds = figure >= limit if self.is_minimum else figure <= limit
                verdicts.append(holds)
                text = f"{text} {'≥' if self.is_minimum else '≤'} {limit:,g}" if holds else f"**{text}**, not {limit:,g}"
            cells.append(text)
        return [self.title, *cells, "" if not verdicts else "yes" if all(verdicts) else "no"]


def print_report(options, bench, parts):
    def ratio(name, other):
        def figure(size):
            over, under = bench.median(name, size), bench.median(other, size)
            return over / under if over is not None and under else None
        return figure

    def median(name):
        return lambda size: bench.median(name, size)

    def speed(measure):
        def figure(size):
            samples = parts.get((measure, f"{size}.json"))
            return statistics.median(megabytes_a_second(sample) for sample in samples) if samples else None
        return figure

    def shape(suffix):
        def figure(size):
            samples, plain = parts.get(("index2", f"{size}.{suffix}.json")), speed("index2")(size)
            return plain / statistics.median(megabytes_a_second(sample) for sample in samples) if samples else None
        return figure

    def mapped(name):
        def figure(size):
            samples, plain = (parts.get(("index2", file)) for file in (f"{size}.{name}.json", f"{size}.json"))
            return seconds(samples) / seconds(plain) if samples and plain else None
        return figure

    def seconds(samples):
        return statistics.median(sample["seconds"] for sample in samples)

    def milliseconds(measure, ending=".json"):
        def figure(size):
            samples = parts.get((measure, size + ending))
            return seconds(samples) * 1e3 if samples else None
        return figure

    def for_all(limit):
        return dict.fromkeys(BOOKS, limit)

    rows = [
        Row("exec to first screen, ratio to the C ncurses program", for_all(2.5), ratio("paint", "floor"), digits=2),
        Row("the same with a kept index", for_all(2.5), ratio("cached paint", "floor"), digits=2),
        Row("the same with an option, without an index", {}, ratio("paint with an option", "floor"), digits=2),
        Row("exec to first screen, ms", {}, median("paint"), digits=2),
        Row("the same with a kept index, ms", {}, median("cached paint"), digits=2),
        Row("all records known, validated, searchable; ratio to `cat FILE > /dev/null` (warm)",
            {"1m": 3, "10m": 12}, lambda size: ratio("known", "cat")(size) if BOOKS[size] >= 100_000 else None),
        Row("the same while other programs use all processors", {"1m": 6}, ratio("known, busy", "cat")),
        Row("all records known, ms", {}, median("known")),
        Row("the same with the index cache, ms", {"1m": 30, "10m": 150}, median("cached known")),
        Row("anonymous memory once everything is known, MiB", {"11": 10, "1m": 160, "10m": 1200}, median("memory")),
        Row("the same, opened from the index cache", {"1m": 40, "10m": 250}, median("cached memory")),
        Row("G to the end: key to screen, ms", {"1m": 5, "10m": 5}, median("G")),
        Row("then gg: key to screen, ms", {"1m": 5, "10m": 5}, median("gg")),
        Row("a row down: key to screen, ms", {}, median("down"), digits=2),
        Row("a page down: key to screen, ms", {}, median("page down"), digits=2),
        Row("idle: % of a processor", {}, median("idle"), digits=2),
        Row("record positions alone, MB/s, one thread, page cache warm", {"1m": 4000}, speed("positions"), True, 0),
        Row("full RFC 8259 validation, MB/s, one thread", {"1m": 1500}, speed("validation"), True, 0),
        Row("sorted by title, the keys included, two threads, ms", {"1m": 400}, milliseconds("titles2")),
        Row("then reversed, ms", {"1m": 20}, milliseconds("reversed"), digits=2),
        Row("sections by letter, two threads, ms", {"1m": 50}, milliseconds("sections of all by letter, 2 threads")),
        Row("sections by decade, two threads, ms", {"1m": 50}, milliseconds("sections of all by decade, 2 threads")),
        Row("facets of the whole catalog, two threads, ms", {"1m": 300}, milliseconds("facets of all, 2 threads")),
        Row("statistics of the whole catalog, two threads, ms", {"1m": 500}, milliseconds("statistics of all, 2 threads")),
        Row("a rare word in the text alone, MB/s, one thread", {"1m": 5000}, speed("column of zyzzyvas"), True, 0),
        Row("four own fields of eight, first use, two threads, ms", {"1m": 1000},
            milliseconds("column first four, 2 threads", ".own.jsonl")),
        Row("a regular expression over all, ms", {}, milliseconds("query /gard.n of/")),
        Row("pretty-printed, ratio to one record a line (per byte)", {"1m": 2}, shape("pretty"), digits=2),
        Row("minified, ratio to one record a line (per byte)", {"1m": 2}, shape("min"), digits=2),
        *(Row(f"the same books as {name} has them, ratio (per book)", {"1m": 1.5}, mapped(name), digits=2)
          for name in MAPPED),
    ]
    print(f"`make bench BENCH_SIZES=\"{' '.join(options.sizes)}\" BENCH_RUNS={options.runs}`, {machine()}\n")
    print_table(["", *(TITLES[size] for size in options.sizes), "holds"], 
                [cells for cells in (row.cells(options.sizes) for row in rows) if any(cells[1:])])
    if "1m" in options.sizes:
        print("\nOne million books; in brackets the ratio to stacks.\n")
        print_peers(bench)
    if parts:
        print("\nThe parts on their own: median (best).\n")
        print_parts(parts)
    for error in sorted(set(bench.errors)):
        print(f"\nNot as expected: {error}")


def print_peers(bench):
    columns = [("paint", "first screen, ms"), ("known", "all known, ms"), ("memory", "memory, MiB"),
               ("down", "a row down, ms"), ("page down", "a page down, ms"), ("G", "to the end, ms")]
    names = ["1m"] + [name for name in dict.fromkeys(size for _, size in bench.figures) if name not in BOOKS]
    rows = []
    for name in names:
        row = ["stacks" if name == "1m" else name]
        for figure, _ in columns:
            value, ours = bench.median(figure, name), bench.median(figure, "1m")
            text = "" if value is None else f"{value:,.1f}"
            row.append(text if name == "1m" or value is None or not ours else f"{text} ({value / ours:,.1f})")
        rows.append(row)
    print_table(["", *(title for _, title in columns)], rows)


def print_parts(parts):
    rows = []
    for (measure, name), samples in parts.items():
        speeds = [megabytes_a_second(sample) for sample in samples]
        times = [sample["seconds"] for sample in samples]
        records = samples[0]["records"]
        each = f"{statistics.median(times) / records * 1e9:,.0f} ({min(times) / records * 1e9:,.0f})" if records else ""
        rows.append([measure, name, f"{statistics.median(times) * 1e3:,.0f} ({min(times) * 1e3:,.0f})",
                     f"{statistics.median(speeds):,.0f} ({max(speeds):,.0f})", each])
    print_table(["part", "catalog", "ms", "MB/s", "ns a record"], rows)


def megabytes_a_second(sample):
    return sample["bytes"] / sample["seconds"] / 1e6


def print_table(head, rows):
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, ["-" * width for width in widths], *rows]:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")


def machine():
    """Returns a short description of the machine."""
    cpu = next(line.partition(":")[2].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    memory = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal"))
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return (f"{cpu}, {os.cpu_count()} processors, {memory / 2**20:.0f} GiB, Linux {os.uname().release}, {swift}, "
            f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
