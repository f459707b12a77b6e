"""Runs a cluster of two ClickHouse servers: clickhouse.py DIRECTORY [PASSWORD].

Prints their ports for HTTP, then serves until the end of its input. They are the two parts ("shards") of the cluster
"two"; the cluster "half" has only the first one. With a password, the user "default" needs it. Lines of the input, each
answered by a line: "stop N" kills the server N (1 or 2), "start N" starts it again, "freeze N" and "thaw N" stop it and
let it go on, "sql N STATEMENT" answers with the result as a JSON string.
"""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

# PR_SET_PDEATHSIG
PRCTL = ctypes.CDLL(None).prctl
directory = sys.argv[1]
password = sys.argv[2] if len(sys.argv) > 2 else ""
servers = {}


def free_ports(count):
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


ports = free_ports(6)
web = {1: ports[0], 2: ports[1]}
tcp = {1: ports[2], 2: ports[3]}


def shard(number):
    return (
        f"<shard><replica><host>127.0.0.1</host><port>{tcp[number]}</port><user>default</user>"
        f"<password>{password}</password></replica></shard>"
    )


def configure(number):
    place = os.path.join(directory, f"server{number}")
    for name in ("data", "tmp", "files", "schemas"):
        os.makedirs(os.path.join(place, name), exist_ok=True)
    with open(os.path.join(place, "config.xml"), "w", encoding="utf-8") as file:
        file.write(
            f"""<yandex>
<logger><level>warning</level><log>{place}/log</log><errorlog>{place}/errors</errorlog></logger>
<http_port>{web[number]}</http_port><tcp_port>{tcp[number]}</tcp_port>
<interserver_http_port>{ports[3 + number]}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
<listen_host>127.0.0.1</listen_host><max_concurrent_queries>100</max_concurrent_queries>
<mark_cache_size>67108864</mark_cache_size>
<path>{place}/data/</path><tmp_path>{place}/tmp/</tmp_path><user_files_path>{place}/files/</user_files_path>
<format_schema_path>{place}/schemas/</format_schema_path><users_config>{place}/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<remote_servers><two>{shard(1)}{shard(2)}</two><half>{shard(1)}</half></remote_servers>
</yandex>"""
        )
    with open(os.path.join(place, "users.xml"), "w", encoding="utf-8") as file:
        file.write(
            f"""<yandex>
<profiles><default><max_memory_usage>2000000000</max_memory_usage></default></profiles>
<users><default><password>{password}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
<quota>default</quota></default></users>
<quotas><default><interval><duration>3600</duration><queries>0</queries><errors>0</errors><result_rows>0</result_rows>
<read_rows>0</read_rows><execution_time>0</execution_time></interval></default></quotas>
</yandex>"""
        )


def start(number):
    place = os.path.join(directory, f"server{number}")
    with open(os.path.join(place, "output"), "w", encoding="utf-8") as output:
        servers[number] = subprocess.Popen(
            ["clickhouse-server", f"--config-file={place}/config.xml"],
            stdout=output, stderr=output, preexec_fn=lambda: PRCTL(1, signal.SIGKILL),
            env=dict(os.environ, PATH="/usr/sbin:/usr/bin:/sbin:/bin"),
        )  # fmt: skip


def wait(number):
    for _ in range(400):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{web[number]}/ping", timeout=1) as reply:
                if reply.read() == b"Ok.\n":
                    return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"server {number} did not start")


def query(number, statement):
    request = urllib.request.Request(
        f"http://127.0.0.1:{web[number]}/?wait_end_of_query=1", statement.encode(),
        {"X-ClickHouse-User": "default", "X-ClickHouse-Key": password},
    )  # fmt: skip
    try:
        with urllib.request.urlopen(request, timeout=120) as reply:
            return reply.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return "error: " + error.read().decode("utf-8", "replace")
    except OSError as error:
        return f"error: {error}"


for number in web:
    configure(number)
    start(number)
for number in web:
    wait(number)
print(*web.values(), flush=True)
for line in sys.stdin:
    command, number, *rest = line.rstrip("\n").split(" ", 2)
    server = servers[int(number)]
    if command == "stop":
        server.kill()
        server.wait()
    elif command == "start":
        start(int(number))
        wait(int(number))
    elif command == "freeze":
        server.send_signal(signal.SIGSTOP)
    elif command == "thaw":
        server.send_signal(signal.SIGCONT)
    elif command == "sql":
        print(json.dumps(query(int(number), rest[0])), flush=True)
        continue
    print("done", flush=True)
for server in servers.values():
    server.kill()
    server.wait()
