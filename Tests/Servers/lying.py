#!/usr/bin/python3
"""Servers of every kind that lie about numbers, never stop, or hardly send: lying.py.

Prints the ports of HTTP and of Z39.50, then serves until the end of its input. The addresses are KIND/VALUE, as
`address` makes them. VALUE is a name of `VALUES`, whose number takes the place of each count, size, position and rating
in the replies, or "endless" (the main reply goes on for ever, at about 30 MB/s), or "drip" (it comes as 16 bytes every 0.2 s).
Rows are there at the beginning of a list, and wherever else they are requested from row 10,000 on, so that a list ends
early for a program that reads all of it, but has rows at the end that it claims.
"""

import http.server
import json
import re
import socketserver
import struct
import sys
import threading
import time
import urllib.parse

VALUES = {
    "zero": "0", "minus": "-1", "p31": str(2**31), "p32": str(2**32), "p53": str(2**53), "p63": str(2**63 - 1),
    "p64": str(2**64), "text": "many",
}  # fmt: skip
MODES = ["endless", "drip"]
KINDS = [
    "sru", "z3950", "xsearch", "openlibrary", "opensearch", "solr", "clickhouse", "calibre", "atom", "publications",
    "csv", "json", "length", "range", "busy",
]  # fmt: skip
# The rows at the beginning of each list, and the row from which each row exists.
FIRST_ROWS, LAST_ROWS = 120, 10_000
PART = 64_000


def address(kind, value, port, z3950_port):
    """The address of a kind of server with a value, for stacks."""
    place = f"127.0.0.1:{port}/{kind}/{value}"
    if kind == "z3950":
        return f"z3950://127.0.0.1:{z3950_port}/{value}"
    if kind == "clickhouse":
        return f"clickhouse://127.0.0.1:{port}/{value}"
    if kind in ("sru", "xsearch", "openlibrary", "opensearch", "solr"):
        return f"{kind}+http://{place}"
    return f"http://{place}" + {"calibre": "/", "csv": "/books.csv", "json": "/books.jsonl"}.get(kind, "")


def numbers(first, limit):
    """The rows of a part that exist."""
    first, limit = max(0, first), min(max(0, limit), 1000)
    return [row for row in range(first, first + limit) if row < FIRST_ROWS or row >= LAST_ROWS]


def in_json(value):
    return value if value.lstrip("-").isdigit() else json.dumps(value)


def record(number, value):
    return (
        f'{{"id": "b{number}", "title": "Book {number}", "authors": ["Writer"], "pageCount": {in_json(value)}, '
        f'"year": {in_json(value)}, "rating": {in_json(value)}, "series": "S", "seriesPosition": {in_json(value)}}}'
    )


# MARK: - XML


def sru(query, value):
    if query.get("operation") == "explain":
        return (
            '<explainResponse xmlns="http://www.loc.gov/zing/srw/"><record><recordData><explain>'
            f'<configInfo><setting type="maximumRecords">{value}</setting></configInfo></explain></recordData></record>'
            "</explainResponse>"
        )
    first = int(query.get("startRecord", "1")) - 1
    records = "".join(
        "<record><recordSchema>dc</recordSchema><recordPacking>xml</recordPacking><recordData>"
        f'<dc xmlns="http://purl.org/dc/elements/1.1/"><title>Book {number}</title><date>{value}</date>'
        f"<identifier>n{number}</identifier></dc></recordData><recordPosition>{value}</recordPosition></record>"
        for number in numbers(first, int(query.get("maximumRecords", "10")))
    )
    return (
        '<searchRetrieveResponse xmlns="http://www.loc.gov/zing/srw/"><version>1.2</version>'
        f"<numberOfRecords>{value}</numberOfRecords><nextRecordPosition>{value}</nextRecordPosition>"
        f"<records>{records}</records></searchRetrieveResponse>"
    )


def xsearch(query, value):
    first = int(query.get("start", "1")) - 1
    records = "".join(
        f'<record><controlfield tag="001">n{number}</controlfield><datafield tag="245"><subfield code="a">Book {number}'
        f'</subfield></datafield><datafield tag="300"><subfield code="a">{value}</subfield></datafield></record>'
        for number in numbers(first, int(query.get("n", "10")))
    )
    return (
        f'<xsearch from="{value}" to="{value}" records="{value}"><collection xmlns="http://www.loc.gov/MARC21/slim">'
        f"{records}</collection></xsearch>"
    )


