"""A proxy that simulates a bad connection to a server: delay.py PORT [MILLISECONDS].

Prints its port, then forwards connections to PORT of 127.0.0.1 until the end of its input. Data from the server is
delayed by MILLISECONDS (300 by default). Lines of the input change the mode, and are answered by a line: "stall" stops
forwarding data of the server, "cut" closes all connections, and each later one after 50,000 bytes, "once" closes only
the next connection after 50,000 bytes, and "go" returns to normal.
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
