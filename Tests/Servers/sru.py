"""An SRU server that misbehaves on request: sru.py.

Prints its port, then serves until the end of its input. The first part of the path is what it does, such as /packed or
/short. It has 120 books in Dublin Core, "Book 0" to "Book 119"; a query is only used if it contains
"none", which finds nothing. The line "log" of the input prints the queries since the last one, separated by "|".
"""

import contextlib
import http.server
import sys
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

COUNT = 120
NAMESPACE = "http://www.loc.gov/zing/srw/"
log = []


def diagnostic(number, message="", details=""):
    parts = [f"<uri>info:srw/diagnostic/1/{number}</uri>"]
    if details:
        parts.append(f"<details>{escape(details)}</details>")
    if message:
        parts.append(f"<message>{escape(message)}</message>")
    return f'<diagnostic xmlns="{NAMESPACE}diagnostic/">{"".join(parts)}</diagnostic>'


def dublin_core(number):
    return (
        '<dc xmlns="http://purl.org/dc/elements/1.1/">'
        f"<title>Book {number}</title><creator>Writer {number % 7}</creator><identifier>n{number}</identifier></dc>"
    )


def record(number, data, packing="xml"):
    return (
        f"<record><recordSchema>dc</recordSchema><recordPacking>{packing}</recordPacking>"
        f"<recordData>{data}</recordData><recordPosition>{number + 1}</recordPosition></record>"
    )


def response(records="", count=COUNT, diagnostics="", more="", namespace=NAMESPACE):
    total = "" if count is None else f"<numberOfRecords>{count}</numberOfRecords>"
    found = f"<records>{records}</records>" if records else ""
    problems = f"<diagnostics>{diagnostics}</diagnostics>" if diagnostics else ""
    return (
        f'<?xml version="1.0"?><searchRetrieveResponse xmlns="{namespace}"><version>1.2</version>{total}{more}{found}'
        f"{problems}</searchRetrieveResponse>"
    )


def answer(path, query):
    """Returns the status and the body of the answer."""
    first = int(query.get("startRecord", "1")) - 1
    numbers = range(first, min(COUNT, first + int(query.get("maximumRecords", "10"))))
    terms = query.get("query", "")
    records = "".join(record(number, dublin_core(number)) for number in numbers)
    if "none" in terms:
        return 200, response(count=0)
    if path == "plain":
        return 200, response(records)
    if path == "packed":
        return 200, response("".join(record(n, escape(dublin_core(n)), "string") for n in numbers))
    if path == "few":
        # The server sends at most seven records, whatever is asked for.
        return 200, response("".join(record(n, dublin_core(n)) for n in numbers[:7]))
    if path == "short":
        return 200, response("".join(record(n, dublin_core(n)) for n in numbers if n < 50))
    if path == "bad-record":
        bad = diagnostic(64, "Record temporarily unavailable")
        return 200, response("".join(record(n, bad if n == 3 else dublin_core(n)) for n in numbers))
    if path == "estimate":
        more = "<resultCountPrecision>info:srw/vocabulary/resultCountPrecision/1/estimate</resultCountPrecision>"
        if not numbers:
            return 200, response(count=None, diagnostics=diagnostic(61, "First record position out of range"))
        return 200, response(records, more=more, namespace="http://docs.oasis-open.org/ns/search-ws/sruResponse")
    if path == "minimum":
        more = "<resultCountPrecision>info:srw/vocabulary/resultCountPrecision/1/minimum</resultCountPrecision>"
        return 200, response(records, more=more)
    if path == "partial":
        return 200, response(records, diagnostics=diagnostic(60, "Only a part was searched"))
    if path == "search-only":
        if "allRecords" in terms:
            return 200, response(count=None, diagnostics=diagnostic(10, "Query syntax error"))
        return 200, response(records)
    if path == "no-year":
        if "date" in terms:
            return 200, response(count=None, diagnostics=diagnostic(16, "Unsupported index", "dc.date"))
        return 200, response(records)
    if path == "numbers-only":
        return 200, response(count=None, diagnostics=diagnostic(37))
    if path == "only-dc":
        if query.get("recordSchema") != "dc":
            return 200, response(count=None, diagnostics=diagnostic(66, "Unknown schema", query.get("recordSchema", "")))
        return 200, response(records)
    if path == "old":
        if query.get("version") != "1.1":
            return 200, response(count=None, diagnostics=diagnostic(5, "Unsupported version", "1.1"))
        return 200, response(records)
    if path == "entity":
        return 200, '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + response(records)
    if path == "cut":
        return 200, response(records)[:-200]
    if path == "page":
        return 200, "<!DOCTYPE html><html><body>Welcome</body></html>"
    if path == "busy":
        return 503, "wait"
    if path == "slow":
        time.sleep(5)
        return 200, response(records)
    if path == "large":
        return 200, response(records, count=5000)
    return 404, "nothing here"


SORTABLE = """<explain xmlns="http://explain.z3950.org/dtd/2.0/"><serverInfo version="1.2"/><indexInfo>
<index sort="true"><map><name set="dc">title</name></map></index></indexInfo></explain>"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        path = parts.path.strip("/")
        if query.get("operation") == "explain":
            if path == "page":
                status, body = answer(path, query)
            elif path == "large":
                status, body = 200, f"<explainResponse><record><recordData>{SORTABLE}</recordData></record></explainResponse>"
            elif path == "plain":
                status, body = 404, "no explain"
            else:
                status, body = 200, f'<explainResponse xmlns="{NAMESPACE}"><version>1.2</version></explainResponse>'
        else:
            log.append(query.get("query", ""))
            status, body = answer(path, query)
        data = body.encode()
        self.send_response(status)
        if status == 503:
            self.send_header("Retry-After", "120")
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        # A client that is content with less ends the connection.
        with contextlib.suppress(ConnectionError):
            self.wfile.write(data)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
for line in sys.stdin:
    # The next request may come as soon as this is answered.
    known = "|".join(log)
    log.clear()
    print(known if line.strip() == "log" else "done", flush=True)
