"""The part of bench.py that looks for what can be cleaned in a catalog of a million books, of which ten thousand are in it
twice: the time from the key to the groups of duplicates and to the values of a field, and that of the commands, compared
with jq, sort and uniq, which count values but do not compare their spellings."""
import statistics
import subprocess
import time

SIZE, DOUBLED = "1m", 10_000
# The maximum time until the certain groups are shown, in milliseconds.
LIMIT = 2000
# Far more than the likely duplicates of a million books take.
PATIENCE_MS = 300_000


def measure(bench, sizes):
    """Returns (program, what) -> [ms, ...] over all runs."""
    samples = {}
    if SIZE not in sizes:
        return samples
    catalog = doubled(bench.options.catalogs)
    # Writes the index, which is kept for all runs.
    subprocess.run([bench.options.stacks, "search", "--limit", "1", "dune", catalog], env={"HOME": str(bench.home)},
                   stdout=subprocess.DEVNULL, check=False)
    for _ in range(bench.options.runs):
        browse(bench, catalog, samples)
    commands = {
        "stacks values series": [str(bench.options.stacks), "values", "series", str(catalog)],
        "jq, sort and uniq": ["sh", "-c", f"jq -r '.series // empty' {catalog} | sort | uniq -c | sort -rn"],
    }
    for turn in range(min(3, bench.options.runs)):
        for name, command in commands.items():
            bench.say("cleaning,", name)
            start = time.monotonic()
            result = subprocess.run(command, env={"HOME": str(bench.home), "PATH": "/usr/bin:/bin", "LC_ALL": "C"},
                                    stdout=subprocess.DEVNULL, check=False)
            if result.returncode == 0:
                samples.setdefault((name, "values of series, by command"), []).append((time.monotonic() - start) * 1e3)
            else:
                bench.errors.append(f"{name}: failed")
    return samples


def doubled(catalogs):
    """Writes the catalog with its first books once more at the end."""
    path = catalogs / f"{SIZE}.doubled.jsonl"
    if not path.exists():
        partial = path.with_name(path.name + ".partial")
        with open(catalogs / f"{SIZE}.jsonl", encoding="utf-8") as source, open(partial, "w", encoding="utf-8") as target:
            first = []
            for number, line in enumerate(source):
                if number < DOUBLED:
                    first.append(line)
                target.write(line)
            target.writelines(first)
        partial.rename(path)
    return path


def browse(bench, catalog, samples):
    bench.say("cleaning in the browser")
    wait = {"quiet_ms": 300, "patience_ms": PATIENCE_MS}
    steps = [
        # The likely ones may add to the number meanwhile.
        {"name": "certain duplicates", "keys": "gD", "expect": r"\b1/1\d,\d\d\d\b", **wait},
        {"name": "list", "keys": "<Esc><Esc>", "quiet_ms": 500},
        {"name": "values of authors", "keys": "gV", "quiet_ms": 100},
        {"name": "values of series", "keys": "<Tab>", "expect": r"\b1/[1-9]\d\d\b", **wait},
    ]
    result = bench.run("stacks", f"{bench.options.stacks} --no-resume {catalog}", ready=bench.first_row,
                       loaded=r"1,010,000 books(?! so far)", quit="qq", steps=steps)
    for step in result["steps"]:
        match = step["keys"][-1].get("match")
        if match and step["name"] != "list":
            samples.setdefault(("stacks", step["name"]), []).append(match)


def print_cleaning(samples, print_table):
    rows = []
    for (program, what), times in samples.items():
        time_ms = statistics.median(times)
        limit = "" if what != "certain duplicates" else "holds" if time_ms <= LIMIT else f"**not {LIMIT}**"
        rows.append([what, program, f"{time_ms:,.0f}", limit])
    if rows:
        print("\nWhat can be cleaned in a million books, with a kept index.\n")
        print_table(["", "program", "ms", "holds"], rows)
