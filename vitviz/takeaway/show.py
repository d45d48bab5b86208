"""The figures of the pages in a notebook: `vitviz.show("heads", trace, layer=3)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitviz.addresses.place import STRONGEST
from vitviz.figures.plotly import plotly_figure
from vitviz.pages import PAGES
from vitviz.takeaway.calculations import PRINTED, usual_choices, values
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures.drawing import figure_of
from vitviz.takeaway.view import check_places
from vitviz.view import View

if TYPE_CHECKING:
    from vitviz.figures.plotly.spec import PlotlyFigure
    from vitviz.trace import Trace
    from vitviz.weights import Loaded


def show(
    page: str,
    trace: Trace,
    loaded: Loaded | None = None,
    *,
    layer: int = 0,
    head: int = 0,
    query: int = 0,
    shows: str = "row",
    moment: str = "",
) -> PlotlyFigure:
    """The figure of a page, or of a `moment` of it, as Plotly draws it; layers, heads and query tokens count from 0.

    Pages are those of the app by the last part of their addresses: "patch_grid", "heads", "class_head" ... With
    `loaded`, what `load` returned, pictures have their own colours and classes their names. `shows="column"` turns
    *Heads* round: who looks at the token. Raises `TakeawayError` for what there is not.
    """
    if page not in PRINTED:
        raise TakeawayError(f"there is no figure of “{page}”; there are {', '.join(PRINTED)}")
    config = trace.config
    check_places(config, layer=layer, head=head, query=query)
    if moment not in ("", *PAGES[page].moment_names(config)):
        names = ", ".join(PAGES[page].moment_names(config))
        raise TakeawayError(f"there is no moment “{moment}” of “{page}”; there are {names}")
    places = layer, head, query, STRONGEST, 0, config.depth, shows
    view = View(page, "", config, 0, "", None, trace.edits, *places, choices=usual_choices(page, moment, config))
    return plotly_figure(figure_of(view, values(view, trace, loaded), trace, loaded))
