#!/usr/bin/python3
"""Writes the man pages of stacks into a directory: stacks(1), stacks-search(7), stacks-config(5), stacks-profile(5),
and stacks-SUBCOMMAND(1) for each subcommand.

The commands, options, settings and profiles come from the program; the keys, queries, files and exit codes from the
tables of README.md and of the pages in Resources/guide; the other text and all examples from the templates beside this
file. The example of a subcommand is shown on its page."""
import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import re
import subprocess
import tempfile
import textwrap

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
# Characters with a special meaning in roff. The hyphen stays a hyphen, so that users can copy options from the page.
SPECIAL = {"\\": r"\e", "-": r"\-", "~": r"\(ti", "^": r"\(ha", "`": r"\(ga", "'": r"\(aq", '"': r"\(dq"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stacks", required=True, help="the path of the program")
    parser.add_argument("directory", type=pathlib.Path, help="the directory of the pages")
    options = parser.parse_args()
    program = Program(options.stacks)
    pages = filled_templates(program)
    examples = examples_in(pages["stacks.1"])
    pages["stacks.1"] = re.sub(r"^@SUBCOMMANDS@\n.*?(?=^\.Sh )", "", pages["stacks.1"], flags=re.MULTILINE | re.DOTALL)
    for command in program.subcommands:
        pages[f"stacks-{command['commandName']}.1"] = page_of(command, program, examples)
    options.directory.mkdir(parents=True, exist_ok=True)
    for name, page in pages.items():
        (options.directory / name).write_text("\n".join(sentences(page, program.values)) + "\n", encoding="utf-8")


def filled_templates(program):
    """Returns the pages that have a template, by file name, with the names between @ signs replaced."""
    guide = "\n".join(
        path.read_text(encoding="utf-8")
        for path in [ROOT / "README.md", *sorted((ROOT / "Resources/guide").glob("*.md"))])
    keys = program.keys(table(guide, "keys"))
    parts = {
        "DATE": date, "VERSION": lambda: program.version,
        "BROWSE": lambda: "\n".join(paragraphs(program.browse["discussion"])),
        "OPTIONS": lambda: "\n".join(tagged(program.browse)),
        "COMMANDS": lambda: summaries(program.subcommands),
        "KEYS": lambda *names: "\n".join(key.item for name in names for key in keys if key.name == name),
        "BINDINGS": lambda: "\n".join(key.setting for key in keys),
        "QUERIES": lambda: listing(table(guide, "query")), "FIELDS": lambda: listing(fields(guide)),
        "FILES": lambda: items(table(guide, "file"), "Pa"), "EXIT": lambda: items(table(guide, "exit code")),
        "SETTINGS": lambda: settings(program),
        "PROFILES": lambda: "\n".join(f".It Cm {text(name)}\n{text(label)}" for name, label in program.profiles),
        "BOOKFIELDS": lambda: " ,\n".join(f".Ql {name}" for name in program.profile_fields),
        "SUBCOMMANDS": lambda: "@SUBCOMMANDS@",
    }
    pages = {}
    for path in sorted(HERE.glob("*.[157].in")):
        pages[path.stem] = re.sub(
            r"@([A-Z]+)((?: [a-z-]+)*)@", lambda match: parts[match[1]](*match[2].split()),
            path.read_text(encoding="utf-8"))
    return pages


# The program


@dataclasses.dataclass
class Key:
    """A command of the browser: its name in the config file, its default keys and what it does."""
    name: str
    keys: str
    meaning: str

    @property
    def item(self):
        return f".It {markdown(self.keys)}\n{markdown(self.meaning)}"

    @property
    def setting(self):
        return f".It Cm {text(self.name)} \\ {markdown(self.keys)}\n{markdown(self.meaning)}"


class Program:
    """What the program says of itself, as for a user without any settings."""

    def __init__(self, path):
        with tempfile.TemporaryDirectory() as home:
            self.path = path
            self.environment = {
                "HOME": home, "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "EDITOR": "true", "LANG": "C.UTF-8"}
            self.root = json.loads(self.output("--experimental-dump-help"))["command"]
            self.version = self.output("--version").splitlines()[0]
            self.config = self.output("config").splitlines()
            self.profiles = [re.split(r"  +", line)[:2] for line in self.output("profiles").splitlines()]
            self.profile_fields = list(json.loads(self.output("profiles", "show", "native"))["fields"])
            self.output("config", "--edit")
            self.config_template = pathlib.Path(home, ".config/stacks/config.toml").read_text(encoding="utf-8")
        shown = [sub for sub in self.root["subcommands"] if sub["commandName"] != "help" and sub["shouldDisplay"]]
        self.browse = next(sub for sub in shown if sub["commandName"] == self.root["defaultSubcommand"])
        self.subcommands = [sub for sub in shown if sub is not self.browse]
        self.values = sorted({value for command in shown for _, leaf in leaves(command)
                              for argument in leaf.get("arguments", []) for value in argument.get("allValues", [])})

    def output(self, *arguments):
        return subprocess.run([self.path, *arguments], check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                              stdin=subprocess.DEVNULL, env=self.environment).stdout

    def keys(self, rows):
        """Returns the commands of the browser; the table of keys has them in the order of the program."""
        listed = [(name, json.loads(value)) for table, name, value, _ in self.settings() if table == "keys"]
        if [len(keys) for _, keys in listed] != [len(re.findall(r"`+.+?`+", row[0])) for row in rows]:
            raise SystemExit("manual.py: the table of keys differs from the output of “stacks config”")
        return [Key(name, row[0].replace("` `", "`, `"), row[-1]) for (name, _), row in zip(listed, rows)]

    def settings(self):
        """Yields the table, name, default value, and the comment on the default, of each setting."""
        table = ""
        for line in self.config:
            if match := re.fullmatch(r"\[(.*)\]", line):
                table = match[1]
            elif match := re.fullmatch(r"(?:# )?([a-z-]+) = (.*?)  # (.*)", line):
                yield table, *match.groups()

    def explanations(self):
        """Returns the comments of a new config file by table and setting; the setting of a table's own is empty."""
        found, table, comments = {}, "", []
        for line in self.config_template.splitlines():
            if match := re.fullmatch(r"\[(.*)\]", line):
                table = match[1]
                if comments:
                    found[table, ""] = " ".join(comments)
                    comments = []
            elif match := re.fullmatch(r"# ([a-z-]+) = .*", line):
                found[table, match[1]] = " ".join(comments)
                comments = []
            elif line.startswith("# "):
                comments.append(line[2:])
            elif not line:
                comments = []
        return found


def settings(program):
    """Returns a list of the settings that have one value each, and those of the table of keys."""
    explanations = program.explanations()
    lines = []
    current = None
    for table, name, value, comment in program.settings():
        if table in ("keys", "catalogs"):
            continue
        if table != current:
            lines += [".El"] if lines else []
            lines += [f".Ss {f'[{table}] table' if table else 'Top of the file'}", ".Bl -tag -width Ds"]
            current = table
        standard = f"The default is {value}." if comment == "default" else f"By {comment}."
        lines += [f".It Cm {name}", text(explanations[table, name]), text(standard)]
    return "\n".join(lines + [".El"])


# Pages of subcommands


@dataclasses.dataclass
class Example:
    purpose: str
    block: str

    def shows(self, name):
        return re.search(rf"\bstacks {name}\b", self.block) is not None


def examples_in(page):
    """Returns the examples of a page: each one a line that says what it is for, and a literal block."""
    blocks = re.findall(r"^([^.\n].*:)\n(\.Bd -literal(?:.*\n)+?\.Ed)$", page, re.MULTILINE)
    return [Example(*block) for block in blocks]


def page_of(command, program, examples):
    name = command["commandName"]
    own = list(leaves(command, (name,)))
    summary = command["abstract"].rstrip(".")
    lines = [f".Dd {date()}", f".Dt STACKS-{name.upper()} 1", f".Os stacks {program.version}",
             ".Sh NAME", f".Nm stacks-{name}", f".Nd {text(summary[:1].lower() + summary[1:])}", ".Sh SYNOPSIS"]
    for path, leaf in own:
        lines += [".Nm stacks", ".Cm " + " ".join(path)]
        lines += ["." + macros(argument) for argument in shown(leaf.get("arguments", []))]
    lines += [".Sh DESCRIPTION", text(command["abstract"])]
    statuses = {}
    lines += described(command, statuses, name)
    if own[0][1] is command:
        if shown(command.get("arguments", [])):
            lines += [".Sh OPTIONS", *tagged(command), ".Pp", "The other options are those of all commands, in",
                      ".Xr stacks 1 ."]
    else:
        lines.append(".Sh COMMANDS")
        for path, leaf in own:
            lines += [f".Ss stacks {' '.join(path)}", text(leaf["abstract"])]
            lines += described(leaf, statuses, path[-1])
            lines += tagged(leaf)
    lines += exit_status(statuses, own[0][1] is command)
    shown_here = [example for example in examples if example.shows(name)]
    if shown_here:
        lines.append(".Sh EXAMPLES")
        for number, example in enumerate(shown_here):
            lines += ([".Pp"] if number else []) + [example.purpose, example.block]
    return "\n".join(lines + see_also(command, program))


def described(command, statuses, name):
    """Returns the discussion of a command, and adds its exit status to those of the page."""
    lines = []
    for paragraph in (command.get("discussion") or "").split("\n\n"):
        if paragraph.startswith("Exit status: "):
            statuses.setdefault(" ".join(paragraph.split()).removeprefix("Exit status: "), []).append(name)
        elif paragraph.strip():
            lines += [".Pp", *paragraphs(paragraph)]
    return lines


def exit_status(statuses, is_single):
    lines = [".Sh EXIT STATUS"]
    for status, names in statuses.items():
        if len(statuses) > 1 and not is_single:
            lines += [".Cm " + " , ".join(names) + " :"]
        lines.append(".Bl -tag -width \"65 or 74\" -compact")
        # What follows the codes holds for all of them.
        codes, _, rest = status.partition(". ")
        for part in re.split(r"; (?=\d)", codes.rstrip(".")):
            code, meaning = re.fullmatch(r"(\d+(?: or \d+)*) (.*)", part).groups()
            meaning = re.sub("^(on|if|for) ", "", meaning).replace(", or if ", ", or ")
            lines += [f".It {code}", text(capital(meaning)) + "."]
        lines += [".El", ".Pp"]
        lines += [text(rest), ".Pp"] if rest else []
    return lines + [".Xr stacks 1", "lists the exit codes of all commands."]


def see_also(command, program):
    """Returns the references of a page: those to the pages of what its text mentions."""
    words = json.dumps(command)
    values = {(argument["kind"], argument.get("valueName")) for _, leaf in leaves(command)
              for argument in shown(leaf.get("arguments", []))}
    pages = {(1, "stacks")}
    for other in program.subcommands:
        name = other["commandName"]
        if other is not command and re.search(rf"\bstacks (?:help )?{name}\b", words):
            pages.add((1, f"stacks-{name}"))
    if {("option", "query"), ("positional", "query")} & values:
        pages.add((7, "stacks-search"))
    if ("option", "profile") in values or command["commandName"] == "profiles":
        pages.add((5, "stacks-profile"))
    if re.search(r"config file|config\.toml", words):
        pages.add((5, "stacks-config"))
    references = [f".Xr {name} {section}" for section, name in sorted(pages)]
    return [".Sh SEE ALSO", " ,\n".join(references)]


# Text


def date():
    """Returns the date of the page: that of SOURCE_DATE_EPOCH, for reproducible packages, or today."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    day = datetime.datetime.now(datetime.timezone.utc)
    if seconds:
        day = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    return f"{day:%B} {day.day}, {day.year}"


def sentences(page, values):
    """Yields the lines of the page. Each sentence starts on a new line, and no line of text may look like a macro.

    Addresses and the values of options, which users type or copy, are not hyphenated."""
    typed = re.compile(rf"(?<!\S)(?=\(?(?:[\w+]+://|(?:{'|'.join(map(text, values))})(?![\w-])))")
    in_literal = False
    for line in page.rstrip("\n").split("\n"):
        in_literal = (in_literal or line.startswith(".Bd -literal")) and not line.startswith(".Ed")
        if line.startswith(".") or in_literal:
            yield line
        else:
            line = typed.sub(r"\\%", line)
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
            # Not to be hyphenated. Within a word, the same sign would be a place to hyphenate.
            word = result.rfind(" ") + 1
            if not result.startswith("\\%", word):
                result = result[:word] + "\\%" + result[word:]
            result += "\\fB" + text(parts[index + 2]) + "\\fR"
    return result


def table(guide, head):
    """Returns the rows of the table whose first column has this heading."""
    found = re.findall(rf"^\| {head} \|.*\n\|[-|]*\n((?:\|.*\n)+)", guide, re.MULTILINE)
    if len(found) != 1:
        raise SystemExit(f"manual.py: README.md and Resources/guide have {len(found)} tables with “{head}” first")
    rows = [re.split(r"(?<!\\) \| ?", row.strip()[1:].rstrip("|").strip() + " ") for row in found[0].splitlines()]
    return [[cell.strip() for cell in row] for row in rows]


def fields(guide):
    for name, meaning, *others in table(guide, "field"):
        other = others[0] if others else ""
        yield [name, meaning + (f" (also {other.replace(' ', ', ')})" if other else "")]


def items(rows, macro=None):
    start = f".It {macro} " if macro else ".It "
    return "\n".join(f"{start}{markdown(row[0])}\n{markdown(capital(row[-1]))}." for row in rows)


def capital(words):
    return words[:1].upper() + words[1:]


def listing(rows):
    lines = [".Bl -tag -width Ds"]
    for row in rows:
        meaning = row[-1] if row[-1].endswith(".") else capital(row[-1]) + "."
        lines += [f".It {markdown(row[0])}", markdown(meaning)]
    return "\n".join(lines + [".El"])


def name_of(argument):
    return argument["preferredName"]["name"]


def shown(arguments):
    """Returns the arguments of a command, without --version and --help, which all commands have."""
    return [argument for argument in arguments if argument["shouldDisplay"]
            and (argument["kind"] == "positional" or name_of(argument) not in ("help", "version"))]


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


def summaries(subcommands):
    """Returns a list of the subcommands with references to their pages."""
    lines = []
    for command in subcommands:
        lines += [f".It Xr stacks-{command['commandName']} 1", text(command["abstract"])]
    return "\n".join(lines)


def paragraphs(discussion):
    """Returns paragraphs; a mention of help or of a man page becomes a reference."""
    lines = []
    for number, paragraph in enumerate(discussion.split("\n\n")):
        lines += ([".Pp"] if number else []) + referring(" ".join(paragraph.split()))
    return lines


def referring(words):
    lines = []
    pattern = r"(?:\"?stacks help ([a-z]+)\"?|man (\d) (stacks-[a-z]+))([.,;:)]*)"
    position = 0
    for match in re.finditer(pattern, words):
        # The help of the command search is referred to for the syntax of queries, which has a page of its own.
        name = (match[3], match[2]) if match[2] else ("stacks-" + match[1], "7" if match[1] == "search" else "1")
        lines += [text(words[position:match.start()].strip()),
                  f".Xr {name[0]} {name[1]}" + (f" {match[4]}" if match[4] else "")]
        position = match.end()
    return [line for line in lines + [text(words[position:].strip())] if line]


def tagged(command):
    """Returns the list of the arguments of a command."""
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
            help_text = f"{help_text.removesuffix('.')} (default: {argument['defaultValue']})."
        lines += referring(help_text)
    return lines + [".El"]


if __name__ == "__main__":
    main()