def atom(path, value):
    entries = "".join(
        f"<entry><id>b{number}</id><title>Book {number}</title><updated>2026-01-01T00:00:00Z</updated>"
        f'<schema:Series name="S" schema:position="{value}"/><link rel="http://opds-spec.org/acquisition" '
        f'type="application/epub+zip" length="{value}" href="/{number}.epub"/></entry>'
        for number in range(20 if path.endswith("/2") else 0, 40 if path.endswith("/2") else 20)
    )
    following = "" if path.endswith("/2") else f'<link rel="next" href="{path}/2" type="application/atom+xml"/>'
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:schema="http://schema.org/" '
        'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><id>f</id><title>F</title>'
        f"<opensearch:totalResults>{value}</opensearch:totalResults><opensearch:startIndex>{value}</opensearch:startIndex>"
        f"<opensearch:itemsPerPage>{value}</opensearch:itemsPerPage>{following}{entries}</feed>"
    )


# MARK: - JSON


def publications(path, value):
    books = ",".join(
        f'{{"metadata": {{"identifier": "b{number}", "title": "Book {number}", "numberOfPages": {in_json(value)}, '
        f'"belongsTo": {{"series": {{"name": "S", "position": {in_json(value)}}}}}}}, "links": []}}'
        for number in range(20)
    )
    return (
        f'{{"metadata": {{"title": "F", "numberOfItems": {in_json(value)}, "itemsPerPage": {in_json(value)}, '
        f'"currentPage": {in_json(value)}}}, "links": [], "publications": [{books}]}}'
    )


def solr(path, body, value):
    if path.endswith("/uniquekey"):
        return '{"uniqueKey": "id"}'
    if path.endswith("/luke"):
        field = '{"type": "string", "schema": "I-S----OF"}'
        return f'{{"index": {{"numDocs": {in_json(value)}}}, "fields": {{"id": {field}, "title_s": {field}, "year_i": {field}}}}}'
    request = json.loads(body)
    documents = ",".join(record(number, value) for number in numbers(request["offset"], request["limit"]))
    return (
        f'{{"responseHeader": {{"status": 0, "QTime": {in_json(value)}}}, "response": {{"numFound": {in_json(value)}, '
        f'"start": {in_json(value)}, "numFoundExact": true, "docs": [{documents}]}}, "nextCursorMark": "m"}}'
    )


def openlibrary(path, query, value):
    if path.endswith("/api/books"):
        edition = f'{{"key": "/books/OL1M", "title": "Book", "number_of_pages": {in_json(value)}}}'
        return f'{{"ISBN:9780553103540": {edition}}}'
    works = ",".join(
        f'{{"key": "/works/OL{number}W", "title": "Book {number}", "first_publish_year": {in_json(value)}, '
        f'"edition_count": 1, "number_of_pages_median": {in_json(value)}, "cover_i": {in_json(value)}}}'
        for number in numbers(int(query.get("offset", "0")), int(query.get("limit", "100")))
    )
    return f'{{"numFound": {in_json(value)}, "start": {in_json(value)}, "docs": [{works}]}}'


def opensearch(path, body, value, name):
    if path == "/":
        return '{"version": {"number": "3.0.0", "distribution": "opensearch"}}'
    if path.endswith("/_mapping"):
        return '{"books": {"mappings": {"properties": {"title": {"type": "keyword"}, "year": {"type": "integer"}}}}}'
    if path.endswith("/point_in_time"):
        return f'{{"pit_id": "{name}", "creation_time": {in_json(value)}}}'
    request = json.loads(body)
    hits = ",".join(
        f'{{"_id": "b{number}", "_score": {in_json(value)}, "sort": [{in_json(value)}], "_source": {record(number, value)}}}'
        for number in numbers(request.get("from", 0), request["size"])
    )
    return (
        f'{{"took": {in_json(value)}, "timed_out": false, "_shards": {{"total": {in_json(value)}, "failed": 0}}, '
        f'"hits": {{"total": {{"value": {in_json(value)}, "relation": "eq"}}, "max_score": {in_json(value)}, "hits": [{hits}]}}}}'
    )


def calibre(path, query, value):
    if path.endswith("/library-info"):
        return '{"library_map": {"L": "L"}, "default_library": "L"}'
    if "/ajax/search/" in path:
        ids = ", ".join(map(str, range(1, FIRST_ROWS + 1)))
        return f'{{"total_num": {in_json(value)}, "num": {in_json(value)}, "offset": {in_json(value)}, "book_ids": [{ids}, {in_json(value)}, 1]}}'
    books = ",".join(
        f'"{number}": {{"title": "Book {number}", "authors": ["Writer"], "rating": {in_json(value)}, "series": "S", '
        f'"series_index": {in_json(value)}, "last_modified": "{value}-01-01T00:00:00+00:00", "timestamp": {in_json(value)}}}'
        for number in query.get("ids", "").split(",")
    )
    return f"{{{books}}}"


# MARK: - ClickHouse


def length(count):
    """A number with seven bits a byte."""
    data = bytearray()
    while count >= 0x80:
        data.append(count & 0x7F | 0x80)
        count >>= 7
    return bytes(data + bytes([count]))


