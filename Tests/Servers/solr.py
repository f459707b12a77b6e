"""A fake of Solr, made by its documentation: solr.py DIRECTORY [COUNT].

Prints its port, then serves the core "books" with COUNT books (25,000 by default) until the end of its input: the
request handlers /select (as JSON, with cursorMark), /schema/uniquekey and /admin/luke. The file books.json in DIRECTORY
has the same books. A cursorMark is handled as documented: the offset must be 0, the unique key must be a sort key, and
the last part returns the mark that it was asked for.

Lines of the input, each answered by a line: "log" prints the number of requests since the last one. The other lines
change the mode: "partial" (a shard fails), "count" (more books are counted than sent), "slow" (answers take five
seconds), "error", "busy" and "page" (errors and a web page in place of answers), and "go" (back to normal).
"""

import base64
import http.server
import json
import re
import sys
import threading
import time
import urllib.parse

directory = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 25_000
WORDS = ["river", "mountain", "garden", "winter", "music", "stars", "letters", "bread", "clocks", "ships", "glass"]
OTHERS = ["Émile", "Война и мир", "紅樓夢", "ألف ليلة", "O'Neill: (a) [b] {c} ~d* ^e? +f -g /h/", 'A "quoted" \\ title']
NAMES = ["Ann Abel", "Émilie Brandt", "Iván Castro", "Alexandre Dumas", "Umberto Eco", "Theodor Fontane"]
mode = "go"
requests = 0
cache = {}


def book(number):
    title = f"The {WORDS[number % 11]} of {WORDS[number * 7 % 11]} {number}"
    if number % 10 == 3:
        title = f"{OTHERS[number // 10 % len(OTHERS)]} {number}"
    values = {
        "id": f"s{number:06}", "title_t": title, "title_s": title,
        "author_t": [NAMES[number % 6], NAMES[number * 5 % 6]] if number % 7 == 0 else [NAMES[number % 6]],
        "subject_ss": [["History", "Cooking", "World Travel"][number % 3]],
        "isbn_ss": [f"978{number:010}"], "language_s": ["en", "de", "eng", "en-GB"][number % 4],
        "fiction_b": number % 4 == 1,
    }  # fmt: skip
    if number % 9:
        values["year_i"] = 1900 + number * 37 % 120
    if number % 5:
        values["pages_i"] = 100 + number % 400
    return values


books = [book(number) for number in range(COUNT)]
with open(directory + "/books.json", "w", encoding="utf-8") as file:
    json.dump(books, file, ensure_ascii=False)
FIELDS = {
    "id": ("string", "I-S----OF"), "title_t": ("text_general", "ITS-----"), "title_s": ("string", "I-SD----"),
    "author_t": ("text_general", "ITS-M---"), "subject_ss": ("strings", "I-SDM---"), "isbn_ss": ("strings", "I-SDM---"),
    "language_s": ("string", "I-SD----"), "fiction_b": ("boolean", "I-SD----"), "year_i": ("pint", "I-SD----"),
    "pages_i": ("pint", "I-SD----"), "_version_": ("plong", "I-SD----"),
}  # fmt: skip


