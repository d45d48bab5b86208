"""What a page shows on the board, as a value."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vitviz.config import ViTConfig
from vitviz.counts import count_line
from vitviz.numbers import exact
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


def one_column(config: ViTConfig) -> Sequence[int]:
    """The moments of a scene beside which there is no room for a second model or picture."""
    return ()


def behind_blocks(config: ViTConfig, moment: int) -> bool:
    """A scene that shows what blocks make, in every moment."""
    return False


@dataclass(frozen=True, slots=True)
class Scene:
    """One page of the board.

    `label` and `shape` stand in the strip, `moments` are its sentences for a model (roles in braces); `parcels` yields
    the name of every block of numbers that the scene needs for an address, and what makes its arrays, the most wanted
    first; equal names hold equal numbers. `facts` are what is small and no array, as JSON. A scene that `compares` is
    given the model without the edits of the address, and shows itself what they lead to. `columns` are the moments that
    can stand beside those of a second model or picture, and those are `embedded` that show only what stands before the
    first block. Beside a scene that is `switched` stand the switches of the model: it is sent the plain run and that
    with the edits, and shows the latter. `untrained` has other words for what holds of trained models alone.
    """

    label: str
    colour: str
    shape: Callable[[ViTConfig], str]
    moments: Callable[[ViTConfig], tuple[str, ...]]
    parcels: Callable[[Selection, Address], Parcels] = nothing
    facts: Callable[[Selection], dict[str, Any]] = no_facts
    compares: bool = False
    columns: Callable[[ViTConfig], Sequence[int]] = one_column
    embedded: Callable[[ViTConfig, int], bool] = behind_blocks
    switched: bool = False
    untrained: Mapping[str, str] = field(default_factory=dict)

    def said(self, config: ViTConfig, untrained: bool) -> tuple[str, ...]:
        """Its sentences for a model, none of which claims what only training brings where it is `untrained`."""
        sentences = self.moments(config)
        return tuple(self.untrained.get(it, it) for it in sentences) if untrained else sentences
