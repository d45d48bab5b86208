"""Firefox without a window. Selenium speaks to it as geckodriver does, which Debian lacks: over Marionette."""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver.firefox.options import Options
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver

COMMANDS = ("firefox-esr", "firefox")
PACKAGES = ("firefox-esr",)
START_TIMEOUT_S = 60  # s until it listens
PORT = "MarionetteActivePort"  # the file of a profile that says where it listens
PREFERENCES = {
    "marionette.port": 0,  # one that is free
    "browser.download.folderList": 2,  # a folder of our own
    "browser.download.alwaysOpenPanel": False,
}
COMMAND_NAMES = {
    Command.NEW_SESSION: "WebDriver:NewSession",
    Command.QUIT: "WebDriver:DeleteSession",
    Command.GET: "WebDriver:Navigate",
    Command.GO_BACK: "WebDriver:Back",
    Command.REFRESH: "WebDriver:Refresh",
    Command.GET_CURRENT_URL: "WebDriver:GetCurrentURL",
    Command.GET_WINDOW_RECT: "WebDriver:GetWindowRect",
    Command.SET_WINDOW_RECT: "WebDriver:SetWindowRect",
    Command.SEND_KEYS_TO_ELEMENT: "WebDriver:ElementSendKeys",
    Command.W3C_EXECUTE_SCRIPT: "WebDriver:ExecuteScript",
    Command.W3C_ACTIONS: "WebDriver:PerformActions",
    Command.SCREENSHOT: "WebDriver:TakeScreenshot",
}


def missing() -> str:
    """What it lacks on this machine, or nothing."""
    return "" if _path() else "no Firefox on this machine"


def _path() -> str | None:
    return next(filter(None, map(shutil.which, COMMANDS)), None)


@contextmanager
def launched(folder: Path, *, dark: bool = False) -> Iterator[WebDriver]:
    """A new one, which keeps in `folder` what it downloads, in `downloads`, and what it prints, in `log`."""
    path, profile, downloads = _path(), folder / "profile", folder / "downloads"
    assert path
    profile.mkdir()
    downloads.mkdir()
    chosen = {"browser.download.dir": str(downloads), "layout.css.prefers-color-scheme.content-override": int(not dark)}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in (PREFERENCES | chosen).items()]
    (profile / "user.js").write_text("\n".join(lines))
    with (folder / "log").open("w") as log:
        command = [path, "--marionette", "--headless", "--no-remote", "--profile", str(profile)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    try:
        with socket.create_connection(("127.0.0.1", _port(process, profile, folder / "log"))) as line:
            yield WebDriver(Marionette(line), options=Options())
    finally:
        process.terminate()
        process.wait()


def _port(process: subprocess.Popen, profile: Path, log: Path) -> int:
    deadline = time.monotonic() + START_TIMEOUT_S
    while process.poll() is None and time.monotonic() < deadline:
        if (file := profile / PORT).exists() and (port := file.read_text()):
            return int(port)
        time.sleep(0.05)
    raise RuntimeError(f"Firefox does not listen, and said:\n{log.read_text(errors='replace')}")


class Marionette(RemoteConnection):
    """Carries Selenium's commands: `length:[0, number, name, parameters]`, answered by `[1, number, error, result]`."""

    def __init__(self, line: socket.socket) -> None:
        super().__init__(client_config=ClientConfig("http://127.0.0.1"))
        self._line = line.makefile("rwb")
        self._number = 0
        self._hear()  # what it is

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to one command, as Selenium reads it."""
        self._number += 1
        message = json.dumps([0, self._number, COMMAND_NAMES[command], params]).encode()
        self._line.write(b"%d:%b" % (len(message), message))
        self._line.flush()
        _, _, error, result = self._hear()
        if error:
            return {"status": error["error"], "value": error}
        return {"value": result["value"] if isinstance(result, dict) and "value" in result else result}

    def close(self) -> None:
        """Leave the line, which ends with its `with`."""
        self._line.close()
        super().close()

    def _hear(self) -> Any:
        length = b""
        while (digit := self._line.read(1)) != b":":
            if not digit:
                raise ConnectionError("Firefox has gone")
            length += digit
        return json.loads(self._line.read(int(length)))
