"""What is computed for a lesson before its file is written: the view of every step, run, and what is right there."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vitviz.addresses.place import SECOND
from vitviz.config import ViTConfig
from vitviz.edits import EditsError
from vitviz.images import ImageError
from vitviz.lecture import Lesson, Step, ViewError
from vitviz.lecture.answers import AnswerError, Look, truth
from vitviz.machine.device import DeviceError
from vitviz.measures.quantised import quantised_bytes
from vitviz.messages import Truth
from vitviz.numbers import bytes_
from vitviz.pages import PAGES
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.explorer.explorer import MOST_BYTES, SHARE
from vitviz.takeaway.opening import Opened, model, opened
from vitviz.takeaway.view import COLUMNS, from_words
from vitviz.view import View

if TYPE_CHECKING:
    from vitviz.weights import Loaded


@dataclass(frozen=True, slots=True)
class StepNumbers:
    """What is known of one step; each is None where there is none, and then `why` says why, or is "".

    `truth` is as `lecture.answers.truth` returns it.
    """

    opened: Opened | None = None
    truth: Truth | None = None
    why: str = ""
    second: Opened | None = None  # what the second column shows


def view_of(step: Step, column: str = "first") -> View:
    """The view of a step, as all that is taken away knows it. Raises `TakeawayError` for a model that no name tells."""
    return from_words(step.view.page, dict(step.view.words), PAGES, column=column)


def columns_of(step: Step) -> tuple[str, ...]:
    """The columns that a step shows."""
    return COLUMNS if step.view.get(f"{SECOND}model") else COLUMNS[:1]


def key_of(view: View) -> View:
    """Model, picture and edits of a view, and nothing of what is chosen: equal where one forward pass serves both."""
    bare = replace(view, page="", shows="row", choices={}, learned=None, column="first")
    return replace(bare, layer=0, head=0, query=0, key=0, component=0, after=0)


def is_explored(view: View) -> bool:
    """Whether its step opens the explorer, which has the model as it is and no moment of its training."""
    return bool(PAGES[view.page].explored) and view.learned is None


def explored_layers(lesson: Lesson) -> dict[View, tuple[int, ...]]:
    """For each explorer of a lesson's file its layers: all, or those of its steps where all would be too large.

    Raises `TakeawayError` where even these would be over 25 MB; nothing is computed for that.
    """
    layers_of: dict[View, list[int]] = {}
    for step in lesson.steps:
        if PAGES[step.view.page].explored:
            with suppress(TakeawayError):  # its step says so
                view = view_of(step)
                if is_explored(view):
                    layers_of.setdefault(key_of(view), []).append(view.layer)
    for layers in (
        {key: tuple(range(key.config.depth)) for key in layers_of},
        {key: tuple(sorted(set(of))) for key, of in layers_of.items()},
    ):
        size = sum(SHARE * len(of) * quantised_bytes(key.config) for key, of in layers.items())
        if size <= MOST_BYTES:
            return layers
    pages = " and ".join(it.title for it in PAGES.values() if it.explored)
    raise TakeawayError(
        f"the attention maps of this lesson make a file of about {bytes_(round(size))} and the limit is "
        f"{bytes_(MOST_BYTES)}; leave out steps of {pages}, or take models with fewer patches there"
    )


def give(lesson: Lesson) -> list[StepNumbers]:
    """Run every step of a lesson here, each model, and each model on each picture, once.

    What cannot be run is said in its step.
    """
    explored_layers(lesson)
    loaded: dict[tuple[str, int, ViTConfig], Loaded] = {}
    passes: dict[View, Opened] = {}
    return [_step_numbers(step, loaded, passes) for step in lesson.steps]


def _step_numbers(
    step: Step, loaded: dict[tuple[str, int, ViTConfig], Loaded], passes: dict[View, Opened]
) -> StepNumbers:
    from vitviz.weights import WeightsError

    question = step.question
    them: list[Opened] = []
    try:
        for column in columns_of(step) if PAGES[step.view.page].forward else ():
            view = view_of(step, column)
            by = view.model, view.seed, view.config
            known = loaded[by] = loaded.get(by) or model(view.model, view)
            one = passes[key_of(view)] = passes.get(key_of(view)) or opened(view, loaded=known)
            them.append(replace(one, view=view))
        it, second = [*them, None, None][:2]
        return StepNumbers(it, truth(question, _look(step, it)) if question else None, "", second)
    except (TakeawayError, WeightsError, DeviceError, EditsError, ImageError, ViewError, AnswerError) as error:
        it, second = [*them, None, None][:2]
        return StepNumbers(it, None, str(error), second)


def _look(step: Step, it: Opened | None) -> Look:
    if it is None:
        raise TakeawayError("nothing can be asked of a page without a forward pass")
    trace, labels = it.trace, it.loaded.labels
    return Look(step.view, it.view.config, lambda function, *args: function(trace, *args), lambda: labels)
