"""A lesson's file: read as it is meant, or refused with the line, the step and the way out."""

from itertools import product

import pytest

from tests.cases import each
from vitviz.lecture import Lesson, LessonError, read_lesson
from vitviz.lecture.reading import LARGEST, LONGEST, MOST_STEPS

WHOLE = """\
title = "Two steps"
about = 'With "quotes".'

[[step]]
view = "heads?sample=left&layer=5&head=2&query=40"
says = '''
Look   at the
{query}.'''
minutes = 1.5
notes = \"\"\"
Point at it.
[[step]] in a text is no step.\"\"\"

[[step]]
view = "overview"
says = "Guess."  # a comment with "quotes
explains = "So it is."

[step.question]
kind = "choose"
asks = "What is it?"
answer = "answer"

[step.question.options]
"A cat" = "cat"
"A fish" = "fish"
"""
STEP = '[[step]]\nview = "heads"\nsays = "Look."\n'


def with_(step: str) -> str:
    """A lesson whose second step, from line 5 on, holds this beside its view, in line 6."""
    return f'title = "T"\n{STEP}[[step]]\nview = "heads"\n{step}'


def refused(text: str | bytes) -> str:
    with pytest.raises(LessonError) as caught:
        read_lesson(text)
    assert len(str(caught.value)) < 500
    return str(caught.value)


def test_a_lesson_is_read_as_it_is_written() -> None:
    lesson = read_lesson(WHOLE, "two")
    first, second = lesson.steps
    assert (lesson.name, lesson.title, lesson.about) == ("two", "Two steps", 'With "quotes".')
    assert (lesson.minutes, lesson.questions) == (2.5, 1)
    assert first.says == "Look at the {query}."
    assert first.notes == "Point at it.\n[[step]] in a text is no step."
    assert (first.view.page, first.view.address) == ("heads", "heads?sample=left&layer=5&head=2&query=40")
    assert second.view.address == ""  # the first page has no name
    assert second.question
    assert second.question.options == (("A cat", "cat"), ("A fish", "fish"))
    assert second.explains == "So it is."


def test_bytes_and_lines_of_other_systems_make_no_difference() -> None:
    assert read_lesson(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode()) == read_lesson(WHOLE)


def test_an_optional_step_is_on_top_of_the_plan() -> None:
    its = read_lesson(with_('says = "x"\nminutes = 2.5\noptional = true'))
    assert [step.optional for step in its.steps] == [False, True]
    assert (its.minutes, its.takes) == (1, "1 minutes and 2.5 optional")
    assert read_lesson(with_('says = "x"\noptional = false')).takes == "2 minutes"


@each(
    [
        ("", "line 1: “title” is missing"),
        ('title = "T"', "line 1: a lesson has steps, and each begins with a line [[step]]"),
        ('title = "T"\nstep = [{view = "heads", says = "x"}]', "line 1: a lesson has steps, and each begins with"),
        ('title = "T"\nstep = 3', "line 1: a lesson has steps"),
        (f"title = 3\n{STEP}", "line 1: “title” is a number, and must be a text"),
        (f'tittle = "T"\n{STEP}', "line 1: nothing is called “tittle” here; there is title, about, step"),
        (f'title = " "\n{STEP}', "line 1: “title” is empty; say something"),
        ("title = ", "the file is no TOML: Invalid value (at"),
        ("\x00", "the file is no TOML: "),
        (b"\xff\xfe", "byte 1 is no UTF-8; save the file as UTF-8"),
        (with_('says = "x"\nminuets = 3'), "line 8, step 2: nothing is called “minuets” here; there is view, says"),
        (with_('says = "x"\nminutes = "3"'), "line 8, step 2: “minutes” is a text, and must be a number"),
        (with_('says = "x"\nminutes = true'), "line 8, step 2: “minutes” is true or false, and must be a number"),
        (with_('says = "x"\noptional = 1'), "line 8, step 2: “optional” is a number, and must be true or false"),
        (with_('says = "x"\nminutes = nan'), "line 8, step 2: minutes nan, and it may be 0.1 to 60"),
        (with_('says = "x"\nminutes = -1'), "line 8, step 2: minutes -1, and it may be 0.1 to 60"),
        (with_("says = 1979-05-27"), "line 7, step 2: “says” is a date, and must be a text"),
        (with_('says = ["x"]'), "line 7, step 2: “says” is a list, and must be a text"),
        (with_("minutes = 1"), "line 5, step 2: “says” is missing"),
        (with_(f'says = "{"x" * 201}"'), "line 7, step 2: “says” has 201 letters; 200 can be read in a hall"),
        (with_('says = "a\\u202eb"'), "line 7, step 2: “says” holds a letter that cannot be seen"),
        (with_('says = "a\\u0007b"'), "line 7, step 2: “says” holds a letter that cannot be seen"),
        (with_('says = "a\\U000E0041b"'), "line 7, step 2: “says” holds a letter that cannot be seen"),
        (with_('says = "a\\u200Fb"'), "line 7, step 2: “says” holds a letter that cannot be seen"),
        (with_('says = "a' + "\u0301" * 190 + '"'), "line 7, step 2: “says” holds a letter that cannot be seen"),
        (
            with_('says = "the {queri} asks"'),
            "line 7, step 2: there is no role “queri”; in braces may stand query",
        ),
        (with_('says = "x"\nexplains = "y"'), "line 8, step 2: it explains an answer, and nothing is asked"),
        (with_('says = "x"\nquestion = "y"'), "line 8, step 2: “question” is a text, and must be a table"),
    ]
)
def test_what_is_wrong_is_said_with_its_line_and_the_way_out(text: str | bytes, says: str) -> None:
    assert refused(text).startswith(says)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ('title = "One\n', "a closing quote at the end of that line"),
        ('title = "One', "a closing quote"),
        ("title = One", "a pair of straight quotes around a text"),
    ],
)
def test_of_a_file_that_is_no_toml_it_is_said_what_is_usually_missing(text: str, missing: str) -> None:
    assert refused(text).endswith(f"; usually {missing} is missing")


