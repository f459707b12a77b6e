"""The promises, held against the real program: prints a table "promise | method | figure".

    /usr/bin/python3 Tests/Reliability/reliability.py [--short | --full] [--data DIRECTORY] [NAME ...]
    /usr/bin/python3 Tests/Reliability/reliability.py --prove [NAME ...]

Without NAME all checks are run. --short is for every change, --full takes hours; --prove breaks the program, or what it
left, in the ways that each check knows, and fails where a check does not see it. A check whose means are missing here
(root, strace) says so in a sentence and is not counted. The code is 1 where a promise is not kept.
"""

import argparse
import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from check import Lab, Size, prove, run_all  # noqa: E402

SUBJECTS = ["emulation", "saving", "power", "hostile", "ending", "changing", "isolation", "soak"]


def main() -> None:
    kinds = {kind.name: kind for subject in SUBJECTS for kind in importlib.import_module(subject).CHECKS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stacks", default=".build/release/stacks")
    parser.add_argument("--short", action="store_true", help="what is run for every change, in a minute")
    parser.add_argument("--full", action="store_true", help="everything")
    parser.add_argument("--prove", action="store_true", help="see each check fail")
    parser.add_argument("--data", help="a directory of catalogs, which are scanned as well")
    parser.add_argument("checks", nargs="*", metavar="NAME", help=", ".join(kinds))
    arguments = parser.parse_args()
    if unknown := set(arguments.checks) - set(kinds):
        parser.error(f"there is no check {', '.join(sorted(unknown))}")
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
