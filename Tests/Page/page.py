#!/usr/bin/python3
"""Opens the page of `stacks export --format html` in a headless Chromium, and checks what a reader would see and do.

    page.py STACKS

Chromium is driven by the WebDriver protocol (https://www.w3.org/TR/webdriver2/) and its own DevTools protocol. The exit
status is 1 if a check fails.
"""

from __future__ import annotations

import base64
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zlib

HOSTILE = '"><script>window.taken = 1</script><img src=x onerror="window.taken = 1"><style>*{display:none}</style>'
BOOKS = [
    {"title": "Émile", "authors": ["Jean-Jacques Rousseau"], "published": "1762", "rating": 3},
    {"title": "Zadig", "authors": ["Voltaire"], "published": "1747", "cover": "covers/red.png"},
    {"title": "吾輩は猫である", "authors": ["夏目漱石"], "published": "1905", "language": "ja", "rating": 5},
    {"title": "Emma", "authors": ["Jane Austen"], "published": "1815", "rating": 4.5, "description": "One.\n\nTwo."},
    {"title": HOSTILE, "authors": [HOSTILE], "subjects": [HOSTILE], "description": HOSTILE, "cover": "javascript:1"},
    {"title": "Remote", "cover": "http://127.0.0.1:9/cover.png", "identifiers": {"url": "https://a.example/x"}},
    {"title": "Outside", "cover": "../outside.png"},
]  # fmt: skip


