"""A search engine with many books that misbehaves on request: search.py [COUNT] [elasticsearch].

Prints its port, then serves the index "books" until the end of its input, with the interface of OpenSearch, or of
Elasticsearch: points in time, search_after, and the limit of 10,000 for from and size. Book N has the title "Book N" in
six digits, the year 1900 + N % 100 (none if N % 50 is 7) and the series "Series N % 3".

Lines of the input, each answered by a line: "add" adds a book, "delete" deletes the last one, and "expire" ends all points in time. "log" prints the
number of requests since the last one. The other lines change the mode: "no-pit" (no points in time), "shard" (one of
three shards fails), "timeout" (only a part was searched), "slow" (answers take five seconds), "short" (answers lack the
last book), "private" (the user ann with the password secret-4711 is required), "busy", "clauses" and "page" (errors and a web page in place of answers), and "go" (back to normal).
"""

import http.server
import json
import sys
import threading
import time
import urllib.parse

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
IS_ELASTIC = "elasticsearch" in sys.argv
WINDOW = 10_000
mode = "go"
requests = 0
lock = threading.Lock()
states = {}
next_state = 1


def book(number):
    values = {"title": f"Book {number:06}", "series": f"Series {number % 3}", "pages": number % 1000}
    if number % 50 != 7:
        values["year"] = 1900 + number % 100
    return {"_id": f"b{number:06}", "number": number, "_source": values}


books = [book(number) for number in range(COUNT)]


class Refusal(Exception):
    def __init__(self, status, kind, reason):
        super().__init__(reason)
        self.status = status
        self.body = {"error": {"root_cause": [{"type": kind, "reason": reason}], "type": kind, "reason": reason}, "status": status}


def value(hit, field):
    if field == "_id":
        return hit["_id"]
    if field == "_shard_doc":
        return hit["number"]
    return hit["_source"].get(field.removesuffix(".keyword"))


def matches(query, hit):
    kind, body = next(iter(query.items()))
    if kind == "match_all":
        return True
    if kind == "match_none":
        return False
    if kind == "bool":
        return (
            all(matches(part, hit) for part in body.get("filter", []))
            and not any(matches(part, hit) for part in body.get("must_not", []))
            and (not body.get("should") or any(matches(part, hit) for part in body["should"])))  # fmt: skip
    if kind == "ids":
        return hit["_id"] in body["values"]
    if kind == "exists":
        return value(hit, body["field"]) is not None
    if kind == "range":
        field, bounds = next(iter(body.items()))
        found = value(hit, field)
        checks = {"gte": lambda a, b: a >= b, "lte": lambda a, b: a <= b, "lt": lambda a, b: a < b, "gt": lambda a, b: a > b}
        return found is not None and all(checks[name](found, bound) for name, bound in bounds.items())
    if kind == "multi_match":
        texts = [str(value(hit, field) or "").lower() for field in body["fields"]]
        return any(word.startswith(body["query"].lower()) for text in texts for word in text.split())
    raise Refusal(400, "parsing_exception", f"unknown query [{kind}]")


def key(clauses):
    """Returns the function that gives the comparable key of a hit, and the one that gives its sort values."""
    fields = []
    for clause in clauses:
        field, options = next(iter(clause.items()))
        options = options if isinstance(options, dict) else {"order": options}
        fields.append((field, options.get("order", "asc") == "desc", options.get("missing", "_last") == "_first"))

    def comparable(values):
        parts = []
        for (field, is_descending, is_missing_first), found in zip(fields, values):
            if found is None:
                parts.append((0 if is_missing_first else 2, 0))
            elif isinstance(found, int):
                parts.append((1, -found if is_descending else found))
            else:
                parts.append((1, tuple(-ord(c) for c in found) if is_descending else tuple(map(ord, found))))
        return parts

    return (lambda hit: comparable(values(hit))), comparable, (values := lambda hit: [value(hit, field) for field, _, _ in fields])


