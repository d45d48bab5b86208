"""Several servers with one engine, as `deploy/serve --web` starts them, and nginx with our configuration for them."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks.load.onlooker import children
from tests.browser.server import OFFLINE_STREAMLIT, ROOT, Server, free_port, running
from tests.deployment import DEPLOY

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
needs_nginx = pytest.mark.skipif(not NGINX, reason="no nginx on this machine: apt-get install nginx-light")


@dataclass(frozen=True)
class Several(Server):
    """Servers in a row of ports, and what keeps them running."""

    ports: tuple[int, ...]

    @property
    def urls(self) -> list[str]:
        """Where each of them listens."""
        return [f"http://localhost:{port}" for port in self.ports]

    def processes(self) -> dict[str, int]:
        """The processes that run now: the engine's, and each server's by its port."""
        named = {}
        for pid in sorted(children(self.pid)):
            with suppress(OSError):  # one that has ended meanwhile
                command = Path(f"/proc/{pid}/cmdline").read_bytes().decode().replace("\0", " ")
                named["engine" if "shared_host" in command else command.rpartition("--server.port=")[2].strip()] = pid
        return named

    def kill(self, name: str) -> None:
        """End one of them without a word."""
        os.kill(self.processes()[name], signal.SIGKILL)


@contextmanager
def several(many: int, **settings: object) -> Iterator[Several]:
    """`many` servers of the app with one engine, ready to answer; `settings` are Streamlit's own, by name."""
    options = {"server.headless": "true", "server.fileWatcherType": "none", **settings}
    arguments = [f"--{name}={value}" for name, value in options.items()]
    streamlit = [sys.executable, "-c", OFFLINE_STREAMLIT, "run", str(ROOT / "app.py")]
    command = [sys.executable, str(DEPLOY / "several.py"), str(many), *streamlit, *arguments]
    with running(command, ROOT, {**os.environ, "VITVIZ_ENGINE": "process"}) as first:
        port = int(first.url.rpartition(":")[2])
        ports = tuple(range(port, port + many))
        for each in ports:
            await_answer(each)
        yield Several(first.url, first.pid, first.log, ports)


@contextmanager
def proxied(servers: Several, without: str = "") -> Iterator[str]:
    """The address of nginx before the servers: deploy/nginx.conf with ports of this machine, and without TLS.

    Nor does it hold the words `without`.
    """
    assert NGINX
    port = free_port()
    with TemporaryDirectory(prefix="vitviz-nginx-") as folder:
        configuration = _configuration(servers.ports, port, folder)
        (Path(folder) / "nginx.conf").write_text(configuration.replace(without, "") if without else configuration)
        command = [NGINX, "-p", folder, "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            await_answer(port)
            yield f"http://localhost:{port}"
        finally:
            process.terminate()
            process.wait(10)


def _configuration(ports: tuple[int, ...], port: int, folder: str) -> str:
    ours = (DEPLOY / "nginx.conf").read_text()
    ours = re.sub(r"(?ms)^server \{\n    listen 80;.*?^\}\n", "", ours)
    ours = re.sub(r"(?m)^    (listen|ssl_\w+) .*\n", "", ours)
    ours = re.sub(r"(?m)^    (# )?server 127.*\n", "", ours)
    listed = "".join(f"server 127.0.0.1:{it} fail_timeout=2s;" for it in ports)
    ours = ours.replace("consistent;", f"consistent; {listed}").replace("850[1-4]", f"({'|'.join(map(str, ports))})")
    ours = ours.replace("return 444;", f"listen 127.0.0.1:{port} default_server; return 444;")
    ours = ours.replace("server_name vit.example.edu;", f"listen 127.0.0.1:{port}; server_name localhost;")
    ours = ours.replace("/var/cache/nginx-vitviz", f"{folder}/cache").replace("wss://", "ws://")
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root; " if os.geteuid() == 0 else ""  # or who serves could not enter the folder
    whole = f"{user}daemon off; pid {folder}/pid; worker_processes 1; events {{ worker_connections 512; }}"
    return f"{whole}\nhttp {{\ninclude /etc/nginx/mime.types;\n{places}\n{ours}\n}}\n"


def await_answer(port: int, timeout_s: float = 60) -> None:
    """Wait until somebody listens at a port."""
    until = time.monotonic() + timeout_s
    while True:
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return
        assert time.monotonic() < until, f"nobody listens at port {port}"
        time.sleep(0.1)
