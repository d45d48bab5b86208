"""What a figure is made of: each mark holds the numbers that it shows, and what is said of them.

One with a `row` is lit together with every other mark, and every table row, of that name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Pixels = NDArray[np.uint8]
Pair = tuple[float, float]
Dash = Literal["solid", "dash", "dot", "dashdot"]
Anchor = Literal["start", "middle", "end"]
Shape = Literal["circle", "square", "diamond", "ring", "box"]  # the last two are hollow


@dataclass(frozen=True, slots=True, eq=False)
class Says:
    """What is said of each place of a mark: words with named places, as in "patch {patch}\\nweight {value:.4f}".

    `columns` are what stands there, by name, one for each place; `value` is the number that is
    drawn, and `x` and `y` where it stands, or what that is called.
    """

    words: str
    columns: Mapping[str, NDArray[Any] | Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a heat map: sequential from 0 to `limit`, or diverging around 0 where they are `signed`."""

    limit: float
    signed: bool = False

    @property
    def ends(self) -> tuple[float, ...]:
        """What is written on the scale: its ends, and 0."""
        return (-self.limit, 0.0, self.limit) if self.signed else (0.0, self.limit)


@dataclass(frozen=True, slots=True, eq=False)
class Heat:
    """Numbers `rows columns` as colours; cell (r, c) is centred at (x + c, y + r) where `across` and `down` are 1.

    `called` are names of the rows, and `columns` those of the columns, which then begin at 0.
    """

    values: Floats
    colours: Colours
    says: Says = Says("{value:.4f}")
    x: float = 0
    y: float = 0
    across: float = 1
    down: float = 1
    opacity: float = 1
    photo: bool = False
    called: Sequence[str] = ()
    columns: Sequence[str] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Pixels `h w c`, RGB or RGBA, over `columns` x `rows` cells, the first of them centred at (x, y).

    What is said has a place for each cell. What is no `photo` shows numbers as colours.
    """

    pixels: Pixels
    rows: float
    columns: float
    x: float = 0
    y: float = 0
    says: Says | None = None
    photo: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """A bar from 0 to each of `values`, at `places` of the other axis and `thick` there; `level` ones go to the right.

    `texts` stand at their ends.
    """

    places: NDArray[Any]
    values: NDArray[Any]
    colours: Sequence[str]  # one, or one for each
    says: Says = Says("{value:.4f}")
    thick: float | Floats = 0.88
    level: bool = False
    texts: Sequence[str] = ()
    photo: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points at places; `colours` and `sizes`, pixels across, are one for all or one for each."""

    x: NDArray[Any]
    y: NDArray[Any]
    colours: Sequence[str]
    sizes: Sequence[float] = (8,)
    shape: Shape = "circle"
    says: Says | None = None
    opacity: float = 1
    edge: str = ""
    photo: bool = False


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
    edge: str = ""  # the colour of its frame, where that is not of what is chosen
    ground: str = ""  # the colour behind its text, which covers the edges of areas under it
    opacity: float = 1


@dataclass(frozen=True, slots=True)
class Line:
    """A curve through `points`, without corners where it is `smooth`."""

    points: tuple[Pair, ...]
    colour: str
    row: str = ""
    says: str | Says = ""
    dash: Dash = "solid"
    width: float = 4
    smooth: bool = True
    moves: str = ""  # the handle that moves with the line


@dataclass(frozen=True, slots=True)
class Spot:
    """A point that is named."""

    x: float
    y: float
    colour: str
    shape: Literal["circle", "diamond", "ring"] = "circle"
    text: str = ""
    row: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Words at a place, `above` or below it, after a `lead` in bold; a `chooses` makes them a button."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    side: Literal["above", "middle", "below"] = "above"
    row: str = ""
    chooses: str = ""
    lead: str = ""
    photo: bool = False  # they say numbers of somebody's picture


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the panel at an `x`, with a word about it."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """Lines between the cells of a patch grid whose first cell is centred at 0."""

    rows: int
    columns: int


Mark = Heat | Picture | Bars | Points | Area | Line | Spot | Text | Rule | Grid