@each(
    [
        ("heads?layer=9", "layer “9”, and there is only layer 1 to 6"),
        ("heads?head=5", "head “5”, and there is only head 1 to 4"),
        ("heads?layer=0", "layer “0”, and there is only layer 1 to 6"),
        ("heads?query=145", "query “145”, and the demo has class, patches 1 to 144"),
        ("heads?query=", "query “”, and the demo has class, patches 1 to 144"),
        ("heads?model=vit_base_patch16_224&layer=13", "layer “13”, and there is only layer 1 to 12"),
        ("heads?model=vit_base_16", "there is no model “vit_base_16”; the nearest is “vit_base_patch16_224”"),
        ("heads?model=build-your-own&dim=1e999", "dim “1e999”, and that is no whole number"),
        ("heads?model=build-your-own&depth=inf", "depth “inf”, and that is no whole number"),
        ("heads?model=build-your-own&depth=2000", "depth “2000”, and there is only depth 1 to 1,024"),
        ("heads?model=vit_base_patch16_224&seed=Infinity", "seed “Infinity”, and that is no whole number"),
        ("heads?model=vit_base_patch16_224&seed=-1", "seed “-1”, and there is only seed 0 to 2,147,483,647"),
        ("heads?b.model=build-your-own&b.heads=nan", "b.heads “nan”, and that is no whole number"),
        ("find_the_model?budget=nan", "budget “nan”, and that is no number"),
        ("heads?layer=٣", "layer “٣”, and that is no whole number"),
        ("heads?epsilon=nan", "epsilon “nan”, and that is no number; there is only epsilon 1e-300 to 0.99"),
        ("heads?score_scale=Infinity", "score_scale “Infinity”, and that is no number; there is only score scale auto"),
        ("heads?dropout=1e999", "dropout “1e999”, and that is no number"),
        ("heads?head_dim=99999999999", "head_dim “99999999999”, and there is only head dim auto, 1 to 512"),
        ("heads?b.epsilon=nan", "b.epsilon “nan”, and that is no number"),
        ("heads?b.moment=7", "b.moment “7”, and there are steps 0, 6, 16"),
        ("heads?learned=100", "learned “100”, and there are steps 0, 6, 16"),
        ("heads?b.layer_scale=7", "b.layer_scale “7”, and there is false, true"),
        ("arithmetic?sequence=999999999999", "sequence “999999999999”, and there is only sequence 1, 2, 4"),
        ("growth?grown_dim=0", "grown_dim “0”, and there is only grown dim 1 to 65,536"),
        ("growth?grown_dim=127", "grown_dim 127, and the curve of this model does not have that size"),
        ("five_shots?penalty=9999999999", "penalty “9999999999”, and there is only penalty 0.01, 0.1, 1.0"),
        ("find_the_model?there=0x0", "there “0x0”, and a place is dim and depth such as 768x12"),
        ("norms?norm_layer=9", "norm_layer “9”, and there is only norm layer 1 to 6"),
        ("heads?crop=1-2", "crop “1-2”, and a square is left-top-side in thousandths"),
        ("heads?learned=inf", "learned “inf”, and that is no whole number"),
        ("lecturer", "the page “lecturer” is the lecturer's own window and follows nobody; show any other page"),
        ("/lecturer?layer=2", "the page “lecturer” is the lecturer's own window"),
        ("haeds", "there is no page “haeds”; the nearest is “heads”"),
        ("https://example.org/heads", "there is no page “https://example.org/heads”"),
        ("heads?sample=dog", "there is no sample “dog”"),
        ("five_shots?tuned=foo", "tuned “foo”, and there is head, last block and head, everything"),
        ("five_shots?shots_of_1=dog", "shots_of_1 “dog”, and there is "),
        ("siblings?differs=Sizes", "differs “Sizes”, and there is Positions, Switches, Learning rates, Data sizes"),
        ("norms?night=yes", "night “yes”, and there is false, true"),
        ("switches?switch=foo", "switch “foo”, and there is "),
        ("switches?switch=pool&value=foo", "value “foo”, and there is class, "),
        ("side_by_side?beside=foo", "there is no model “foo” to stand beside"),
        ("heads?picture=abc", "there is no sample “abc”"),
        ("heads?laier=2", "an address has no word “laier”; the nearest is “layer”"),
        ("heads?layer=2&layer=3", "“layer” is said twice"),
        ("heads?shows=rows", "shows “rows”, and there is row, column, rollout"),
        ("heads?moment=0", "moment “0”, and there is wall, matrix, pair"),
        ("heads?moment=martix", "moment “martix”, and there is wall, matrix, pair; the nearest is “matrix”"),
        ("class_head?moment=result", "moment “result”, and there is lens, scores, token, way"),
        ("memory?moment=matrix", "moment “matrix”, and the page has no moments"),
        ("heads?edits=h9.1*0", "“h9.1*0” asks for layer 9, and this model has 6 layers"),
        ("heads?onclick=alert", "an address has no word “onclick”"),
        ("heads?layer=5%0Ax", "the view holds a letter that cannot be seen"),
        ("a" * 500, f"there is no page “{'a' * 50}…{'a' * 50}”"),
        ("heads?model=" + "a" * 500, f"there is no model “{'a' * 50}…{'a' * 50}”"),
        ("heads?" + "a" * 600, "the view is 606 letters long; 600 is the most"),
    ]
)
def test_a_view_is_checked_against_the_model_that_it_names(view: str, says: str) -> None:
    text = f'title = "T"\n\n\n[[step]]\nsays = "x"\nview = "{view}"'
    assert refused(text).startswith(f"line 6, step 1: {says}")


