"""Quantities by name: what a question looks at, and the table of what can be asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vitviz.config import ViTConfig
from vitviz.lecture.views import View

if TYPE_CHECKING:
    from vitviz.measures.arrays import Array

Measure = Callable[..., Any]


class AnswerError(ValueError):
    """A question that this model gives no answer to; the message says why."""


@dataclass(frozen=True)
class Look:
    """What a question looks at: a view, the sizes of its model, and two ways to ask that model.

    `measure(function, *args)` is `function(trace, *args)` of the view's forward pass, edits included; `labels()` are
    the names of the classes. `options` are the values that can be chosen from.
    """

    view: View
    config: ViTConfig
    measure: Measure
    labels: Callable[[], Sequence[str]]
    options: tuple[str, ...] = ()

    def patch(self, at: int) -> str:
        """A patch by its number and place, as on the board."""
        row, column = divmod(at, self.config.grid[1])
        return f"patch {at + 1} (row {row + 1}, column {column + 1})"

    def patches_of(self, tokens: Array) -> Array:
        """Of numbers per token those of the patches."""
        return tokens[len(self.config.prefix_tokens) :]


@dataclass(frozen=True, slots=True)
class Value:
    """An answer: a name of an option, a number, a pair of patches, or a share for each patch; `text` says it."""

    value: Any
    text: str


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity by the kind of question that it answers; `says` is the first line of its docstring."""

    kind: str
    compute: Callable[[Look], Value]
    says: str


QUANTITIES: dict[str, Quantity] = {}


def quantity(kind: str) -> Callable[[Callable[[Look], Value]], Callable[[Look], Value]]:
    """Put a function into `QUANTITIES`, under its own name."""

    def put(compute: Callable[[Look], Value]) -> Callable[[Look], Value]:
        QUANTITIES[compute.__name__] = Quantity(kind, compute, (compute.__doc__ or "").partition("\n")[0])
        return compute

    return put
