"""A lesson from its file: TOML in, a value out, or a sentence that names the line and the way out."""

import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

from vitviz.lecture.answers import QUANTITIES
from vitviz.lecture.lesson import KINDS, Lesson, Question, Step
from vitviz.lecture.lines import BEFORE, MOST_DIGITS, Lines
from vitviz.lecture.views import View, ViewError, read_view
from vitviz.pages import PAGES
from vitviz.palette import ROLE_WORDS, ROLES
from vitviz.shown import hides, quoted

LARGEST = 1_000_000  # bytes
MOST_QUOTED = 40  # letters of what is refused
MOST_STEPS = 200
LONGEST = {  # letters
    "title": 80,
    "about": 200,
    "says": 200,
    "notes": 2_000,
    "explains": 300,
    "asks": 160,
    "unit": 20,
    "an option": 80,
}
MISSING = {  # by what tomllib says of it
    "Illegal character '\\n'": "a closing quote at the end of that line",
    "Unterminated string": "a closing quote",
    "Invalid value": "a pair of straight quotes around a text",
}
LEAST_OPTIONS, MOST_OPTIONS = 2, 6
LEAST_MINUTES, MOST_MINUTES = 0.1, 60
LARGEST_NUMBER = 1e15
OF_LESSON = ("title", "about", "step")
OF_STEP = ("view", "says", "minutes", "notes", "question", "explains", "optional")
OF_QUESTION = {
    "choose": ("kind", "asks", "answer", "options"),
    "number": ("kind", "asks", "answer", "low", "high", "unit"),
    "patch": ("kind", "asks", "answer"),
    "pair": ("kind", "asks", "answer"),
}
Word = TypeVar("Word", bound=str)
WORDS = {str: "a text", float: "a number", int: "a number", bool: "true or false", list: "a list", dict: "a table"}


class LessonError(ValueError):
    """A file that is no lesson; the message names the line, the step, and the way out."""


class _Part(NamedTuple):
    """A table of the file: its values, the step that it belongs to, and how to tell where that is."""

    values: Mapping[str, Any]
    step: int
    lines: Lines
    under: str = ""  # the key of the table in its step

    def error(self, key: str, sentence: str) -> LessonError:
        where = f"line {self.lines.of(self.step, key, self.under)}"
        return LessonError(
            f"{where}, step {self.step + 1}: {sentence}" if self.step > BEFORE else f"{where}: {sentence}"
        )


def read_lesson(data: str | bytes, name: str = "own") -> Lesson:
    """The lesson that a TOML file holds. Raises `LessonError`, a sentence, for the first thing wrong with it.

    `name` is what addresses will call it.

    >>> read_lesson('title = "One step"\\n[[step]]\\nview = "heads?layer=5"\\nsays = "Look."').title
    'One step'
    """
    text = _text(data)
    lines = Lines(text)
    if len(lines.starts) > MOST_STEPS:
        raise LessonError(f"line {lines.starts[MOST_STEPS]}: {len(lines.starts):,} steps; {MOST_STEPS} are the most")
    if lines.dotted:
        raise LessonError(f"line {lines.dotted}: too many dots; a lesson needs no dotted keys")
    if lines.long:
        raise LessonError(f"line {lines.long}: a number of more than {MOST_DIGITS} digits; no lesson needs one")
    values = _parsed(text)
    whole = _Part(values, BEFORE, lines)
    _no_others(whole, OF_LESSON)
    title, about = _string(whole, "title"), _string(whole, "about", "")
    steps = values.get("step", [])
    if not isinstance(steps, list) or len(steps) != len(lines.starts) or not steps:
        raise LessonError("line 1: a lesson has steps, and each begins with a line [[step]]")
    return Lesson(name, title, tuple(_step(_Part(step, at, lines)) for at, step in enumerate(steps)), about)


