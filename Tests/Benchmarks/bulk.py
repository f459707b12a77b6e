"""The part of bench.py that changes many books at once: the time from the key to the message that everything is
saved, and the same for undo, for a hundred to a million books of one catalog."""
import shutil
import statistics
import tempfile

SIZE = "1m"
COUNTS = (100, 1000, 10_000, 100_000, 1_000_000)
# In milliseconds, for a hundred thousand books.
LIMIT_COUNT, LIMIT = 100_000, 300


def measure(bench, sizes):
    """Returns (count, figure) -> [ms, ...] over all runs."""
    samples = {}
    if SIZE not in sizes:
        return samples
    for count in COUNTS:
        for run in range(bench.options.runs + 1):
            with tempfile.TemporaryDirectory(prefix="stacks-bulk-") as home:
                shutil.copytree(bench.home / ".cache", home + "/.cache")
                change(bench, samples if run > 0 else {}, count, home)
    return samples


def change(bench, samples, count, home):
    bench.say("changing", count, "books")
    select = "V" if count == 1_000_000 else f"v{count - 1}j"
    steps = [{"name": "select", "keys": select, "quiet_ms": 300},
             {"name": "md", "keys": "md", "expect": f"Read: {count:,} books"},
             {"name": "u", "keys": "u", "expect": f"Undone: marked {count:,} books", "gap_ms": 500}]
    result = bench.run("stacks", f"{bench.options.stacks} --no-resume {bench.options.catalogs / SIZE}.json",
                       ready=bench.first_row, loaded=r"1,000,000 books(?! so far)", quit="q", steps=steps, env={"HOME": home})
    for step in result["steps"][1:]:
        if match := step["keys"][-1]["match"]:
            samples.setdefault((count, step["name"]), []).append(match)


def print_bulk(samples, print_table):
    rows = []
    for count in COUNTS:
        made, undone = (samples.get((count, name)) for name in ("md", "u"))
        if made and undone:
            holds = "" if count != LIMIT_COUNT else "holds" if statistics.median(made) <= LIMIT else f"**not {LIMIT}**"
            rows.append([f"{count:,}", f"{statistics.median(made):.0f}", f"{statistics.median(undone):.0f}", holds])
    if rows:
        print("\nMany books changed at once, from the key to the message that it is saved.\n")
        print_table(["books", "m d, ms", "u, ms", "holds"], rows)
