"""Servers of several origins that lead to each other, and record what they are asked.

Prints the ports of four servers: two of HTTP, two of HTTPS with a certificate for localhost and 127.0.0.1. Each also
works as a proxy. For the line "seen", it prints the requests since the last one as JSON: the number of the server, the
host of the request, the path, and the header.

The paths are /leave/WAY/ASKS/ADDRESS: the server leads to another one at ADDRESS (percent-encoded, without a slash at
the end), in the WAY below, and before that asks for the password of ann if ASKS is "asks". /guard asks for a password,
/digest for one by Digest, and both accept any."""

import base64
import http.server
import json
import os
import socketserver
import ssl
import sys
import threading
import urllib.parse

SECRET = "secret-4711"
FEED = "application/atom+xml;profile=opds-catalog"
SEEN = []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, body, fields=(), code=200, kind="text/html"):
        self.send_response(code)
        for name, value in [("Content-Length", str(len(body))), ("Content-Type", kind), *fields]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def ask(self, method="Basic"):
        nonce = ', nonce="1", qop="auth", algorithm=MD5' if method == "Digest" else ""
        self.answer("no", [("WWW-Authenticate", f'{method} realm="books"{nonce}')], 401)

    def redirect(self, address, code=302):
        self.answer("", [("Location", address)], code)

    def feed(self, *links, entries=True):
        entry = "<entry><title>Emma</title><id>urn:1</id><author><name>Jane Austen</name></author></entry>"
        self.answer(
            '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title>'
            + "".join(links) + (entry if entries else "") + "</feed>",
            kind=FEED,
        )  # fmt: skip

    def do_GET(self):
        host, path = self.headers.get("Host", ""), self.path
        if path.startswith("http://"):
            host, _, path = path.removeprefix("http://").partition("/")
            path = "/" + path
        SEEN.append([self.server.number, host, self.path, dict(self.headers)])
        name, _, rest = path.strip("/").partition("/")
        if name == "leave":
            way, asks, target = rest.split("?")[0].split("/")
            self.leave(way, asks == "asks", urllib.parse.unquote(target))
        elif name == "feed":
            # A list for everyone, whose next page asks for a password.
            self.feed(f'<link rel="next" href="/guard" type="{FEED}"/>')
        elif name in ("guard", "digest"):
            self.feed() if "Authorization" in self.headers else self.ask("Basic" if name == "guard" else "Digest")
        else:
            self.answer("nothing", code=404)

    def leave(self, way, asks, target):
        expected = "Basic " + base64.b64encode(f"ann:{SECRET}".encode()).decode()
        if asks and self.headers.get("Authorization") != expected:
            return self.ask()
        guard = target + "/guard"
        match way:
            case "301" | "302" | "303" | "307" | "308":
                self.redirect(guard, int(way))
            case "chain":
                self.redirect("/leave/302/open/" + urllib.parse.quote(target, safe=""))
            case "userinfo":
                self.redirect(guard.replace("://", "://eve@"))
            case "digest":
                self.redirect(target + "/digest")
            case "feed":
                self.redirect(target + "/feed")
            case "link":
                self.answer(f'<html><link rel="alternate" type="{FEED}" href="{guard}"></html>')
            case "page":
                self.answer(f'<html><link rel="alternate" type="{FEED}" href="{target}/feed"></html>')
            case "next":
                self.feed(f'<link rel="next" href="{guard}" type="{FEED}"/>')
            case "list":
                entry = f'<entry><title>List</title><id>urn:l</id><link rel="subsection" href="{guard}" type="{FEED}"/></entry>'
                self.feed(entry, entries=False)
            case "search":
                self.feed(f'<link rel="search" href="{guard}" type="application/opensearchdescription+xml"/>')
            case "template":
                self.feed(f'<link rel="search" href="{guard}?q={{searchTerms}}" type="{FEED}"/>')


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def __init__(self, number, certificate=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.number = number
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)

    def handle_error(self, request, address):
        pass


trusted = os.path.join(os.path.dirname(os.path.abspath(__file__)), "certificates", "trusted.pem")
servers = [Server(0), Server(1), Server(2, trusted), Server(3, trusted)]
for server in servers:
    threading.Thread(target=server.serve_forever, daemon=True).start()
print(*[server.server_address[1] for server in servers], flush=True)
for _ in sys.stdin:
    print(json.dumps(SEEN), flush=True)
    SEEN.clear()
os._exit(0)
