#!/usr/bin/python3
"""Writes the generated parts of the guide: what stands between <!-- generated: NAME --> and <!-- end --> in its pages.

    generate.py [--stacks PROGRAM] [--figures FILE]    writes the pages
    generate.py --check [--stacks PROGRAM]             exits with 1 if a page is out of date

The parts keys, settings, exit-codes and commands come from the program; promises from the checks in Tests/Reliability. The
figures of the promises are those of a run: they stay as they are, unless FILE has the output of `make reliability`.
"""

import argparse
import importlib
import json
import pathlib
import re
import subprocess
import sys

GUIDE = pathlib.Path(__file__).resolve().parent
ROOT = GUIDE.parent.parent
PART = re.compile(r"(<!-- generated: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stacks", default=ROOT / ".build/release/stacks", help="the path of the program")
    parser.add_argument("--check", action="store_true", help="write nothing, and exit with 1 if a page is out of date")
    parser.add_argument("--figures", type=pathlib.Path, help="a file with the output of make reliability")
    options = parser.parse_args()
    parts = {
        "keys": lambda text: table_of(options.stacks, "keys"),
        "settings": lambda text: table_of(options.stacks, "settings"),
        "exit-codes": lambda text: table_of(options.stacks, "exit-codes"),
        "commands": lambda text: commands(options.stacks),
        "promises": lambda text: promises(text, options.figures),
    }
    written = []
    stale = []
    for page in sorted(GUIDE.glob("*.md")):
        before = page.read_text(encoding="utf-8")
        if before.count("<!-- generated: ") != len(PART.findall(before)):
            sys.exit(f"generate.py: {page.name} has a generated part without an end")
        names = [name for _, name, _, _ in PART.findall(before)]
        if unknown := set(names) - set(parts):
            sys.exit(f"generate.py: {page.name} has an unknown part {', '.join(sorted(unknown))}: {', '.join(parts)}")
        written += names
        after = PART.sub(lambda match: match[1] + parts[match[2]](match[3]).strip("\n") + "\n" + match[4], before)
        if after != before:
            stale.append(page.name)
            if not options.check:
                page.write_text(after, encoding="utf-8")
    if sorted(written) != sorted(parts):
        sys.exit(f"generate.py: each part must stand in one page. The pages have: {', '.join(sorted(written))}")
    if options.check and stale:
        sys.exit(f"generate.py: out of date: {', '.join(stale)}. Run make guide")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def table_of(stacks, name):
    """Returns a table that the program prints."""
    return output(stacks, "--experimental-dump-table", name)


# MARK: Commands


def commands(stacks):
    """Returns a section for each command: how it is called, what it does, its arguments and options."""
    root = json.loads(output(stacks, "--experimental-dump-help"))["command"]
    lines = []
    for command in shown_commands(root):
        leaves = list(commands_below(command, (command["commandName"],)))
        for path, leaf in leaves:
            is_default = path == (root.get("defaultSubcommand"),)
            lines += [f"### stacks {' '.join(path)}", "", escaped(leaf["abstract"]), ""]
            lines += ["```", usage(path, leaf, is_default), "```", ""]
            if leaf is not command and path == leaves[0][0]:
                lines += paragraphs(command)
            lines += paragraphs(leaf) + arguments(leaf)
    lines += ["### Options of all commands", "", "| option | meaning |", "|---|---|",
              "| `-h`, `--help` | Show help for the command. |", "| `--version` | Show the version. |"]
    return "\n".join(lines)


def shown_commands(command):
    return [sub for sub in command.get("subcommands", []) if sub["commandName"] != "help" and sub["shouldDisplay"]]


def commands_below(command, path):
    """Yields the commands without subcommands, each with the words that call it."""
    subs = shown_commands(command)
    if not subs:
        yield path, command
    for sub in subs:
        yield from commands_below(sub, path + (sub["commandName"],))


