"""The part of bench.py that presses keys in catalogs of a million books: the bytes that each sends to the terminal
and the time until it is on the screen, compared with the C program that only moves a highlight, less and
VisiData.

The programs get the same keys in turn, and the window is resized back and forth; the time of a key ends with
the last byte of its effect."""
import fcntl
import statistics
import struct
import termios
import time

# The keys, their equivalents in each program, and the number of presses. A program without an equivalent is skipped.
KEYS = [
    ("j", {"": "<Down>"}, 20),
    ("^f", {"": "<PgDn>"}, 10),
    # Back and forth, because a single press has no median.
    *[
        ("G", {"": "G", "C list": "<End>"}, 1),
        ("gg", {"": "gg", "less": "g", "C list": "<Home>"}, 1),
    ] * 5,
    ("Tab", {"stacks": "<Tab>", "stacks, brief": "<Tab>"}, 10),
]
# The size of the resized window.
OTHER_SIZE = (30, 100)
RESIZES = 5
# The maximum time of stacks for a key as a multiple of the C program's, and its maximum bytes for a row.
TIME_LIMITS, BYTES_LIMIT = {"j": 3}, 1.5
USUAL_TIME_LIMIT = 2


def programs(bench):
    base, stacks = bench.options.catalogs / "1m", f"{bench.options.stacks} --no-resume"
    return [
        ("C list", f"{bench.floor / 'nclist'}", {"ready": "READY"}, 1),
        ("stacks", f"{stacks} {base}.json", {"ready": bench.first_row, "loaded": r"1,000,000 books(?! so far)"}, 1),
        ("stacks, brief", f"{stacks} {bench.options.catalogs / 'brief'}.json",
         {"ready": "At Shadow", "loaded": r"1,000 books"}, 1),
        ("less", f"less -S {base}.jsonl", {"ready": bench.first_row}, 1),
        # It takes minutes to load; one run is enough.
        ("VisiData", f"vd {base}.json", {"ready": bench.first_row, "loaded": r"\b1000000 rows"}, bench.options.runs),
    ]


def measure(bench, rows, columns):
    """Presses the keys; returns (program, key) -> [(ms, bytes), ...] over all runs."""
    samples = {}
    for turn in range(bench.options.runs):
        for name, command, peer, every in programs(bench):
            if turn % every:
                continue
            bench.say("keys of", name)
            try:
                press(bench, name, {"name": name, "command": command, **peer}, rows, columns, samples)
            except FileNotFoundError as missing:
                bench.errors.append(f"{name}: {missing} is not installed")
            except bench.ttybench.Ended:
                bench.errors.append(f"{name}: ended early")
    return samples


def press(bench, name, peer, rows, columns, samples):
    tty = bench.ttybench
    session = tty.Session(peer | {"env": {"HOME": str(bench.home)}}, rows, columns, "auto")
    try:
        for state in ("ready", "loaded"):
            shown = peer.get(state) and session.collect(
                session.t0, 0, 0, tty.tester({"expect": peer[state]}), bench.patience)
            if shown and not shown["ok"]:
                bench.errors.append(f"{name}: never {state}")
                return
        session.collect(time.monotonic_ns(), 300, 300, timeout=10)
        for key, spellings, count in KEYS:
            spelled = spellings.get(name, spellings.get(""))
            if not spelled:
                continue
            for _ in range(count):
                encoded = b"".join(tty.encode_keys(spelled, session.app_cursor))
                take(session, samples, (name, key), lambda: session.send(encoded))
        for turn in range(2 * RESIZES):
            height, width = OTHER_SIZE if turn % 2 == 0 else (rows, columns)
            size = struct.pack("HHHH", height, width, 0, 0)
            take(session, samples, (name, "resize"), lambda: fcntl.ioctl(session.fd, termios.TIOCSWINSZ, size))
    finally:
        session.close()


def take(session, samples, key, act):
    start = time.monotonic_ns()
    act()
    seen = session.collect(start, quiet_ms=60, patience_ms=1000)
    if seen["last"] is not None:
        samples.setdefault(key, []).append((seen["last"], seen["bytes"]))


def print_keys(samples, print_table):
    names = list(dict.fromkeys(name for name, _ in samples))
    keys = list(dict.fromkeys(key for key, _, _ in KEYS)) + ["resize"]

    def median(name, key, part):
        return statistics.median(sample[part] for sample in samples[name, key]) if (name, key) in samples else None

    rows = []
    for key in keys:
        # Keys without an equivalent are compared with moving down a row.
        floor = median("C list", key, 0) or median("C list", "j", 0)
        row = [key]
        for name in names:
            value, size = median(name, key, 0), median(name, key, 1)
            if value is None:
                row.append("")
                continue
            text = f"{value:.2f} ms, {size:,.0f} B"
            if name.startswith("stacks") and floor:
                ratio = value / floor
                limit = TIME_LIMITS.get(key, USUAL_TIME_LIMIT)
                text += f" ({ratio:.2f}x" + ("" if ratio <= limit else f", **not {limit}**") + ")"
            row.append(text)
        rows.append(row)
    print_table(["key", *names], rows)
    ours, floor = median("stacks, brief", "j", 1), median("C list", "j", 1)
    if ours and floor:
        holds = "holds" if ours <= BYTES_LIMIT * floor else f"**not {BYTES_LIMIT}**"
        print(f"\nBytes of a row down among brief records: {ours / floor:.2f} of the C program's ({holds}).")
