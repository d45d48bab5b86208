"""A process of our own with a wire to it."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

from vitviz.engine.process.wire import Wire

DYING = 0.5  # seconds between the end of a process's pipe and its own


class Child:
    """A process that runs a host with these settings. It ends with this one: then nobody holds its pipe."""

    shared = False

    def __init__(self, settings: dict[str, Any]) -> None:
        path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "vitviz.engine.process.host", json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert self._process.stdin
        assert self._process.stdout
        self.pid = self._process.pid
        self._wire = Wire(self._process.stdout, self._process.stdin)

    def open(self) -> Wire:
        """The wire to it."""
        return self._wire

    def leave(self) -> None:
        """End the process, which nobody else needs."""
        self.kill()

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()

    def bury(self) -> str:
        """Leave nothing of a process that ended, and say how it did."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(DYING)
        self._process.kill()
        code = self._process.wait()
        self._wire.close()
        return "its process ended with " + (f"signal {-code}" if code < 0 else f"exit code {code}")