ASKED = 'says = "x"\n[step.question]\nkind = "{kind}"\nasks = "y"\nanswer = "{answer}"\n'


@pytest.mark.parametrize(
    ("kind", "answer", "more", "says"),
    [
        ("guess", "answer", "", "line 9, step 2: there is no kind “guess”; there is choose, number, patch, pair"),
        ("patch", "strongest", "", "line 11, step 2: there is no answer “strongest”; the nearest is “strongest_patch”"),
        ("patch", "parameters", "", "line 11, step 2: there is no answer “parameters”"),
        ("patch", "strongest_patch", "low = 1", "line 12, step 2: nothing is called “low” here"),
        ("number", "parameters", "low = 1", "line 8, step 2: “high” is missing"),
        ("number", "parameters", "low = 0\nhigh = 1", "line 12, step 2: low 0, and it may be 1e-06 to 1e+15"),
        ("number", "parameters", "low = 5\nhigh = 5", "line 13, step 2: from 5 to 5 there is nothing to guess"),
        ("number", "parameters", "low = 5\nhigh = inf", "line 13, step 2: high inf, and it may be"),
        ("choose", "answer", "options = []", "line 12, step 2: “options” is a list, and must be a table"),
        ("choose", "answer", 'options = {a = "cat"}', "line 12, step 2: 1 options; 2 to 6 can be chosen from"),
        ("choose", "answer", 'options = {a = "cat", b = 3}', "line 12, step 2: “b” stands for a number, and must for"),
        ("choose", "answer", 'options = {a = "x", b = "x"}', "line 12, step 2: two options stand for the same value"),
    ],
)
def test_a_question_is_checked_against_what_can_be_computed(kind: str, answer: str, more: str, says: str) -> None:
    assert refused(with_(ASKED.format(kind=kind, answer=answer) + more)).startswith(says)


