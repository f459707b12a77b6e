"""Passwords and the servers that they are for: each way to leave a server, with each way to know its password."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import urllib.parse

from check import Check, Sabotage, TestServer
from terminal import Gone, Home, Session

SECRET, OTHER_SECRET, PROXY_SECRET = "secret-4711", "other-4711", "proxy-4711"
WAYS = [
    "301", "302", "303", "307", "308", "chain", "userinfo", "digest", "feed", "link", "page", "next", "list", "search",
    "template",
]  # fmt: skip
# How the password is known: from the address, from a program, from ~/.netrc, and typed in a terminal or in the browser.
SOURCES = ["address", "command", "netrc", "prompt", "dialog"]
# Where the catalog is, and where it leads to: the scheme, the host, and the number of the server.
ROUTES = {
    "another port": (("http", "127.0.0.1", 0), ("http", "127.0.0.1", 1)),
    "another host": (("http", "127.0.0.1", 0), ("http", "localhost", 1)),
    "another name of the host": (("http", "127.0.0.1", 0), ("http", "localhost", 0)),
    "http to https": (("http", "127.0.0.1", 0), ("https", "127.0.0.1", 2)),
    "https to http": (("https", "127.0.0.1", 2), ("http", "127.0.0.1", 0)),
    "https to another port": (("https", "127.0.0.1", 2), ("https", "127.0.0.1", 3)),
    "through a proxy": (("http", "books.invalid", None), ("http", "elsewhere.invalid", None)),
}


class Passwords(Check):
    name = "passwords"
    is_short = True
    promise = "A password reaches only the server that it is for: the scheme, host and port of the address"
    method = (
        "a server leads to another one that asks for a password, by redirects, links of pages, next pages, lists and "
        "searches; to another port, host or scheme and through a proxy; with the password in the address, from a "
        "program, from ~/.netrc, and typed in a terminal and in the browser; every request of every server is searched"
    )
    sabotages = [Sabotage("a program that signs in to the other server", word="leak")]

    def run(self) -> str:
        cases = list(itertools.product(ROUTES, WAYS, SOURCES, ("open", "asks")))
        if count := self.lab.pick(60, 400, 0):
            cases = self.random().sample(cases, count)
        with TestServer(self.lab, "origins.py") as server:
            # One after another, because the servers tell what they were asked since the last case.
            done = self.lab.each(cases, lambda case: self.leave(server, *case), workers=1)
        return f"{done} of {len(cases)} ways to leave took no password along"

    def leave(self, server: TestServer, route: str, way: str, source: str, asks: str) -> None:
        start, target = ROUTES[route]
        server.ask("seen")

        def origin(place: tuple) -> str:
            scheme, host, number = place
            return f"{scheme}://{host}" + ("" if number is None else f":{server.ports[number]}")

        path = f"/leave/{way}/{asks}/{urllib.parse.quote(origin(target), safe='')}"
        address = origin(start) + path
        search = "#search=emma" if way in ("search", "template") else ""
        with Home() as home:
            certificates = os.path.join(self.lab.source, "Tests/Servers/certificates/trusted.pem")
            environment = dict(home.environment, SSL_CERT_FILE=certificates)
            if start[2] is None:
                environment["http_proxy"] = f"http://pat:{PROXY_SECRET}@127.0.0.1:{server.ports[0]}"
            user = {"address": f"ann:{SECRET}@", "prompt": "ann@", "dialog": "ann@"}.get(source, "")
            given = address.replace("://", "://" + user, 1) + search
            if source == "netrc":
                entries = f"machine {start[1]} login ann password {SECRET}\n"
                # A password for the other host must not be used either: the address does not name that host.
                if target[1] != start[1]:
                    entries += f"machine {target[1]} login bob password {OTHER_SECRET}\n"
                home.write(home.path + "/.netrc", entries.encode())
                os.chmod(home.path + "/.netrc", 0o600)
            if source == "command":
                table = f'club = {{source = "{given}", user = "ann", password-cmd = ["echo", "{SECRET}"]}}'
                home.write(home.configuration, f"[catalogs]\n{table}\n".encode())
                os.chmod(home.configuration, 0o600)
                given = "club"
            if source == "prompt":
                self.type_in_terminal(given, environment, asks == "asks")
            elif source == "dialog":
                self.type_in_browser(given, environment, asks == "asks")
            else:
                subprocess.run(
                    [self.lab.stacks, "search", "", given],
                    env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=60,
                )  # fmt: skip
        requests = json.loads(server.ask("seen"))
        if self.lab.sabotage.word == "leak":
            requests.append([1, "localhost", "/guard", {"Authorization": f"Basic ann:{SECRET}"}])
        host = urllib.parse.urlsplit(address).netloc
        own = [request for request in requests if request[0] == (start[2] or 0) and request[1] == host]
        assert own, "the server of the address was not asked"
        if asks == "asks":
            assert any("Authorization" in request[3] for request in own), "the server of the address got no password"
        for request in requests:
            header = {name.lower(): value for name, value in request[3].items()}
            if start[2] is None:
                header.pop("proxy-authorization", None)
            if request in own:
                continue
            assert "authorization" not in header, f"{request[1]}{request[2]} got {header['authorization']}"
            assert "proxy-authorization" not in header, f"{request[1]} got the password of the proxy"
            text = json.dumps(request)
            assert not any(word in text for word in (SECRET, OTHER_SECRET)), f"a password is in {text}"

    def type_in_terminal(self, address: str, environment: dict, asks: bool) -> None:
        with Session([self.lab.stacks, "search", "", address], environment) as session:
            if asks:
                session.wait_for("Password of ann")
                session.type(SECRET + "\r")
            session.wait_for_end()
            assert session.text.count("Password of") <= 1, f"another password is asked for\n{session.text}"

    def type_in_browser(self, address: str, environment: dict, asks: bool) -> None:
        with Session([self.lab.stacks, address], environment) as session:
            if asks:
                session.wait_for("Password:")
                session.type(SECRET + "\r")
            try:
                session.wait_for("asks for a user and password", "Emma", "0 books", "No books", "no search of its own")
            except Gone:
                # It says why, and has nothing to show.
                pass
            session.settle(0.2, 5)
            assert "Password:" not in session.text, f"another password is asked for\n{session.text}"


CHECKS = [Passwords]
