"""A view's numbers, made by the line of the library that its notebook shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.addresses import place as addresses
from vitviz.takeaway.kinds import attention, counting, model, overview, tokens
from vitviz.takeaway.kinds.kind import Kind
from vitviz.takeaway.view import View

if TYPE_CHECKING:
    from vitviz.trace import Trace

KINDS = overview.KINDS | tokens.KINDS | attention.KINDS | model.KINDS | counting.KINDS


def kind_of(view: View) -> Kind:
    """The kind of a view."""
    return attention.COLUMN if view.page == "heads" and view.shows == "column" else KINDS[view.page]


def patch_of(view: View) -> int:
    """The patch of the query, or the one in the middle where the query is none; from 0."""
    return addresses.patch_of(view.query, view.config)


def names_of(view: View) -> dict[str, int]:
    """What a notebook calls what is chosen."""
    return {"layer": view.layer, "head": view.head, "query": view.query, "patch": patch_of(view)}


def values(view: View, trace: Trace | None = None) -> NDArray[Any]:
    """The numbers of a view, made by the line of the library that its notebook shows; counts need no trace."""
    kind = kind_of(view)
    known: dict[str, Any] = {"np": np, "trace": trace, "config": view.config, **names_of(view)}
    exec(kind.imports, known)
    found: NDArray[Any] = np.asarray(eval(kind.call, known))
    return found
