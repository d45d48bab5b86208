"""Which engine all visitors share, and what they are told while they wait for it."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from vitviz.engine import Engine, Place
from vitviz.engine.process import ProcessEngine
from vitviz.ui.server import client


@pytest.mark.parametrize(("where", "kind"), [(None, ProcessEngine), ("inline", Engine), ("process", ProcessEngine)])
def test_the_environment_says_where_the_engine_runs(
    where: str | None, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(client.ENGINE, raising=False)
    if where:
        monkeypatch.setenv(client.ENGINE, where)
    engine = client._engine.__wrapped__()
    assert type(engine) is kind
    if isinstance(engine, ProcessEngine):
        engine.close()


def test_another_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(client.ENGINE, "cloud")
    with pytest.raises(ValueError, match="VITVIZ_ENGINE is cloud, and an engine runs inline, as a process, or on Ray"):
        client._engine.__wrapped__()


def test_who_waits_is_told_for_what() -> None:
    places = [Place(0, 0.0), Place(0, 0.0, starting=True), Place(2, 4.4)]
    assert [client._words("", place) for place in places] == [
        "",
        "The engine is starting.",
        "You are number 3 in the queue, about 4 s.",
    ]
    assert client._words("the engine cannot be used: why", places[1]) == "The engine cannot be used: why."


def pause(seconds: float) -> float:
    """A request that takes a while."""
    time.sleep(seconds)
    return seconds


WAITS_TWICE = """
from tests.unit.ui.server.test_client import pause
from vitviz.engine import Request
from vitviz.ui.server import client

client.SPINNER_DELAY = 0.01
for seconds in (0.2, 0.21):
    client.ask(Request(pause, (seconds,)), "Waiting")
"""


def test_a_run_may_wait_more_than_once() -> None:
    app = AppTest.from_string(WAITS_TWICE, default_timeout=60).run()
    assert not app.exception
