"""Errors of two models end a process where they come close together, and not where a day lies between them."""

import pytest

from tests.engine_calls import note
from vitviz.engine import Request, failures
from vitviz.engine.failures import Failures


@pytest.mark.parametrize(("between", "unsound"), [(failures.AGAIN - 1, True), (86_400.0, False)])
def test_errors_of_two_models_count_together_for_a_while(
    monkeypatch: pytest.MonkeyPatch, between: float, unsound: bool
) -> None:
    now = 1000.0
    monkeypatch.setattr(failures.time, "monotonic", lambda: now)
    seen = Failures()
    assert not seen.note(Request(note, ("one",)), KeyError("first"))
    now += between
    assert seen.note(Request(note, ("two",)), ValueError("second")) == unsound
    now += 1
    assert seen.note(Request(note, ("three",)), TypeError("third")) == (not unsound)
