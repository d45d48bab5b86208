"""When the last visitors have left, their sessions end at their time, and their pictures' memory is given back."""

from pathlib import Path

import pytest

from benchmarks.load import leaving
from benchmarks.load.onlooker import open_files
from tests.browser.server import Server, serve
from tests.server.test_class import run

PEOPLE = 12

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells of another's memory")


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
