#!/usr/bin/python3
"""Writes the completions of stacks for bash, zsh or fish, from the program's own declarations of its commands and options
(--experimental-dump-help).

The scripts that the argument parser makes itself know no default command: behind "stacks " they have neither files nor
the options of the browser."""
import argparse
import json
import re
import subprocess


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stacks", required=True, help="the program")
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])
    options = parser.parse_args()
    dump = subprocess.run([options.stacks, "--experimental-dump-help"], check=True, capture_output=True, text=True)
    tree = Command(json.loads(dump.stdout)["command"], [])
    print({"bash": bash, "zsh": zsh, "fish": fish}[options.shell](tree), end="")


class Argument:
    """An option with or without a value, or a positional argument."""

    def __init__(self, declaration):
        names = sorted(declaration.get("names", []), key=lambda name: name["kind"] != "long")
        self.long = [name["name"] for name in names if name["kind"] == "long"]
        self.short = [name["name"] for name in names if name["kind"] == "short"]
        self.names = ["--" + name for name in self.long] + ["-" + name for name in self.short]
        self.is_positional = declaration["kind"] == "positional"
        self.has_value = declaration["kind"] == "option"
        self.is_repeating = declaration["isRepeating"]
        self.value_name = declaration.get("valueName", "")
        self.help = re.split(r"(?<=\w)[.;:] ", declaration.get("abstract", "") + " ")[0].strip().rstrip(".")
        kind = declaration.get("completionKind", {})
        self.words = kind.get("list", {}).get("values", [])
        self.extensions = kind["file"]["extensions"] if "file" in kind else None
        self.command = kind.get("shellCommand", {}).get("command")


class Command:
    """A command with the words that call it; one that has others takes the arguments of its default, too."""

    def __init__(self, declaration, path):
        self.name = declaration["commandName"]
        self.path = path
        self.help = declaration.get("abstract", "").split("; ")[0].split(": ")[0].rstrip(".")
        declared = [Argument(argument) for argument in declaration.get("arguments", []) if argument["shouldDisplay"]]
        self.subcommands = [
            Command(sub, path + [sub["commandName"]]) for sub in declaration.get("subcommands", [])
            if sub["shouldDisplay"]]
        default = [sub for sub in self.subcommands if sub.name == declaration.get("defaultSubcommand")]
        self.arguments = default[0].arguments if default else declared
        if self.name == "help":
            self.arguments = []

    @property
    def options(self):
        return [argument for argument in self.arguments if not argument.is_positional]

    @property
    def positionals(self):
        return [argument for argument in self.arguments if argument.is_positional]

    def all(self):
        yield self
        for sub in self.subcommands:
            yield from sub.all()


def quoted(text):
    """The text as one word of a shell."""
    return "'" + text.replace("'", "'\\''") + "'"


# MARK: bash

BASH = r'''# bash completion for stacks; made by completions.py from what the program declares.

# Files that have one of these extensions, and directories.
__stacks_files() {
    local file extension
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
        if [[ -d $file ]]; then COMPREPLY+=("$file"); continue; fi
        for extension in "$@"; do
            [[ ${file,,} == *."$extension" ]] && COMPREPLY+=("$file")
        done
    done < <(compgen -f -- "$cur")
}

# The lines of standard input that begin with what was typed; what has blanks is quoted.
__stacks_lines() {
    local line typed=$cur
    typed=${typed#[\"\']}
    typed=${typed//\\/}
    while IFS= read -r line; do
        [[ $line == "$typed"* ]] && COMPREPLY+=("$(printf %q "$line")")
    done
}

_stacks() {
    local cur=${COMP_WORDS[COMP_CWORD]} path='' option='' word
    local -i index position=0 others=0
    COMPREPLY=()
    # "--format=json" is three words for bash.
    [[ $cur == '=' ]] && cur=''
    for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        [[ $word == '=' ]] && continue
        if [[ -n $option ]]; then option=''; continue; fi
        if [[ $others == 0 && $word == '--' ]]; then others=1; continue; fi
        if [[ $others == 0 && $word == -?* ]]; then
            case "$path $word" in
@WITH_VALUE@) option=$word ;;
            esac
            continue
        fi
        if [[ $position == 0 ]]; then
            case "$path/$word" in
@PATHS@
                path="$path/$word"
                continue ;;
            esac
        fi
        position+=1
    done
    if [[ -n $option ]]; then
        case "$path $option" in
@VALUES@
        esac
        return
    fi
    if [[ $others == 0 && $cur == -* ]]; then
        case $path in
@OPTIONS@
        esac
        return
    fi
    if [[ $position == 0 ]]; then
        case $path in
@SUBCOMMANDS@
        esac
    fi
    case "$path $position" in
@POSITIONALS@
    esac
}

complete -F _stacks stacks
'''


