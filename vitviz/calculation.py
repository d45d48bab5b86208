"""The numbers of a view that can be taken away: which they are, and how they are made twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from vitviz.cards.card import Paper
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.view import View

HEADLESS = "this model has no head, and 25 lines hold one that has; `vitviz/model.py` holds both"

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Print:
    """How numbers are drawn for print, beside the picture, and by `vitviz.show`.

    `figure` takes what the functions of a `Calculation` do, `values`, and `labels`, the names of the classes. Of
    weights `strongest` begins the sentence that names the largest: "After layer {layer} ..." or "{head} ...". `legend`
    takes what `figure` does, and says what stands for what where the largest magnitude would say nothing.
    """

    figure: Function
    below: bool = False  # whether it is as wide as the sheet, below the picture
    grid: bool = False  # whether the picture is cut into its patches
    classes: int = 0  # how many are drawn at most
    strongest: str = ""
    legend: Callable[..., str] | None = None


@dataclass(frozen=True, slots=True)
class Calculation:
    """Numbers of a page, made by the function `make`, and without the library by `plain`.

    `says` is what they are, `axes` theirs in einops words. Of every function here the names of its parameters are those
    of a notebook: what is chosen, `config`, and of a picture `loaded`, `picture`, the chosen `square` of it, `image`
    and `trace`; of `plain` also `w`, the parameters of the model by name, and `unedited_w`, those of the model without
    edits; of `figure` also `values`, what `make` returned. `given` are functions that make further ones, by name. A
    notebook shows the source of these functions, so each holds its own imports, but for numpy as `np`. `helpers` are
    what `plain` calls, in order. Where the first axis is a number, `places` are what stands there.
    """

    says: str
    axes: str
    make: Function
    plain: Function | None = None
    helpers: tuple[Function, ...] = ()
    places: tuple[str, ...] = ()
    names: Callable[..., Mapping[str, Sequence[str]]] | None = None  # of places along other axes, by the axis' word
    given: Mapping[str, Function] = field(default_factory=dict, hash=False)
    pictured: bool = True  # whether it is of a picture; else of a model's sizes alone
    lacks: str = ""  # why there is no `plain`, and which file does it
    note: str = ""  # what else the page shows, and what its address does not say
    after: str = ""  # what the page says when somebody has guessed
    anew: Function | None = None  # measures what is another number every time
    of_any: bool = False  # whether `plain` knows every model; else that of the paper alone
    passes: Callable[[ViTConfig], int] = lambda config: 1  # forward passes that `plain` takes
    headed: bool = False  # whether there is nothing of it without a head
    printed: Print | None = None  # None where its only figures are those that the page draws
    figure: Callable[..., Figure] | None = None  # what draws its `values` in a notebook, where `vitviz.show` does not
    papers: tuple[tuple[str, Paper], ...] = ()  # of what it measures, and what each is the source of
    cited: Function | None = None  # finds those of what is chosen
    also: Function | None = None  # makes a further array of its files
    outline: Function | None = None  # of those what may be too much for a spreadsheet, without its numbers

    @property
    def sources(self) -> tuple[Function, ...]:
        """What a notebook has to hold of `plain`, in the order in which it is read."""
        return (*self.helpers, self.plain) if self.plain else ()

    def needed(self, *functions: Function | None) -> dict[str, Function]:
        """Those of `given` that functions need, in the order in which they are made."""
        found: dict[str, Function] = {}
        for name in (name for function in functions if function for name in parameters(function)):
            if name in self.given:
                found |= {**self.needed(self.given[name]), name: self.given[name]}
        return found

    @property
    def needs(self) -> set[str]:
        """The names of what its numbers are made of, `given` ones and what those are made of included."""
        return {name for function in (self.make, *self.given.values()) for name in parameters(function)}

    def uses(self, name: str) -> bool:
        """Whether the numbers, or the figure of them, depend on something of that name."""
        functions = (self.make, self.plain, self.figure, *self.given.values())
        return any(name in parameters(function) for function in functions if function)


@dataclass(frozen=True, slots=True)
class Calculations:
    """Those of a page: the `usual` one, or what is `chosen` of a view, where no moment names another.

    `headless` is that of a model without a head, `learned` that of a moment of training, which the page shows in the
    columns of `learned_at`, at one of its moments each.
    """

    usual: Calculation
    chosen: Callable[[View], Calculation] | None = None
    headless: Calculation | None = None
    learned: Calculation | None = None
    learned_at: Mapping[str, str] = field(default_factory=dict, hash=False)
    pixels: bool = False  # whether they are, or lead back to, those of the picture


def parameters(function: Function) -> tuple[str, ...]:
    """The names of what a function takes."""
    return tuple(signature(function).parameters)


def file_of_snapshots() -> Path:
    from vitviz.demo.artifacts import DATA, SNAPSHOTS

    return DATA / SNAPSHOTS


Counted = partial(Calculation, pictured=False)
Learned = partial(Calculation, given={"file": file_of_snapshots}, pictured=False)
