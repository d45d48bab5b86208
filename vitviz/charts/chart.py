"""A chart as a value: marks in the units of its axes, and handles with the places where they stop.

A mark with a `row` is lit together with every other mark, and every table row, of that name.
"""

from dataclasses import dataclass
from typing import Literal

Pair = tuple[float, float]
Dash = Literal["solid", "dash", "dot"]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`; `ticks` are places and what is written at them, and without any no axis is drawn."""

    low: float
    high: float
    title: str = ""
    ticks: tuple[tuple[float, str], ...] = ()
    log: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle; `text` is written into it where there is room.

    A click on it, or on another mark of its row, makes the choice that it `chooses`, or goes to the address of the app
    that it `leads` to.
    """

    x: float
    y: float
    width: float
    height: float
    colour: str
    row: str = ""
    says: str = ""
    text: str = ""
    chooses: str = ""
    leads: str = ""
    hatched: bool = False
    framed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A curve through `points`, without corners where it is `smooth`."""

    points: tuple[Pair, ...]
    colour: str
    row: str = ""
    says: str = ""
    dash: Dash = "solid"
    width: float = 4
    smooth: bool = True
    moves: str = ""  # the handle that moves with the line


@dataclass(frozen=True, slots=True)
class Spot:
    """A point."""

    x: float
    y: float
    colour: str
    shape: Literal["circle", "diamond", "ring"] = "circle"
    text: str = ""
    row: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Words at a place, `above` or below it; a `chooses` makes them a button."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    side: Literal["above", "middle", "below"] = "above"
    row: str = ""
    chooses: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the chart at an `x`, with a word about it."""

    x: float
    text: str


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
    """A whole chart that can be clicked: the nearest of `columns` and of `rows` is chosen, written "column x row"."""

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
    dash: Literal["area", "solid", "dash", "dot"] = "area"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that is drawn: what `part` it is of, and which `measure` of that, or its unit."""

    part: str
    measure: str
    value: float


@dataclass(frozen=True, slots=True)
class Chart:
    """All marks, drawn in this order; `height` in pixels; `says` stands under it while nothing is pointed at.

    `amounts` are the numbers that areas and spots stand for, where these are not their places on the axes alone.
    """

    across: Axis
    down: Axis
    height: int
    areas: tuple[Area, ...] = ()
    lines: tuple[Line, ...] = ()
    rules: tuple[Rule, ...] = ()
    texts: tuple[Text, ...] = ()
    spots: tuple[Spot, ...] = ()
    plane: Plane | None = None
    handles: tuple[Handle, ...] = ()
    legend: tuple[Key, ...] = ()
    left: int = 0  # pixels beside the chart for names of its rows
    says: str = ""
    choice: str = ""  # the name of what areas and texts choose
    amounts: tuple[Amount, ...] = ()
