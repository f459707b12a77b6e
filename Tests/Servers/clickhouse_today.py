"""Runs ClickHouse of today as one server: clickhouse_today.py DIRECTORY.

The engine runs in this process, by the package chdb-core, behind the HTTP interface of ClickHouse, for one query at a
time and without a cluster. Prints its port, then serves until the end of its input. A line "sql 1 STATEMENT" of the input is
answered with the result as a JSON string.
"""

import http.server
import json
import os
import sys
import threading
import urllib.parse

from chdb.session import Session

directory = sys.argv[1]
# Parameters of the interface, not settings of the query.
INTERFACE = {
    "buffer_size", "compress", "database", "default_format", "enable_http_compression", "password", "query_id",
    "session_id", "session_timeout", "user", "wait_end_of_query",
}  # fmt: skip
session = Session(os.path.join(directory, "data"))
lock = threading.Lock()


def execute(statement, body, parameters):
    """Returns the result of a statement in bytes."""
    path = os.path.join(directory, f"body-{threading.get_ident()}")
    with lock:
        try:
            for name, value in parameters.items():
                if name not in INTERFACE and not name.startswith("param_"):
                    session.query(f"SET {name} = '{value}'")
            if statement and body:
                # The Python interface takes text only.
                with open(path, "wb") as file:
                    file.write(body)
                head, form = statement.rsplit(" FORMAT ", 1)
                text = f"{head} FROM INFILE '{path}' FORMAT {form}"
            else:
                text = statement or body.decode()
            result = session.query(text, parameters.get("default_format", "TabSeparated"))
            return b"" if result is None else result.bytes()
        finally:
            if os.path.exists(path):
                os.remove(path)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.answer(b"")

    def do_POST(self):
        body = b""
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            while size := int(self.rfile.readline().split(b";")[0], 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer(body)

    def answer(self, body):
        parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query, keep_blank_values=True))
        try:
            status, reply = 200, execute(parameters.pop("query", ""), body, parameters)
        except Exception as error:
            # In the words of the engine, as a server sends them.
            status, reply = 500, str(error).encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
for line in sys.stdin:
    try:
        reply = execute(line.rstrip("\n").split(" ", 2)[2], b"", {}).decode("utf-8", "replace")
    except Exception as error:
        reply = f"error: {error}"
    print(json.dumps(reply), flush=True)
os._exit(0)