def search(body, documents):
    if body.get("from", 0) + body.get("size", 10) > WINDOW:
        raise Refusal(400, "illegal_argument_exception", f"Result window is too large, the limit is [{WINDOW}]")
    if mode == "clauses":
        raise Refusal(400, "too_many_clauses", "maxClauseCount is set to 1024")
    if mode == "shard":
        documents = [hit for hit in documents if hit["number"] % 3 != 2]
    found = [hit for hit in documents if matches(body.get("query", {"match_all": {}}), hit)]
    total = len(found)
    by_hit, by_values, values = key(body.get("sort", [{"_id": "asc"}]))
    found.sort(key=by_hit)
    if "search_after" in body:
        place = by_values(body["search_after"])
        low, high = 0, len(found)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if by_hit(found[middle]) <= place else (low, middle)
        found = found[low:]
    first = body.get("from", 0)
    found = found[first : first + body.get("size", 10)]
    if mode == "short":
        found = found[:-1]
    hits = [{"_id": hit["_id"], "sort": values(hit), **({} if body.get("_source") is False else {"_source": hit["_source"]})} for hit in found]
    answer = {
        "timed_out": mode == "timeout",
        "_shards": {"total": 3, "successful": 3, "failed": 0},
        "hits": {"hits": hits},
    }
    if mode == "shard":
        answer["_shards"] = {"total": 3, "successful": 2, "failed": 1}
    if body.get("track_total_hits") is True:
        answer["hits"]["total"] = {"value": total, "relation": "eq"}
    elif body.get("track_total_hits") is None:
        answer["hits"]["total"] = {"value": min(total, WINDOW), "relation": "gte" if total > WINDOW else "eq"}
    return answer


def respond(method, path, body):
    global next_state
    if path == "/":
        number = {"number": "8.11.0"} if IS_ELASTIC else {"distribution": "opensearch", "number": "2.11.0"}
        return {"version": number}
    if path == "/books/_mapping":
        text = {"type": "text", "fields": {"keyword": {"type": "keyword"}}}
        properties = {"title": text, "series": text, "year": {"type": "integer"}, "pages": {"type": "integer"}}
        return {"books": {"mappings": {"properties": properties}}}
    if mode == "slow":
        time.sleep(5)
    if mode == "busy":
        raise Refusal(429, "circuit_breaking_exception", "Data too large")
    if path == ("/books/_pit" if IS_ELASTIC else "/books/_search/point_in_time"):
        if mode == "no-pit":
            raise Refusal(400, "invalid_type_name_exception", "no handler found")
        state = f"state-{next_state}"
        next_state += 1
        states[state] = list(books)
        return {"id" if IS_ELASTIC else "pit_id": state}
    if path == "/_search":
        state = body["pit"]["id"]
        if state not in states:
            raise Refusal(404, "search_context_missing_exception", f"No search context found for id [{state}]")
        return {"pit_id": state, **search(body, states[state])}
    if path == "/books/_search":
        if any("_shard_doc" in clause for clause in body.get("sort", [])):
            raise Refusal(400, "illegal_argument_exception", "[_shard_doc] is only supported with a point in time")
        return search(body, books)
    raise Refusal(404, "index_not_found_exception", f"no such index [{path.split('/')[1]}]")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_request(self):
        global requests
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = urllib.parse.urlsplit(self.path).path
        with lock:
            requests += 1
        status = 200
        if mode == "private" and self.headers.get("Authorization") != "Basic YW5uOnNlY3JldC00NzEx":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="books"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        try:
            if mode == "page" and path != "/":
                answer = None
            else:
                answer = respond(self.command, path, json.loads(body or b"{}"))
        except Refusal as refusal:
            status, answer = refusal.status, refusal.body
            if answer["error"]["type"] == "index_not_found_exception":
                answer["error"]["root_cause"][0]["index"] = path.split("/")[1]
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
    command = line.strip()
    if command == "add":
        books.append(book(len(books)))
    elif command == "delete":
        books.pop()
    elif command == "expire":
        states.clear()
    elif command == "log":
        # The next request may come as soon as this is answered.
        with lock:
            known, requests = requests, 0
        print(known, flush=True)
        continue
    else:
        mode = command
    print("done", flush=True)