def string(text):
    return length(len(text.encode())) + text.encode()


def uint64(value):
    return struct.pack("<Q", int(value) % 2**64) if value.lstrip("-").isdigit() else b"manymany"


def clickhouse(statement, value):
    """Rows in the format RowBinary."""
    number = uint64(value)
    if statement.startswith("SELECT version, rows"):
        return string("v1") + number
    if statement.startswith("SELECT ord, step"):
        limits = re.search(r"step >= (\d+) AND step <= (\d+)", statement)
        steps = range(int(limits[1]), int(limits[2]) + 1) if limits else range(2)
        orders = re.findall(r"'(-?\w+)'", statement)
        return b"".join(
            string(order) + uint64(str(step)) + b"\0" + string("x") + number + number for order in orders for step in steps
        )
    if statement.startswith("SELECT n, record"):
        rows = [row for row in statement[statement.rindex("(") + 1 : statement.rindex(")")].split(", ") if row]
        return b"".join(uint64(row) + string(record(row, value)) for row in rows)
    limits = re.search(r"n >= (\d+) AND n < (\d+)", statement) or re.search(r"LIMIT (\d+), (\d+)", statement)
    if statement.startswith(("SELECT record", "SELECT n ")) and limits:
        first, second = int(limits[1]), int(limits[2])
        rows = numbers(first, second - first if "n >=" in limits[0] else second)
        if statement.startswith("SELECT n "):
            return b"".join(uint64(str(row)) for row in rows)
        return b"".join(string(record(row, value)) for row in rows)
    if "count()" in statement or "uniqExact" in statement or "max(step)" in statement:
        return number
    return b""


# MARK: - HTTP


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def send(self, content, kind="application/json", status=200, fields=(), is_main=True):
        content = content.encode() if isinstance(content, str) else content
        endless = is_main and self.name in MODES
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in fields:
            self.send_header(name, value)
        if not endless and not any(name == "Content-Length" for name, _ in fields):
            self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        write(self.wfile, content, self.name if is_main else "")

    def do_POST(self):
        self.do_GET()

    def do_GET(self):
        try:
            self.answer()
        except OSError:
            self.close_connection = True

    def answer(self):
        url = urllib.parse.urlsplit(self.path)
        query = {key: values[-1] for key, values in urllib.parse.parse_qs(url.query).items()}
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        kind, self.name = (url.path.strip("/").split("/") + ["", ""])[:2]
        if kind in ("", "_search") and "query_id" in query:
            # ClickHouse: the name of the database is in the statement.
            found = re.search(r"`(\w+)`\.", body.decode())
            kind, self.name = "clickhouse", found[1] if found else "zero"
        elif kind == "_search":
            kind, self.name = "opensearch", json.loads(body)["pit"]["id"]
        value = VALUES.get(self.name, "1000")
        lines = "".join(record(number, value) + "\n" for number in range(FIRST_ROWS))
        if kind == "sru":
            self.send(sru(query, value), "text/xml", is_main=query.get("operation") != "explain")
        elif kind == "xsearch":
            self.send(xsearch(query, value), "text/xml")
        elif kind == "openlibrary":
            self.send(openlibrary(url.path, query, value))
        elif kind == "solr":
            self.send(solr(url.path, body, value), is_main=url.path.endswith("/select"))
        elif kind in ("opensearch", ""):
            self.send(opensearch(url.path, body, value, self.name), is_main=url.path.endswith("/_search"))
        elif kind == "clickhouse":
            self.send(clickhouse(body.decode(), value), "application/octet-stream", is_main="SELECT record" in body.decode())
        elif kind == "calibre":
            if "/ajax/" not in url.path:
                return self.send("<!DOCTYPE html><html><body>calibre</body></html>", "text/html", is_main=False)
            self.send(calibre(url.path, query, value), is_main="/ajax/books/" in url.path)
        elif kind == "atom":
            self.send(atom(url.path, value), "application/atom+xml;profile=opds-catalog")
        elif kind == "publications":
            self.send(publications(url.path, value), "application/opds+json")
        elif kind == "csv":
            rows = "".join(f"Book {number},{value},{value},{value}\n" for number in range(FIRST_ROWS))
            self.send("title,pages,year,rating\n" + rows, "text/csv")
        elif kind == "json":
            self.send(lines)
        elif kind == "length":
            # The body has another length than the head says.
            self.send(lines, fields=[("Content-Length", value)] if self.name not in MODES else [])
        elif kind == "range":
            # The connection breaks off, and the rest has hostile positions.
            fields = [("ETag", '"v1"'), ("Accept-Ranges", "bytes")]
            if "Range" in self.headers:
                self.send(lines[:100], status=206, fields=fields + [("Content-Range", f"bytes {value}-{value}/{value}")])
            else:
                self.send(lines[:5000], fields=fields + [("Content-Length", str(len(lines)))], is_main=True)
        elif kind == "busy":
            self.send("wait", "text/plain", 503, [("Retry-After", value), ("Date", value), ("Age", value)])
        else:
            self.send("not found", "text/plain", 404, is_main=False)


