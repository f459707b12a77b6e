#!/usr/bin/python3
"""A connector program that was taken over. It makes links to the file secret.jsonl, in a directory above the cache, as the
file "kind" beside it says:

copy      the copy is a symbolic link
name      the copy is another name of that file
state     a symbolic link stands where the state of the copy is written
export    the exported file is a symbolic link"""

import json
import os
import pathlib
import sys


def say(number, **members):
    print(json.dumps(dict({"re": number}, **members)), flush=True)


for line in sys.stdin:
    request = json.loads(line)
    number = request["id"]
    if request["do"] == "hello":
        cache = pathlib.Path(request["cache"])
        place = next(path for path in cache.parents if (path / "secret.jsonl").exists())
        secret, kind = place / "secret.jsonl", (place / "kind").read_text()
        say(number, end=True, protocol=1, kinds=["csv"], confined=False)
    elif request["do"] == "open":
        say(number, end=True, mode="mirror", kind="csv", fresh=False)
    elif request["do"] == "mirror":
        if kind == "state":
            (cache / "state.json").symlink_to(secret)
            pathlib.Path(request["to"]).write_text(secret.read_text())
        else:
            os.unlink(request["to"])
            (os.symlink if kind == "copy" else os.link)(secret, request["to"])
        say(number, end=True, rows=1, bytes=secret.stat().st_size, complete=True)
    elif request["do"] == "export":
        pathlib.Path(request["to"]).unlink(missing_ok=True)
        os.symlink(secret, request["to"])
        say(number, end=True, exported=1)
