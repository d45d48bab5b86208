"""The cells of a notebook: which views they are, on screen and in its file alike, and what comes out of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from vitviz.addresses.place import STRONGEST, Place
from vitviz.calculation import parameters
from vitviz.choices import choices_of
from vitviz.edits import NO_EDITS
from vitviz.numbers import exact
from vitviz.page import Moment, Page
from vitviz.pages import PAGES
from vitviz.palette import without_roles
from vitviz.takeaway.calculations import calculation_of, called, known_of, named_values
from vitviz.takeaway.data.axes import in_words
from vitviz.takeaway.data.named import with_axes
from vitviz.takeaway.figures.captioned import read_off
from vitviz.takeaway.view import placed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from PIL import Image

    from vitviz.choice import Words
    from vitviz.figures.figure import Figure, Numbers
    from vitviz.forward import Forward
    from vitviz.trace import Trace
    from vitviz.view import View
    from vitviz.weights import Loaded


@dataclass(frozen=True, slots=True)
class Output:
    """What comes out of a cell: its `numbers`, their figure where they have one, and in words which they are."""

    numbers: Numbers
    figure: Figure | None
    says: str


def cells(pages: Iterable[Page], view: View, place: Place, words: Words) -> tuple[View, ...]:
    """The views of pages that have numbers, of the same model and picture as `view`, in the order of their moments.

    Moments of a page whose numbers are the same share a view; `moments_of` says which.
    """
    return tuple(cell for page in pages if page.calculations for cell in _of_page(page, view, place, words))


def _of_page(page: Page, view: View, place: Place, words: Words) -> list[View]:
    found: list[View] = []
    for moment in page.moment_names(view.config) or ("",):
        choices, _ = choices_of(page.stem, {**words, "moment": moment}, view.config, view.model)
        edits = NO_EDITS if page.unedited else view.edits
        here = replace(view, page=page.stem, edits=edits, **placed(place, page.stem), choices=choices, learned=None)
        if calculation_of(here) not in map(calculation_of, found):
            found.append(here)
    return found


def moments_of(view: View) -> tuple[Moment, ...]:
    """The moments of its page that show the numbers of a view."""
    its, page = calculation_of(view), PAGES[view.page]

    def shows(moment: Moment) -> bool:
        there = replace(view, choices={**view.choices, "moment": moment.name})
        return calculation_of(there) == its

    return tuple(filter(shows, page.moments(view.config)))


def sentences_of(view: View, untrained: bool = False) -> list[str]:
    """What the moments of a view say, in words that stand alone."""
    page = PAGES[view.page]
    return [without_roles(page.headline(it, view.config, untrained)) for it in moments_of(view)]


def used(view: View) -> View:
    """The view without what its numbers and their figure do not depend on: equal for whatever else is chosen."""
    its = calculation_of(view)
    drawn = parameters(its.printed.figure) if its.printed else ()

    def in_use(*names: str) -> bool:
        return any(its.uses(name) or name in drawn or name in its.axes.split() for name in names)

    return replace(
        view,
        layer=view.layer if in_use("layer") else 0,
        head=view.head if in_use("head") else 0,
        query=view.query if in_use("query", "patch") else 0,
        key=STRONGEST,
        component=0,
        after=view.config.depth,
    )


def output(
    view: View,
    loaded: Loaded | None = None,
    picture: Image.Image | None = None,
    plain: Forward | None = None,
    forward: Forward | None = None,
) -> Output:
    """What comes out of a cell; `forward` is the run of its model on its `picture`, `plain` the same without edits.

    Counts need no run. Raises `TakeawayError` for what there is not.
    """
    its = calculation_of(view)
    passed = forward if view.edits else plain
    trace = passed.trace if passed else None
    values, names = named_values(view, trace, loaded, picture)
    shape = " × ".join(map(exact, values.shape))
    caption = [f"{its.says[0].upper()}{its.says[1:]}: {shape}, {in_words(its.axes)}."]
    caption += read_off(view, values, loaded)
    return Output(with_axes(view, values, names, loaded), _figure(view, values, trace, loaded), " ".join(caption))


def _figure(view: View, values: NDArray[Any], trace: Trace | None, loaded: Loaded | None) -> Figure | None:
    from vitviz.takeaway.figures.drawing import figure_of

    its = calculation_of(view)
    if its.printed and trace:
        return figure_of(view, values, trace, loaded)
    if its.figure is None:
        return None
    known = known_of(view, trace, loaded) | {"values": values}
    for name, function in its.needed(its.figure).items():
        known[name] = called(function, known)
    figure: Figure = called(its.figure, known)
    return figure
