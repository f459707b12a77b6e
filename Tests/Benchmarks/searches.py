"""The part of bench.py that types words: into the search bar of stacks, and into others that search the same titles.

A key's time is that until the last byte of what it changes on the screen, count and rows; of a word the median and the
worst of its keys are told.
"""
import os
import statistics
import subprocess
import time

# What is typed or pasted, its limits in ms for the median and the worst key, and how many books of a million have it.
WORDS = [
    ("type a rare title", "zyzzyva", False, 8, 16),
    ("type a common word", "garden", False, 8, 16),
    ("first letter e", "e", False, None, 16),
    ("first letters th", "th", False, None, 16),
    ("paste a word", "river", True, None, 20),
]
# After a key there may be a first screen and, later, the finished one.
QUIET_MS = 500
COUNT = r"/[\d,]+\s*$"


def steps(opening, clearing):
    """The steps of a program whose search is opened with `opening`, and whose words are taken back with `clearing`."""
    result = []
    if opening:
        result.append({"name": "open", "keys": opening, "quiet_ms": QUIET_MS, "measured": False})
    for name, keys, is_pasted, _, _ in WORDS:
        result.append({"name": name, "keys": keys, "paste": is_pasted, "quiet_ms": QUIET_MS})
        result.append({"name": "clear " + name, "keys": clearing, "quiet_ms": QUIET_MS, "measured": False})
    return result


def measure(bench, sizes):
    """Types the words into stacks and, for a million books, into fzf; keeps (program, word) -> (first, last) times."""
    times = {}
    for turn in range(bench.options.runs):
        for size in sizes:
            result = bench.run(
                f"stacks {size}", f"{bench.options.stacks} --no-resume {bench.options.catalogs / size}.json",
                ready=bench.first_row, loaded=r"books(?! so far)", quit="<Esc>q", steps=steps("/", "<C-u>"))
            keep(times, f"stacks, {size}", result)
        if "1m" in sizes:
            base = bench.options.catalogs / "1m"
            for name, command in (("fzf -e", "fzf -e --layout=reverse"), ("fzf", "fzf --layout=reverse")):
                if name == "fzf" and turn > 0:
                    continue
                try:
                    result = bench.run(
                        name, command, stdin=f"{base}.tsv", ready=bench.first_row, loaded=r"\b1000000/1000000\b",
                        quit="<Esc>", steps=steps("", "<C-u>"))
                except FileNotFoundError as missing:
                    bench.errors.append(f"{name}: {missing} is not installed")
                    continue
                keep(times, name, result)
    return times


def measure_visidata(bench, times):
    """Has VisiData look for a word and sort by title, once, as it takes minutes to load a million books; its times for the
    latter."""
    try:
        result = bench.run(
            "VisiData", f"vd {bench.options.catalogs / '1m'}.json", ready=bench.first_row, loaded=r"\b1000000 rows",
            quit="gq", steps=[
                {"name": "type", "keys": "/river", "quiet_ms": 60, "measured": False},
                {"name": "paste a word", "keys": "<Enter>", "expect": "[Rr]iver", "quiet_ms": 600},
                {"name": "home", "keys": "gk", "quiet_ms": 600, "measured": False},
                {"name": "sort", "keys": "[", "quiet_ms": 1500},
            ])
    except FileNotFoundError as missing:
        bench.errors.append(f"VisiData: {missing} is not installed")
        return []
    keep(times, "VisiData (from Enter to a match)", result)
    return [key["last"] for step in result["steps"] if step["name"] == "sort" for key in step["keys"]]


def keep(times, program, result):
    for step in result["steps"]:
        keys = [(key["first"], key["last"]) for key in step["keys"] if key["last"] is not None]
        if keys:
            times.setdefault((program, step["name"]), []).append(keys)


def print_words(times, print_table):
    programs = list(dict.fromkeys(program for program, _ in times))
    rows = []
    for name, keys, _, median_limit, worst_limit in WORDS:
        row = [f"{name} ({keys})"]
        for program in programs:
            runs = times.get((program, name))
            if not runs:
                row.append("")
                continue
            median = statistics.median(last for run in runs for _, last in run)
            worst = statistics.median(max(last for _, last in run) for run in runs)
            first = statistics.median(max(first for first, _ in run) for run in runs)
            text = f"{median:.1f}, {worst:.1f}"
            if program == "stacks, 1m":
                holds = (median_limit is None or median <= median_limit) and worst <= worst_limit
                text += " (holds)" if holds else f" (**not {median_limit or worst_limit:g}, {worst_limit:g}**)"
            elif program == "stacks, 10m":
                holds = first <= 50 and worst <= 150
                text += f", first {first:.1f}" + (" (holds)" if holds else " (**not 150, first 50**)")
            row.append(text)
        rows.append(row)
    print_table(["ms: median, worst key", *programs], rows)


# The most that a whole search of a million books may take with its index in the cache, in ms.
COMMAND_LIMIT = 60


def commands(options, home):
    """Whole programs that search the same million books once: name, seconds, and whether a limit holds, where there is
    one. The index of stacks is in the cache of `home`, and files are in that of the system."""
    base = options.catalogs / "1m"
    stacks = [str(options.stacks), "search"]
    shown = [f"{base}.json", "--limit", "20"]
    jq = ["jq", "-c", 'limit(20; .[] | select(.title | test("zyzzyva"; "i")))', f"{base}.json"]
    environment = {**os.environ, "HOME": str(home)}
    found = []
    for name, command, limit, runs in (
        ("stacks search zyzzyva --limit 20 (JSON)", [*stacks, "zyzzyva", *shown], COMMAND_LIMIT, options.runs),
        ("stacks search garden --limit 20 (JSON)", [*stacks, "garden", *shown], COMMAND_LIMIT, options.runs),
        ("the same with two words", [*stacks, "river garden", *shown], COMMAND_LIMIT, options.runs),
        ("the same in fields", [*stacks, "author:smith year:1990..", *shown], COMMAND_LIMIT, options.runs),
        ("the same, --format json", [*stacks, "garden", *shown, "--format", "json"], COMMAND_LIMIT, options.runs),
        ("stacks search garden, all that is found (JSON)", [*stacks, "garden", f"{base}.json"], None, options.runs),
        ("fzf -e --filter garden (TSV)", f"fzf -e --filter garden < {base}.tsv", None, options.runs),
        ("rg -i -m 20 garden (TSV)", ["rg", "-i", "-m", "20", "garden", f"{base}.tsv"], None, options.runs),
        ("rg -i garden (TSV)", ["rg", "-i", "garden", f"{base}.tsv"], None, options.runs),
        ("rg -i garden (JSON)", ["rg", "-i", "garden", f"{base}.json"], None, options.runs),
        ("rg -i zyzzyva (JSON)", ["rg", "-i", "zyzzyva", f"{base}.json"], None, options.runs),
        # It takes many seconds: once will do.
        ("jq, zyzzyva in a title (JSON)", jq, None, 1),
    ):
        samples = []
        for _ in range(runs + 1):
            start = time.monotonic()
            try:
                subprocess.run(
                    command, stdout=subprocess.DEVNULL, shell=isinstance(command, str), check=True, env=environment)
            except (FileNotFoundError, subprocess.CalledProcessError) as error:
                samples = []
                found.append((f"{name}: {error}", None, ""))
                break
            samples.append(time.monotonic() - start)
        # The first run fills caches.
        if samples:
            median = statistics.median(samples[1:])
            holds = "" if limit is None else f"yes, ≤ {limit}" if median * 1e3 <= limit else f"**no, not {limit}**"
            found.append((name, median, holds))
    return found
