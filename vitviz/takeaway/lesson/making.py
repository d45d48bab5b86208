"""The file of a lesson from forward passes that are here already: what the engine runs for the app."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PIL import Image

from vitviz.lecture import Lesson, Step
from vitviz.messages import Truth
from vitviz.takeaway.file import File
from vitviz.takeaway.lesson.home import home
from vitviz.takeaway.lesson.step_numbers import StepNumbers, view_of
from vitviz.takeaway.opening import PICTURES, Opened

if TYPE_CHECKING:
    from vitviz.forward import Forward
    from vitviz.weights import Loaded

NONE = -1  # the pass of a step that shows none


@dataclass(frozen=True, slots=True)
class Known:
    """What the app knows of a step: which of the passes it shows, what is right there, and why something is missing."""

    at: int = NONE
    truth: Truth | None = None
    why: str = ""
    second: int = NONE  # the pass of its second column


def make(lesson: Lesson, known: tuple[Known, ...], *passes: Loaded | Forward) -> File:
    """The file of a lesson; `passes` are pairs of a model and its forward pass. Raises `TakeawayError`."""
    pairs = list(zip(passes[::2], passes[1::2], strict=True))
    return home(lesson, [_step_numbers(step, it, pairs) for step, it in zip(lesson.steps, known, strict=True)])


def _step_numbers(step: Step, known: Known, pairs: list[Any]) -> StepNumbers:
    def opened(at: int, column: str) -> Opened | None:
        if at == NONE:
            return None
        loaded, forward = pairs[at]
        view = view_of(step, column)
        return Opened(view, loaded, Image.fromarray(forward.info.crop), forward.trace, PICTURES[view.picture])

    return StepNumbers(opened(known.at, "first"), known.truth, known.why, opened(known.second, "second"))