def test_nothing_is_asked_of_a_model_whose_sizes_are_not_known() -> None:
    asked = 'title = "T"\n[[step]]\nview = "heads?model=build-your-own"\n' + ASKED.format(
        kind="patch", answer="strongest_patch"
    )
    assert refused(asked).startswith("line 3, step 1: nothing can be asked of build-your-own")


def test_nothing_is_asked_beside_an_open_drawer() -> None:
    step = 'title = "T"\n[[step]]\nview = "heads?layer=5&open=details"\n'
    assert read_lesson(step + 'says = "Look."').steps[0].view.get("open") == "details"
    asked = step + ASKED.format(kind="patch", answer="strongest_patch")
    assert refused(asked).startswith("line 3, step 1: the open drawer “details” would give the answer away; open it in")


def test_nothing_is_asked_where_the_answer_cannot_be_hidden() -> None:
    asked = 'title = "T"\n[[step]]\nview = "growth"\n' + ASKED.format(kind="patch", answer="strongest_patch")
    assert refused(asked).startswith("line 3, step 1: the page growth would give the answer away; ask on a page of")


def test_markup_is_text_like_any_other() -> None:
    text = "<script>alert(1)</script> **b** [a](http://b.c)"
    lesson = read_lesson(with_(f'says = "{text}"'))
    assert lesson.steps[1].says == text  # who draws it uses textContent, or escapes it


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("#" * (LARGEST + 1), f"the file has {LARGEST + 1:,} bytes; {LARGEST:,} are the most of a lesson"),
        ('title = "T"\n' + "[[step]]\n" * 100_000, "line 202: 100,000 steps; 200 are the most"),
        ("a." * 400_000 + "b = 1", "line 1: too many dots; a lesson needs no dotted keys"),
        ("[" + "a." * 400_000 + "b]", "line 1: too many dots; a lesson needs no dotted keys"),
        ('"a".' * 200_000 + "b = 1", "line 1: too many dots; a lesson needs no dotted keys"),
        ("a = " + "[" * 400_000, "line 1: tables in tables in tables; a lesson needs two levels"),
        ("a = " + "{a = " * 100_000, "line 1: tables in tables in tables; a lesson needs two levels"),
        ("\na = " + "9" * 900_000, "line 2: a number of more than 300 digits; no lesson needs one"),
        ('"' + "9" * 900_000, "the file is no TOML: "),
        ('a = """' + '\\"""' * 200_000, "the file is no TOML: "),
        ('"' * 900_000, "the file is no TOML: "),
        ("'''\n" * 200_000, "the file is no TOML: "),
    ],
    ids=lambda text: text[:12],
)
def test_a_file_made_to_hurt_is_refused_at_once(text: str, says: str) -> None:
    assert refused(text).startswith(says)  # read again from every quote or dot, each would take hours


LARGE = ("9" * 301, "9" * 400, "9" * 5_000, "-" + "9" * 400, "9_" * 400 + "9", "0x" + "f" * 400, "1e999", "-inf", "nan")


@each(product(["minutes", "low", "high", "title", "view", "kind", "options"], LARGE))
def test_a_number_that_no_float_holds_is_refused_with_its_line(key: str, number: str) -> None:
    said = {"title": '"T"', "view": '"heads"', "minutes": "2", "kind": '"number"', "low": "1", "high": "9"}
    said[key] = number
    text = (
        f'title = {said["title"]}\n[[step]]\nview = {said["view"]}\nsays = "x"\nminutes = {said["minutes"]}\n'
        f'[step.question]\nkind = {said["kind"]}\nasks = "y"\nanswer = "parameters"\n'
        f"low = {said['low']}\nhigh = {said['high']}\n" + f"options = {number}\n" * (key == "options")
    )
    line = next(at for at, it in enumerate(text.split("\n"), 1) if it.startswith(f"{key} = "))
    assert refused(text).startswith(f"line {line}")
    assert len(refused(text)) < 200


def test_limits_are_those_that_the_messages_of_a_room_have_room_for() -> None:
    longest = sum(LONGEST[name] for name in ("says", "explains", "asks")) + 6 * LONGEST["an option"]
    assert longest + 600 < 4_000
    assert len(read_lesson('title = "T"\n' + STEP * MOST_STEPS).steps) == MOST_STEPS


def test_a_lesson_is_a_value() -> None:
    first, second = (read_lesson(WHOLE) for _ in range(2))
    assert first == second
    assert isinstance(first, Lesson)
    with pytest.raises(AttributeError):
        first.title = "other"  # type: ignore[misc]
