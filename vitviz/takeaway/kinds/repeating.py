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

    from vitviz.config import ViTConfig
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

KINDS = overview.KINDS | tokens.KINDS | attention.KINDS | model.KINDS | laboratory.KINDS | counting.KINDS
WITHOUT_A_HEAD = {"overview": overview.LOOKS, "class_head": model.VECTOR}  # by page, where there is something else
# By page: the moments that draw other numbers than those that go with somebody.
OTHERWISE = {
    "patch_grid": ("sizes", "crop"),
    "patch_embedding": ("filters", "components", "colours"),
    "position_embedding": ("sum", "swap"),
    "query_key_value": ("matrices", "values", "output"),
    "depth": ("reach", "journey"),
    "encoder_block": ("norm", "activation", "similarity"),
    "class_head": ("token", "way"),
    "intervene": ("tracing",),
}


def kind_of(view: View) -> Kind:
    """The kind of a view."""
    if view.learned is not None:  # of which a few numbers were kept, and no model
        return learning.KINDS[view.page]
    moment = view.choices.get("moment")
    match view.page:
        case "overview" if moment == "stages" and not view.config.classes:
            return overview.MAPS
        case "patch_embedding" if moment == "points":
            return tokens.POINTS
        case "heads" if moment == "matrix":
            return attention.MATRIX_OF_MEAN if view.choices.get("mean") else attention.MATRIX
        case "heads" if view.shows == "column":
            return attention.COLUMN
        case "depth" if any(view.edits.of("head", "attention", "block")):
            return attention.ROLLED_EDITED
        case "query_key_value" if view.choices.get("divide", "root") != "root":
            return attention.DIVIDED
        case "position_embedding" if moment == "answers" and view.config.classes:
            return tokens.WITHOUT_POSITIONS
        case "intervene" if moment == "everything":
            return laboratory.HEADS_AT_MEANS if view.choices["taken"] == "mean" else laboratory.HEADS_OFF
    return usual_kind(view.page, view.config)


def usual_kind(page: str, config: ViTConfig) -> Kind:
    """The kind of a page as it begins, with such a model."""
    return KINDS[page] if config.classes else WITHOUT_A_HEAD.get(page, KINDS[page])


def lacks_head(page: str, config: ViTConfig) -> bool:
    """Whether there are no numbers of a page with such a model, as it has no head."""
    return usual_kind(page, config).headed and not config.classes


def draws_otherwise(page: str, moment: str | None) -> bool:
    """Whether a page draws other numbers at a moment than those that can be taken away; None for no moment."""
    return moment in OTHERWISE.get(page, ())


def part_of(view: View) -> str:
    """Which numbers of a page these are, as a sentence, where its moment draws others; else nothing."""
    moment = view.choices.get("moment")
    if view.learned is not None or not draws_otherwise(view.page, moment):
        return ""
    return f"At this moment, {moment}, the page draws other numbers; these are {kind_of(view).says}."


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
