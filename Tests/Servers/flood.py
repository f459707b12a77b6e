"""A server that sends more than a client can keep: /calibre/ is like calibre's content server, /feed an OPDS feed.

Prints its port, then serves until the end of its input. The line "flood" of the input makes the responses for books
endless, except for the first hundred, and "lines" makes them long; both begin to wait with the first hundred until the
line "go". Each is answered by a line, as is "sent", with the number of bytes that were sent for books.
"""

import http.server
import json
import os
import socketserver
import sys
import threading

COUNT = 300
PADDING = 6 << 20
mode = "lines"
may_end = threading.Event()
sent = 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, body, kind="application/json"):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        try:
            if path == "/calibre/":
                self.answer(b"<!DOCTYPE html><html><title>calibre</title></html>", "text/html")
            elif path == "/calibre/ajax/library-info":
                self.answer(json.dumps({"library_map": {"Library": "Library"}, "default_library": "Library"}).encode())
            elif path.startswith("/calibre/ajax/search/"):
                ids = list(range(1, COUNT + 1))
                self.answer(json.dumps({"book_ids": ids[:1] if "num=1&" in query else ids}).encode())
            elif path.startswith("/calibre/ajax/books/"):
                self.books([int(id) for id in query.split("ids=")[1].split("&")[0].replace("%2C", ",").split(",")])
            elif path == "/feed":
                self.feed(int(query.removeprefix("page=") or 0))
            else:
                self.send_error(404)
        except OSError:
            self.close_connection = True

    def books(self, ids):
        global sent
        if len(ids) == 1:
            book = {"title": "Book", "last_modified": "2020-01-01T00:00:00"}
            return self.answer(json.dumps({str(ids[0]): book}).encode())
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

        def chunk(data):
            global sent
            self.wfile.write(b"%x\r\n" % len(data) + data + b"\r\n")
            self.wfile.flush()
            sent += len(data)

        if ids[0] == 1:
            chunk(b" ")
            while not may_end.wait(0.1):
                chunk(b" ")
        elif mode == "flood":
            # Two gigabytes, in case that the client never stops.
            for _ in range(1 << 11):
                chunk(b" " * (1 << 20))
        else:
            for _ in range(PADDING >> 20):
                chunk(b" " * (1 << 20))
        chunk(json.dumps({str(id): {"title": f"Book {id}"} for id in ids}).encode())
        self.wfile.write(b"0\r\n\r\n")

    def feed(self, page):
        """Sends a page with new books whose ids are long, and a link to the next one, without end."""
        books = [
            {
                "metadata": {"title": f"Book {page}-{number}", "identifier": f"{page}-{number}-" + "x" * (7 << 20)},
                "links": [{"rel": "http://opds-spec.org/acquisition", "href": "f", "type": "text/html"}],
            }
            for number in range(4)
        ]
        links = [
            {"rel": "self", "href": f"/feed?page={page}", "type": "application/opds+json"},
            {"rel": "next", "href": f"/feed?page={page + 1}", "type": "application/opds+json"},
        ]
        body = {"metadata": {"title": "Feed"}, "links": links, "publications": books}
        self.answer(json.dumps(body).encode(), "application/opds+json")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
for line in sys.stdin:
    word = line.strip()
    if word == "go":
        may_end.set()
    elif word in ("flood", "lines"):
        mode = word
        may_end.clear()
    print(sent if word == "sent" else word, flush=True)
os._exit(0)
