"""What a page shows on the board, as a value."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from vitviz.config import ViTConfig
from vitviz.counts import count_line
from vitviz.numbers import exact
from vitviz.page import Moment
from vitviz.scripts.parcels import Arrays
from vitviz.ui.board.address import Address
from vitviz.ui.selection import Selection

Parcels = Iterator[tuple[str, Callable[[], Arrays]]]


def counted(config: ViTConfig, stage: str) -> dict[str, str]:
    """What the count line of the board says of a stage: shapes, its parameters and the model's."""
    line = count_line(config, stage)
    before, after = (" × ".join(map(exact, shape)) for shape in (line.shape_in, line.shape_out))
    return {"before": before, "after": after, "here": exact(line.here), "total": exact(line.total)}


def nothing(selection: Selection, address: Address) -> Parcels:
    """The parcels of a scene that needs the photo alone."""
    yield from ()


def no_facts(selection: Selection) -> dict[str, Any]:
    """The facts of a scene that needs none."""
    return {}


@dataclass(frozen=True, slots=True)
class Scene:
    """One page of the board.

    `label` and `shape` stand in the strip, `moments` are those of the page with a model; `parcels` yields the name of
    every block of numbers that the scene needs for an address, and what makes its arrays, the most wanted first; equal
    names hold equal numbers. `facts` are what is small and no array, as JSON. A scene that `compares` is given the
    model without the edits of the address, and shows itself what they lead to. Beside a scene that is `switched` stand
    the switches of the model: it is sent the plain run and that with the edits, and shows the latter.
    """

    label: str
    colour: str
    shape: Callable[[ViTConfig], str]
    moments: Callable[[ViTConfig], tuple[Moment, ...]]
    parcels: Callable[[Selection, Address], Parcels] = nothing
    facts: Callable[[Selection], dict[str, Any]] = no_facts
    compares: bool = False
    switched: bool = False
