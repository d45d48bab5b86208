"""Scripts run one at a time, and give way while they wait."""

import inspect
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest

from tests.engine_calls import until
from vitviz.ui.server import turns
from vitviz.ui.server.uploads import Uploads


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """What runs a script in its turn, though turns were introduced twice."""
    monkeypatch.setattr(ScriptRunner, "_run_script_thread", lambda runner: runner())
    turns.take_turns()
    once = ScriptRunner._run_script_thread
    turns.take_turns()
    assert ScriptRunner._run_script_thread is once
    return once


def test_one_script_runs_at_a_time_and_gives_way_while_it_waits(run: Callable[..., Any]) -> None:
    waits, running, seen = Event(), [], []

    def script() -> None:
        running.append(1)
        seen.append(len(running))
        with turns.turn_of_others():
            running.pop()
            waits.wait(0.05)
        running.append(1)
        seen.append(len(running))
        time.sleep(0.001)
        running.pop()

    threads = [Thread(target=run, args=(script,), daemon=True) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert seen == [1] * 40
    assert not turns._turn.is_taken


def test_a_run_that_ends_while_others_have_the_turn_takes_it_back_for_the_next_in_its_thread(
    run: Callable[..., Any],
) -> None:
    seen = []

    def script() -> None:
        with suppress(KeyboardInterrupt), turns.turn_of_others():
            raise KeyboardInterrupt
        seen.append(turns._turn.is_taken)

    run(script)
    assert seen == [True]
    assert not turns._turn.is_taken


@pytest.mark.parametrize("asked", ["request_rerun", "request_stop"])
def test_who_waits_is_woken_when_the_run_should_end_or_begin_again(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits, woken = Event(), list[bool]()

    def script(runner: ScriptRunner) -> None:
        turns.called().clear()
        waits.set()
        woken.append(turns.called().wait(60))

    runner = ScriptRunner.__new__(ScriptRunner)
    monkeypatch.setattr(ScriptRunner, asked, lambda runner: True)
    monkeypatch.setattr(ScriptRunner, "_run_script_thread", script)
    turns.take_turns()
    assert getattr(runner, asked)() is True, "its thread has not begun"
    thread = Thread(target=runner._run_script_thread, daemon=True)
    thread.start()
    waits.wait(60)
    getattr(runner, asked)()
    thread.join(60)
    assert woken == [True]


def test_who_has_shown_something_lets_all_others_go_first(run: Callable[..., Any]) -> None:
    began, order = Event(), list[str]()

    def first() -> None:
        order.append("picture")
        began.set()
        until(lambda: len(turns._turn._waiting) == 2)
        turns.let_others_go_first()
        order.append("the rest")

    def other() -> None:
        order.append("other")

    threads = [Thread(target=run, args=(first,), daemon=True)]
    threads[0].start()
    began.wait(60)
    threads += [Thread(target=run, args=(other,), daemon=True) for _ in range(2)]
    for thread in threads[1:]:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert order == ["picture", "other", "other", "the rest"]
    turns.let_others_go_first()
    assert not turns._turn.is_taken, "who takes no turns gives none"


def test_scripts_of_apptest_take_turns_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScriptRunner, "_run_script_thread", ScriptRunner._run_script_thread)
    turns.take_turns()
    app = AppTest.from_string(
        "import streamlit as st\nfrom vitviz.ui.server import turns\nst.write(turns._turn.is_taken)", default_timeout=20
    )
    assert app.run().markdown[0].value == "`True`"
    assert not turns._turn.is_taken


def test_who_comes_back_goes_before_who_begins_and_of_these_the_first() -> None:
    turn, order = turns.Turn(), list[str]()
    turn.take(turns.NEW)

    def wait(name: str, rank: int) -> None:
        turn.take(rank)
        order.append(name)
        turn.end()

    threads = []
    for name, rank in (("first", turns.NEW), ("second", turns.NEW), ("back", turns.BACK)):
        threads.append(Thread(target=wait, args=(name, rank), daemon=True))
        threads[-1].start()
        until(lambda: len(turn._waiting) == len(threads))
    turn.end()
    for thread in threads:
        thread.join(60)
    assert order == ["back", "first", "second"]
    assert not turn.is_taken


def test_who_brought_a_file_comes_back_before_all_others(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []
    take = turns._turn.take

    def note(rank: int) -> None:
        taken.append(rank)
        take(rank)

    monkeypatch.setattr(turns._turn, "take", note)

    def script() -> None:
        with turns.turn_of_others():
            pass

    for rank in (turns.BRINGS, turns.NEW):
        monkeypatch.setattr(turns, "_rank", lambda runner, rank=rank: rank)
        run(script)
    assert taken == [turns.BRINGS, turns.BRINGS, turns.NEW, turns.BACK]


def test_who_brings_a_file_goes_before_who_slides_until_a_script_has_asked_for_it() -> None:
    uploads: Any = Uploads("/upload", per_session=1000)
    uploads.add_file("brings", UploadedFileRec("photo", "photo.jpg", "image/jpeg", b"..."))

    def rank(session: str) -> int:
        runner: Any = SimpleNamespace(_uploaded_file_mgr=uploads, _session_id=session)
        return turns._rank(runner)

    assert rank("brings") < turns.BACK < rank("slides") == turns.NEW
    uploads.get_files("brings", ["photo"])
    assert rank("brings") == turns.NEW
    source = inspect.getsource(ScriptRunner.__init__)
    assert "self._uploaded_file_mgr = uploaded_file_mgr" in source
    assert "self._session_id = session_id" in source


def test_what_a_script_says_is_told_when_its_turn_ends_or_it_gives_way(run: Callable[..., Any]) -> None:
    told: list[list[str]] = []

    def tell(said: list[turns.Word]) -> None:
        told.append([])
        for each in said:
            each()

    def say(word: str) -> None:
        turns.say(lambda: told[-1].append(word), tell)

    def script() -> None:
        say("a")
        say("b")
        assert told == []
        with turns.turn_of_others():
            assert told == [["a", "b"]]
        say("c")
        assert len(told) == 1

    run(script)
    assert told == [["a", "b"], ["c"]]
    say("without a turn")
    assert told[2:] == [["without a turn"]]


def test_a_script_that_takes_long_is_heard_before_its_turn_ends(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "TELL_DELAY_S", -1.0)
    told: list[int] = []

    def script() -> None:
        turns.say(lambda: None, lambda said: told.append(len(said)))
        assert told == [1]

    run(script)
    assert told == [1]
