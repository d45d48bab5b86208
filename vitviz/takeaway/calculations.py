"""A view's numbers, made by the functions that its notebook shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.addresses import place as addresses
from vitviz.calculation import Calculation, Function, Print, parameters
from vitviz.choices import choices_of
from vitviz.config import ConfigError
from vitviz.pages import PAGES
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.opening import sample
from vitviz.view import View

if TYPE_CHECKING:
    from PIL import Image

    from vitviz.config import ViTConfig
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

CALCULATIONS = {page.stem: page.calculations for page in PAGES.values() if page.calculations}
# Pages that have a figure of their own; those of the others are the figures that they draw.
PRINTED = tuple(page for page, its in CALCULATIONS.items() if its.usual.printed)


def calculation_of(view: View) -> Calculation:
    """What makes the numbers of a view."""
    its = CALCULATIONS[view.page]
    if view.learned is not None and its.learned:  # of which a few numbers were kept, and no model
        return its.learned
    moment = PAGES[view.page].moment(view.choices.get("moment", ""))
    numbers = (moment and moment.numbers) or its.chosen or usual_calculation(view.page, view.config)
    return numbers(view) if callable(numbers) else numbers


def print_of(view: View) -> Print:
    """How a view is printed. Raises `TakeawayError` for a page that has no figure of its own."""
    if (printed := calculation_of(view).printed) is None:
        at = f"at its moment {view.choices['moment']}" if view.page in PRINTED else "here"
        raise TakeawayError(
            f"{view.page} has no figure for print {at}, but data and a notebook; figures are {', '.join(PRINTED)}"
        )
    return printed


def is_shown(view: View) -> bool:
    """Whether `vitviz.show` draws these numbers: it knows places and the moment, and nothing else that is chosen."""
    its = calculation_of(view)
    usual = usual_choices(view.page, view.choices.get("moment", ""), view.config)
    return its.printed is not None and its is calculation_of(replace(view, choices=usual))


def usual_choices(page: str, moment: str, config: ViTConfig) -> dict[str, Any]:
    """What is chosen on a page at a moment where nothing else is; nothing at no moment."""
    return choices_of(page, {"moment": moment}, config, "")[0] if moment else {}


def title_of(view: View) -> str:
    """What the numbers of a view are called: as the page."""
    return f"{PAGES[view.page].title}{' while the model learned' if view.learned is not None else ''}"


def usual_calculation(page: str, config: ViTConfig) -> Calculation:
    """That of a page as it begins, with such a model."""
    its = CALCULATIONS[page]
    return its.usual if config.classes else its.headless or its.usual


def lacks_head(page: str, config: ViTConfig) -> bool:
    """Whether there are no numbers of a page with such a model, as it has no head."""
    return usual_calculation(page, config).headed and not config.classes


def patch_of(view: View) -> int:
    """The patch of the query, or the one in the middle where the query is none; from 0."""
    return addresses.patch_of(view.query, view.config)


def names_of(view: View) -> dict[str, Any]:
    """What a notebook calls what is chosen: places, then what the page lets one choose besides."""
    chosen = view.choices or choices_of(view.page, {}, view.config, view.model)[0]
    step = {} if view.learned is None else {"step": view.learned}
    return {**places_of(view), "seed": view.seed, **step, **chosen}


def places_of(view: View) -> dict[str, int]:
    """Those of the names that are places in the model, from 0."""
    return {"layer": view.layer, "head": view.head, "query": view.query, "patch": patch_of(view)}


def values(
    view: View, trace: Trace | None = None, loaded: Loaded | None = None, picture: Image.Image | None = None
) -> NDArray[Any]:
    """The numbers of a view: `named_values` without names."""
    return named_values(view, trace, loaded, picture)[0]


def named_values(
    view: View, trace: Trace | None = None, loaded: Loaded | None = None, picture: Image.Image | None = None
) -> tuple[NDArray[Any], Mapping[str, Sequence[str]]]:
    """The numbers of a view, made by the functions that its notebook shows, and names of places.

    Names are those along axes that are the calculation's own, by the axis' word. Counts need no trace. Some pages run
    the model on other pictures as well: they need what was `loaded`. Some run another model on the same `picture`,
    before it was cropped, which is a sample where none is given. Raises `TakeawayError`.
    """
    its = calculation_of(view)
    if its.headed and not view.config.classes:
        raise TakeawayError("this model has no head, so there is no answer; choose one with classes")
    if loaded is None and trace is not None and "loaded" in its.needs:
        raise TakeawayError(f"{view.page} runs the model on other pictures, too: give what `load` returned")
    known = known_of(view, trace, loaded)
    if its.uses("picture"):
        known["picture"] = picture or sample(view.picture)
    try:
        for name, function in its.needed(its.make, its.names).items():
            known[name] = called(function, known)
        return np.asarray(called(its.make, known)), called(its.names, known) if its.names else {}
    except ConfigError as error:
        raise TakeawayError(str(error)) from error


def known_of(view: View, trace: Trace | None = None, loaded: Loaded | None = None) -> dict[str, Any]:
    """What the functions of a calculation may take of a view, by the names of their parameters."""
    known: dict[str, Any] = {"trace": trace, "config": view.config, **names_of(view)}
    if trace is not None:
        known |= {"image": (trace.plain or trace)["image"].tensor, "loaded": loaded, "square": view.crop}
    return known


def called(function: Function, known: Mapping[str, Any]) -> Any:
    """What a function makes of what it takes of all that is `known`."""
    return function(**{name: known[name] for name in parameters(function)})
