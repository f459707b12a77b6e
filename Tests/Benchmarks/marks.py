"""The part of bench.py for user data: the time until the favourites of a hundred thousand books are on the screen,
and until a new one is, there and among a million books."""
import json
import shutil
import statistics
import subprocess
import tempfile

MARKED_SIZE = "100k"
# In milliseconds: until all favourites are on the screen, from the start of the program, and until a new one is.
LOAD_LIMIT, MARK_LIMIT = 200, 2


def measure(bench, sizes):
    """Returns figure -> [ms, ...] over all runs."""
    samples = {}
    if MARKED_SIZE in sizes:
        with tempfile.TemporaryDirectory(prefix="stacks-marks-") as home:
            mark_all(bench, home)
            for _ in range(bench.options.runs + 1):
                run(bench, samples, MARKED_SIZE, "with 100,000 marks", home, loaded="★ " + bench.first_row)
        for _ in range(bench.options.runs + 1):
            run(bench, samples, MARKED_SIZE, "without marks", str(bench.home))
    if "1m" in sizes:
        with tempfile.TemporaryDirectory(prefix="stacks-marks-") as home:
            shutil.copytree(bench.home / ".cache", home + "/.cache")
            for _ in range(bench.options.runs + 1):
                run(bench, samples, "1m", "a million books", home, loaded=r"1,000,000 books(?! so far)")
    return samples


def mark_all(bench, home):
    """Makes all books with an ISBN favourites with the commands of the browser."""
    catalog = bench.options.catalogs / f"{MARKED_SIZE}.json"
    with open(catalog, encoding="utf-8") as file:
        numbers = [book["isbn"] for book in json.load(file) if book.get("isbn")]
    subprocess.run([bench.options.stacks, "import", "-", "--catalog", catalog], input="\n".join(numbers).encode(),
                   env={"HOME": home}, stdout=subprocess.DEVNULL, check=True)
    # The first start caches the index of the catalog.
    run(bench, {}, MARKED_SIZE, "", home, loaded="★ " + bench.first_row)


def run(bench, samples, size, name, home, **peer):
    bench.say("marks,", name)
    # Twice, so that the book is a favourite again and the files are unchanged.
    steps = [{"name": "j t", "keys": "jtt", "repeat": 10, "gap_ms": 30}]
    result = bench.run("stacks", f"{bench.options.stacks} --no-resume {bench.options.catalogs / size}.json",
                       ready=bench.first_row, quit="q", steps=steps, env={"HOME": home}, **peer)
    figures = {f"{name}: first screen": [result.get("paint_ms")]}
    if size == MARKED_SIZE and "loaded" in peer:
        figures[f"{name}: all shown"] = [result.get("loaded_ms")]
    figures[f"{name}: t"] = [key["last"] for key in result["steps"][0]["keys"][1::3]]
    for figure, values in figures.items():
        samples.setdefault(figure, []).append([value for value in values if value is not None])


def print_marks(samples, print_table):
    rows = []
    for figure, runs in samples.items():
        # The first run fills the page cache and is not counted.
        values = [value for values in runs[1:] for value in values]
        if not values:
            continue
        median = statistics.median(values)
        limit = {"all shown": LOAD_LIMIT, "t": MARK_LIMIT}.get(figure.split(": ")[1])
        holds = "" if limit is None else "holds" if median <= limit else f"**not {limit}**"
        rows.append([figure, f"{median:.1f}", f"{max(values):.1f}", holds])
    print_table(["stacks", "median, ms", "worst, ms", "holds"], rows)
