"""Runs nginx with generated content: nginx.py DIRECTORY.

Prints the ports for HTTP and HTTPS, then serves until the end of its input: /books.jsonl (with ranges, ETag and
Last-Modified), /compressed/books.jsonl (compressed with gzip), /plain/books.jsonl (without validators and ranges),
/slow/books.jsonl (with a limited rate), and /club/books.jsonl, which requires the user ann. The line "add" of the input
adds a book, "log" prints the access log. Each is answered by a line.
"""

import ctypes
import os
import socket
import subprocess
import sys
import time

# PR_SET_PDEATHSIG
PRCTL = ctypes.CDLL(None).prctl
directory = sys.argv[1]
certificates = os.path.join(os.path.dirname(os.path.abspath(__file__)), "certificates")
COUNT = 4000


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write(name, text):
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def book(number):
    return f'{{"title":"Book {number}","authors":["Writer {number % 97}"],"id":"{number}","description":"{"x" * 200}"}}\n'


books = "".join(book(number) for number in range(COUNT))
write("www/books.jsonl", books)
write("www/plain/books.jsonl", books)
write("www/club/books.jsonl", book(1))
# The password secret-4711 in the format of htpasswd -s (SHA-1), which every build of nginx supports.
write("passwords", "ann:{SHA}alCfFCqLL2slknbQZO4q+bBjAa0=\n")
plain, encrypted = free_port(), free_port()
write(
    "nginx.conf",
    f"""
daemon off;
master_process off;
pid {directory}/nginx.pid;
error_log {directory}/error.log;
events {{ }}
http {{
    access_log {directory}/access.log;
    client_body_temp_path {directory}/a; proxy_temp_path {directory}/b; fastcgi_temp_path {directory}/c;
    uwsgi_temp_path {directory}/d; scgi_temp_path {directory}/e;
    default_type application/octet-stream;
    gzip_types *;
    server {{
        listen 127.0.0.1:{plain};
        listen 127.0.0.1:{encrypted} ssl http2;
        ssl_certificate {certificates}/trusted.pem;
        ssl_certificate_key {certificates}/trusted.pem;
        root {directory}/www;
        location /compressed/ {{ alias {directory}/www/; gzip on; }}
        location /plain/ {{ etag off; if_modified_since off; add_header Last-Modified ""; max_ranges 0; }}
        location /club/ {{ auth_basic "club"; auth_basic_user_file {directory}/passwords; }}
        location /slow/ {{ alias {directory}/www/; limit_rate 2m; }}
    }}
}}
""",
)
server = subprocess.Popen(
    ["nginx", "-p", directory, "-c", directory + "/nginx.conf", "-e", directory + "/error.log"],
    env=dict(os.environ, PATH="/usr/sbin:/usr/bin:/sbin:/bin"), preexec_fn=lambda: PRCTL(1, 9),
)  # fmt: skip
for _ in range(100):
    try:
        socket.create_connection(("127.0.0.1", plain), 1).close()
        break
    except OSError:
        time.sleep(0.05)
print(plain, encrypted, flush=True)
for line in sys.stdin:
    if line.strip() == "add":
        COUNT += 1
        with open(directory + "/www/books.jsonl", "a", encoding="utf-8") as file:
            file.write(book(COUNT))
    elif line.strip() == "log":
        with open(directory + "/access.log", encoding="utf-8") as file:
            print(file.read().replace("\n", "|"), flush=True)
        continue
    print("done", flush=True)
server.terminate()
server.wait()
