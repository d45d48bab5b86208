"""A lesson as one HTML file to take home: its steps, what they ask and what is right, pictures, and explorers.

Nobody's guesses are in it: the browser that saves it puts its own in place of `NO_GUESSES`. Notes stay the lecturer's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape

from vitviz import __version__, palette
from vitviz.lecture import Lesson, Step
from vitviz.lecture.payloads import question_payload
from vitviz.numbers import bytes_, many
from vitviz.scripts.bundle import script_of, sheet_of
from vitviz.scripts.sizes import sizes
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.explorer.explorer import MOST_BYTES
from vitviz.takeaway.explorer.page import POLICY, THEME, as_json, document
from vitviz.takeaway.file import File, file_name
from vitviz.takeaway.lesson.explorers import Explorers
from vitviz.takeaway.lesson.pictures import Pictures, photo
from vitviz.takeaway.lesson.step_numbers import StepNumbers
from vitviz.takeaway.lesson.words import choices, where, with_roles, without_roles

NO_GUESSES = '<script type="application/json" id="guesses">{}</script>'


def home(lesson: Lesson, numbers: Sequence[StepNumbers]) -> File:
    """The file of a lesson; `numbers` is what was computed for each of its steps, in order.

    Equal arguments make equal bytes. Raises `TakeawayError` where it would be over 25 MB.
    """
    explorers, pictures = Explorers(lesson, numbers), Pictures()
    steps = [
        _step(number, step, it, explorers, pictures)
        for number, (step, it) in enumerate(zip(lesson.steps, numbers, strict=True), 1)
    ]
    text = _page(lesson, "\n".join(steps), _questions(lesson, numbers), explorers.blocks)
    data = text.encode()
    if len(data) > MOST_BYTES:
        raise TakeawayError(
            f"the file of this lesson has {bytes_(len(data))} and the limit is {bytes_(MOST_BYTES)}; take fewer steps, "
            "or models with fewer patches and heads"
        )
    return File(file_name(lesson.title, ending="html"), "text/html", data)


def _step(number: int, step: Step, it: StepNumbers, explorers: Explorers, pictures: Pictures) -> str:
    way = explorers.way(it.opened.view) if it.opened else ""
    why = f'<p class="why">Not in this file: {escape(it.why)}.</p>' if it.why else ""
    answer = f"{why}{_picture(step, it, pictures)}{way}"
    body = f"{_question(step, it)}{_answer(step, it, answer)}" if step.question and it.truth else answer
    if step.question and not it.truth:
        body = f'<p class="asks">{escape(step.question.asks)}</p>{answer}'
    return (
        f'<section class="step" id="step-{number}"><p class="where"><a href="#step-{number}">Step {number}</a> '
        f"{escape(where(step.view))}</p><h2>{with_roles(step.says)}</h2>{body}</section>"
    )


def _picture(step: Step, it: StepNumbers, pictures: Pictures) -> str:
    try:
        return pictures.of(step, it)
    except TakeawayError as error:
        return "" if it.why else f'<p class="why">Not in this file: {escape(str(error))}.</p>'


def _question(step: Step, it: StepNumbers) -> str:
    assert step.question
    seen = ""
    if step.question.kind in ("patch", "pair") and it.opened:
        alt = f"{it.opened.title}, as the model sees it"
        seen = f'<div class="photo"><img src="{photo(it.opened)}" alt="{escape(alt)}"></div>'
    return (
        f'<div class="question"><p class="asks">{escape(step.question.asks)}</p>{seen}'
        f'<div class="beside"><div class="hand">{choices(step.question)}</div>'
        '<p class="guess" aria-live="polite"></p></div></div>'
    )


def _answer(step: Step, it: StepNumbers, answer: str) -> str:
    assert step.question
    assert it.truth
    right = it.truth["text"]
    if step.question.kind == "choose":
        option, _ = step.question.options[it.truth["option"]]
        right = f"{option} – {right}"
    explains = f'<p class="explains">{with_roles(step.explains)}</p>' if step.explains else ""
    return f'<div class="answer"><p class="right"><b>Right:</b> {escape(right)}</p>{explains}{answer}</div>'


def _questions(lesson: Lesson, numbers: Sequence[StepNumbers]) -> dict[str, object]:
    """What the script of the file is told of each question, by the number of its step."""
    return {
        str(number): {
            "question": question_payload(step.question),
            "truth": it.truth,
            "meta": {name: sizes(it.opened.view.config)[name] for name in ("rows", "columns", "prefix", "patches")},
        }
        for number, (step, it) in enumerate(zip(lesson.steps, numbers, strict=True), 1)
        if step.question and it.truth and it.opened
    }


def _page(lesson: Lesson, steps: str, questions: dict[str, object], blocks: str) -> str:
    counted = f"{many(len(lesson.steps), 'step')}, {many(len(questions), 'question')}"
    title = without_roles(lesson.title)
    numbers = "".join(
        f'<a href="#step-{number}"{" class=asking" if str(number) in questions else ""}>{number}</a>'
        for number in range(1, len(lesson.steps) + 1)
    )
    body = f"""<header><h1>{escape(title)}</h1><p>{escape(lesson.about)}</p>
<p class="tools"><span class="score" role="status">{counted}.</span>
<button type="button" class="theme">light / dark</button></p>
<nav aria-label="Steps">{numbers}</nav></header>
<main>
{steps}
</main>
<footer><p>Made with vitviz {__version__}. Pictures and right answers are computed from the models that are named. This
file asks no server.</p></footer>
<dialog aria-label="The attention explorer">
<p><button type="button" class="close">Back to the step</button></p>
</dialog>
<script type="application/json" id="lesson">{as_json({"questions": questions, "palette": palette.DRAWN})}</script>
{NO_GUESSES}
{blocks}"""
    return document(title, POLICY.format("", ""), _styles(), body, _script())


@cache
def _styles() -> str:
    return sheet_of(THEME, "questions/questions.css", "doors/offline/lesson.css")


@cache
def _script() -> str:
    return script_of("doors/offline/lesson.js")
