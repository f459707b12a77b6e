#!/usr/bin/env python3
"""Runs the tests of a make target: those of this repository in three parts at the same time, because the tests on a
terminal and those with servers mostly wait. Tests that fail run once more, alone: one that passes then was disturbed by
a busy machine, or depends on time. Such tests are listed at the end and should be mended, but only those that fail
twice fail the run.

usage: run.py test|test-data PROGRAM"""

import collections
import json
import pathlib
import re
import subprocess
import sys

LOGS = pathlib.Path(".build")
PARTS = {
    "test": {
        "unit": ["--skip", "EndToEndTests|ConnectorsTests|DataTests"],
        "connector": ["--filter", "ConnectorsTests", "--skip", "DataTests"],
        "terminal": ["--filter", "EndToEndTests", "--skip", "DataTests"],
    },
    "test-data": {"data": ["--filter", "DataTests"]},
}
# More tests than this do not fail because the machine is busy.
MOST_REPEATED = 10


class Run:
    """One run of the program of the tests, with its log in .build/NAME-tests.log."""

    def __init__(self, program, name, arguments):
        self.name = name
        self.log = LOGS / f"{name}-tests.log"
        self.events = LOGS / f"{name}-tests.jsonl"
        self.events.unlink(missing_ok=True)
        command = [program, "--testing-library", "swift-testing", *arguments]
        command += ["--event-stream-output-path", self.events, "--event-stream-version", "0"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)

    def wait(self):
        """Returns the failures of each test by its name, and whether the run came to its end."""
        code = self.process.wait()
        failures = collections.defaultdict(list)
        for line in self.events.open(errors="replace") if self.events.exists() else []:
            try:
                payload = json.loads(line)["payload"]
            except ValueError:
                continue  # The program crashed while it wrote this line.
            if payload.get("kind") == "issueRecorded" and not payload["issue"].get("isKnown"):
                # The last part is the place in the source.
                test = payload.get("testID", "no test").rsplit("/", 1)[0]
                failures[test].append("\n".join(message["text"] for message in payload["messages"]))
        return failures, code == (1 if failures else 0)


def main(target, program):
    runs = [Run(program, name, arguments) for name, arguments in PARTS[target].items()]
    failures, unfinished = {}, []
    for run in runs:
        found, is_finished = run.wait()
        failures.update(found)
        if not is_finished:
            unfinished.append(run)
        # The output of a program under test is not always UTF-8.
        sys.stdout.buffer.write(run.log.read_bytes())
        sys.stdout.flush()
    repeated = failures
    if 0 < len(failures) <= MOST_REPEATED:
        names = "|".join(f"^{re.escape(test)}" for test in failures)
        found, is_finished = Run(program, "repeated", ["--filter", names, "--no-parallel"]).wait()
        if is_finished:
            repeated = found
    for test, messages in failures.items():
        print(f"make {target}: {test} " + ("failed" if test in repeated else "failed beside others, and passed alone"))
        for message in messages:
            print("    " + message[:1000].replace("\n", "\n    "))
    for run in unfinished:
        print(f"make {target}: the {run.name} tests did not come to their end; see {run.log}")
    return 1 if repeated or unfinished else 0


sys.exit(main(*sys.argv[1:]))
