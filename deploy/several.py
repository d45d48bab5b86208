"""Several web servers with one engine: whatever ends is started again, and all end together.

    python deploy/several.py 4 streamlit run app.py --server.port=8501

`deploy/serve --web 4` calls it. The servers listen at four ports in a row. What they share lies in a folder that is
this user's alone and goes with them: the engine's socket, what visitors brought, and the lecturer's secret where the
settings name none.
"""

import ctypes
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

PORT = "--server.port="
LOOK = 0.1  # seconds between two looks whether all are there
APART = 2.0  # seconds between two starts of the same, at least
END_TIMEOUT_S = 8.0  # for all to end; docker gives ten
ENDS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PR_SET_PDEATHSIG = 1
SETTINGS = {  # where not given
    "VITVIZ_ENGINE": "process",
    "STREAMLIT_SERVER_COOKIE_SECRET": secrets.token_hex(32),
}


def main(many: int, command: list[str]) -> None:
    """Keep them running until this process is told to end."""
    for word in ENDS:
        signal.signal(word, lambda *_: sys.exit())
    with TemporaryDirectory(prefix="vitviz-") as folder:
        commands, environment = _plan(many, command, Path(folder))
        running: dict[str, tuple[float, subprocess.Popen[bytes]]] = {}
        try:
            while True:
                for name in commands:
                    since, process = running.get(name, (0.0, None))
                    if (process and process.poll() is None) or time.monotonic() - since < APART:
                        continue
                    if process:
                        print(f"vitviz: {name} ended with {process.returncode}; another starts", file=sys.stderr)
                    running[name] = time.monotonic(), _start(commands[name], environment)
                time.sleep(LOOK)
        finally:
            for word in ENDS:
                signal.signal(word, signal.SIG_IGN)
            _end([process for _, process in running.values()])


def _plan(many: int, command: list[str], folder: Path) -> tuple[dict[str, list[str]], dict[str, str]]:
    """What is to run, by name, and in which environment."""
    environment = SETTINGS | os.environ | {"VITVIZ_UPLOADS": str(folder / "uploads"), "VITVIZ_SERVERS": str(many)}
    first = next((int(it.removeprefix(PORT)) for it in reversed(command) if it.startswith(PORT)), 8501)
    ports = range(first, first + many)
    commands = {f"the server at port {port}": [*command, f"{PORT}{port}"] for port in ports}
    if environment["VITVIZ_ENGINE"] == "process":
        address = folder / "engine.sock"
        environment["VITVIZ_ENGINE"] = f"process:{address}"
        commands = {"the engine": [sys.executable, "-m", "vitviz.engine.process.shared_host", str(address)]} | commands
    return commands, environment


def _start(command: list[str], environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    """A process that ends with this one, even if this one is killed."""
    end_with_parent = _end_with_parent if sys.platform == "linux" else None
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, preexec_fn=end_with_parent)


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _end(processes: "list[subprocess.Popen[bytes]]") -> None:
    for process in processes:
        process.terminate()
    until = time.monotonic() + END_TIMEOUT_S
    for process in processes:
        try:
            process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
