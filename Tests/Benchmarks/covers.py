#!/usr/bin/env python3
"""The part of bench.py for covers: `j` is held through all books of a catalog with covers, with a key each 8 ms and as
fast as the program answers, with covers and with --no-covers in turn; and keys are pressed in a million books, shown as
a list and as a grid. Also runs alone:

    covers.py --tools DIRECTORY --stacks PROGRAM [--catalogs DIRECTORY] [--books 1000] [--runs 5] [--rows 100000]
              [--large 1000000]

A key is answered by its first byte; the time ends when the last row is on the screen."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

BOOKS = 1000
# The covers that differ; the others are copies, because making one takes a tenth of a second.
DISTINCT = 300
SIZE = (400, 600)
PACE_MS = 8
# The rows after which the memory is taken, too: the catalog up and down.
LONG_ROWS = 100_000
ROWS, COLUMNS = 40, 120
VARIANTS = {"covers": "", "no covers": "--no-covers"}
PATIENCE_S = 120
# The books of the grid, and its keys with the number of presses.
LARGE = 1_000_000
GRID_KEYS = [("j", b"j", 40), ("^f", b"\x06", 40), ("^b", b"\x02", 20), ("G", b"G", 5), ("gg", b"gg", 5)]
FORMS = {"list": b"", "grid": b"cc"}
# Without output for so long, a screen of text is finished; its covers come later, after 80 ms and their decoding.
QUIET_MS = 60


def measure(bench, books=BOOKS, long_rows=LONG_ROWS):
    """Returns (variant, figure) -> [value, ...] over all runs."""
    usage = subprocess.run([bench.options.stacks, "help", "browse"], capture_output=True, text=True, check=False).stdout
    if "--no-covers" not in usage:
        bench.errors.append("covers: the program has no --no-covers")
        return {}
    catalog = make_library(bench, books)
    samples = {}
    with tempfile.TemporaryDirectory(prefix="stacks-covers-") as home:
        for turn in range(bench.options.runs):
            for variant in VARIANTS:
                bench.say("covers,", variant)
                for pace in (PACE_MS, 0):
                    hold(bench, samples, variant, home, catalog, books, pace)
        for variant in VARIANTS if long_rows else ():
            bench.say("covers,", f"{long_rows:,} rows,", variant)
            hold(bench, samples, variant, home, catalog, books, 0, long_rows)
    return samples


def measure_grid(bench, large=LARGE, books=BOOKS):
    """Returns (form, key) -> [ms, ...] from the key to the finished text, among a million books, whose covers are those
    of the library."""
    make_library(bench, books)
    catalog = bench.options.catalogs / f"covers-{books}" / f"{large}.json"
    if not catalog.exists():
        bench.say("making", catalog)
        with catalog.open("w") as file:
            file.write("[")
            for number in range(large):
                entry = {"title": f"Book {number + 1:07}", "author": f"Author {number % 997}",
                         "cover": f"covers/{number % books}.jpg"}
                file.write(("," if number else "") + "\n" + json.dumps(entry))
            file.write("]")
    samples = {}
    with tempfile.TemporaryDirectory(prefix="stacks-covers-") as home:
        for _ in range(bench.options.runs):
            for form in FORMS:
                bench.say("keys in", f"{large:,} books,", form)
                press_grid(bench, samples, form, home, catalog, large)
    return samples


def press_grid(bench, samples, form, home, catalog, large):
    tty = bench.ttybench
    command = f"{bench.options.stacks} --no-resume {catalog}"
    session = tty.Session({"name": form, "command": command, "env": {"HOME": home, "COLORTERM": "truecolor"}},
                          ROWS, COLUMNS, "auto")
    try:
        ready = session.collect(session.t0, 0, 0, tty.tester({"expect": rf"\b1/{large:,}\b"}), PATIENCE_S)
        if not ready["ok"]:
            bench.errors.append(f"{form} of {large:,} books: never ready")
            return
        for key in FORMS[form].decode():
            session.send(key.encode())
            session.collect(time.monotonic_ns(), 500, 500, timeout=10)
        for name, key, count in GRID_KEYS:
            for _ in range(count):
                start = time.monotonic_ns()
                session.send(key)
                seen = session.collect(start, quiet_ms=QUIET_MS, patience_ms=1000)
                if seen["last"] is not None:
                    samples.setdefault((form, name), []).append(seen["last"])
                # The covers of this screen are not counted for the next key.
                session.collect(time.monotonic_ns(), 100, 100, timeout=2)
        for program, value in resident(session.pid).items():
            samples.setdefault((form, f"MB of {program}"), []).append(value)
    except tty.Ended:
        bench.errors.append(f"{form} of {large:,} books: ended early")
    finally:
        session.close()


def print_grid(samples, print_table):
    rows = []
    for key in dict.fromkeys(key for _, key in samples):
        values = {form: statistics.median(samples.get((form, key), [0])) for form in FORMS}
        ratio = f"{values['grid'] / values['list']:.2f}" if values["list"] else ""
        rows.append([key, *(f"{value:,.2f}" for value in values.values()), ratio])
    print_table(["key, ms to the text", *FORMS, "ratio"], rows)


def make_library(bench, books):
    """Makes a catalog with a cover for each book if it is missing: noisy JPEGs of 30 to 60 kB. Returns its path."""
    directory = bench.options.catalogs / f"covers-{books}"
    catalog = directory / "books.json"
    if catalog.exists():
        return catalog
    bench.say("making covers in", directory)
    covers = directory / "covers"
    covers.mkdir(parents=True, exist_ok=True)
    for number in range(books):
        path = covers / f"{number}.jpg"
        if number < DISTINCT:
            # Without their noise, fractals are far smaller than photographs.
            subprocess.run(["convert", "-size", "{}x{}".format(*SIZE), "-seed", str(number), "plasma:fractal",
                            "-attenuate", "0.25", "+noise", "Gaussian", "-quality", "80", str(path)], check=True)
        else:
            path.write_bytes((covers / f"{number % DISTINCT}.jpg").read_bytes())
    entries = [{"title": f"Book {number + 1:06}", "author": f"Author {number % 97}", "cover": f"covers/{number}.jpg"}
               for number in range(books)]
    catalog.write_text(json.dumps(entries))
    return catalog


def hold(bench, samples, variant, home, catalog, books, pace, rows=0):
    """Holds j to the last book, or j and k for a number of rows; keeps what it took."""
    tty = bench.ttybench
    command = f"{bench.options.stacks} {VARIANTS[variant]} --no-resume {catalog}"
    peer = {"name": variant, "command": command, "env": {"HOME": home, "COLORTERM": "truecolor"}}
    session = tty.Session(peer, ROWS, COLUMNS, "auto")
    try:
        ready = session.collect(session.t0, 0, 0, tty.tester({"expect": rf"\b1/{books:,}\b"}), PATIENCE_S)
        if not ready["ok"]:
            bench.errors.append(f"covers, {variant}: never ready")
            return
        session.collect(time.monotonic_ns(), 500, 500, timeout=10)
        passes = rows // (books - 1) if rows else 1
        shown = tty.tester({"expect": rf"\b{books if passes % 2 else 1:,}/{books:,}\b"})
        bytes_before, start = session.nbytes, time.monotonic_ns()
        count = passes * (books - 1)
        for number in range(count):
            sent = time.monotonic_ns()
            session.send(b"j" if number // (books - 1) % 2 == 0 else b"k")
            if number == count - 1:
                break
            if pace:
                while (left := start + (number + 1) * pace * 1_000_000 - time.monotonic_ns()) > 0:
                    session.read(left / 1e6)
            else:
                session.read(1000)
            session.parse()
        # The cover of the last row belongs to the bytes, and not to the time.
        end = session.collect(sent, 500, 1000, shown, PATIENCE_S)
        if not end["ok"]:
            bench.errors.append(f"covers, {variant}: the last row is not shown")
            return
        memory = resident(session.pid)
        name = f"{rows:,} rows" if rows else "a key each 8 ms" if pace else "as fast as answered"
        figures = {"ms": (sent - start) / 1e6 + end["match"], "bytes": session.nbytes - bytes_before}
        figures |= {f"MB of {program}": value for program, value in memory.items()}
        for what, value in figures.items():
            samples.setdefault((variant, f"{name}: {what}"), []).append(value)
    except tty.Ended:
        bench.errors.append(f"covers, {variant}: ended early")
    finally:
        session.close()


def resident(parent):
    """Returns the resident memory in MB of the program and of its helper, which has a session of its own."""
    above, names, sizes = {}, {}, {}
    for path in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in path.read_text().splitlines())
        except (OSError, ValueError):
            continue
        process = int(path.parent.name)
        above[process], names[process] = int(fields["PPid"]), fields["Name"].strip()
        sizes[process] = int(fields.get("VmRSS", "0").split()[0]) / 1024
    found = {}
    for process in above:
        ancestor = process
        while ancestor in above and ancestor != parent:
            ancestor = above[ancestor]
        if ancestor == parent:
            found[names[process]] = found.get(names[process], 0) + sizes[process]
    return found


def print_covers(samples, print_table):
    rows = []
    for figure in dict.fromkeys(figure for _, figure in samples):
        values = {variant: statistics.median(samples.get((variant, figure), [0])) for variant in VARIANTS}
        with_covers, without = values.values()
        ratio = f"{with_covers / without:.2f}" if without else ""
        form = "{:,.1f}" if "MB" in figure else "{:,.0f}"
        rows.append([figure, *map(form.format, values.values()), ratio])
    print_table(["j held", *VARIANTS, "ratio"], rows)


def main():
    import bench

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="directory of ttybench.py")
    parser.add_argument("--stacks", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--catalogs", type=pathlib.Path, default="/tmp/stacks-bench", help="where the covers are kept")
    parser.add_argument("--books", type=int, default=BOOKS)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rows", type=int, default=LONG_ROWS, help="the rows of the long run; 0 leaves it out")
    parser.add_argument("--large", type=int, default=LARGE, help="the books of the grid; 0 leaves it out")
    options = parser.parse_args()
    for name in ("tools", "catalogs", "stacks"):
        setattr(options, name, getattr(options, name).absolute())
    sys.path.insert(0, str(options.tools))
    import ttybench

    part = bench.Bench(ttybench, options, None)
    print_covers(measure(part, options.books, options.rows), bench.print_table)
    if options.large:
        print_grid(measure_grid(part, options.large, options.books), bench.print_table)
    sys.exit("\n".join(part.errors) or 0)


if __name__ == "__main__":
    main()
