"""The lecturer's window: what Python tells it."""

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.image_files import encoded, noise
from tests.pages.app import healthy, html, visit
from vitviz.images import open_image
from vitviz.lecture import LESSONS, lesson
from vitviz.lecture.rooms.shapes import TOKEN
from vitviz.measures import attention_weights
from vitviz.samples import samples
from vitviz.selection import Picture
from vitviz.trace import record
from vitviz.ui.lecture import telling
from vitviz.ui.server.lecture.hub import _forget_picture
from vitviz.ui.server.lecture.secret import grant
from vitviz.ui.sidebar import uploads
from vitviz.ui.widgets.lecturer import window
from vitviz.weights import load

NAME = "what_a_head_looks_at"
STEPS = lesson(NAME).steps
TOUR = lesson(LESSONS[0])
ASKS = next(at for at, step in enumerate(STEPS, 1) if step.question and step.question.answer == "strongest_patch")


def told(app: AppTest) -> dict[str, Any]:
    """What the window was told last."""
    (sent,) = (it.proto for it in app.get("bidi_component") if it.proto.component_name == "vitviz.lecturer")
    (data,) = json.loads(sent.json)
    return dict(data)


def test_the_window_is_told_the_whole_lesson_and_what_is_right_in_its_step() -> None:
    app = healthy(visit("lecturer", lesson=NAME, step=str(ASKS)))
    data = told(app)
    assert [step["notes"] for step in data["lesson"]["steps"]] == [step.notes for step in STEPS]
    assert (data["step"], data["grid"], data["why"]) == (ASKS, [12, 12], "")
    place = STEPS[ASKS - 1].view.place
    loaded = load("demo")
    picture = samples()[STEPS[ASKS - 1].view.get("sample")]
    trace = record(loaded.model, loaded.preprocess(open_image(picture.data)))
    weights = attention_weights(trace, place.layer)[place.head, place.query, 1:]
    truth = data["truth"]
    shares = np.frombuffer(base64.b64decode(truth["map"]), "<u2") / 65535 * truth["most"]
    assert truth["patch"] == weights.argmax()
    assert np.abs(shares - weights).max() < truth["most"] / 65535


def test_notes_are_told_before_the_answer_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def noted(name: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def done(*args: Any, **options: Any) -> Any:
            order.append(name)
            return do(*args, **options)

        return done

    monkeypatch.setattr(window, "show", noted("told", window.show))
    monkeypatch.setattr(telling, "answer", noted("computed", telling.answer))
    visit("lecturer", lesson=NAME, step=str(ASKS))
    assert order == ["told", "computed", "told"]


def test_a_step_without_a_question_has_nothing_to_be_right() -> None:
    assert told(visit("lecturer", lesson=NAME, step="1"))["truth"] is None


@pytest.mark.parametrize(
    "query", [{}, {"lesson": "nobody's"}, {"lesson": "<b>x</b>"}], ids=["none", "unknown", "markup"]
)
def test_without_a_lesson_all_can_be_chosen(query: dict[str, str]) -> None:
    app = healthy(visit("lecturer", **query))
    assert told(app)["lesson"] is None
    assert lesson(NAME).title in "\n".join(it.value for it in app.main.markdown)
    assert "<b>x" not in html(app)


@pytest.mark.parametrize("step", range(1, len(TOUR.steps) + 1))
def test_the_strip_is_told_the_page_the_picture_and_the_model_of_the_step(step: int) -> None:
    view = TOUR.steps[step - 1].view
    app = visit("lecturer", lesson=TOUR.name, step=str(step))
    (sent,) = (it.proto for it in app.get("bidi_component") if it.proto.component_name == "vitviz.data")
    (board,) = json.loads(sent.json)
    picture = samples().titles[view.get("sample", next(iter(samples())))]
    assert (board["page"], board["lit"]) == ("lecturer", view.page.replace("overview", ""))
    assert (board["picture"], board["model"]) == (picture, view.model)


def test_a_step_that_is_not_there_is_the_last_one() -> None:
    assert told(visit("lecturer", lesson=NAME, step="999"))["step"] == len(STEPS)


def test_a_picture_is_copied_for_others_when_it_is_asked_for_and_only_then() -> None:
    picture = Picture("own", "your picture", "", encoded(noise(40, 40), "PNG"))
    uploads.keep(picture)
    app = healthy(visit("lecturer", lesson=NAME, share=f"{grant()}-{picture.digest}"))
    name = told(app)["shared"]
    assert TOKEN.fullmatch(name)
    assert told(app.run())["shared"] == name, "one copy, until the window takes its word out of the address"
    del app.query_params["share"]
    assert told(app.run())["shared"] is None
    _forget_picture(name)
    assert told(visit("lecturer", lesson=NAME, share=f"{grant()}-of nobody"))["shared"] == ""


@pytest.mark.parametrize("right", ["", "0" * 64, "é"])
def test_nobody_but_the_lecturer_has_a_picture_copied(right: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "share", lambda picture: pytest.fail(f"copies {picture}"))
    assert told(healthy(visit("lecturer", lesson=NAME, share=f"{right}-{'a' * 64}")))["shared"] == ""
