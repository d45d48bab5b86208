"""The page for who runs the server."""

import os

import pytest

from tests.pages.app import healthy, inline_only, visit
from vitviz.engine import Engine
from vitviz.ui.server.client import engine


@inline_only
def test_it_says_where_the_engine_runs_and_what_became_of_requests() -> None:
    healthy(visit("overview"))
    app = healthy(visit("status"))
    (told,) = (it.value for it in app.markdown if it.value.startswith("The engine runs"))
    assert told.startswith(
        "The engine runs in the server's own process. Processes replaced since the server started: 0."
    )
    assert f"- process {os.getpid()} on CPU" in told
    assert "requests, cache hits included, since this engine started." in "".join(it.value for it in app.caption)
    assert {it.label: it.value for it in app.metric}["Waiting"] == "0"


@inline_only
def test_it_says_what_is_wrong_with_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine(), "trouble", lambda: "the engine has said nothing for 16 s; wait")
    assert [error.value for error in visit("status").error] == ["The engine has said nothing for 16 s; wait."]


@inline_only
def test_a_share_of_nothing_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine(), "status", Engine().status)
    assert "no page has asked for one yet" in visit("status").latex[1].value