def bash(tree):
    def path(command):
        return "".join("/" + word for word in command.path)

    def action(argument):
        if argument.words:
            return f'COMPREPLY+=($(compgen -W {quoted(" ".join(argument.words))} -- "$cur"))'
        if argument.extensions is not None:
            return "__stacks_files " + " ".join(argument.extensions)
        return f"__stacks_lines < <({argument.command})" if argument.command else None

    def case(pattern, body):
        return f"            {pattern}) {body} ;;"

    with_value, values, options, subcommands, positionals, paths = [], [], [], [], [], []
    for command in tree.all():
        for argument in command.options:
            patterns = [quoted(f"{path(command)} {name}") for name in argument.names]
            if argument.has_value:
                with_value += patterns
                if action(argument):
                    values.append(case(" | ".join(patterns), action(argument)))
        names = " ".join(name for argument in command.options for name in argument.names)
        options.append(case(quoted(path(command)), f'COMPREPLY=($(compgen -W {quoted(names)} -- "$cur"))'))
        if command.subcommands:
            words = " ".join(sub.name for sub in command.subcommands)
            subcommands.append(case(quoted(path(command)), f'COMPREPLY=($(compgen -W {quoted(words)} -- "$cur"))'))
            paths += [quoted(path(sub)) for sub in command.subcommands]
        for number, argument in enumerate(command.positionals):
            if action(argument):
                number = "*" if argument.is_repeating else number
                positionals.append(case(f"{quoted(path(command) + ' ')}{number}", action(argument)))
        if command.name == "help":
            words = " ".join(sub.name for sub in tree.subcommands)
            positionals.append(case(quoted(path(command) + " 0"), f'COMPREPLY=($(compgen -W {quoted(words)} -- "$cur"))'))
    parts = {
        "WITH_VALUE": " | \\\n".join("                " + pattern for pattern in with_value),
        "PATHS": " | \\\n".join("                " + pattern for pattern in paths) + ")",
        "VALUES": "\n".join(values), "OPTIONS": "\n".join(options), "SUBCOMMANDS": "\n".join(subcommands),
        "POSITIONALS": "\n".join(positionals),
    }
    return re.sub(r"@([A-Z_]+)@", lambda match: parts[match[1]], BASH)


# MARK: zsh