class Refusal(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status
        self.body = {"responseHeader": {"status": status}, "error": {"msg": message, "code": status}}


TOKEN = re.compile(
    r'\s*(?:(?P<sign>[+\-](?=\S))|(?P<open>\()|(?P<close>\))|(?P<any>\*:\*)|(?P<field>[A-Za-z_][\w.]*):'
    r'|(?P<range>[\[{](?:"(?:[^"\\]|\\.)*"|[^\s\]}])+ TO (?:"(?:[^"\\]|\\.)*"|[^\s\]}"])+[\]}])'
    r'|(?P<phrase>"(?:[^"\\]|\\.)*")|(?P<word>(?:[^\s()"\\\[\]{}:+!^~/]|\\.)+))', re.S)  # fmt: skip


def unescaped(text):
    return re.sub(r"\\(.)", r"\1", text, flags=re.S)


def words(text):
    return re.findall(r"\w+", text.lower())


def values(hit, field):
    found = hit.get(field)
    return [] if found is None else found if isinstance(found, list) else [found]


class Parser:
    """Parses the part of Lucene's query language that stacks uses; everything else is an error."""

    def __init__(self, text):
        self.text, self.place = text, 0

    def next(self):
        if not self.text[self.place :].strip():
            return None, None
        match = TOKEN.match(self.text, self.place)
        if not match:
            raise Refusal(400, f"org.apache.solr.search.SyntaxError: Cannot parse '{self.text}'")
        self.place = match.end()
        return match.lastgroup, match.group(match.lastgroup)

    def clauses(self, field=None, is_nested=False):
        """Returns the test for a list of clauses: those with signs, and any of the others."""
        required, excluded, optional = [], [], []
        sign = None
        while True:
            kind, text = self.next()
            if kind is None or kind == "close":
                if (kind == "close") != is_nested:
                    raise Refusal(400, f"org.apache.solr.search.SyntaxError: Cannot parse '{self.text}'")
                break
            if kind == "sign":
                sign = text
                continue
            test = self.clause(kind, text, field)
            (required if sign == "+" else excluded if sign == "-" else optional).append(test)
            sign = None
        def test(hit):
            if any(part(hit) for part in excluded) or not all(part(hit) for part in required):
                return False
            # Exclusions alone find nothing.
            return any(part(hit) for part in optional) if optional and not required else bool(required)
        return test

    def clause(self, kind, text, field):
        if kind == "open":
            return self.clauses(field, is_nested=True)
        if kind == "any":
            return lambda hit: True
        if kind == "field":
            if text not in FIELDS:
                raise Refusal(400, f"undefined field {text}")
            inner, value = self.next()
            return self.clause(inner, value, text)
        is_text = FIELDS[field][0].startswith("text")
        if kind == "phrase":
            phrase = unescaped(text[1:-1])
            if is_text:
                wanted = words(phrase)
                return lambda hit: any(
                    words(value)[start : start + len(wanted)] == wanted
                    for value in values(hit, field) for start in range(len(words(value)))) and bool(wanted)  # fmt: skip
            return lambda hit: phrase in map(str, values(hit, field))
        if kind == "range":
            low, high = text[1:-1].split(" TO ")
            convert = int if FIELDS[field][0] == "pint" else str
            low, high = (None if end == "*" else convert(unescaped(end.strip('"'))) for end in (low, high))
            return lambda hit: any(
                (low is None or (value > low if text[0] == "{" else value >= low))
                and (high is None or (value < high if text[-1] == "}" else value <= high))
                for value in values(hit, field))  # fmt: skip
        if kind != "word":
            raise Refusal(400, f"org.apache.solr.search.SyntaxError: Cannot parse '{self.text}'")
        if text == "*":
            return lambda hit: bool(values(hit, field))
        pattern = "".join(
            ".*" if part == "*" else "." if part == "?" else re.escape(unescaped(part))
            for part in re.findall(r"\\.|[^\\]", text, re.S))  # fmt: skip
        if is_text:
            expression = re.compile(pattern.lower(), re.S)
            return lambda hit: any(expression.fullmatch(word) for value in values(hit, field) for word in words(value))
        expression = re.compile(pattern if FIELDS[field][0] != "boolean" else re.escape(text), re.S)
        return lambda hit: any(
            expression.fullmatch(str(value).lower() if isinstance(value, bool) else str(value))
            for value in values(hit, field))  # fmt: skip


class Reversed:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return other.value < self.value

    def __eq__(self, other):
        return other.value == self.value


def order(sort):
    keys = []
    for clause in sort.split(","):
        name, way = clause.strip().rsplit(" ", 1)
        function = re.fullmatch(r"exists\((\w+)\)", name)
        field = function.group(1) if function else name
        if field not in FIELDS or FIELDS[field][1][1] == "T" or "M" in FIELDS[field][1]:
            raise Refusal(400, f"can not sort on multivalued field or tokenized field: {field}")
        keys.append((field, bool(function), way == "desc"))

    def key(hit):
        parts = []
        for field, is_function, is_descending in keys:
            found = hit.get(field)
            # Without sortMissingLast, a missing number is 0.
            part = (found is not None) if is_function else ("" if FIELDS[field][0] == "string" else 0) if found is None else found
            parts.append(Reversed(part) if is_descending else part)
        return parts

    return keys, key


def select(body):
    query, sort = body.get("query", "*:*"), body.get("sort", "")
    offset, limit = body.get("offset", 0), body.get("limit", 10)
    mark = body.get("params", {}).get("cursorMark")
    keys, key = order(sort)
    if (query, sort) not in cache:
        test = Parser(query).clauses()
        cache[query, sort] = sorted((hit for hit in books if test(hit)), key=key)
    found = cache[query, sort]
    if mode == "partial":
        found = [hit for hit in found if hit["id"][-1] in "02468"]
    answer = {"responseHeader": {"status": 0, "QTime": 1}}
    if mode == "partial":
        answer["responseHeader"]["partialResults"] = True
    start = offset
    if mark is not None:
        if offset or not any(field == "id" for field, _, _ in keys):
            raise Refusal(400, "Cursor functionality requires a sort containing a uniqueKey field tie breaker, and start=0")
        if mark != "*":
            try:
                last = json.loads(base64.b64decode(mark))
            except ValueError:
                raise Refusal(400, f"Unable to parse 'cursorMark' after totem: value must either be '*' or the 'nextCursorMark' returned by a previous search: {mark}") from None
            start = next((place + 1 for place, hit in enumerate(found) if hit["id"] == last["id"]), len(found))
    part = found[start : start + limit]
    if mark is not None:
        following = base64.b64encode(json.dumps({"id": part[-1]["id"], "sort": sort}).encode()).decode() if part else mark
        answer["nextCursorMark"] = following
    wanted = body.get("fields", "*")
    docs = part if wanted == "*" else [{wanted: hit[wanted]} for hit in part]
    total = len(found) + (10 if mode == "count" else 0)
    answer["response"] = {"numFound": total, "start": offset, "numFoundExact": True, "docs": docs}
    return answer


def respond(path, body):
    if mode == "slow":
        time.sleep(5)
    if path == "/solr/books/schema/uniquekey":
        return {"responseHeader": {"status": 0}, "uniqueKey": "id"}
    if path == "/solr/books/admin/luke":
        fields = {name: {"type": kind, "schema": flags} for name, (kind, flags) in FIELDS.items()}
        return {"responseHeader": {"status": 0}, "index": {"numDocs": COUNT}, "fields": fields}
    if path == "/solr/books/select":
        if mode == "error":
            raise Refusal(400, "org.apache.solr.search.SyntaxError: Cannot parse")
        if mode == "busy":
            raise Refusal(503, "no servers hosting shard: shard1")
        return select(body)
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_request(self):
        global requests
        requests += 1
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status = 200
        try:
            answer = None if mode == "page" else respond(urllib.parse.urlsplit(self.path).path, json.loads(body or b"{}"))
            if answer is None and mode != "page":
                status = 404
        except Refusal as refusal:
            status, answer = refusal.status, refusal.body
        data = b"<html>Welcome</html>" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = handle_request

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
for line in sys.stdin:
    if line.strip() == "log":
        # The next request may come as soon as this is answered.
        known, requests = requests, 0
        print(known, flush=True)
        continue
    mode = line.strip()
    print("done", flush=True)
