"""The package as others install it: `make wheel-check` builds the wheel and visits it in an empty environment.

Nothing of this repository is on the path there, and the app is started in an empty folder.
"""

import asyncio
import os
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.load.visitors import Page, visitors
from tests.browser.server import ROOT, running

MOST_BYTES = 60_000_000
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "STREAMLIT_"))}


def build(folder: Path) -> Path:
    """The wheel of this repository, built into `folder` by what this environment has."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "-q"]
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("vitviz-*.whl")
    return wheel


def main() -> None:
    """Install the wheel and all it asks for, try the commands, start the app, and look at three of its pages."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        wheel, empty = build(folder), folder / "empty"
        size = wheel.stat().st_size
        assert size <= MOST_BYTES, f"{wheel.name} has {size:,} bytes, and {MOST_BYTES:,} are the most"
        empty.mkdir()
        venv.create(folder / "venv", with_pip=True)
        bin = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        print(f"Installing {wheel.name} and what it asks for", flush=True)
        _run(bin / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q", f"{wheel}[app]", folder=empty)
        vitviz = bin / "vitviz"
        assert _run(vitviz, "--version", folder=empty) == f"vitviz {wheel.name.split('-')[1]}\n"
        assert "86,567,656" in _run(vitviz, "count", "vit_base_patch16_224", folder=empty)
        assert "Apache-2.0" in _run(vitviz, "weights", "list", folder=empty)
        with running([str(vitviz)], empty, ENVIRONMENT) as server:
            pages = asyncio.run(_visit(server.url))
            for name, page in pages.items():
                print(f"{name}: {len(page.elements)} elements, {page.nbytes:,} bytes")
                assert page.complaints == [], page.complaints
                assert page.theme.base_font_size == 18, "the wheel's .streamlit/config.toml was not read"
            assert pages["heads"].of("bidi_component"), "the board was not drawn"
        assert list(empty.iterdir()) == []
    print(f"{wheel.name}, {size:,} bytes, serves the app from an empty environment")


async def _visit(url: str) -> dict[str, Page]:
    async with visitors(url, 1) as (visitor,):
        await visitor.open()
        return {name: await visitor.run(name) for name in ("", "heads", "layer_table")}


def _run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    main()