def zsh(tree):
    def escaped(text):
        return re.sub(r"([\[\]:\\])", r"\\\1", text)

    def function(command):
        return "_".join(["_stacks"] + command.path)

    def action(argument):
        if argument.words:
            return "(" + " ".join(argument.words) + ")"
        if argument.extensions is not None:
            return f'_files -g "*.({"|".join(argument.extensions)})(#q-.)"'
        return f'{{__stacks_lines {argument.value_name} "$({argument.command})"}}' if argument.command else " "

    def spec(argument):
        if argument.is_positional:
            return f"{'*' if argument.is_repeating else ''}:{argument.value_name}:{action(argument)}"
        value = f":{argument.value_name}:{action(argument)}" if argument.has_value else ""
        texts = [f"[{escaped(argument.help)}]{value}"]
        if len(argument.names) == 1:
            return argument.names[0] + ("=" if argument.has_value else "") + texts[0]
        return None

    def specs(command, positionals):
        lines = []
        for argument in command.options:
            if spec(argument):
                lines.append(quoted(spec(argument)))
            else:
                names = " ".join(argument.names)
                lines.append(f"'({names})'{{{','.join(argument.names)}}}" + quoted(f"[{escaped(argument.help)}]"))
        return "".join(f" \\\n        {line}" for line in lines + [quoted(text) for text in positionals])

    lines = [
        "#compdef stacks", "# Made by completions.py from what the program declares.", "",
        "__stacks_lines() {", "    local -a lines=(${(f)2})", "    compadd -X $1 -a lines", "}"]
    for command in tree.all():
        lines += ["", f"{function(command)}() {{"]
        if command.subcommands:
            lines.append("    local -a commands=(")
            lines += [f"        {quoted(escaped(sub.name) + ':' + escaped(sub.help))}" for sub in command.subcommands]
            lines += ["    )", "    if (( CURRENT > 2 )); then", "        case $words[2] in"]
            for sub in command.subcommands:
                lines.append(f"            {sub.name}) shift words; (( CURRENT-- )); {function(sub)}; return ;;")
            lines += ["        esac", "    fi"]
            files = [argument for argument in command.positionals if argument.extensions is not None]
            first = f"_alternative {quoted('commands:command:{_describe command commands}')}"
            if files:
                first += " " + quoted(f"files:{files[0].value_name}:{action(files[0])}")
            lines.append(f"    local first={quoted(first)}")
            lines.append(f"    _arguments -s -S :{specs(command, ['1: :{eval $first}'])}")
        elif command.name == "help":
            words = " ".join(sub.name for sub in tree.subcommands)
            lines.append(f"    _arguments -s -S :{specs(command, [f'1:command:({words})'])}")
        else:
            lines.append(f"    _arguments -s -S :{specs(command, [spec(a) for a in command.positionals])}")
        lines.append("}")
    lines += ["", 'if [[ $funcstack[1] == _stacks ]]; then', '    _stacks "$@"', "else", "    compdef _stacks stacks", "fi"]
    return "\n".join(lines) + "\n"


# MARK: fish

FISH = r'''# fish completion for stacks; made by completions.py from what the program declares.

# Whether the words so far call this command, and no other below it.
function __stacks_is
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l path
    for token in $tokens
        string match -q -- '-*' $token; and break
        contains -- (string join / -- $path $token) @PATHS@; or break
        set -a path $token
    end
    set -l words (string join / -- $path)
    test "$words" = "$argv[1]"
end

# Whether no argument stands behind the command yet.
function __stacks_is_first
    __stacks_is $argv[1]; or return
    set -l words (string split -n / -- $argv[1])
    test (count (commandline -opc)) -eq (math 1 + (count $words))
end

complete -c stacks -f
'''


def fish(tree):
    def text(words):
        return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def values(argument):
        if argument.words:
            return " -x -a " + text(" ".join(argument.words))
        if argument.extensions is not None:
            return " -r -F"
        return " -x -a " + text(f"({argument.command})") if argument.command else " -x"

    lines = []
    for command in tree.all():
        path = "/".join(command.path)
        condition = f"complete -c stacks -n {text('__stacks_is ' + text(path))}"
        first = f"complete -c stacks -n {text('__stacks_is_first ' + text(path))}"
        lines.append("")
        for sub in command.subcommands:
            lines.append(f"{first} -a {sub.name} -d {text(sub.help)}")
        if command.name == "help":
            lines.append(f"{first} -a {text(' '.join(sub.name for sub in tree.subcommands))}")
        for argument in command.options:
            names = "".join(f" -l {name}" for name in argument.long) + "".join(f" -s {name}" for name in argument.short)
            value = values(argument) if argument.has_value else ""
            lines.append(f"{condition}{names}{value} -d {text(argument.help)}")
        for argument in command.positionals:
            if argument.extensions is not None:
                lines.append(f"{condition} -F")
            elif argument.words or argument.command:
                lines.append(f"{condition}{values(argument).replace(' -x', '')}")
    paths = " ".join("/".join(command.path) for command in tree.all() if command.path)
    return FISH.replace("@PATHS@", paths) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
