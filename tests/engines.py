"""Engines for tests: one in this process, one behind a pipe, whose other end a thread of this process serves, and,
where Ray is installed, one on a Ray of this machine, whose replica is a process of its own.

So tests see what a request did, and still everything crosses the border as it does outside of tests.
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from threading import Thread
from typing import Any

import pytest

from tests.engine_calls import until
from vitviz.engine import Door, Engine
from vitviz.engine.process import ProcessEngine, client
from vitviz.engine.process.client import STARTING
from vitviz.engine.process.host import Host, start_engine
from vitviz.engine.process.wire import Wire
from vitviz.engine.ray import RayEngine, caller

MakeEngine = Callable[..., Door]
QUESTION_TIMEOUT_S = 60.0  # seconds that a question may take here: a test asks what is so, and a machine may be busy


class Loop:
    """A host in a thread, at the other end of two pipes."""

    shared = False

    def __init__(self, settings: dict[str, Any]) -> None:
        (here_in, there_out), (there_in, here_out) = os.pipe(), os.pipe()
        self._here = Wire(os.fdopen(here_in, "rb"), os.fdopen(here_out, "wb"))
        there = Wire(os.fdopen(there_in, "rb"), os.fdopen(there_out, "wb"))
        host: Host = Host(there, partial(start_engine, settings, lambda told: host.say_last(told)), lambda: None)
        self._host = Thread(target=host.serve, daemon=True)
        self._host.start()

    def open(self) -> Wire:
        """This end of the pipes."""
        return self._here

    def leave(self) -> None:
        """Break the pipe to the host, which then hangs up."""
        self._here.outgoing.close()
        self._host.join(60)

    kill = leave

    def bury(self) -> str:
        """Close the pipes."""
        self._here.close()
        return "its pipe broke"


@pytest.fixture(params=["inline", "process", pytest.param("ray", marks=pytest.mark.ray)])
def make_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeEngine]:
    """A new engine with these settings, of each kind."""
    for module in (client, caller):
        monkeypatch.setattr(module, "ANSWER_TIMEOUT_S", QUESTION_TIMEOUT_S)
    made: list[ProcessEngine | RayEngine] = []
    deploy = request.getfixturevalue("deploy") if request.param == "ray" else None

    def make(**settings: Any) -> Door:
        if request.param == "inline":
            return Engine(**settings)
        if deploy:
            deploy(settings)
        made.append(engine := RayEngine() if deploy else ProcessEngine(settings, Loop))
        until(lambda: engine.device() is not STARTING)
        return engine

    yield make
    for engine in made:
        engine.close()
