"""A kind of view that can be taken away: which numbers it shows, and how they are made twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vitviz.config import ViTConfig

HEADLESS = "this model has no head, and 25 lines hold one that has; `vitviz/model.py` holds both"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of view.

    `says` is what its numbers are, `axes` theirs in einops words. `call` is the expression of the library that makes
    them, in the names of a notebook: what is chosen, `config`, and of a picture `loaded`, `picture`, the chosen
    `square` of it, `image` and `trace`; `imports` and `before` are the lines that it needs. `plain` makes the same
    without the library, called with `given`; `helpers` are what it calls, in order. Where the first axis is
    a number, `places` are what stands there.
    """

    title: str
    says: str
    axes: str
    imports: str
    call: str
    plain: Callable[..., Any] | None = None
    given: str = ""
    helpers: tuple[Callable[..., Any], ...] = ()
    places: tuple[str, ...] = ()
    names: str = ""  # of the places along other axes, as an expression: by the axis' word
    pictured: bool = True  # whether it is of a picture; else of a model's sizes alone
    before: str = ""
    lacks: str = ""  # why there is no `plain`, and which file does it
    note: str = ""  # what else the page shows, and what its address does not say
    after: str = ""  # what the page says when somebody has guessed
    anew: str = ""  # lines that measure what is another number every time
    of_any: bool = False  # whether `plain` knows every model; else that of the paper alone
    passes: Callable[[ViTConfig], int] = lambda config: 1  # forward passes that `plain` takes
    headed: bool = False  # whether there is nothing of it without a head
    shown: bool = True  # whether `vitviz.show` draws it
    figure: str = ""  # else the lines that draw its `values`

    @property
    def sources(self) -> tuple[Callable[..., Any], ...]:
        """What a notebook has to hold of `plain`, in the order in which it is read."""
        return (*self.helpers, self.plain) if self.plain else ()

    def uses(self, name: str) -> bool:
        """Whether the numbers, or the lines that draw them, depend on something of that name."""
        return bool(
            re.search(rf"(?<![\w.\"]){name}\b(?!\"|=[^=])", f"{self.before}\n{self.call}\n{self.given}\n{self.figure}")
        )
