"""A web server that simulates network faults and misbehaving servers: one path for each fault.

Prints the ports of its servers, then serves until the end of its input: two HTTP servers, three HTTPS servers (with a
trusted certificate, one for another name, and an expired one), and one on IPv6, or 0 without IPv6. /seen of the first
server lists the requests to the second one. The servers listen only on loopback addresses, and also work as proxies: for guarded.invalid with
the password of ann, proxy-4711, for forbidden.invalid not at all, and for all other hosts."""

import base64
import gzip
import http.server
import json
import os
import socket
import socketserver
import ssl
import struct
import sys
import threading
import time

LINE = b'{"title":"Emma","authors":["Jane Austen"],"year":1815}\n'
BOOKS = b"".join(b'{"title":"Book %d","authors":["Writer %d"],"id":"%d"}\n' % (n, n % 97, n) for n in range(5000))
SEEN = []
COUNTS = {}
STATE = {"version": 1}


def bomb():
    """Yields half a gigabyte of zeros, compressed on the fly."""
    part = bytes(1 << 20)
    writer = gzip.zlib.compressobj(9, gzip.zlib.DEFLATED, 31)
    yield writer.compress(b'{"title":"')
    for _ in range(512):
        yield writer.compress(part)
    yield writer.flush()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        if self.path.startswith("http://"):
            # Acts as a proxy for any host.
            host, path = self.path.removeprefix("http://").split("/", 1)
            if self.refuses_proxying(host):
                return
            self.path = "/" + path
        path = self.path.split("?")[0]
        # Below /then, paths return books until /next is requested, and fail afterwards.
        if path.startswith("/then/"):
            path = path.removeprefix("/then") if STATE["version"] > 1 else "/books"
        COUNTS[path] = COUNTS.get(path, 0) + 1
        if self.server.isOther:
            SEEN.append([path, dict(self.headers)])
        action = getattr(self, "get_" + path.strip("/").replace("/", "_"), None)
        try:
            if action:
                action()
            else:
                self.answer(b"there is nothing", code=404)
        except OSError:
            self.close_connection = True

    def do_CONNECT(self):
        """Acts as a proxy for encrypted connections: connects to the requested port, but always of this machine."""
        host, port = self.path.rsplit(":", 1)
        if self.refuses_proxying(host):
            return
        self.close_connection = True
        with socket.create_connection(("127.0.0.1", int(port)), 5) as server:
            self.raw(b"HTTP/1.1 200 Connection established\r\n\r\n")
            threading.Thread(target=self.forward, args=(server, self.connection), daemon=True).start()
            self.forward(self.connection, server)

    @staticmethod
    def forward(source, sink):
        try:
            while data := source.recv(1 << 16):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def refuses_proxying(self, host):
        """Refuses requests for some hosts as a proxy; returns whether it has."""
        expected = "Basic " + base64.b64encode(b"ann:proxy-4711").decode()
        if host == "forbidden.invalid":
            self.answer(b"no", code=403)
        elif host == "guarded.invalid" and self.headers.get("Proxy-Authorization") != expected:
            self.answer(b"no", [("Proxy-Authenticate", 'Basic realm="proxy"')], 407)
        else:
            return False
        return True

    def answer(self, body, fields=(), code=200, kind="application/json"):
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", kind)
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def raw(self, text):
        self.wfile.write(text)
        self.wfile.flush()
        self.close_connection = True

    # Valid responses.

    def get_ok(self):
        self.answer(LINE)

    def get_books(self):
        self.answer(BOOKS)

    def get_gzip(self):
        self.answer(gzip.compress(BOOKS), [("Content-Encoding", "gzip")])

    def get_etag(self):
        tag = '"v%d"' % STATE["version"]
        if self.headers.get("If-None-Match") == tag:
            self.answer(b"", code=304)
        else:
            self.answer(LINE * STATE["version"], [("ETag", tag)])

    def get_control(self):
        """Sends versions with a bare CR, which some servers take for the end of a line."""
        self.raw(
            b'HTTP/1.1 200 OK\r\nETag: "a\rX-Injected: 1"\r\nLast-Modified: Sat\rX-Injected: 2\r\nX-Other: \x7f\r\n'
            + b"Content-Length: %d\r\n\r\n" % len(LINE) + LINE
        )

    def get_plain(self):
        self.answer(LINE)

    def get_modified(self):
        date = "Sat, 01 Aug 2026 10:00:00 GMT"
        if self.headers.get("If-Modified-Since") == date:
            self.answer(b"", code=304)
        else:
            self.answer(LINE, [("Last-Modified", date)])

    def get_next(self):
        STATE["version"] += 1
        self.answer(b"")

    def get_seen(self):
        self.answer(json.dumps(SEEN).encode())

    def get_counts(self):
        self.answer(json.dumps(COUNTS).encode())

    # Network faults.

    def get_hang(self):
        time.sleep(60)

    def get_drip(self):
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        for _ in range(120):
            self.raw(b"x")
            time.sleep(0.5)

    def get_stall(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(BOOKS)))
        self.end_headers()
        self.wfile.write(BOOKS[:1000])
        self.wfile.flush()
        time.sleep(60)

    def get_reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # Both files refer to the connection; it is closed only with the last reference.
        self.wfile.close()
        self.rfile.close()
        self.connection.close()
        self.close_connection = True

    def get_empty(self):
        self.raw(b"")

    def get_garbage(self):
        self.raw(b"SSH-2.0-OpenSSH_9.2\r\n")

    def get_headers(self):
        self.raw(b"HTTP/1.1 200 OK\r\n")
        for number in range(100000):
            self.raw(b"X-%d: %s\r\n" % (number, b"y" * 1000))

    # Incomplete bodies.

    def get_cut(self):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + BOOKS[:9000])

    def get_cut_chunk(self):
        self.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n" + LINE)

    def get_cut_close(self):
        self.raw(b"HTTP/1.0 200 OK\r\n\r\n" + LINE + LINE[:20])

    def get_cut_gzip(self):
        body = gzip.compress(BOOKS)
        self.answer(body[: len(body) // 2], [("Content-Encoding", "gzip")])

    def get_cut_length(self):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n" + LINE + LINE)

    def get_cut_array(self):
        self.raw(b"HTTP/1.0 200 OK\r\n\r\n[" + LINE.strip() + b"," + LINE.strip())

    def get_cut_csv(self):
        self.raw(b"HTTP/1.0 200 OK\r\n\r\nTitle,Author\nEmma,Jane Austen\nDracula,Bram Sto")

    def get_resumed(self):
        """Truncates the body once, and sends the rest on request."""
        start = 0
        if (self.headers.get("Range") or "").startswith("bytes=") and self.headers.get("If-Range") == '"b1"':
            start = int(self.headers["Range"][6:].split("-")[0])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(BOOKS) - 1}/{len(BOOKS)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(BOOKS) - start))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("ETag", '"b1"')
        self.end_headers()
        self.wfile.write(BOOKS[start:] if start else BOOKS[:50001])
        self.close_connection = True

    def get_changed(self):
        """Truncates the body, and has a new version when the rest is requested."""
        tag = '"c%d"' % COUNTS["/changed"]
        self.raw(
            b"HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nETag: " + tag.encode()
            + b"\r\nContent-Length: 1000000\r\n\r\n" + BOOKS[:9000]
        )

    def get_bomb(self):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n")
        for part in bomb():
            self.wfile.write(part)

    def get_endless(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        # Limited to a gigabyte, in case that the client never stops.
        for _ in range(1 << 30 >> 16):
            self.wfile.write(b"%x\r\n" % (len(LINE) * 1200) + LINE * 1200 + b"\r\n")

    # Errors reported by the server.

    def get_401(self):
        self.answer(b"no", [("WWW-Authenticate", 'Basic realm="books"')], 401)

    def get_private(self):
        expected = "Basic " + base64.b64encode(b"ann:secret-4711").decode()
        if self.headers.get("Authorization") == expected:
            self.answer(LINE)
        else:
            self.get_401()

    def get_guarded(self):
        """Requires a password when the version is even; /next changes the version."""
        self.answer(LINE) if STATE["version"] % 2 else self.get_private()

    def get_private_cross(self):
        expected = "Basic " + base64.b64encode(b"ann:secret-4711").decode()
        if self.headers.get("Authorization") == expected:
            self.answer(b"", [("Location", f"http://localhost:{OTHER}/ok")], 302)
        else:
            self.get_401()

    # Ways to leave the server for another one, which asks for a password.

    def leads_to(self):
        return f"http://localhost:{OTHER}/guard"

    def get_guard(self):
        self.get_401()

    def get_leave_redirect(self):
        self.answer(b"", [("Location", self.leads_to())], 302)

    def get_leave_link(self):
        kind = "application/atom+xml;profile=opds-catalog"
        self.answer(f'<html><link rel="alternate" type="{kind}" href="{self.leads_to()}"></html>'.encode(), kind="text/html")

    def get_leave_feed(self):
        self.answer(b"", [("Location", f"http://localhost:{OTHER}/leave/pages")], 302)

    def get_leave_pages(self):
        entry = "<entry><title>Emma</title><id>urn:1</id><author><name>Jane Austen</name></author></entry>"
        link = f'<link rel="next" href="{self.leads_to()}" type="application/atom+xml;profile=opds-catalog"/>'
        self.answer(
            f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title>{link}{entry}</feed>'.encode(),
            kind="application/atom+xml;profile=opds-catalog",
        )

    def get_leave_port(self):
        self.answer(b"", [("Location", f"http://127.0.0.1:{OTHER}/guard")], 307)

    def document(self, *flows):
        """Sends a document of OPDS Authentication, without a challenge in the header."""
        document = {
            "id": "urn:auth", "title": "City Library", "description": "Your card has the number.",
            "authentication": [
                {"type": flow, "labels": {"login": "Card number", "password": "PIN"}} for flow in flows
            ],
        }  # fmt: skip
        self.answer(json.dumps(document).encode(), code=401, kind="application/opds-authentication+json; charset=utf-8")

    def get_auth(self):
        expected = "Basic " + base64.b64encode(b"4711:1234").decode()
        if self.headers.get("Authorization") == expected:
            self.answer(LINE)
        else:
            self.document("http://opds-spec.org/auth/oauth/implicit", "http://opds-spec.org/auth/basic")

    def get_auth_oauth(self):
        self.document("http://opds-spec.org/auth/oauth/implicit", "http://librarysimplified.org/authtype/SAML-2.0")

    def get_auth_bearer(self):
        self.answer(b"no", [("WWW-Authenticate", 'Bearer realm="a, b", error="invalid_token"')], 401)

    def get_403(self):
        self.answer(b"no", code=403)

    def get_429(self):
        self.answer(b"slow down", [("Retry-After", "7")], 429)

    def get_429_date(self):
        self.answer(b"slow down", [("Retry-After", "Wed, 21 Oct 2037 07:28:00 GMT")], 429)

    def get_503(self):
        self.answer(b"busy", [("Retry-After", "7")], 503)

    def get_500(self):
        self.answer(b"oops", code=500)

    def get_flaky(self):
        """Fails when the version is even; /next changes the version."""
        self.answer(LINE) if STATE["version"] % 2 else self.get_500()

    # Redirects.

    def get_loop(self):
        self.answer(b"", [("Location", "/loop")], 302)

    def get_moved(self):
        self.answer(b"", [("Location", "/ok")], 301)

    def get_cross(self):
        self.answer(b"", [("Location", f"http://localhost:{OTHER}/ok")], 302)

    def get_to_http(self):
        self.answer(b"", [("Location", f"http://127.0.0.1:{first.server_address[1]}/ok")], 302)

    def get_to_file(self):
        self.answer(b"", [("Location", "file:///etc/hostname")], 302)

    def get_to_gopher(self):
        self.answer(b"", [("Location", f"gopher://127.0.0.1:{OTHER}/_x")], 302)

    def get_portal(self):
        """Redirects to a login page, like a captive portal."""
        self.answer(b"", [("Location", f"http://localhost:{OTHER}/login")], 302)

    def get_511(self):
        self.answer(b"<html>Sign in</html>", code=511, kind="text/html")

    # Content that is not a catalog.

    def get_login(self):
        self.answer(b"<!DOCTYPE html><title>Sign in</title>", kind="text/html")

    def get_nothing(self):
        self.answer(b"")

    # OPDS catalogs.

    def feed(self, links, entries):
        text = '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>urn:f</id><title>Feed</title>'
        text += "".join('<link rel="%s" type="application/atom+xml" href="%s"/>' % link for link in links)
        self.answer((text + "".join(entries) + "</feed>").encode(), kind="application/atom+xml")

    @staticmethod
    def entry(number):
        return (
            f"<entry><id>urn:book:{number}</id><title>Book {number}</title><author><name>Writer</name></author>"
            f'<link rel="http://opds-spec.org/acquisition" type="application/epub+zip" href="/files/{number}"/></entry>'
        )

    @staticmethod
    def list(name, target):
        return (
            f'<entry><id>urn:list:{name}</id><title>{name}</title><link rel="subsection" href="{target}" '
            f'type="application/atom+xml;profile=opds-catalog;kind=acquisition"/></entry>'
        )

    def get_opds(self):
        facets = [("http://opds-spec.org/facet", "/opds/trap"), ("self", "/opds"), ("search", "/opds/trap")]
        other = self.list("elsewhere", f"http://localhost:{OTHER}/opds/trap")
        self.feed(facets, [self.list("all", "opds/all?x=1&amp;page=0"), self.list("new", "/opds/new"), other])

    def get_opds_all(self):
        page = int(self.path.split("page=")[1])
        links = [("next", f"/opds/all?x=1&amp;page={page + 1}")] if page < 4 else []
        self.feed(links, [self.entry(number) for number in range(page * 10, page * 10 + 10)])

    def get_opds_new(self):
        self.feed([("next", "/opds/new")], [self.entry(number) for number in (49, 50)])

    def get_opds_trap(self):
        self.feed([], [self.entry(666)])

    def get_opds_groups(self):
        """Has two groups with some of their books on the first page, and a list for each group."""

        def member(number, group):
            link = f'<link rel="{group[0]}" href="/opds/group?{group[1]}" type="application/atom+xml;profile=opds-catalog"/>'
            return self.entry(number).replace("</entry>", link + "</entry>")

        groups = [("http://opds-spec.org/group", "a"), ("collection", "b")]
        facet = "http://opds-spec.org/facet"
        facets = [(facet, "/opds/group?a"), (facet, "/opds/trap"), ("self", "/opds/groups")]
        self.feed(facets, [member(1, groups[0]), member(2, groups[0]), member(11, groups[1])])

    def get_opds_group(self):
        start = 1 if self.path.endswith("a") else 11
        self.feed([("http://opds-spec.org/facet", "/opds/trap")], [self.entry(start + number) for number in range(4)])

    def get_opds_find(self):
        """Has no lists, but a search."""
        body = (
            '<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:f</id><title>F</title><link rel="search" '
            'type="application/opensearchdescription+xml" href="search/description"/></feed>'
        )
        self.answer(body.encode(), kind="application/atom+xml")

    def get_opds_search_description(self):
        body = (
            '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>F</ShortName>'
            '<Url type="text/html" template="/opds/trap?q={searchTerms}"/>'
            '<Url type="application/atom+xml;profile=opds-catalog" '
            'template="../found?q={searchTerms}&amp;by={atom:author?}&amp;page={startPage}"/></OpenSearchDescription>'
        )
        self.answer(body.encode(), kind="application/opensearchdescription+xml")

    def get_opds_found(self):
        more = [("next", self.path.replace("&", "&amp;").replace("page=1", "page=2"))] if "page=1" in self.path else []
        wanted = "q=white%20whale%26&by=&page=" in self.path
        self.feed(more, [self.entry(80 + ("page=2" in self.path))] if wanted else [])

    def get_opds2_find(self):
        link = {"rel": "search", "href": "/opds2/found{?query,title}", "type": "application/opds+json", "templated": True}
        feed = {"metadata": {"title": "Feed"}, "links": [link], "navigation": []}
        self.answer(json.dumps(feed).encode(), kind="application/opds+json")

    def get_opds2_found(self):
        self.publications([90] if self.path.endswith("?query=white%20whale%26") else [])

    def get_opds2_groups(self):
        def group(name, numbers):
            link = {"rel": "self", "href": f"/opds2/group/{name}", "type": "application/opds+json"}
            return {"metadata": {"title": name}, "links": [link], "publications": [self.publication(n) for n in numbers]}

        trap = {"href": "/opds/trap", "type": "application/opds+json"}
        feed = {
            "metadata": {"title": "Feed"}, "links": [{"rel": "self", "href": "/opds2/groups"}],
            "groups": [group("a", [1, 2]), group("b", [11])],
            "facets": [{"metadata": {"title": "f"}, "links": [trap]}],
        }  # fmt: skip
        self.answer(json.dumps(feed).encode(), kind="application/opds+json")

    def get_opds2_group_a(self):
        self.publications(range(1, 5))

    def get_opds2_group_b(self):
        self.publications(range(11, 15))

    @staticmethod
    def publication(number):
        return {"metadata": {"title": f"Book {number}", "author": "Writer", "identifier": f"urn:book:{number}"}}

    def publications(self, numbers):
        feed = {
            "metadata": {"title": "Books"}, "links": [], "publications": [self.publication(n) for n in numbers]
        }  # fmt: skip
        self.answer(json.dumps(feed).encode(), kind="application/opds+json")

    def get_opds_cut(self):
        if "page" in self.path:
            self.answer(b"oops", code=500)
        else:
            self.feed([("next", "/opds/cut?page=1")], [self.entry(1), self.entry(2)])

    def get_opds_short(self):
        """Announces more books than it has."""
        entries = "".join(self.entry(number) for number in range(3))
        body = (
            '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:s="http://a9.com/-/spec/opensearch/1.1/">'
            f"<id>urn:f</id><title>F</title><s:totalResults>7</s:totalResults>{entries}</feed>"
        )
        self.answer(body.encode(), kind="application/atom+xml")

    def get_opds2(self):
        page = int(self.path.split("page=")[1]) if "page=" in self.path else 0
        feed = {
            "metadata": {"title": "Feed", "numberOfItems": 6},
            "links": [{"rel": "self", "href": "/opds2"}],
            "publications": [
                {
                    "metadata": {"title": f"Book {n}", "author": "Writer", "identifier": f"urn:book:{n}"},
                    "links": [{"rel": "http://opds-spec.org/acquisition", "href": f"files/{n}", "type": "text/html"}],
                    "images": [{"href": f"covers/{n}.jpg", "type": "image/jpeg"}],
                }
                for n in range(page * 3, page * 3 + 3)
            ],
            "facets": [{"metadata": {"title": "f"}, "links": [{"href": "/opds/trap", "type": "application/opds+json"}]}],
        }
        if page == 0:
            feed["links"].append({"rel": "next", "href": "?page=1", "type": "application/opds+json"})
        self.answer(json.dumps(feed).encode(), kind="application/opds+json")

    def get_page(self):
        """Sends a web page that links to a feed."""
        body = b'<!DOCTYPE html><html><head><link rel="alternate" type="application/atom+xml;profile=opds-catalog" '
        self.answer(body + b'href="/opds"></head></html>', kind="text/html")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, isOther=False, certificate=None, address="127.0.0.1"):
        self.isOther = isOther
        super().__init__((address, 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(os.path.join(os.path.dirname(os.path.abspath(__file__)), "certificates", certificate))
            self.socket = context.wrap_socket(self.socket, server_side=True)

    def handle_error(self, request, address):
        pass


class Server6(Server):
    address_family = socket.AF_INET6


first, other = Server(), Server(isOther=True)
OTHER = other.server_address[1]
servers = [first, other] + [Server(certificate=name + ".pem") for name in ("trusted", "other-name", "expired")]
try:
    servers.append(Server6(address="::1"))
except OSError:
    pass
for server in servers:
    threading.Thread(target=server.serve_forever, daemon=True).start()
ports = [server.server_address[1] for server in servers]
print(*ports + [0] * (6 - len(ports)), flush=True)
sys.stdin.read()
os._exit(0)
