"""A web server for uploads, which behaves like WebDAV and S3 and simulates their faults.

Prints its port, then serves until the end of its input. Any path can hold a file; the first segment of the path selects
the behaviour of the server:

/plain     no faults                          /forbidden, /500  refuse writing
/weak      weak entity tags                   /busy             returns 503 with Retry-After
/dated     dates in place of entity tags      /readonly         does not support PUT
/bare      no validators                      /moved            redirects
/private   Basic authentication for writing   /race             another client changes the file before the upload
/digest    Digest (RFC 7616) for writing      /lost             stores the file and closes the connection
/slow      reads slowly                       /cut              closes the connection in the middle
/full      out of space                       /short            drops the last record

The user is ann with the password secret-4711. A line with a path prints the content of the file and the requests so far
as JSON; "put PATH TEXT" creates a file and is answered by "done".
"""

import base64
import hashlib
import http.server
import json
import socketserver
import sys
import threading
import time

FILES = {}
SEEN = []
DATE = "Sat, 01 Aug 2026 10:00:%02d GMT"
LOCK = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    @property
    def kind(self):
        return self.path.split("?")[0].split("/")[1]

    def version(self, body):
        number = int(hashlib.sha1(body).hexdigest()[:4], 16)
        if self.kind == "bare":
            return []
        if self.kind == "dated":
            return [("Last-Modified", DATE % (number % 60))]
        return [("ETag", ("W/" if self.kind == "weak" else "") + f'"{number}"')] + (
            [("Last-Modified", DATE % (number % 60))] if self.kind == "weak" else []
        )

    def answer(self, code, body=b"", fields=()):
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        SEEN.append(["GET", self.path, {}])
        body = FILES.get(self.path)
        if body is None:
            self.answer(404, b"nothing")
            return
        fields = self.version(body)
        if ("ETag", self.headers.get("If-None-Match")) in fields:
            self.answer(304, fields=fields)
        else:
            self.answer(200, body, fields)

    def is_allowed(self):
        given = self.headers.get("Authorization", "")
        if self.kind == "private":
            return given == "Basic " + base64.b64encode(b"ann:secret-4711").decode()
        return given.startswith("Digest ") and 'username="ann"' in given

    def do_PUT(self):
        size = int(self.headers["Content-Length"])
        names = ("If-Match", "If-None-Match", "If-Unmodified-Since", "Content-Type", "Authorization")
        SEEN.append(["PUT", self.path, {name: self.headers[name] for name in names if name in self.headers}])
        if self.kind == "cut":
            self.rfile.read(size // 2)
            self.connection.close()
            self.close_connection = True
            return
        if self.kind == "slow":
            body = b""
            while len(body) < size:
                body += self.rfile.read(min(1 << 16, size - len(body)))
                time.sleep(0.02)
        else:
            body = self.rfile.read(size)
        codes = {"forbidden": 403, "500": 500, "readonly": 405, "full": 507}
        if self.kind in codes:
            self.answer(codes[self.kind])
        elif self.kind == "busy":
            self.answer(503, fields=[("Retry-After", "7")])
        elif self.kind == "moved":
            self.answer(307, fields=[("Location", "/plain/elsewhere.json")])
        elif self.kind == "private" and not self.is_allowed():
            self.answer(401, fields=[("WWW-Authenticate", 'Basic realm="files"')])
        elif self.kind == "digest" and not self.is_allowed():
            self.answer(401, fields=[("WWW-Authenticate", 'Digest realm="files", nonce="n", qop="auth", algorithm=MD5')])
        else:
            self.store(body)

    def store(self, body):
        with LOCK:
            if self.kind == "race":
                FILES[self.path] = b'[{"title":"Of another"}]'
            old = FILES.get(self.path)
            tags = dict(self.version(old)) if old is not None else {}
            wanted = self.headers.get("If-Match")
            date = self.headers.get("If-Unmodified-Since")
            fails = (
                wanted is not None
                and (tags.get("ETag") != wanted or wanted.startswith("W/"))
                or self.headers.get("If-None-Match") == "*"
                and old is not None
                or date is not None
                and tags.get("Last-Modified") != date
            )
            if fails:
                self.answer(412)
                return
            FILES[self.path] = body[: body.rindex(b",\n")] + b"\n]\n" if self.kind == "short" else body
        if self.kind == "lost":
            self.connection.close()
            self.close_connection = True
        else:
            self.answer(204 if old is not None else 201)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
for line in sys.stdin:
    words = line.rstrip("\n").split(" ", 2)
    if words[0] == "put":
        FILES[words[1]] = words[2].encode()
        print("done", flush=True)
    else:
        content = FILES.get(words[0])
        seen = [request for request in SEEN if request[1].split("?")[0] == words[0]]
        print(json.dumps({"content": content and content.decode(), "seen": seen}), flush=True)
