"""A proxy in front of calibre's content server: calibreproxy.py PORT [KIND]. PORT is that of the server.

Prints its own port, then serves until the end of its input. KIND selects a behaviour of requests that change the library:

plain    they are passed on (the default)
private  they need Basic authentication: the user ann with the password secret-4711
digest   they need Digest authentication (RFC 7616) of the same user
lost     an addition is carried out, but its connection is closed without a response
error    an addition is carried out, but answered with an error of a server in between

The line "books" of the input prints how many books were requested since the last such line; the line "plain" ends the
behaviour."""

import base64
import hashlib
import http.client
import http.server
import socketserver
import sys
import threading
import urllib.parse

SERVER = int(sys.argv[1])
STATE = {"kind": sys.argv[2] if len(sys.argv) > 2 else "plain", "books": 0}
LOCK = threading.Lock()


def md5(text):
    return hashlib.md5(text.encode()).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def is_allowed(self):
        given = self.headers.get("Authorization", "")
        if STATE["kind"] == "private":
            return given == "Basic " + base64.b64encode(b"ann:secret-4711").decode()
        if not given.startswith("Digest "):
            return False
        fields = dict(part.strip().split("=", 1) for part in given[7:].split(","))
        fields = {name: value.strip('"') for name, value in fields.items()}
        secret = md5("ann:writers:secret-4711")
        request = md5(f"{self.command}:{self.path}")
        middle = ":".join(fields.get(name, "") for name in ("nonce", "nc", "cnonce", "qop"))
        return fields.get("nonce") == "n-4711" and fields.get("response") == md5(f"{secret}:{middle}:{request}")

    def answer(self, code, fields=(), body=b""):
        self.send_response(code)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        if "/ajax/books/" in address.path:
            ids = urllib.parse.parse_qs(address.query).get("ids", [""])[0]
            with LOCK:
                STATE["books"] += len(ids.split(","))
        self.pass_on(None)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        kind = STATE["kind"]
        if kind in ("private", "digest") and not self.is_allowed():
            challenges = {"private": 'Basic realm="writers"', "digest": 'Digest realm="writers", nonce="n-4711", qop="auth"'}
            self.answer(401, [("WWW-Authenticate", challenges[kind])])
        elif kind in ("lost", "error") and self.path.startswith("/cdb/cmd/add/"):
            self.request_of_server(body)
            if kind == "error":
                self.answer(502)
            else:
                self.connection.close()
                self.close_connection = True
        else:
            self.pass_on(body)

    def request_of_server(self, body):
        connection = http.client.HTTPConnection("127.0.0.1", SERVER, timeout=60)
        dropped = ("host", "connection", "authorization")
        fields = {name: value for name, value in self.headers.items() if name.lower() not in dropped}
        connection.request(self.command, self.path, body, fields)
        response = connection.getresponse()
        return response, response.read()

    def pass_on(self, body):
        try:
            response, content = self.request_of_server(body)
        except OSError:
            self.answer(502)
            return
        dropped = ("connection", "content-length", "transfer-encoding", "keep-alive", "date", "server")
        fields = [(name, value) for name, value in response.getheaders() if name.lower() not in dropped]
        self.answer(response.status, fields, content)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
for line in sys.stdin:
    with LOCK:
        if line.strip() == "books":
            print(STATE["books"], flush=True)
            STATE["books"] = 0
        else:
            STATE["kind"] = line.strip()
            print("done", flush=True)