def png(red: int) -> bytes:
    """Returns a picture of 4 x 6 pixels of one colour."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = b"".join(b"\0" + bytes([red, 0, 0]) * 4 for _ in range(6))
    header = struct.pack(">IIBBBBB", 4, 6, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Browser:
    """A headless Chromium without a network."""

    def __init__(self, directory: str):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        line = next(line for line in self.driver.stdout if "successfully on port" in line)
        self.address = f"http://127.0.0.1:{line.split()[-1].rstrip('.')}"
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            f"--user-data-dir={directory}/profile", "--proxy-server=127.0.0.1:9",
        ]  # fmt: skip
        options = {"args": arguments, "binary": shutil.which("chromium")}
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = ""
        self.session = "/session/" + self.ask("/session", capabilities={"alwaysMatch": capabilities})["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        request = urllib.request.Request(self.address + self.session, method="DELETE")
        urllib.request.urlopen(request).close()
        self.driver.terminate()
        self.driver.wait()

    def ask(self, path: str, **values):
        request = urllib.request.Request(
            self.address + self.session + path, json.dumps(values).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def open(self, path: str) -> None:
        self.ask("/url", url="file://" + path)

    def run(self, script: str):
        """Returns what a script in the page returns."""
        return self.ask("/execute/sync", script=script, args=[])

    def tools(self, command: str, **values):
        """Sends a command of the DevTools protocol."""
        return self.ask("/goog/cdp/execute", cmd=command, params=values)

    def type(self, selector: str, text: str) -> None:
        """Types into a field, in place of what is there."""
        element = self.ask("/element", using="css selector", value=selector)
        # Control-A and Backspace.
        self.ask(f"/element/{next(iter(element.values()))}/value", text="\ue009a\ue000\ue003" + text)

    def choose(self, order: str) -> None:
        self.run(f"""const s = document.getElementById('order'); s.value = {json.dumps(order)};
            s.dispatchEvent(new Event('change'))""")

    @property
    def titles(self) -> list[str]:
        """The titles that are shown, in their order."""
        return self.run("""return [...document.querySelectorAll('#books > li')].filter(e => e.offsetParent)
            .map(e => e.querySelector('h2').textContent)""")

    @property
    def count(self) -> str:
        return self.run("return document.getElementById('count').textContent")

    @property
    def messages(self) -> list[str]:
        """What the console says, such as scripts that were refused."""
        return [entry["message"] for entry in self.ask("/se/log", type="browser")]


def contrast(one: str, other: str) -> float:
    """Returns the contrast of two colours such as "rgb(1, 2, 3)" (WCAG 2.2)."""

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in colour.strip("rgb()").split(",")[:3]]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def check_list(browser: Browser, path: str) -> None:
    browser.open(path)
    all_titles = [book["title"] for book in BOOKS]
    assert browser.titles == all_titles, browser.titles
    assert browser.count == "7 books", browser.count
    assert browser.run("return window.taken") is None, "a script of a title ran"
    loaded = browser.run("return performance.getEntriesByType('resource').map(e => e.name.slice(0, 40))")
    assert all(name.startswith("data:") for name in loaded), loaded
    shown = browser.run("return [...document.images].map(e => [e.naturalWidth, e.naturalHeight, e.alt])")
    assert shown == [[4, 6, ""]], f"the covers are {shown}"
    for words, titles in (
        ("EMILE", ["Émile"]), ("猫", ["吾輩は猫である"]), ("austen emma", ["Emma"]), ("emma zadig", []),
        ("script", [HOSTILE]), ("", all_titles),
    ):  # fmt: skip
        browser.type("#query", words)
        assert browser.titles == titles, f"{words}: {browser.titles}"
    browser.type("#query", "emma")
    assert browser.count == "1 of 7", browser.count
    browser.type("#query", "")
    for order, first in (
        ("title", HOSTILE), ("author", HOSTILE), ("year", "吾輩は猫である"), ("rating", "吾輩は猫である"),
        ("", "Émile"),
    ):  # fmt: skip
        browser.choose(order)
        assert browser.titles[0] == first, f"by {order}: {browser.titles}"
    browser.choose("author")
    assert browser.titles[1:5] == ["Emma", "Émile", "Zadig", "吾輩は猫である"], browser.titles
    browser.choose("year")
    assert browser.titles[:4] == ["吾輩は猫である", "Emma", "Émile", "Zadig"], browser.titles
    assert not browser.messages, browser.messages


def check_reading(browser: Browser, path: str) -> None:
    """Light and dark, on paper, and by a screen reader."""
    browser.open(path)
    colours = """const colour = (e) => getComputedStyle(document.querySelector(e));
        return [colour('body').backgroundColor, colour('body').color, colour('.quiet').color, colour('a').color]"""
    for scheme in ("light", "dark"):
        browser.tools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        page, *texts = browser.run(colours)
        assert all(contrast(page, text) >= 4.5 for text in texts), f"{scheme}: {page}, {texts}"
        assert (contrast(page, "rgb(255, 255, 255)") < 2) == (scheme == "light"), f"{scheme}: {page}"
    browser.tools("Emulation.setEmulatedMedia", media="print", features=[])
    assert browser.run("return getComputedStyle(document.getElementById('controls')).display") == "none"
    browser.tools("Emulation.setEmulatedMedia", media="", features=[])
    assert base64.b64decode(browser.tools("Page.printToPDF")["data"]).startswith(b"%PDF")
    nodes = browser.tools("Accessibility.getFullAXTree")["nodes"]
    seen = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]}
    for expected in (("searchbox", "Search"), ("combobox", "Sort by"), ("heading", "Emma"), ("main", ""), ("search", "")):
        assert expected in seen, f"a screen reader does not find {expected}: {sorted(seen)}"
    assert ("image", "4.5 of 5 stars") in seen, sorted(seen)
    # Narrow windows, such as a phone's, show everything without scrolling sideways.
    browser.tools("Emulation.setDeviceMetricsOverride", width=320, height=640, deviceScaleFactor=1, mobile=True)
    width = browser.run("return document.documentElement.scrollWidth")
    assert width <= 320, f"the page is {width} pixels wide in a window of 320"
    browser.tools("Emulation.clearDeviceMetricsOverride")


def check_without_script(browser: Browser, path: str) -> None:
    browser.tools("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(path)
    nodes = browser.tools("Accessibility.getFullAXTree")["nodes"]
    names = {node.get("name", {}).get("value") for node in nodes if not node["ignored"]}
    assert "Emma" in names and "Search" not in names, "without its script the page shows something else"
    browser.tools("Emulation.setScriptExecutionDisabled", value=False)


def measure(browser: Browser, path: str, count: int) -> str:
    start = time.monotonic()
    browser.open(path)
    assert browser.count == f"{count:,} books", browser.count
    opened = time.monotonic() - start
    times = browser.run("""const field = document.getElementById('query'), times = [];
        for (const text of ['e', 'em', 'emm', '']) { field.value = text; const start = performance.now();
            field.dispatchEvent(new Event('input')); document.body.offsetHeight; times.push(performance.now() - start) }
        return times""")
    return f"{count:,} books: opened after {opened:.1f} s, a letter after {max(times):.0f} ms"


def main(stacks: str) -> None:
    with tempfile.TemporaryDirectory(prefix="stacks-page-") as directory:
        environment = {"HOME": directory, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}

        def export(books: list[dict], name: str) -> str:
            catalog = pathlib.Path(directory, "books", name + ".json")
            catalog.parent.mkdir(exist_ok=True)
            catalog.write_text(json.dumps(books))
            page = f"{directory}/{name}.html"
            command = [stacks, "export", str(catalog), "--format", "html", "--output", page]
            subprocess.run(command, env=environment, check=True, capture_output=True)
            return page

        pathlib.Path(directory, "books/covers").mkdir(parents=True)
        pathlib.Path(directory, "books/covers/red.png").write_bytes(png(200))
        pathlib.Path(directory, "outside.png").write_bytes(png(100))
        page = export(BOOKS, "few")
        many = export([{"title": f"Book {n}", "authors": [f"Author {n % 97}"]} for n in range(10_000)], "many")
        # The catalog and its covers are not there any more.
        shutil.rmtree(directory + "/books")
        with Browser(directory) as browser:
            check_list(browser, page)
            check_reading(browser, page)
            check_without_script(browser, page)
            print(f"The page works; {measure(browser, many, 10_000)}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
