"""Library servers in which an ISBN is looked up, by SRU, Xsearch or the API of Open Library: lookup.py.

Prints its port, then serves until the end of its input. The path is the library, whose answers are in answers/, such
as /loc, /libris/xsearch or /openlibrary; before it, /slow answers after a while (longer if it is there several times),
/cut stops in the middle, /away and /moved lead to another host and to another path, /wrong answers with another book, /busy and /page with anything but a record, and /described
has a description with an index of titles only. /bare sends records without what is around them, /error a message, and
/list a list where there should be none. The line "log" of the input prints the queries since the last one, with the
time of each in milliseconds; "path" prints the last address, and "agent" the name of the program that asked last.
"""

import glob
import http.server
import json
import os
import re
import sys
import threading
import time
import urllib.parse

NAMESPACE = "http://www.loc.gov/zing/srw/"
NOTHING = (
    f'<searchRetrieveResponse xmlns="{NAMESPACE}"><version>1.1</version><numberOfRecords>0</numberOfRecords>'
    "</searchRetrieveResponse>"
)
NO_XSEARCH = '<xsearch to="0" from="1" records="0"><collection xmlns="http://www.loc.gov/MARC21/slim"/></xsearch>'
DESCRIPTION = (
    '<explainResponse><record><recordData><explain xmlns="http://explain.z3950.org/dtd/2.0/"><indexInfo><index><map>'
    '<name set="dc">title</name></map></index></indexInfo></explain></recordData></record></explainResponse>'
)
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "answers")
log = []
last = {"path": "", "agent": ""}


def answers():
    """Returns the answers by library and ISBN."""
    found = {}
    for path in glob.glob(os.path.join(FOLDER, "*.xml")) + glob.glob(os.path.join(FOLDER, "*.json")):
        library, number = os.path.splitext(os.path.basename(path))[0].split("_")
        with open(path, encoding="utf-8") as file:
            found.setdefault(library, {})[number] = file.read()
    return found


ANSWERS = answers()


def sru(library, query, faults):
    known = ANSWERS.get(library, {})
    terms = query.get("query", "").replace("-", "").lower()
    body = next((text for number, text in known.items() if number in terms), NOTHING)
    if "game" in terms and "thrones" in terms:
        body = known.get("9780553103540", NOTHING)
    return next(iter(known.values())) if "wrong" in faults else body


def xsearch(library, query, faults):
    known = ANSWERS[library]
    terms = query.get("query", "").lower()
    if "error" in faults or not terms:
        return '<xsearch error="parse"></xsearch>'
    found = any(number in terms for number in known) or ("röda" in terms and "rummet" in terms) or terms == "onr:10000001"
    body = next(iter(known.values())) if found and query.get("start") == "1" else NO_XSEARCH
    return re.sub(r"</?xsearch[^>]*>", "", body) if "bare" in faults else body


def books(query):
    """The editions with these keys; both ISBNs are those of one."""
    edition = json.loads(ANSWERS["openlibrary"]["9780553103540"])
    own = edition["identifiers"]
    keys = [f"ISBN:{number}" for number in own["isbn_13"] + own["isbn_10"]] + ["OLID:" + own["openlibrary"][0]]
    return {key: edition for key in query.get("bibkeys", "").split(",") if key in keys}


def works(query, faults):
    terms = query.get("q", "").lower()
    found = json.loads(ANSWERS["openlibrary"]["search"])
    if "error" in faults:
        return {"error": "a bracket is missing"}
    if '"thrones"' not in terms and "/works/" not in terms:
        found["docs"] = []
    found["docs"] = [work for work in found["docs"] if "/works/" not in terms or work["key"].lower() in terms]
    found["numFound"] = len(found["docs"])
    first = int(query.get("offset", "0"))
    found["docs"] = found["docs"][first : first + int(query.get("limit", "100"))]
    return found


def answer(parts, query):
    """Returns the status and the body of the answer."""
    if parts[-1] == "xsearch":
        faults, body = parts[:-2], lambda: xsearch(parts[-2], query, faults)
    elif parts[-2:] == ["api", "books"]:
        faults, body = parts[:-3], lambda: json.dumps([] if "list" in faults else books(query))
    elif parts[-1] == "search.json":
        faults, body = parts[:-2], lambda: json.dumps([] if "list" in faults else works(query, faults))
    else:
        faults, body = parts[:-1], lambda: sru(parts[-1], query, faults)
    time.sleep(2 * faults.count("slow"))
    if "away" in faults:
        return 302, f"http://localhost:{server.server_address[1]}/{parts[-1]}"
    if "moved" in faults:
        return 302, f"/{parts[-1]}"
    if "busy" in faults:
        return 503, "wait"
    if "page" in faults:
        return 200, "<!DOCTYPE html><html><body>Welcome</body></html>"
    text = body()
    return 200, text[: len(text) // 2] if "cut" in faults else text


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query, keep_blank_values=True))
        parts = address.path.strip("/").split("/")
        last.update(path=self.path, agent=self.headers.get("User-Agent", ""))
        if query.get("operation") == "explain":
            status, body = (200, DESCRIPTION) if "described" in parts else (404, "no explain")
        else:
            terms = query.get("query") or query.get("q") or query.get("bibkeys") or ""
            log.append(f"{int(time.monotonic() * 1000)} {terms}")
            status, body = answer(parts, query)
        data = body.encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"{body}?{address.query}")
        self.send_header("Content-Type", "application/json" if body[:1] in "{[" else "text/xml")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
for line in sys.stdin:
    asked = line.strip()
    if asked == "log":
        print("|".join(log), flush=True)
        log.clear()
    else:
        print(last.get(asked, "done"), flush=True)
