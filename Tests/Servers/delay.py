"""A proxy before a server, as a bad connection is: delay.py PORT [MILLISECONDS].

Prints its port, then passes connections on to PORT of 127.0.0.1 until its input ends; each piece of what the server sends
comes so much later, 300 ms if nothing is said. Lines of its input, each answered by a line, change that: "stall" passes
nothing on any more, "cut" closes all connections, and those to come once 50,000 bytes were passed on, "once" closes the
next connection there, "go" is as before.
"""

import os
import socket
import sys
import threading
import time

target = int(sys.argv[1])
delay = int(sys.argv[2] if len(sys.argv) > 2 else 300) / 1000
mode = "go"
connections = set()
CUT = 50_000


def close(*ends):
    for end in ends:
        connections.discard(end)
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def copy(source, sink, wait):
    global mode
    passed = 0
    try:
        while data := source.recv(1 << 16):
            time.sleep(wait)
            while wait and mode == "stall":
                time.sleep(0.02)
            if wait and mode in ("cut", "once"):
                sink.sendall(data[: max(0, CUT - passed)])
                if passed + len(data) >= CUT:
                    if mode == "once":
                        mode = "go"
                    break
            else:
                sink.sendall(data)
            passed += len(data)
    except OSError:
        pass
    close(source, sink)


def serve(listener):
    while True:
        client, _ = listener.accept()
        try:
            server = socket.create_connection(("127.0.0.1", target), 5)
        except OSError:
            client.close()
            continue
        connections.update((client, server))
        for source, sink, wait in ((client, server, 0), (server, client, delay)):
            threading.Thread(target=copy, args=(source, sink, wait), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0), backlog=64)
print(listener.getsockname()[1], flush=True)
threading.Thread(target=serve, args=(listener,), daemon=True).start()
for line in sys.stdin:
    mode = line.strip()
    if mode == "cut":
        close(*list(connections))
    print("done", flush=True)
os._exit(0)