def write(output, content, name):
    """Sends a reply, as its mode says."""
    if name == "endless":
        # Everything but the last byte, then blanks, which are part of JSON and of the text in XML and CSV.
        output.write(content[:-1])
        while True:
            output.write(b" " * PART)
            time.sleep(0.002)
    if name == "drip":
        for start in range(0, len(content) - 16, 16):
            output.write(content[start : start + 16])
            output.flush()
            time.sleep(0.2)
        while True:
            output.write(b" " * 16)
            output.flush()
            time.sleep(0.2)
    output.write(content)


# MARK: - Z39.50 (ISO 23950) in BER


def ber(tag, content):
    if len(content) < 0x80:
        return tag + bytes([len(content)]) + content
    size = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return tag + bytes([0x80 | len(size)]) + size + content


def tag(number, is_constructed=False):
    start = 0x80 | (0x20 if is_constructed else 0)
    return bytes([start | number]) if number < 31 else bytes([start | 31, number])


def integer(value):
    if not value.lstrip("-").isdigit():
        return value.encode()
    number = int(value)
    return number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True)


def read_element(data, place=0):
    """The tag number, content and end of an element. One of open length extends to the end: a request arrives alone."""
    number = data[place] & 0x1F
    place += 1
    if number == 31:
        number = data[place]
        place += 1
    size = data[place]
    place += 1
    if size == 0x80:
        return number, data[place:], len(data)
    if size > 0x80:
        count = size & 0x7F
        size = int.from_bytes(data[place : place + count], "big")
        place += count
    return number, data[place : place + size], place + size


def elements(data):
    place, found = 0, {}
    while place < len(data):
        number, content, place = read_element(data, place)
        found[number] = content
    return found


def marc(number):
    fields = {"001": f"n{number}\x1e", "245": f"00\x1faBook {number}\x1e"}
    directory, content = "", ""
    for name, text in fields.items():
        directory += f"{name}{len(text):04}{len(content):05}"
        content += text
    start = 24 + len(directory) + 1
    return f"{start + len(content) + 1:05}nam a22{start:05} a 4500{directory}\x1e{content}\x1d".encode()


class LibraryHandler(socketserver.StreamRequestHandler):
    def handle(self):
        self.name = "zero"
        data = b""
        while True:
            try:
                part = self.request.recv(65536)
            except OSError:
                return
            if not part:
                return
            data += part
            while True:
                try:
                    number, content, end = read_element(data)
                except IndexError:
                    break
                if end > len(data):
                    break
                data = data[end:]
                try:
                    self.answer(number, elements(content))
                except OSError:
                    return

    def answer(self, number, request):
        reference = ber(tag(2), request[2]) if 2 in request else b""
        if number == 20:
            options = ber(tag(4), b"\x00\xe0\x00")
            body = ber(tag(3), b"\x05\xe0") + options + ber(tag(5), b"\x40\x00\x00") + ber(tag(6), b"\x40\x00\x00")
            return self.wfile.write(ber(tag(21, True), reference + body + ber(tag(12), b"\xff")))
        if number == 22:
            # The names of the databases: a sequence of [105] VisibleString.
            self.name = read_element(request[18])[1].decode()
        value = VALUES.get(self.name, "1000")
        count = integer(value)
        if number == 22:
            body = ber(tag(23), count) + ber(tag(24), b"\0") + ber(tag(25), count) + ber(tag(22), b"\xff")
            return self.wfile.write(ber(tag(23, True), reference + body))
        if number == 24:
            first = int.from_bytes(request[30], "big", signed=True) - 1
            wanted = int.from_bytes(request[29], "big", signed=True)
            records = b"".join(self.record(row) for row in numbers(first, wanted))
            body = ber(tag(24), count) + ber(tag(25), count) + ber(tag(27), b"\0") + ber(tag(28, True), records)
            write(self.wfile, ber(tag(25, True), reference + body), self.name)

    @staticmethod
    def record(row):
        usmarc = b"\x2a\x86\x48\xce\x13\x05\x0a"
        external = ber(b"\x28", ber(b"\x06", usmarc) + ber(b"\x81", marc(row)))
        return ber(b"\x30", ber(b"\xa1", ber(b"\xa1", external)))


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    allow_reuse_address = True


class HTTPServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


def main():
    web, library = HTTPServer(("127.0.0.1", 0), Handler), Server(("127.0.0.1", 0), LibraryHandler)
    for server in (web, library):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(web.server_port, library.server_address[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
