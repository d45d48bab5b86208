"""Take the lecture home: the file that the app makes is the library's, own lessons too, and a failure is a sentence."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import ask, problems, turn_to, visit
from vitviz import results
from vitviz.lecture import lesson, read_lesson
from vitviz.machine.device import DeviceError
from vitviz.selection import Selection
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import File
from vitviz.takeaway.lesson.home import home
from vitviz.takeaway.lesson.step_numbers import give
from vitviz.ui.lecture import own
from vitviz.ui.lecture.home import TAKE

HOSTILE = b'title = "<b>M</b> [x](http://a.b)"\n[[step]]\nview = "heads?layer=2"\nsays = "</script><b>"\n'


def saved(app: AppTest) -> list[dict[str, Any]]:
    """What the browser is told to save."""
    shown = [it.proto for it in app.get("bidi_component") if it.proto.component_name == "vitviz.home"]
    return [json.loads(it.json)[0] for it in shown]


def test_the_app_s_file_is_the_library_s(served: list[File]) -> None:
    name = "what_a_head_looks_at"
    app = visit("lecture")
    assert saved(app) == served == []
    app.button(key=f"home-{name}").click().run()
    assert problems(app) == []
    expected = home(lesson(name), give(lesson(name)))
    assert served == [expected]
    (told,) = saved(app)
    assert (told["lesson"], told["name"], told["url"]) == (name, expected.name, "/media/1")
    assert saved(app.run()) == [], "a run that nobody asked for a file makes none"


def test_a_link_offers_a_lesson_and_starts_nothing(served: list[File], monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr("vitviz.results.begin", lambda *selections: begun.extend(selections))
    app = visit("lecture", home="where_the_parameters_sit")
    for run in (app, app.run()):
        assert problems(run) == []
        assert saved(run) == served == begun == []
    app.button(key="home-take").click().run()
    assert len(saved(app)) == len(served) == 1
    assert "home" not in app.query_params
    again = ask(app, home="where_the_parameters_sit")
    assert len(saved(again)) == 1, "a step within the app asks"
    assert len(served) == 2


def test_a_step_within_the_app_asks_once_and_a_lesson_that_is_not_here_is_said(served: list[File]) -> None:
    app = visit("overview")
    app.query_params["home"] = "where_the_parameters_sit"
    app = turn_to(app, "lecture")
    assert len(saved(app)) == len(served) == 1
    assert "home" not in app.query_params
    assert saved(app.run()) == []
    lost = visit("lecture", home="own-<b>x")
    assert next(it.value for it in lost.error).startswith("There is no lesson “own-bx” here.")
    assert "home" not in lost.query_params


def test_a_lesson_of_one_s_own_goes_home_too(served: list[File], monkeypatch: pytest.MonkeyPatch) -> None:
    mine = read_lesson(HOSTILE, "own-0123")
    monkeypatch.setattr(own, "lessons", lambda: [mine])
    app = visit("lecture")
    app.button(key="home-own-0123").click().run()
    assert problems(app) == []
    (taken,) = served
    assert b"<b>M</b>" not in taken.data
    assert b"&lt;b&gt;M&lt;/b&gt;" in taken.data
    assert taken.name == "b_M_b_x_http_a.b.html"


def test_both_columns_of_a_step_go_home_as_the_library_writes_them(
    served: list[File], monkeypatch: pytest.MonkeyPatch
) -> None:
    view = "heads?sample=left&layer=3&b.model=shelf_none_0&b.image=fish&b.edits=h2.1*0"
    mine = read_lesson(f'title = "Two"\n[[step]]\nview = "{view}"\nsays = "x"\n'.encode(), "own-0123")
    monkeypatch.setattr(own, "lessons", lambda: [mine])
    app = visit("lecture")
    app.button(key="home-own-0123").click().run()
    assert problems(app) == []
    given = give(mine)
    assert given[0].second
    assert served == [home(mine, given)]


def test_why_there_is_no_file_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise TakeawayError("the maps are <b>too large</b>")

    monkeypatch.setattr("vitviz.takeaway.lesson.step_numbers.explored_layers", refuse)
    app = visit("lecture")
    next(it for it in app.button if it.label == TAKE).click().run()
    assert [it.value for it in app.error] == ["the maps are \\<b\\>too large\\</b\\>."]
    assert not app.exception


def test_a_step_whose_model_cannot_run_says_so_in_the_file(served: list[File], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise DeviceError("[no] memory <here>")

    mine = read_lesson(HOSTILE, "own-0123")
    monkeypatch.setattr(own, "lessons", lambda: [mine])
    app = visit("lecture")
    monkeypatch.setattr("vitviz.results.forward_info", fail)
    app.button(key="home-own-0123").click().run()
    assert problems(app) == []
    assert b"Not in this file: [no] memory &lt;here&gt;." in served[0].data


def test_the_engine_begins_with_all_passes_of_a_lesson_before_one_is_waited_for(
    served: list[File], monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    begin, ask_for = results.begin, results.forward_info

    def begins(*selections: Selection) -> None:
        happened.extend(f"begin {it.picture.id}" for it in selections)
        begin(*selections)

    def waits(selection: Selection) -> Any:
        happened.append(f"wait {selection.picture.id}")
        return ask_for(selection)

    steps = "".join(
        f'[[step]]\nview = "heads?{words}"\nsays = "x"\n'
        for words in ("sample=fish", "sample=left", "sample=fish&layer=2")
    )
    mine = read_lesson(f'title = "T"\n{steps}', "own-0123")
    monkeypatch.setattr(own, "lessons", lambda: [mine])
    app = visit("lecture")
    monkeypatch.setattr(results, "begin", begins)
    monkeypatch.setattr(results, "forward_info", waits)
    app.button(key="home-own-0123").click().run()
    assert problems(app) == []
    asked = happened[next(at for at, it in enumerate(happened) if it == "begin fish") :]
    assert asked[:5] == ["begin fish", "begin left", "wait fish", "wait left", "wait fish"]
    assert len(served) == 1