def shown_arguments(command):
    """Returns the arguments of a command, without those that all commands have."""
    return [argument for argument in command.get("arguments", [])
            if argument["shouldDisplay"] and argument.get("preferredName", {}).get("name") not in ("help", "version")]


def names(argument):
    """Returns how an argument is written: ["--format FORMAT"], ["CATALOG"], ["-o", "--output FILE"]."""
    value = argument.get("valueName", "").upper()
    if argument["kind"] == "positional":
        return [value + (" ..." if argument["isRepeating"] else "")]
    options = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument["names"]]
    options.sort(key=lambda name: name.startswith("--"))
    if argument["kind"] == "option":
        options[-1] += " " + value
    return options


def usage(path, command, is_default):
    """Returns the command with its positional arguments, and a word for the options."""
    own = shown_arguments(command)
    words = ["stacks"] + ([f"[{' '.join(path)}]"] if is_default else list(path))
    for argument in own:
        if argument["kind"] == "positional":
            words.append(f"[{names(argument)[0]}]" if argument["isOptional"] else names(argument)[0])
        elif not argument["isOptional"]:
            words.append(names(argument)[-1])
    if any(argument["kind"] != "positional" and argument["isOptional"] for argument in own):
        words.append("[OPTION ...]")
    return " ".join(words)


def arguments(command):
    own = shown_arguments(command)
    if not own:
        return []
    rows = []
    for argument in own:
        meaning = argument.get("abstract", "")
        values = argument.get("allValues", [])
        if values and not all(value in meaning for value in values):
            meaning += f" One of {', '.join(values)}."
        if argument.get("defaultValue"):
            meaning = f"{meaning.removesuffix('.')} (default: {argument['defaultValue']})."
        calls = ", ".join(f"`{name}`" for name in names(argument))
        rows.append(f"| {cell(calls)} | {cell(escaped(meaning))} |")
    return ["| argument or option | meaning |", "|---|---|"] + rows + [""]


def paragraphs(command):
    """Returns the paragraphs of the discussion of a command; indented lines are examples."""
    lines = []
    for paragraph in (command.get("discussion") or "").split("\n\n"):
        if paragraph.startswith("  "):
            lines += ["```", paragraph.rstrip(), "```", ""]
        elif paragraph.strip():
            lines += [escaped(" ".join(paragraph.split())), ""]
    return lines


def escaped(text):
    """Returns plain text as Markdown."""
    return re.sub(r"([\\`*<\[])", r"\\\1", text)


def cell(text):
    """Returns Markdown for a cell of a table, which a bar would end."""
    return re.sub(r"(?<!\\)\|", r"\|", text)


# MARK: Promises


def promises(text, figures):
    """Returns a row for each check, with the figure of the last run that is known."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(ROOT / "Tests/Reliability"))
    subjects = importlib.import_module("reliability").SUBJECTS
    checks = [kind for subject in subjects for kind in importlib.import_module(subject).CHECKS]
    before = [row for row in rows(text) if len(row) == 4]
    known = {name: row[2] for row in before for name in re.findall(r"`([a-z-]+)`", row[3])}
    if figures:
        # The columns of `make reliability`: check, promise, method, figure, time.
        known |= {row[0].strip("`"): row[3] for row in rows(figures.read_text(encoding="utf-8")) if len(row) == 5}
    lines = ["| promise | method | figure | `CHECKS=` |", "|---|---|---|---|"]
    for check in checks:
        figure = known.get(check.name, "")
        lines.append(f"| {cell(check.promise)} | {cell(check.method)} | {figure} | `{check.name}` |")
    # Promises that tests or other targets check have no name here.
    lines += [f"| {' | '.join(row)} |" for row in before if re.match("`(make|swift) ", row[3])]
    return "\n".join(lines)


def rows(text):
    """Returns the cells of the rows of tables, as they are written."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


if __name__ == "__main__":
    main()
