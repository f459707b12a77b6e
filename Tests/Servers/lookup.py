"""Library servers in which an ISBN is looked up by SRU: lookup.py.

Prints its port, then serves until the end of its input. The path is the library, whose answers are in answers/, such as
/loc; before it, /slow answers after a while, /cut stops in the middle, /wrong answers with another book, /busy and /page
with anything but a record, and /described has a description with an index of titles only. The line "log" of the input prints the queries since the last one, with the time of each in
milliseconds.
"""

import glob
import http.server
import os
import sys
import threading
import time
import urllib.parse

NAMESPACE = "http://www.loc.gov/zing/srw/"
NOTHING = (
    f'<searchRetrieveResponse xmlns="{NAMESPACE}"><version>1.1</version><numberOfRecords>0</numberOfRecords>'
    "</searchRetrieveResponse>"
)
DESCRIPTION = (
    '<explainResponse><record><recordData><explain xmlns="http://explain.z3950.org/dtd/2.0/"><indexInfo><index><map>'
    '<name set="dc">title</name></map></index></indexInfo></explain></recordData></record></explainResponse>'
)
log = []


def answers():
    """Returns the answers by library and ISBN."""
    found = {}
    for path in glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "answers", "*.xml")):
        library, number = os.path.basename(path)[:-4].split("_")
        with open(path, encoding="utf-8") as file:
            found.setdefault(library, {})[number] = file.read()
    return found


ANSWERS = answers()


def answer(parts, query):
    """Returns the status and the body of the answer."""
    faults, library = parts[:-1], parts[-1]
    if "slow" in faults:
        time.sleep(2)
    if "busy" in faults:
        return 503, "wait"
    if "page" in faults:
        return 200, "<!DOCTYPE html><html><body>Welcome</body></html>"
    known = ANSWERS.get(library, {})
    terms = query.get("query", "").replace("-", "").lower()
    body = next((text for number, text in known.items() if number in terms), NOTHING)
    if "game" in terms and "thrones" in terms:
        body = known.get("9780553103540", NOTHING)
    if "wrong" in faults:
        body = next(iter(known.values()))
    return 200, body[: len(body) // 2] if "cut" in faults else body


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query, keep_blank_values=True))
        parts = address.path.strip("/").split("/")
        if query.get("operation") == "explain":
            status, body = (200, DESCRIPTION) if "described" in parts else (404, "no explain")
        else:
            log.append(f"{int(time.monotonic() * 1000)} {query.get('query', '')}")
            status, body = answer(parts, query)
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/xml")
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
    known = "|".join(log)
    log.clear()
    print(known if line.strip() == "log" else "done", flush=True)
