#!/usr/bin/env python3
"""Compare the number of values given to a message with that of its placeholders, in all Swift sources.

A message is a case of a MessageTable, `case noFile = "{path}: no such file"`; it is called as `Message.noFile.text(path)`,
or through a function that takes a message and its values, `status.say(.noFile, path)`. Prints each call that differs. The
values of a message in a variable are compared only when the tests run, by an assertion.
"""

import re
import sys
from pathlib import Path


def arguments(text, start):
    """Return the number of arguments between the parenthesis at `start` and its end."""
    depth, count, is_empty, index = 0, 1, True, start
    while index < len(text):
        character = text[index]
        if character == '"':
            index = end_of_string(text, index)
            is_empty = False
            continue
        if text.startswith("//", index):
            index = text.index("\n", index)
            continue
        if character in "([{":
            depth += 1
            if depth > 1:
                is_empty = False
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return 0 if is_empty else count
        elif character == "," and depth == 1:
            count += 1
        elif not character.isspace():
            is_empty = False
        index += 1
    raise ValueError("a parenthesis is not closed")


def end_of_string(text, index):
    """Return the index after the string literal at `index`, whose interpolations may contain others."""
    hashes = 0
    while index > hashes and text[index - 1 - hashes] == "#":
        hashes += 1
    quote = '"""' if text.startswith('"""', index) else '"'
    end, escape = quote + "#" * hashes, "\\" + "#" * hashes
    index += len(quote)
    while not text.startswith(end, index):
        if text.startswith(escape + "(", index):
            index, depth = index + len(escape) + 1, 1
            while depth:
                if text[index] == '"':
                    index = end_of_string(text, index)
                    continue
                depth += {"(": 1, ")": -1}.get(text[index], 0)
                index += 1
        elif text.startswith(escape, index):
            index += len(escape) + 1
        else:
            index += 1
    return index + len(end)


def tables(sources):
    """Return the number of placeholders by the case, of each table."""
    found = {}
    for text in sources.values():
        for table in re.finditer(r"^(?:public )?enum (\w+): String, MessageTable \{\n(.*?)^\}", text, re.M | re.S):
            cases = re.findall(r'^    case (\w+) =\s+(#?)"(.*)"\2$', table[2], re.M)
            found[table[1]] = {name: len(re.findall(r"\{[a-z]+\}", words)) for name, _, words in cases}
    return found


def check(sources):
    """Return the sentences about calls that do not fit, and the number of calls."""
    known, faults, count = tables(sources), [], 0
    # A call of a function that takes a message and its values, the first of which is variadic.
    takers = {}
    for text in sources.values():
        for taker in re.finditer(r"func (\w+)\(([^()]*?)_ \w+: (\w+), _ \w+: String\.\.\.\)", text):
            if taker[3] in known:
                takers.setdefault(taker[1], {})[taker[2].count(",")] = taker[3]
    for path, text in sources.items():
        def fault(place, words):
            faults.append(f"{path}:{text.count(chr(10), 0, place) + 1}: {words}")

        def compare(place, table, name, given):
            if given != known[table][name]:
                fault(place, f"{table}.{name} has {known[table][name]} placeholders, and gets {given} values")

        for call in re.finditer(r"\b(\w+)\.(\w+)\.text\(", text):
            if call[2] not in known.get(call[1], {}):
                continue
            count += 1
            compare(call.start(), call[1], call[2], arguments(text, call.end() - 1))
        # One of two messages: (isFirst ? Message.a : .b).text(…).
        for call in re.finditer(r"\(([^\n]*?\b(\w+)\.(\w+)\s*:\s*\.(\w+))\)\s*\.text\(", text):
            if call[3] not in known.get(call[2], {}):
                continue
            count += 1
            for name in (call[3], call[4]):
                compare(call.start(), call[2], name, arguments(text, call.end() - 1))
        for name, forms in takers.items():
            for call in re.finditer(rf"\b{name}\(", text):
                if text[: call.start()].endswith("func "):
                    continue
                for before, table in forms.items():
                    leading = r"[^,()\n]*,\s*" * before
                    first = re.compile(rf"\s*{leading}(?:{table})?\.(\w+)\s*[,)]").match(text, call.end())
                    if first and first[1] in known[table]:
                        count += 1
                        compare(call.start(), table, first[1], arguments(text, call.end() - 1) - 1 - before)
    return faults, count


def test():
    """Check that a wrong call is found, and a right one is not."""
    table = 'enum Message: String, MessageTable {\n    case a = "{key} and {key}"\n    case b = "none"\n}\n'
    taker = "func say(_ message: Message, _ values: String...) {}\nfunc warn(_ line: Int, _ message: Message, _ values: String...) {}\n"
    for call, is_right in {
        'Message.a.text("x, (", f(1, 2))': True, 'Message.a.text("\\(g("a", 1)), b")': False, "Message.b.text()": True,
        "Message.b.text(x)": False, "Message.a.text(x.map { ($0, 1) } ?? y, z)": True, "say(.a, x, y)": True,
        "say(.a, x)": False, "say(Message.b)": True, "warn(line, .a, x)": False, "warn(line, .a, x, y)": True,
        "(is ? Message.a : .b).text()": False, '(is ? Message.b : .b).text()': True,
        "Message.a.text(\n    // one, two\n    x, y)": True, "Message.a.text(x, y, z)": False,
    }.items():
        faults, count = check({"a.swift": table + taker + call + "\n"})
        assert count == 1 and (not faults) == is_right, (call, faults, count)


def main():
    test()
    root = Path(__file__).resolve().parent.parent / "Sources"
    sources = {str(path.relative_to(root.parent)): path.read_text() for path in sorted(root.rglob("*.swift"))}
    faults, count = check(sources)
    for fault in faults:
        print(fault)
    # The form of the calls may have changed.
    if count < 300:
        faults.append(f"check-messages: found only {count} messages")
        print(faults[-1])
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