def _text(data: str | bytes) -> str:
    size = len(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    if size > LARGEST:
        raise LessonError(f"the file has {size:,} bytes; {LARGEST:,} are the most of a lesson")
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LessonError(f"byte {error.start + 1:,} is no UTF-8; save the file as UTF-8") from None
    return text.replace("\r\n", "\n")


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise LessonError("line 1: tables in tables in tables; a lesson needs two levels") from None
    except ValueError as error:  # of TOML, and of numbers with thousands of digits
        why = " ".join(str(error).split())[:200]
        missing = next((f"; usually {it} is missing" for begins, it in MISSING.items() if why.startswith(begins)), "")
        raise LessonError(f"the file is no TOML: {why}{missing}") from None


def _step(part: _Part) -> Step:
    _no_others(part, OF_STEP)
    view = _view(part)
    minutes = _number(part, "minutes", LEAST_MINUTES, MOST_MINUTES, 1.0)
    question = _question(part, view) if "question" in part.values else None
    explains = _string(part, "explains", "")
    if explains and not question:
        raise part.error("explains", "it explains an answer, and nothing is asked; say it in “says”")
    optional = "optional" in part.values and _typed(part, "optional", bool)
    return Step(_string(part, "says"), view, minutes, _string(part, "notes", ""), question, explains, optional)


def _view(part: _Part) -> View:
    text = _typed(part, "view", str)
    try:
        return read_view(text)
    except ViewError as error:
        raise part.error("view", str(error)) from None


def _question(step: _Part, view: View) -> Question:
    values = _typed(step, "question", dict)
    part = step._replace(values=values, under="question")
    kind = _one_of(part, "kind", KINDS)
    _no_others(part, OF_QUESTION[kind])
    answer = _one_of(part, "answer", [name for name, it in QUANTITIES.items() if it.kind == kind])
    low = high = 0.0
    if kind == "number":
        low, high = (_number(part, name, 1e-6, LARGEST_NUMBER) for name in ("low", "high"))
        if high < 2 * low:
            raise part.error(
                "high", f"from {low:g} to {high:g} there is nothing to guess; let high be twice low or more"
            )
    options = _options(part) if kind == "choose" else ()
    if not PAGES[view.page].on_board:
        instead = "ask on a page of the board, such as overview, and show this one in the next step"
        raise step.error("view", f"the page {view.page} would give the answer away; {instead}")
    if drawer := view.get("open"):
        raise step.error("view", f"the open drawer “{drawer}” would give the answer away; open it in the next step")
    if not view.config:
        raise step.error("view", f"nothing can be asked of {view.model}, whose sizes its name does not tell")
    return Question(kind, _string(part, "asks"), answer, options, low, high, _string(part, "unit", ""))


def _options(part: _Part) -> tuple[tuple[str, str], ...]:
    options = _typed(part, "options", dict)
    if not LEAST_OPTIONS <= len(options) <= MOST_OPTIONS:
        raise part.error("options", f"{len(options)} options; {LEAST_OPTIONS} to {MOST_OPTIONS} can be chosen from")
    for text, means in options.items():
        _require_plain(part, "options", "an option", text)
        if not isinstance(means, str):
            raise part.error("options", f"“{quoted(text, MOST_QUOTED)}” stands for {_kind(means)}, and must for a text")
    if len({*options.values()}) < len(options):
        raise part.error("options", "two options stand for the same value")
    return tuple(options.items())


def _string(part: _Part, key: str, usual: str | None = None) -> str:
    """A text for people, its white space as single spaces; notes keep their lines."""
    if usual is not None and key not in part.values:
        return usual
    text: str = _typed(part, key, str)
    text = text.strip() if key == "notes" else " ".join(text.split())
    if not text and usual is None:
        raise part.error(key, f"“{key}” is empty; say something")
    _require_plain(part, key, key, text)
    return text


def _require_plain(part: _Part, key: str, what: str, text: str) -> None:
    if len(text) > LONGEST[what]:
        raise part.error(key, f"“{what}” has {len(text):,} letters; {LONGEST[what]:,} can be read in a hall")
    if hides(text, "\n\t"):
        raise part.error(key, f"“{what}” holds a letter that cannot be seen; write it anew")
    roles = {role for piece in text.split("{")[1:] if (role := piece.partition("}")[0])}
    if unknown := sorted(roles - {*ROLE_WORDS, "chosen"}):
        raise part.error(
            key, f"there is no role “{quoted(unknown[0], MOST_QUOTED)}”; in braces may stand {', '.join(ROLES)}"
        )


def _number(part: _Part, key: str, least: float, most: float, usual: float | None = None) -> float:
    if usual is not None and key not in part.values:
        return usual
    value = _typed(part, key, float)
    if not least <= value <= most:  # before anything is computed: a whole number of a file may be larger than a float
        raise part.error(key, f"{key} {_short(value)}, and it may be {least:g} to {most:g}")
    return float(value)


def _short(value: float) -> str:
    """A number as a sentence says it, however large: 0x and 300 letters f is a number, too."""
    try:
        return f"{value:g}"
    except OverflowError:
        return f"has more than {MOST_DIGITS} digits"


def _one_of(part: _Part, key: str, choices: Sequence[Word]) -> Word:
    value: Word = _typed(part, key, str)
    if value not in choices:
        near = get_close_matches(value, choices, 1)
        instead = f"the nearest is “{near[0]}”" if near else f"there is {_list(choices)}"
        raise part.error(key, f"there is no {key} “{quoted(value, MOST_QUOTED)}”; {instead}")
    return value


def _typed(part: _Part, key: str, type_: type) -> Any:
    if key not in part.values:
        raise part.error(key, f"“{key}” is missing")
    value = part.values[key]
    types = (int, float) if type_ is float else type_
    if not isinstance(value, types) or isinstance(value, bool) is not (type_ is bool):
        raise part.error(key, f"“{key}” is {_kind(value)}, and must be {WORDS[type_]}")
    return value


def _no_others(part: _Part, keys: Sequence[str]) -> None:
    for key in part.values:
        if key not in keys:
            raise part.error(key, f"nothing is called “{quoted(key, MOST_QUOTED)}” here; there is {_list(keys)}")


def _kind(value: object) -> str:
    return WORDS.get(type(value), "a date")


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)
