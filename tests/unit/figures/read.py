"""What a test reads out of a figure: its panels, and its marks by their kind."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vitviz.figures.figure import Figure, Panel
from vitviz.figures.marks import Area, Bars, Heat, Line, Mark, Points, Rule, Says, Spot, Text

M = TypeVar("M", bound=Mark)


def panels(figure: Figure) -> list[Panel]:
    return [panel for row in figure.rows for panel in row]


def panel(figure: Figure) -> Panel:
    """The only one."""
    (it,) = panels(figure)
    return it


def marks(figure: Figure, kind: type[M]) -> list[M]:
    return [mark for it in panels(figure) for mark in it.marks if isinstance(mark, kind)]


def areas(figure: Figure) -> list[Area]:
    return marks(figure, Area)


def lines(figure: Figure) -> list[Line]:
    return marks(figure, Line)


def rules(figure: Figure) -> list[Rule]:
    return marks(figure, Rule)


def texts(figure: Figure) -> list[Text]:
    return marks(figure, Text)


def spots(figure: Figure) -> list[Spot]:
    return marks(figure, Spot)


def column(mark: Heat | Bars | Points, name: str) -> NDArray[Any]:
    """What is said at each place of a mark, by its name."""
    assert isinstance(mark.says, Says)
    return np.asarray(mark.says.columns[name])
