"""A figure as a value: panels of marks, the numbers that they show, and handles with the places where they stop.

Who draws one is a reading of it, and knows no page: `live` in the browser, `plotly`, `printed`, `numbers`
for files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from numpy.typing import NDArray

from vitviz.figures.marks import Colours, Dash, Mark, Shape


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Numbers with named axes: an array's name, its axes in order, its values, and a sentence about them.

    `names` are what places along an axis are called; absent, they count from 0. Numbers of a `photo` are, or lead back
    to, the pixels of somebody's picture. Raises `ValueError` where axes or names do not fit the values.
    """

    name: str
    axes: tuple[str, ...]
    values: NDArray[Any]
    says: str = ""
    photo: bool = False
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sizes = dict(zip(self.axes, self.values.shape, strict=False))
        if len(sizes) != self.values.ndim or len(self.axes) != self.values.ndim:
            raise ValueError(f"{self.name} has the shape {self.values.shape} and the axes {self.axes}")
        for axis, names in self.names.items():
            if len(names) != sizes.get(axis):
                raise ValueError(f"{len(names)} names for the {sizes.get(axis)} places of {axis} in {self.name}")


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, which may be the smaller; `ticks` are places and what is written there.

    Without ticks no axis is drawn. Where they are `named`, or `whole` numbers with nothing between them, a reading has
    no ticks of its own.
    """

    low: float
    high: float
    title: str = ""
    ticks: tuple[tuple[float, str], ...] = ()
    log: bool = False
    named: bool = False
    grid: bool = True
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a handle may stand, the value that it then has, and what is said there."""

    value: str
    x: float
    y: float
    says: str = ""


@dataclass(frozen=True, slots=True)
class Handle:
    """What a hand can take hold of; `at` is the place among its `stops`. An edge is drawn along the whole picture."""

    name: str
    label: str
    stops: tuple[Stop, ...]
    at: int
    shape: Literal["diamond", "top edge", "right edge"] = "diamond"


@dataclass(frozen=True, slots=True)
class Plane:
    """A whole panel that can be clicked: the nearest of `columns` and of `rows` is chosen, written "column x row"."""

    name: str
    labels: tuple[str, str]
    columns: tuple[int, ...]
    rows: tuple[int, ...]
    at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Key:
    """One line of a legend."""

    text: str
    colour: str
    row: str = ""
    dash: Literal["area"] | Dash = "area"
    shape: Shape = "square"  # of an area


@dataclass(frozen=True, slots=True)
class Panel:
    """Marks in the order in which they are drawn, in the units of two axes; `height` is in pixels, with ticks.

    Where `square` is a number the plot is a picture of at most that height: a unit upwards is that many times as long
    as one across. `left` are pixels beside it for names of its rows.
    """

    across: Axis
    down: Axis
    marks: tuple[Mark, ...]
    height: int
    title: str = ""
    square: float | None = None
    left: int = 0
    right: Axis | None = None  # the same heights in another unit
    wide: float = 1  # its share of the row


@dataclass(frozen=True, slots=True)
class Figure:
    """Panels, a row of them below another; the colour scale that heat maps share stands below all.

    `says` stands under it while nothing is pointed at; `choice` is the name of what areas and texts choose.
    """

    rows: tuple[tuple[Panel, ...], ...]
    title: str = ""
    numbers: tuple[Numbers, ...] = ()
    scale: Colours | None = None
    legend: tuple[Key, ...] = ()
    handles: tuple[Handle, ...] = ()
    plane: Plane | None = None
    says: str = ""
    choice: str = ""
