"""Checks the promises on the real program and prints a table "promise | method | figure".

    /usr/bin/python3 Tests/Reliability/reliability.py [--short | --full] [--data DIRECTORY] [NAME ...]
    /usr/bin/python3 Tests/Reliability/reliability.py --prove [NAME ...]

Without NAME, all checks run. --short is for every change; --full takes hours. --prove breaks the program or its files
in all ways that each check declares, and fails if a check does not notice. A check that needs something missing on this
machine (root, strace) is skipped with a message. The exit status is 1 if a promise is broken.
"""

import argparse
import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from check import Lab, Size, prove, run_all  # noqa: E402

# In the order of the table of promises.
SUBJECTS = [
    "saving", "reading", "editing", "journalling", "undoing", "scanning", "shortening", "power", "hostile",
    "hostile_servers", "covers", "confinement", "ending", "changing", "isolation",
    "copying", "network", "passwords", "paged", "soak", "emulation",
]


def main() -> None:
    kinds = {kind.name: kind for subject in SUBJECTS for kind in importlib.import_module(subject).CHECKS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stacks", default=".build/release/stacks")
    parser.add_argument("--short", action="store_true", help="run the short checks for every change, in minutes")
    parser.add_argument("--full", action="store_true", help="run all checks in full")
    parser.add_argument("--prove", action="store_true", help="break the program; every check must fail")
    parser.add_argument("--data", help="a directory of more catalogs to scan")
    parser.add_argument("checks", nargs="*", metavar="NAME", help=", ".join(kinds))
    arguments = parser.parse_args()
    if unknown := set(arguments.checks) - set(kinds):
        parser.error(f"unknown check: {', '.join(sorted(unknown))}")
    size = Size.FULL if arguments.full else Size.SHORT if arguments.short or arguments.prove else Size.SLICE
    lab = Lab(arguments.stacks, size, arguments.data)
    try:
        chosen = [kinds[name](lab) for name in arguments.checks or kinds]
        if size is Size.SHORT and not arguments.checks and not arguments.prove:
            chosen = [check for check in chosen if check.is_short]
        is_well = prove(chosen) if arguments.prove else run_all(chosen)
    finally:
        lab.close()
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
