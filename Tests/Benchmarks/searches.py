"""The part of bench.py that types words into the search bar of stacks, and into other programs that search the
same titles.

A key has two times: until the rows of the list are final, and until the screen is final, including the number
of matches. The table has the median and the maximum over the keys of a word."""
import os
import statistics
import subprocess
import time

# The texts that are typed or pasted.
WORDS = [
    ("type a rare title", "zyzzyva", False),
    ("type a common word", "garden", False),
    ("first letter e", "e", False),
    ("first letters th", "th", False),
    ("paste a word", "river", True),
]
# The maximum milliseconds for the rows after the slowest key, by program.
ROWS_LIMITS = {"stacks, 1m": 16, "stacks, 10m": 33}
# A key may be followed by a first screen and, later, the final one.
QUIET_MS = 500


def measure(bench, sizes):
    """Types the words into stacks and, for a million books, into fzf; returns (program, word) -> times of the keys."""
    times = {}
    for turn in range(bench.options.runs):
        for size in sizes:
            command = f"{bench.options.stacks} --no-resume {bench.options.catalogs / size}.json"
            peer = {"command": command, "ready": bench.first_row, "loaded": r"books(?! so far)"}
            type_words(bench, times, f"stacks, {size}", peer, opening="/")
        if "1m" in sizes:
            peer = {"stdin": f"{bench.options.catalogs / '1m'}.tsv", "ready": bench.first_row,
                    "loaded": r"\b1000000/1000000\b"}
            type_words(bench, times, "fzf -e", peer | {"command": "fzf -e --layout=reverse"})
            if turn == 0:
                type_words(bench, times, "fzf", peer | {"command": "fzf --layout=reverse"})
    return times


def type_words(bench, times, name, peer, opening=""):
    """Types the words into one program, after the keys that open its search."""
    bench.say("words,", name)
    tty = bench.ttybench
    try:
        session = tty.Session({"env": {"HOME": str(bench.home)}, **peer}, bench.rows, bench.columns, "auto")
    except FileNotFoundError as missing:
        bench.errors.append(f"{name}: {missing} is not installed")
        return
    try:
        for state in ("ready", "loaded"):
            test = tty.tester({"expect": peer[state]})
            if not session.collect(session.t0, 0, 0, test, bench.patience)["ok"]:
                bench.errors.append(f"{name}: never {state}")
                return
        press(session, opening.encode())
        for word, keys, is_pasted in WORDS:
            pieces = [keys] if is_pasted else keys
            times.setdefault((name, word), []).append([press(session, piece.encode()) for piece in pieces])
            press(session, b"\x15")
    finally:
        session.close()


def press(session, key):
    """Sends a key; returns the milliseconds until the rows are final, and until the screen is. The first two and
    the last two lines of the screen are not rows."""
    start = time.monotonic_ns()
    session.send(key)
    states = []
    while time.monotonic_ns() < max(start, session.last) + QUIET_MS * 1_000_000:
        session.read(QUIET_MS / 10)
        for moment, data in session.pending:
            session.term.feed(data)
            states.append((moment, session.term.text().split("\n")[2:-2]))
        session.pending.clear()
    if not states:
        return 0, 0
    shown = next(index for index, state in enumerate(states) if all(later[1] == states[-1][1] for later in states[index:]))
    return (states[shown][0] - start) / 1e6, (states[-1][0] - start) / 1e6


def measure_visidata(bench, times):
    """Runs a search and a sort by title in VisiData once, because it takes minutes to load a million books;
    records the times of the latter."""
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
    for step in result["steps"]:
        keys = [(key["last"], key["last"]) for key in step["keys"] if key["last"] is not None]
        if keys:
            times.setdefault(("VisiData (from Enter to a match)", step["name"]), []).append(keys)
    return [key["last"] for step in result["steps"] if step["name"] == "sort" for key in step["keys"]]


def print_words(times, print_table):
    programs = list(dict.fromkeys(program for program, _ in times))
    rows = []
    for name, keys, _ in WORDS:
        row = [f"{name} ({keys})"]
        for program in programs:
            runs = times.get((program, name))
            if not runs:
                row.append("")
                continue
            median = statistics.median(shown for run in runs for shown, _ in run)
            worst = statistics.median(max(shown for shown, _ in run) for run in runs)
            last = statistics.median(max(last for _, last in run) for run in runs)
            text = f"{median:.1f}, {worst:.1f}, {last:.1f}"
            limit = ROWS_LIMITS.get(program)
            if limit is not None:
                text += " (holds)" if worst <= limit else f" (**not {limit}**)"
            row.append(text)
        rows.append(row)
    print_table(["ms: rows, rows of the slowest key, all of it", *programs], rows)


# The maximum time in ms for a whole search of a million books with a cached index.
COMMAND_LIMIT = 60


def commands(options, home):
    """Measures programs that search the same million books once: name, seconds, and whether the limit is met, if
    there is one. The index of stacks is in the cache of `home`, and files are in the page cache."""
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
        # It takes many seconds; one run is enough.
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
