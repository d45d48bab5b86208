"""A lesson to take home: whole, the same twice, small, with the app's own numbers, and safe whatever its words are."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.takeaway.test_explorer import Elements, parcels_of
from vitviz.__main__ import main
from vitviz.config import PRESETS
from vitviz.counts import tensors
from vitviz.lecture import LESSONS, Lesson, lesson, read_lesson
from vitviz.lecture.answers import Look, truth
from vitviz.lecture.payloads import question_payload
from vitviz.measures.attention import attention_weights
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.lesson.home import NO_GUESSES, home
from vitviz.takeaway.lesson.step_numbers import StepNumbers, explored_layers, give
from vitviz.takeaway.opening import Opened
from vitviz.trace import Trace
from vitviz.weights import Loaded

HOSTILE = "</script><script>alert(1)</script>\\\"'&<img src=x onerror=alert(2)>"
LESSON = """
title = "{words}"
about = "{words}"
[[step]]
view = "heads?layer=4&head=2&query=60"
says = "{words}"
notes = "{words}"
explains = "{words}"
[step.question]
kind = "patch"
asks = "{words}"
answer = "strongest_patch"
[[step]]
view = "overview"
says = "{{query}} {words}"
[step.question]
kind = "number"
asks = "{words}"
answer = "parameters"
low = 10
high = 1e9
unit = "{unit}"
[[step]]
view = "class_head"
says = "{words}"
[step.question]
kind = "choose"
asks = "{words}"
answer = "answer"
[step.question.options]
"{words}" = "cat"
"{words}!" = "tree"
"""


@pytest.fixture(scope="module")
def taken() -> Callable[[str], tuple[Lesson, list[StepNumbers], str]]:
    """A function that takes a lesson that ships home: the lesson, what was computed, the text of the file."""
    made: dict[str, tuple[Lesson, list[StepNumbers], str]] = {}

    def take(name: str) -> tuple[Lesson, list[StepNumbers], str]:
        if name not in made:
            given = give(lesson(name))
            made[name] = lesson(name), given, home(lesson(name), given).data.decode()
        return made[name]

    return take


def own(words: str, unit: str = "x") -> Lesson:
    return read_lesson(LESSON.format(words=words, unit=unit))


def told(text: str, name: str = "lesson") -> dict[str, Any]:
    found = re.search(f'<script type="application/json" id="{name}">(.*?)</script>', text)
    assert found
    said: dict[str, Any] = json.loads(found[1])
    return said


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_that_ships_has_all_its_steps_and_the_app_s_answers(name: str, taken: Any) -> None:
    its, given, text = taken(name)
    assert re.findall(r'<section class="step" id="step-(\d+)"', text) == [str(n + 1) for n in range(len(its.steps))]
    assert [it.why for it in given] == [""] * len(its.steps)
    assert text.count('<div class="picture">') == len(its.steps)
    asked = told(text)["questions"]
    assert list(asked) == [str(at) for at, step in enumerate(its.steps, 1) if step.question]
    for number, it in asked.items():
        step, opened = its.steps[int(number) - 1], given[int(number) - 1].opened
        assert opened
        look = Look(step.view, opened.view.config, _of(opened.trace), _labels(opened.loaded))
        assert it["truth"] == json.loads(json.dumps(truth(step.question, look)))
        assert it["question"] == json.loads(json.dumps(question_payload(step.question)))


def _of(trace: Trace) -> Callable[..., Any]:
    return lambda function, *args: function(trace, *args)


def _labels(loaded: Loaded) -> Callable[[], Any]:
    return lambda: loaded.labels


def test_the_long_lesson_is_small_and_the_same_twice_and_asks_nobody(taken: Any) -> None:
    its, given, text = taken("vit_in_45_minutes")
    assert len(text.encode()) <= 2_000_000
    assert home(its, given).data.decode() == text
    elements = Elements(text)
    assert all(address and address.startswith(("#", "data:image/png")) for address in elements.addresses)
    assert "default-src 'none'" in text
    assert text.count(NO_GUESSES) == 1


def test_one_explorer_for_each_model_and_picture_with_the_uncoded_weights_of_its_steps(taken: Any) -> None:
    its, given, text = taken("vit_in_45_minutes")
    assert re.findall(r'data-explorer="(\d)"', text) == ["1", "1", "1", "2"]  # the cat, then the two balls
    assert [told(text, f"said-{at}")["said"]["data"]["picture"] for at in (1, 2)] == ["Cat", "Red ball above blue ball"]
    pages = {step.view.page: it for step, it in zip(its.steps, given, strict=True)}
    shown = (("1", "heads", 1, 0), ("1", "heads", 1, 144), ("2", "depth", 5, 0))  # the class token, the corner
    for number, page, layer, query in shown:
        found = parcels_of(text.replace(f'id="numbers-{number}"', 'id="numbers"'))
        trace = pages[page].opened.trace
        np.testing.assert_array_equal(found[f"exact-{layer}-{query}"]["row"], attention_weights(trace, layer)[:, query])


def test_words_of_a_lesson_stay_words(taken: Any) -> None:
    plain, hostile = own("words"), own(HOSTILE, "<b>1</b>")
    given = give(plain)
    one, other = (home(it, given).data.decode() for it in (plain, hostile))
    assert Elements(other).names == Elements(one).names
    assert Elements(other).addresses == Elements(one).addresses
    assert told(other)["questions"]["2"]["question"]["unit"] == "<b>1</b>"
    assert home(hostile, given).name == "script_script_alert_1_script_img_src_x_onerror_alert_2.html"


def test_the_lecturer_s_notes_are_in_nobody_s_file(taken: Any) -> None:
    for name in LESSONS:
        its, given, text = taken(name)
        silent = replace(its, steps=tuple(replace(step, notes="") for step in its.steps))
        assert home(silent, given).data.decode() == text
        assert not any(escape(step.notes.strip()) in text for step in its.steps if step.notes)
    secret = own("words")
    assert all(step.notes for step in secret.steps[:1])
    whispered = replace(secret, steps=tuple(replace(step, notes="the exam asks for it") for step in secret.steps))
    assert b"the exam asks" not in home(whispered, give(secret)).data


def test_a_moment_of_training_is_drawn_and_opens_no_explorer_of_the_trained_model() -> None:
    then = '[[step]]\nview = "heads?learned=166&layer=3"\nsays = "Then."\n'
    now = '[[step]]\nview = "heads?layer=3"\nsays = "Now."\n'
    its = read_lesson(f'title = "T"\n{then}')
    given = give(its)
    text = home(its, given).data.decode()
    assert [it.why for it in given] == [""]
    assert "while the model learned" in text
    assert "data-explorer=" not in text
    assert 'id="numbers-1"' not in text
    assert explored_layers(its) == {}
    both = read_lesson(f'title = "T"\n{then}{now}')
    given = give(both)
    first, second = home(both, given).data.decode().split('id="step-2"')
    assert "data-explorer=" not in first
    assert second.count('data-explorer="1"') == 1
    assert given[0].opened
    assert given[1].opened
    assert given[0].opened.trace is given[1].opened.trace


def test_a_step_that_cannot_be_run_says_so_and_the_others_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitviz.weights.hub.local", lambda _: None)
    there = '[[step]]\nview = "heads"\nsays = "This is here."\n'
    lost = '[[step]]\nview = "heads?model=vit_tiny_patch16_224.augreg_in21k_ft_in1k"\nsays = "This is not."\n'
    its = read_lesson(f'title = "T"\n{there}{lost}')
    given = give(its)
    text = home(its, given).data.decode()
    assert given[0].opened
    assert "is not on this machine" in given[1].why
    assert text.count("Not in this file: ") == 1
    assert 'data-explorer="1"' in text


def test_too_large_a_file_holds_the_layers_of_its_steps_or_is_refused_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asking(*models: str) -> Lesson:
        steps = (f'[[step]]\nview = "heads?model={model}&layer=3"\nsays = "x"\n' for model in models)
        return read_lesson('title = "T"\n' + "".join(steps))

    large = [f"vit_huge_patch14_224&seed={seed}" for seed in range(8)]
    assert [len(of) for of in explored_layers(asking("vit_base_patch16_224")).values()] == [12]
    assert [len(of) for of in explored_layers(asking(*large)).values()] == [1] * 8
    monkeypatch.setattr("vitviz.takeaway.lesson.step_numbers.opened", lambda *_: pytest.fail("ran"))
    with pytest.raises(TakeawayError, match=r"about [\d.]+ MB and the limit is 25.0 MB; leave out steps of Heads"):
        give(asking(*(f"vit_huge_patch14_224&seed={seed}" for seed in range(40))))


def test_the_command_writes_what_the_library_makes(
    taken: Any, cat: Opened, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "home.html"
    assert main(["lesson", "home", "where_the_parameters_sit", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == taken("where_the_parameters_sit")[2]
    assert "kB" in capsys.readouterr().out
    for wrong, says in (("nothing", "neither a file nor a lesson"), (str(_broken(tmp_path)), "line 1: ")):
        with pytest.raises(SystemExit):
            main(["lesson", "home", wrong, "--out", str(out)])
        assert says in capsys.readouterr().err


def _broken(folder: Path) -> Path:
    path = folder / "broken.toml"
    path.write_text('title = "T"', encoding="utf-8")
    return path


def test_pages_that_let_one_choose_share_a_pass() -> None:
    steps = ("heads?layer=2", "patch_grid?query=5", "shift?query=7", "five_shots?shots=3")
    its = read_lesson('title = "T"\n' + "".join(f'[[step]]\nview = "{view}"\nsays = "x"\n' for view in steps))
    given = give(its)
    assert [it.why for it in given] == [""] * len(steps)
    assert len({id(it.opened.trace) for it in given if it.opened}) == 1
    assert home(its, given).data.count(b'<div class="picture">') == len(steps)


TWO = """
title = "Two"
[[step]]
view = "heads?sample=left&layer=3&head=2&query=40&b.model=shelf_none_0"
says = "Two models."
[[step]]
view = "class_head?b.model=demo&b.image=fish&b.edits=h3.1*0"
says = "Two pictures, one of them edited."
"""


def test_a_step_of_two_columns_shows_both() -> None:
    its = read_lesson(TWO)
    first, second = given = give(its)
    assert first.second
    assert second.second
    assert (first.second.view.model, first.second.view.layer, first.second.view.query) == ("shelf_none_0", 2, 40)
    assert (second.second.view.picture, str(second.second.view.edits), second.second.view.model) == (
        "fish",
        "h3.1*0",
        "demo",
    )
    text = home(its, given).data.decode()
    assert text.count('<div class="picture">') == 4
    for words in (
        "Model demo, picture “Red ball left of blue ball”",
        "Model shelf_none_0, picture “Red ball",
        "“Fish”",
    ):
        assert " ".join(words.split()) in " ".join(re.sub(r"</text>\s*<text[^>]*>", " ", text).split()), words
    assert "beside it · model shelf_none_0" in text
    assert "beside it · model demo · image fish · edits h3.1*0" in text


def test_a_step_is_named_by_its_picture_and_shows_the_shapes_that_it_speaks_of(taken: Any) -> None:
    told, _, text = taken(LESSONS[0])
    at = next(at for at, step in enumerate(told.steps) if step.view.page == "tensor_shapes")
    shown = text.split('class="step"')[at + 1]
    rows = [row for row in tensors(PRESETS["demo"]) if row.kind == "activation"]
    for row in rows:
        assert (f">{row.name}<" in shown) is not bool(re.match(r"blocks\.[1-9]", row.name)), row.name
    assert "Heads · layer 2 · query patch 144" in text


def test_each_picture_is_drawn_for_a_phone_too_and_held_once(taken: Any) -> None:
    text = taken("what_a_head_looks_at")[2]
    wide, narrow = (text.count(f'<div class="{name}">') for name in ("wide", "narrow"))
    assert wide == narrow > 0
    assert {int(width) for width in re.findall(r'<svg [^>]*?width="(\d+)"', text)} == {960, 480}
    images = re.findall(r'<image [^>]*href="(data:[^"]+)"', text)
    assert len(images) < 1.5 * len({*images})
    names = re.findall(r' id="((?:image|sheet)-\d+)"', text)
    assert len({*names}) == len(names)
    assert {*re.findall(r'<use href="#([^"]+)"', text)} <= {*names}
