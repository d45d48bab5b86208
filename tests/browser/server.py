"""The app as `streamlit run` serves it, on a free port, for as long as a `with` lasts."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
# A machine without a network has no address in one, and Streamlit would try to find it out.
ALONE = "from streamlit import net_util; net_util._internal_ip = '127.0.0.1'; "
OFFLINE_STREAMLIT = (
    f"from tests.offline import stay_offline; stay_offline(); {ALONE}from streamlit.web import cli; cli.main()"
)
LIMITED = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, ({0}, r.getrlimit(r.RLIMIT_NOFILE)[1])); "
LECTURER = "whoever says this may lead"
ENDING = 60  # seconds until a server that was asked to end is killed: on a busy machine it has much to clear away
QUIET = {"OMP_WAIT_POLICY": "passive"}  # on a shared machine waiting threads must not burn the cores others need


@dataclass(frozen=True)
class Server:
    """A running server: where it listens, its process, and the file it writes its output to."""

    url: str
    pid: int
    log: Path

    def said(self) -> str:
        """Everything the server has printed so far."""
        return self.log.read_text(errors="replace")


@contextmanager
def serve(
    script: Path = ROOT / "app.py",
    *,
    engine: str = "process",
    timeout_s: float = 60,
    open_files: int = 0,
    folder: Path = ROOT,
    **settings: object,
) -> Iterator[Server]:
    """`streamlit run script` in a process that can reach no other machine, ready to answer.

    `settings` are Streamlit's own, by name: `serve(**{"runner.postScriptGC": "false"})`; `engine` says where its model
    runs; `open_files` is its limit of open files and connections, where it should not have ours; `folder` holds another
    version, where that is served.
    """
    options = {"server.headless": "true", "server.fileWatcherType": "none", **settings}
    arguments = [f"--{name}={value}" for name, value in options.items()]
    program = (LIMITED.format(open_files) if open_files else "") + OFFLINE_STREAMLIT
    command = [sys.executable, "-c", program, "run", str(script), *arguments]
    environment = {**os.environ, "VITVIZ_ENGINE": engine, "VITVIZ_LECTURER": LECTURER}
    with running(command, folder, environment, timeout_s=timeout_s) as server:
        yield server


@contextmanager
def running(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] = os.environ, *, timeout_s: float = 60
) -> Iterator[Server]:
    """What `command` serves when it is started in `folder` and told a free port, ready to answer."""
    port = free_port()
    with tempfile.TemporaryDirectory() as logs:
        log = Path(logs) / "server.log"
        with log.open("w") as output:
            process = subprocess.Popen(
                [*command, f"--server.port={port}"],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**environment, **QUIET},
            )
        server = Server(f"http://localhost:{port}", process.pid, log)
        try:
            _await_health(server, process, timeout_s)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(timeout=ENDING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _await_health(server: Server, process: subprocess.Popen, timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode} and said:\n{server.said()}")
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.02)
    raise TimeoutError(f"the server was not healthy after {timeout_s:.0f} s and said:\n{server.said()}")
