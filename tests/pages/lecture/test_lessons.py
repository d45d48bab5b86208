"""Lessons in the app: every step opens as it is written, is told to the board, and a file of one's own is taken."""

import json
from hashlib import sha256
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import healthy, problems, shown, visit
from vitviz.lecture import LESSONS, Step, lesson, read_lesson
from vitviz.pages import PAGES
from vitviz.ui.lecture import own
from vitviz.ui.lecture.looking import selected
from vitviz.ui.sidebar import uploads

STEPS = [(name, at) for name in LESSONS for at, _ in enumerate(lesson(name).steps, 1)]
OWN = b'title = "<b>Mine</b> [x](http://a.b)"\n[[step]]\nview = "heads?layer=2"\nsays = "**Look** <i>here</i>."\n'


@pytest.fixture(autouse=True)
def _browser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of its own for every test: a browser gets back all lessons that it brought."""
    name = sha256(request.node.name.encode()).hexdigest()
    monkeypatch.setattr(uploads, "browser", lambda: name)


def step_of(name: str, at: int) -> Step:
    return lesson(name).steps[at - 1]


def told(app: AppTest, what: str) -> dict[str, Any] | None:
    """What the board is told under this word."""
    data = [json.loads(it.proto.json) for it in app.get("bidi_component") if it.proto.component_name == "vitviz.data"]
    return next((said[0][what] for said in data if what in said[0]), None)


@pytest.mark.parametrize(("name", "at"), STEPS, ids=[f"{name}-{at}" for name, at in STEPS])
def test_a_step_opens_as_it_is_written(name: str, at: int) -> None:
    step = step_of(name, at)
    app = healthy(visit(step.view.page, **dict(step.view.words), lesson=name, step=str(at)))
    assert [it.value for it in (*app.toast, *app.warning)] == [], "no word was dropped"
    assert set(dict(step.view.words).items()) <= set(app.query_params.items()), "and none was taken out of the address"
    page, selection = PAGES[step.view.page], shown(app)
    if page.on_board:
        assert step.view.get("moment", "") in ("", *page.moment_names(selection.config))
        asked = selected(step.view, selection)
        plain = asked.plain if page.compares else asked
        assert (selection.model.key, selection.picture.digest) == (plain.model.key, plain.picture.digest)
        assert str(selection.edits) == str(plain.edits)
    said = told(app, "lesson")
    assert said
    assert (said["name"], said["step"], len(said["steps"])) == (name, at, len(lesson(name).steps))
    right = told(app, "truth")
    assert (right is not None) is (step.question is not None)
    if right:
        assert page.on_board, "a question hides the scene, and a page without one would give it away"
        assert right["why"] == ""
        assert right["truth"]["text"]


def test_the_answer_is_that_of_the_step_wherever_its_visitor_has_gone() -> None:
    step = step_of("what_a_head_looks_at", 3)
    at = {"lesson": "what_a_head_looks_at", "step": "3"}
    there = told(visit(step.view.page, **dict(step.view.words), **at), "truth")
    elsewhere = told(visit("heads", sample="cat", layer="1", **at), "truth")
    assert there
    assert there == elsewhere


@pytest.mark.parametrize(
    ("name", "step", "says"),
    [
        ("no-such", "1", "There is no lesson “no-such” here; the page Lecture has them all."),
        ("own-0123", "1", "There is no lesson “own-0123” here; upload its file again on the page Lecture."),
        ("what_a_head_looks_at", "11", "The link asks for step “11”, and this lesson has 1 to 10."),
        ("what_a_head_looks_at", "0", "The link asks for step “0”, and this lesson has 1 to 10."),
        ("what_a_head_looks_at", "9" * 400, f"The link asks for step “{'9' * 39}…”, and this lesson has 1 to 10."),
    ],
)
def test_a_link_to_nowhere_is_said_once_and_in_words(name: str, step: str, says: str) -> None:
    app = healthy(visit("heads", lesson=name, step=step))
    assert [toast.value.replace("\\", "") for toast in app.toast] == [says]
    assert not app.run().toast
    assert (told(app, "lesson") is None) is (name not in LESSONS)


def test_a_page_without_a_lesson_is_told_nothing_of_one() -> None:
    app = visit("heads")
    assert told(app, "lesson") is told(app, "truth") is None


def test_the_page_offers_every_lesson_with_its_steps() -> None:
    app = healthy(visit("lecture"))
    links = [it.proto for it in app.get("page_link")]
    first = {name: lesson(name).steps[0].view for name in LESSONS}
    for name in LESSONS:
        assert any(
            f"lesson={name}" in link.query_string and link.page == first[name].address.partition("?")[0]
            for link in links
        )
    written = "\n".join(it.proto.body for it in app.main.get("html"))
    for name in LESSONS:
        assert all(f"lesson={name}&amp;step={at}" in written for at, _ in enumerate(lesson(name).steps, 1))


def test_a_file_of_ones_own_is_kept_and_shown_as_text() -> None:
    app = visit("lecture")
    app.file_uploader(key="lesson_file").set_value(("mine.toml", OWN, "application/toml")).run()
    healthy(app)
    brought = read_lesson(OWN)
    (name,) = app.session_state[own.OWN_LESSONS]
    assert name.startswith(own.BEGINS)
    assert app.session_state[own.OWN_LESSONS][name].steps == brought.steps
    written = " ".join(it.value for it in app.markdown)
    assert r"\<b\>Mine\</b\> \[x\]" in written
    table = next(it.proto.body for it in app.main.get("html") if name in it.proto.body)
    assert "&lt;i&gt;here&lt;/i&gt;" in table
    assert "<i>" not in table
    app.query_params["lesson"] = name
    assert told(app.run(), "lesson")


def test_a_new_tab_finds_a_lesson_of_ones_own_and_no_other_browser_does(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = OWN.replace(b"Look", b"See")
    app = visit("lecture")
    app.file_uploader(key="lesson_file").set_value(("mine.toml", mine, "application/toml")).run()
    name = next(iter(app.session_state[own.OWN_LESSONS]))
    for page in ("heads", "lecturer"):
        tab = healthy(visit(page, lesson=name, step="1"))
        assert not tab.toast
        assert tab.session_state[own.OWN_LESSONS][name] == app.session_state[own.OWN_LESSONS][name]
    said = told(visit("heads", lesson=name), "lesson")
    assert said
    assert (said["name"], said["step"]) == (name, 1)
    listed = "\n".join(it.proto.body for it in visit("lecture").main.get("html"))
    assert f"lesson={name}&amp;step=1" in listed
    monkeypatch.setattr(uploads, "browser", lambda: "another")
    assert told(visit("heads", lesson=name), "lesson") is None
    assert name not in "\n".join(it.proto.body for it in visit("lecture").main.get("html"))


def test_of_a_wrong_file_the_line_is_said() -> None:
    app = visit("lecture")
    wrong = OWN.replace(b"layer=2", b"layer=9")
    app.file_uploader(key="lesson_file").set_value(("mine.toml", wrong, "application/toml")).run()
    assert [it.replace("\\", "") for it in problems(app)] == [
        "line 3, step 1: layer “9”, and there is only layer 1 to 6."
    ]


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("bcdf", "BCDF"),
        (" B c D f ", "BCDF"),
        ("bcdfgh", "BCDFGH"),
        ("BCDFG", ""),
        ("ABCD", ""),
        ("BCD", ""),
        ("<b>", ""),
        ("", ""),
    ],
)
def test_four_letters_lead_to_their_room_and_others_are_explained(typed: str, code: str) -> None:
    app = visit("lecture")
    app.text_input(key="join_code").set_value(typed)
    app.button[0].click().run()
    if code:
        assert app.query_params["room"] == code
        assert not problems(app)
    else:
        assert "room" not in app.query_params
        (said,) = problems(app)
        assert "such as BCDF" in said
        assert "<b>" not in said


def test_a_session_keeps_a_few_lessons_only(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, Any] = {}
    monkeypatch.setattr(own.st, "session_state", state)
    monkeypatch.setattr(uploads, "browser", lambda: "")  # one that takes no cookies
    names = [own.bring(OWN.replace(b"layer=2", b"layer=%d" % layer)).name for layer in range(1, 7)]
    assert len(set(names)) == 6
    assert [it.name for it in own.lessons()] == names[: -own.MOST - 1 : -1]
    assert own.find(names[0]) is None


def test_the_list_tells_what_is_optional_of_a_lesson() -> None:
    app = healthy(visit("lecture"))
    says = [it.value for it in app.caption]
    for its in map(lesson, LESSONS):
        assert any(it.startswith(f"{its.takes} · {len(its.steps)} steps") for it in says), its.name
