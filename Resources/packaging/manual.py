#!/usr/bin/python3
"""Prints the man page of stacks. It fills the template stacks.1.in with the commands and options of the program
(--experimental-dump-help) and with the tables of README.md."""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import textwrap

HERE = pathlib.Path(__file__).parent
README = HERE.parent.parent / "README.md"
# Characters with a special meaning in roff. The hyphen stays a hyphen, so that users can copy options from the page.
SPECIAL = {"\\": r"\e", "-": r"\-", "~": r"\(ti", "^": r"\(ha", "`": r"\(ga", "'": r"\(aq", '"': r"\(dq"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stacks", required=True, help="the path of the program")
    parser.add_argument("--doc", default="/usr/local/share/doc/stacks", help="the directory of the installed README")
    options = parser.parse_args()
    dump = subprocess.run([options.stacks, "--experimental-dump-help"], check=True, capture_output=True, text=True)
    version = subprocess.run([options.stacks, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    root = json.loads(dump.stdout)["command"]
    readme = README.read_text(encoding="utf-8")
    parts = {
        "DATE": date(), "VERSION": version, "DOC": options.doc, "SYNOPSIS": synopsis(root), "COMMANDS": commands(root),
        "KEYS": listing(table(readme, "keys")), "QUERIES": listing(table(readme, "query")),
        "FIELDS": listing(fields(readme)), "FILES": items(table(readme, "file"), "Pa"),
        "EXIT": items(table(readme, "exit code")),
    }
    page = (HERE / "stacks.1.in").read_text(encoding="utf-8")
    page = re.sub(r"@([A-Z]+)@", lambda match: parts[match[1]], page)
    print("\n".join(sentences(page)))


def date():
    """Returns the date of the page: that of SOURCE_DATE_EPOCH, for reproducible packages, or today."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    day = datetime.datetime.now(datetime.timezone.utc)
    if seconds:
        day = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    return f"{day:%B} {day.day}, {day.year}"


def sentences(page):
    """Yields the lines of the page. Each sentence starts on a new line, and no line of text may look like a macro."""
    in_literal = False
    for line in page.split("\n"):
        in_literal = (in_literal or line.startswith(".Bd -literal")) and not line.startswith(".Ed")
        if line.startswith(".") or in_literal:
            yield line
        else:
            for sentence in re.sub(r"(?<=[^.][.!?:]) (?=[A-Z\"(])", "\n", line).split("\n"):
                wrapped = textwrap.wrap(sentence, 78, break_long_words=False, break_on_hyphens=False)
                yield from ("\\&" + part if part.startswith((".", "\\(aq")) else part for part in wrapped)


def text(words):
    """Returns plain text, escaped for roff."""
    return "".join(SPECIAL.get(letter, letter) for letter in words)


def markdown(cell):
    """Returns the inline Markdown of a table cell as roff."""
    cell = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell)
    parts = re.split(r"(`+)(.+?)\1", cell.replace("\\|", "|"))
    result = ""
    # The parts repeat in threes: text, backquotes, code.
    for index in range(0, len(parts), 3):
        result += text(parts[index]) if parts[index] else ""
        if index + 2 < len(parts):
            result += "\\%\\fB" + "".join(SPECIAL.get(letter, letter) for letter in parts[index + 2]) + "\\fR"
    return result


def table(readme, head):
    """Returns the rows of the table whose first column has this heading."""
    match = re.search(rf"^\| {head} \|.*\n\|[-|]*\n((?:\|.*\n)+)", readme, re.MULTILINE)
    if not match:
        raise SystemExit(f"manual.py: README.md has no table whose first column is “{head}”")
    rows = [re.split(r"(?<!\\) \| ?", row.strip()[1:].rstrip("|").strip() + " ") for row in match[1].splitlines()]
    return [[cell.strip() for cell in row] for row in rows]


def fields(readme):
    for name, meaning, *others in table(readme, "field"):
        other = others[0] if others else ""
        yield [name, meaning + (f" (also {other.replace(' ', ', ')})" if other else "")]


def items(rows, macro=None):
    return "\n".join(f".It {macro + ' ' if macro else ''}{markdown(row[0])}\n{markdown(capital(row[-1]))}." for row in rows)


def capital(words):
    return words[:1].upper() + words[1:]


def listing(rows):
    lines = [".Bl -tag -width Ds"]
    for row in rows:
        # Leaves out the title of a command: its help is enough.
        meaning = row[-1] if row[-1].endswith(".") else capital(row[-1]) + "."
        lines += [f".It {markdown(row[0])}", markdown(meaning)]
    return "\n".join(lines + [".El"])


def name_of(argument):
    return argument["preferredName"]["name"]


def shown(arguments):
    """Returns the arguments of a command, without --version and --help, which all commands have."""
    own = [argument for argument in arguments if argument["shouldDisplay"]]
    return [argument for argument in own if argument["kind"] == "positional" or name_of(argument) not in ("help", "version")]


def macros(argument, is_synopsis=True):
    """Returns an argument as mdoc macros."""
    value = argument.get("valueName", "").upper()
    if argument["kind"] == "positional":
        result = f"Ar {value}" + (" ..." if argument["isRepeating"] else "")
    else:
        names = sorted(argument["names"], key=lambda name: name["kind"] != "long")
        result = " , ".join(f"Fl {'-' if name['kind'] == 'long' else ''}{name['name']}".replace("-", r"\-")
                            for name in (names[:1] if is_synopsis else names))
        if argument["kind"] == "option":
            result += f" Ar {value}"
    return f"Op {result}" if argument["isOptional"] and is_synopsis else result


def leaves(command, path=()):
    """Yields the commands without subcommands, each with the words that call it."""
    own = [sub for sub in command.get("subcommands", []) if sub["commandName"] != "help" and sub["shouldDisplay"]]
    if not own:
        yield path, command
    for sub in own:
        yield from leaves(sub, path + (sub["commandName"],))


def synopsis(root):
    lines = []
    for path, command in leaves(root):
        is_default = path == (root.get("defaultSubcommand"),)
        lines += [".Nm"] + ([] if is_default else [".Cm " + " ".join(path)])
        lines += ["." + macros(argument) for argument in shown(command.get("arguments", []))]
    lines += [".Nm", ".Fl \\-help | \\-version"]
    return "\n".join(lines)


def commands(root):
    lines = []
    for command in root["subcommands"]:
        if command["commandName"] == "help" or not command["shouldDisplay"]:
            continue
        own = list(leaves(command, (command["commandName"],)))
        for path, leaf in own:
            words = " ".join(path)
            is_default = path == (root.get("defaultSubcommand"),)
            values = "".join(
                f" {'[' + a['valueName'].upper() + ']' if a['isOptional'] else a['valueName'].upper()}"
                + (" ..." if a["isRepeating"] else "")
                for a in shown(leaf.get("arguments", [])) if a["kind"] == "positional")
            lines.append(f".Ss stacks {'[' + words + ']' if is_default else words}{text(values)}")
            if leaf is not command and path == own[0][0]:
                lines += paragraphs(command.get("discussion"))
                lines.append(".Pp" if command.get("discussion") else ".\\\"")
            lines.append(text(leaf["abstract"]))
            if leaf.get("discussion"):
                lines += [".Pp"] + paragraphs(leaf["discussion"])
            lines += arguments(leaf)
    lines += [".Ss Options of all commands", ".Bl -tag -width Ds", ".It Fl h , Fl \\-help",
              "Show help for the command.", ".It Fl \\-version", "Show the version.", ".El"]
    return "\n".join(line for line in lines if line != ".\\\"")


def paragraphs(discussion):
    lines = []
    for number, paragraph in enumerate((discussion or "").split("\n\n")):
        if paragraph.strip():
            lines += ([".Pp"] if number else []) + [text(" ".join(paragraph.split()))]
    return lines


def arguments(command):
    own = shown(command.get("arguments", []))
    if not own:
        return []
    lines = [".Bl -tag -width Ds"]
    for argument in own:
        lines.append(".It " + macros(argument, is_synopsis=False))
        help_text = argument.get("abstract", "")
        values = argument.get("allValues", [])
        if values and not all(value in help_text for value in values):
            help_text += f" One of {', '.join(values)}."
        if argument.get("defaultValue"):
            help_text += f" The default is {argument['defaultValue']}."
        lines.append(text(help_text))
    return lines + [".El"]


if __name__ == "__main__":
    main()
