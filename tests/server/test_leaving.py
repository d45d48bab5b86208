"""When the last visitors have left, their sessions end at their time, and their pictures' memory is given back."""

import os
import sys
from pathlib import Path

import pytest

from benchmarks.load import crowd, leaving
from benchmarks.load.onlooker import open_files
from benchmarks.load.visitors import visitors
from tests.browser.server import OFFLINE_STREAMLIT, ROOT, Server, running, serve
from tests.server.test_class import run

PEOPLE = 12
KEEN = "from vitviz.ui.sidebar import uploads; uploads.LOOK = 0.001; "  # so a sweeper looks while its server ends

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells of another's memory")


@pytest.mark.long
def test_who_leaves_leaves_nothing_though_nobody_comes_after(monkeypatch: pytest.MonkeyPatch) -> None:
    files = []

    async def look(server: Server) -> int:
        files.append(open_files(server.pid))
        now = await quiet(server)
        files.append(open_files(server.pid))
        return now

    quiet = leaving._quiet
    monkeypatch.setattr(leaving, "_quiet", look)
    with serve(**leaving.SETTINGS) as server:
        before, most, after, _ = run(leaving._lesson(server, PEOPLE, leaving.large_photograph()))
    assert most - before > 100e6
    assert after - before < 150e6
    assert files[0] - files[1] >= 3 * PEOPLE


def test_a_server_that_ends_leaves_no_folder_of_what_visitors_brought(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KEEN + OFFLINE_STREAMLIT, "run", str(ROOT / "app.py"), "--server.headless=true"]
    with running(command, ROOT, {**os.environ, "VITVIZ_ENGINE": "process", "TMPDIR": str(tmp_path)}) as server:
        run(bring(server))
        (folder,) = tmp_path.glob("vitviz-*")
        assert len(list(folder.glob("pictures/*"))) == 1
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.glob("vitviz-*")) == []


async def bring(server: Server) -> None:
    """One visitor brings a picture of her own."""
    async with visitors(server.url, 1) as (visitor,):
        await visitor.come("heads")
        await visitor.wants_to_bring()
        assert (await visitor.bring(crowd.photograph(1))).complaints == []
