"""The part of bench.py that changes a catalog of a million books with commands, compared with `jq` and `cp`.

Each change starts from the same file. The copy that restores it is a sample of `cp A B && sync B`, the
reference for the others. Memory is the peak resident set, which includes pages of mapped files."""
import json
import os
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time

SIZE = "1m"
# The line of the changed book, in the middle of the catalog.
LINE = 500_000
# The year of about ten thousand books.
YEAR = 2012
# The maximum time of a command as a multiple of the copy, and the additional seconds if it changes ten thousand books.
LIMIT, BULK_LIMIT = 3, 1


class Change:
    """A change of the catalog by stacks and by jq."""

    def __init__(self, name, stacks, jq=None, has_index=True, extra=None):
        """`extra` is the allowed time in seconds in addition to saving; None for no limit."""
        self.name, self.stacks, self.jq, self.has_index, self.extra = name, stacks, jq, has_index, extra

    def verdict(self, seconds, copy):
        """Returns whether the limit is met, if there is one."""
        if self.extra is None:
            return ""
        limit = f"{LIMIT} copies" + (f" + {self.extra} s" if self.extra else "")
        return f"yes, ≤ {limit}" if seconds <= LIMIT * copy + self.extra else f"**no, not {limit}**"


def measure(bench, sizes):
    """Returns (program, change) -> [(seconds, MiB), ...] over all runs, and the changes."""
    samples = {}
    if SIZE not in sizes:
        return samples, []
    stacks = bench.options.stacks
    original = bench.options.catalogs / f"{SIZE}.json"
    isbn, count = look_at_books(bench.options.catalogs / f"{SIZE}.jsonl")
    # Beside the original, because copies within a file system are measured.
    with tempfile.TemporaryDirectory(prefix="editing-", dir=bench.options.catalogs) as directory:
        file = f"{directory}/B"
        all_changes = changes(isbn, count, file)

        def keep(program, name, figures):
            if figures is None:
                bench.errors.append(f"{program}, {name}: failed")
            elif turn > 0:
                samples.setdefault((program, name), []).append(figures)

        for turn in range(bench.options.runs + 1):
            for change in all_changes:
                bench.say("editing,", change.name)
                # The journal of the other changes, which is long after sorting.
                shutil.rmtree(f"{directory}/.local", ignore_errors=True)
                keep("cp", "", run(f"cp {original} {file} && sync {file}", directory))
                if change.has_index:
                    run(f"{stacks} search --limit 1 year:{YEAR} {file}", directory)
                keep("stacks", change.name, run(f"{stacks} {change.stacks}", directory))
            # The first turn fills caches. jq takes many seconds; one run is enough.
            for change in all_changes if turn == 1 else []:
                if change.jq:
                    bench.say("editing, jq,", change.name)
                    command = f"jq -c {shlex.quote(change.jq)} {original} > {file} && sync {file}"
                    keep("jq", change.name, run(command, directory))
    return samples, all_changes


def look_at_books(lines):
    """Returns the ISBN of the changed book, and the number of books of YEAR."""
    isbn, count = None, 0
    with open(lines, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if number >= LINE and not isbn:
                isbn = json.loads(line).get("isbn")
            if f'"published": "{YEAR}' in line:
                count += 1
    return isbn, count


def changes(isbn, count, file):
    """Returns the changes of the catalog at `file`."""
    new = {"title": "A New Book", "authors": ["Jane Austen"], "isbn": "978-0-14-143958-7", "published": "1999"}
    fields = "title='A New Book' authors='Jane Austen' isbn=978-0-14-143958-7 year=1999"
    one = f'(.[] | select(.isbn == "{isbn}") | .published) = "1999"'
    many = f'(.[] | select(.published // "" | startswith("{YEAR}")) | .published) = "1999"'
    return [
        Change("show ISBN (reads only)", f"show {isbn} {file}"),
        Change("set ISBN year=1999", f"set {isbn} year=1999 --catalog {file}", one, extra=0),
        Change("set ISBN year=1999, without a kept index", f"set {isbn} year=1999 --catalog {file}",
               has_index=False),
        Change("add title=… authors=…", f"add {file} {fields}", f". + [{json.dumps(new)}]", extra=0),
        Change("delete ISBN", f"delete {isbn} --catalog {file}", f'map(select(.isbn != "{isbn}"))', extra=0),
        Change(f"set --query year:{YEAR} year=1999, {count:,} books",
               f"set --query year:{YEAR} year=1999 --catalog {file}", many, extra=BULK_LIMIT),
        # All records move, so a copy is no reference for it.
        Change("sort year", f"sort {file} year", "sort_by(.published // \"\")"),
    ]


def run(command, home):
    """Returns the seconds and the peak MiB of a command, or None if it fails."""
    # Flush earlier writes, so that the command does not wait for them.
    os.sync()
    start = time.monotonic()
    process = subprocess.Popen(["sh", "-c", command], stdout=subprocess.DEVNULL, env={**os.environ, "HOME": home})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (time.monotonic() - start, usage.ru_maxrss / 1024) if process.returncode == 0 else None


def print_editing(samples, all_changes, print_table):
    def medians(program, name):
        figures = samples.get((program, name))
        return [statistics.median(column) for column in zip(*figures)] if figures else None

    copy = medians("cp", "")
    if not copy:
        return
    rows = [["cp A B && sync B", f"{copy[0]:,.2f}", "1", "", "", "", ""]]
    for change in all_changes:
        ours, others = medians("stacks", change.name), medians("jq", change.name)
        if not ours:
            continue
        row = [f"stacks {change.name}", f"{ours[0]:,.2f}", f"{ours[0] / copy[0]:.2f}", f"{ours[1]:,.0f}"]
        if others:
            row += [f"{others[0]:,.2f} ({others[0] / ours[0]:,.1f})", f"{others[1]:,.0f} ({others[1] / ours[1]:,.1f})"]
        rows.append([*row, *[""] * (6 - len(row)), change.verdict(ours[0], copy[0])])
    print("\nOne change of a catalog of a million books by a whole program; in brackets the ratio to stacks.\n")
    print_table(["", "s", "ratio to the copy", "MiB", "jq, s", "jq, MiB", "holds"], rows)
