"""WebKit, the engine of Safari: WebKitGTK's small browser with its own driver, on a screen that nobody sees."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

DRIVER, SCREEN = "WebKitWebDriver", "Xvfb"
PACKAGES = ("webkit2gtk-driver", "xvfb")


def missing() -> str:
    """What it lacks on this machine, or nothing."""
    lacks = [name for name in (DRIVER, SCREEN) if not shutil.which(name)]
    lacks += [] if _path() else ["MiniBrowser"]
    return f"no WebKit on this machine: {', '.join(lacks)} is not installed" if lacks else ""


def _path() -> Path | None:
    return next(iter(sorted(Path("/usr").glob("lib*/**/webkit2gtk-4*/MiniBrowser"))), None)


@contextmanager
def launched(folder: Path, *, dark: bool = False) -> Iterator[WebDriver]:
    """A new one, which keeps in `folder` what it downloads, in `downloads`, and what it prints, in `log`."""
    downloads, options = folder / "downloads", Options()
    downloads.mkdir()
    (folder / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{downloads}"\n')
    options.binary_location = str(_path())
    for argument in ("--automation", *(["--dark-mode"] if dark else [])):
        options.add_argument(argument)
    homes = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), str(folder))
    with _screen(folder) as display:
        environment = os.environ | homes | {"DISPLAY": display}
        service = Service(shutil.which(DRIVER), log_output=str(folder / "log"), env=environment)
        service.start()
        try:
            line = RemoteConnection(client_config=ClientConfig(service.service_url))
            with WebDriver(line, options=options) as driver:
                yield driver
        finally:
            service.stop()


@contextmanager
def _screen(folder: Path) -> Iterator[str]:
    """A screen of X, by the name that programs know it by."""
    told, tells = os.pipe()
    with (folder / "screen").open("w") as log:
        command = [SCREEN, "-displayfd", str(tells), "-screen", "0", "1600x4200x24", "-nolisten", "tcp"]
        process = subprocess.Popen(command, pass_fds=[tells], stderr=log)
    os.close(tells)
    try:
        with os.fdopen(told) as number:
            yield f":{number.readline().strip()}"
    finally:
        process.terminate()
        process.wait()
