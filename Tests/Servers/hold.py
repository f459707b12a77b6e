"""A proxy that holds back the answers of a server on request: hold.py PORT.

Prints its port, then forwards connections to PORT of 127.0.0.1 until the end of its input. Lines of the input, each
answered by a line:

hold       from now on, answers are held back
asked N    waits until N connections wait for an answer, at most 20 seconds, and prints how many do
release N  lets the answers on the connection pass that began to wait as the Nth, counted from 1 since "hold"
go         lets all answers pass
single     accepts no further connection while one is open; "several" accepts them again
refused    prints the number of connections that were not accepted
"""

import os
import socket
import sys
import threading

target = int(sys.argv[1])
state = threading.Condition()
is_holding = False
is_single = False
refused = 0
# The open connections; those that wait for an answer, in the order of their requests; and those that were released.
opened, waiting, released = set(), [], set()


def close(*ends):
    for end in ends:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def copy(source, sink, client, is_answer):
    try:
        while data := source.recv(1 << 16):
            with state:
                if is_answer:
                    state.wait_for(lambda: not is_holding or client in released)
                elif is_holding and client not in waiting:
                    waiting.append(client)
                    state.notify_all()
            sink.sendall(data)
    except OSError:
        pass
    with state:
        opened.discard(client)
        # A place in the order remains, but a connection that the client has closed waits for nothing.
        released.add(client)
        state.notify_all()
    close(source, sink)


def serve(listener):
    global refused
    while True:
        client, _ = listener.accept()
        with state:
            is_refused = is_single and len(opened) > 0
            if is_refused:
                refused += 1
            else:
                opened.add(client)
        if is_refused:
            client.close()
            continue
        try:
            server = socket.create_connection(("127.0.0.1", target), 5)
        except OSError:
            close(client)
            continue
        for source, sink, is_answer in ((client, server, False), (server, client, True)):
            threading.Thread(target=copy, args=(source, sink, client, is_answer), daemon=True).start()


def count():
    return len([client for client in waiting if client not in released])


def answer(words):
    global is_holding, is_single
    with state:
        if words[0] == "asked":
            state.wait_for(lambda: count() >= int(words[1]), 20)
            return count()
        if words[0] == "refused":
            return refused
        if words[0] in ("hold", "go"):
            is_holding = words[0] == "hold"
            waiting.clear()
            released.clear()
        elif words[0] == "release":
            released.add(waiting[int(words[1]) - 1])
        else:
            is_single = words[0] == "single"
        state.notify_all()
    return "done"


listener = socket.create_server(("127.0.0.1", 0), backlog=64)
print(listener.getsockname()[1], flush=True)
threading.Thread(target=serve, args=(listener,), daemon=True).start()
for line in sys.stdin:
    print(answer(line.split()), flush=True)
os._exit(0)
