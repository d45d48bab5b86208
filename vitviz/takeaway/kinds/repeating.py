"""A view's numbers, made by the lines of the library that its notebook shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.addresses import place as addresses
from vitviz.config import ConfigError
from vitviz.takeaway.choices import choices_of
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.kinds import attention, counting, laboratory, learning, model, overview, tokens
from vitviz.takeaway.kinds.kind import Kind
from vitviz.takeaway.opening import sample
from vitviz.takeaway.view import View

if TYPE_CHECKING:
    from PIL import Image

    from vitviz.trace import Trace
    from vitviz.weights import Loaded

KINDS = overview.KINDS | tokens.KINDS | attention.KINDS | model.KINDS | laboratory.KINDS | counting.KINDS
EVERYTHING = 5  # the moment of Intervene that shows every head off alone


def kind_of(view: View) -> Kind:
    """The kind of a view."""
    if view.learned is not None:  # of which a few numbers were kept, and no model
        return learning.KINDS[view.page]
    if view.page == "heads" and view.shows == "column":
        return attention.COLUMN
    if view.page == "intervene" and view.choices.get("moment") == EVERYTHING:
        return laboratory.HEADS_AT_MEANS if view.choices["taken"] == "mean" else laboratory.HEADS_OFF
    return KINDS[view.page]


def patch_of(view: View) -> int:
    """The patch of the query, or the one in the middle where the query is none; from 0."""
    return addresses.patch_of(view.query, view.config)


def names_of(view: View) -> dict[str, Any]:
    """What a notebook calls what is chosen: places, then what the page lets one choose besides."""
    chosen = view.choices or choices_of(view.page, {}, view.config)[0]
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
) -> tuple[NDArray[Any], dict[str, Sequence[str]]]:
    """The numbers of a view, made by the lines of the library that its notebook shows, and names of places.

    Names are those along axes that are the kind's own, by the axis' word. Counts need no trace. Some pages run the
    model on other pictures as well: they need what was `loaded`. Some run another model on the same `picture`, before
    it was cropped, which is a sample where none is given. Raises `TakeawayError`.
    """
    kind = kind_of(view)
    if kind.headed and not view.config.classes:
        raise TakeawayError("this model has no head, so there is no answer; choose one with classes")
    known: dict[str, Any] = {"np": np, "trace": trace, "config": view.config, **names_of(view)}
    if trace is not None:
        known |= {"image": (trace.plain or trace)["image"].tensor, "loaded": loaded, "square": view.crop}
    if kind.uses("picture"):
        known["picture"] = picture or sample(view.picture)
    try:
        exec(f"{kind.imports}\n{kind.before}", known)
        found: NDArray[Any] = np.asarray(eval(kind.call, known))
        names: dict[str, Sequence[str]] = eval(kind.names or "{}", known)
    except ConfigError as error:
        raise TakeawayError(str(error)) from error
    return found, names
