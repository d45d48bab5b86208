"""What the axes of a view's numbers are called, and the places along them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from vitviz.counts import parameters
from vitviz.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from vitviz.weights import Loaded

WORD = re.compile(r"\([^)]*\)|\S+")  # of axes: a name, or several in parentheses


def axes_of(
    word: str, size: int, named: Mapping[str, Sequence[str]], view: View, loaded: Loaded | None
) -> Iterator[tuple[str, Sequence[str], int]]:
    """Name, places and size of an axis, or of each in a group such as (c ph pw); those that are `named` by name."""
    group = [AXES[part] for part in word.strip("()").split() if part in AXES]
    places = [names(view, loaded) for _, names in group]
    if len(group) > 1 and prod(map(len, places)) == size:
        yield from ((axis, names, len(names)) for (axis, _), names in zip(group, places, strict=True))
        return
    axis, names = AXES.get(word, (word, lambda *_: ()))
    if word.isdecimal():
        axis = "what"
    found = named[axis] if axis in named else names(view, loaded)
    yield axis, found if len(found) == size else (), size


def _numbered(noun: str, count: int) -> list[str]:
    return [f"{noun} {number}" for number in range(1, count + 1)]


def _tokens(view: View, loaded: Loaded | None) -> Sequence[str]:
    return view.config.token_names


def _channels(view: View, loaded: Loaded | None) -> Sequence[str]:
    channels = view.config.channels
    return ("red", "green", "blue") if channels == 3 else _numbered("channel", channels)


# Words of axes: what an axis is called, and its places.
AXES: dict[str, tuple[str, Callable[[View, Loaded | None], Sequence[str]]]] = {
    "q": ("query", _tokens),
    "k": ("key", _tokens),
    "t": ("token", _tokens),
    "n": ("patch", lambda view, _: _numbered("patch", view.config.patches)),
    "gh": ("row", lambda view, _: _numbered("row", view.config.grid[0])),
    "gw": ("column", lambda view, _: _numbered("column", view.config.grid[1])),
    "c": ("channel", _channels),
    "ph": ("pixel_row", lambda view, _: _numbered("row", view.config.patch_sides[0])),
    "pw": ("pixel_column", lambda view, _: _numbered("column", view.config.patch_sides[1])),
    "d": ("component", lambda view, _: _numbered("component", view.config.dim)),
    "dh": ("component", lambda view, _: _numbered("component", view.config.head_dim)),
    "m": ("hidden", lambda view, _: _numbered("component", view.config.mlp_dim)),
    "head": ("head", lambda view, _: _numbered("head", view.config.heads)),
    "layer": ("layer", lambda view, _: _numbered("layer", view.config.depth)),
    "(depth + 1)": ("after", lambda view, _: ["embedding", *_numbered("layer", view.config.depth)]),
    "classes": ("class", lambda view, loaded: loaded.labels if loaded else ()),
    "tensors": ("tensor", lambda view, _: sorted(row.tensor for row in parameters(view.config))),
}


def in_words(axes: str) -> str:
    """Axes as people read them: "head × key" of "head k"."""
    words = ([word] if word in AXES else word.strip("()").split() for word in WORD.findall(axes))
    named = ([AXES[it][0] if it in AXES else it for it in word] for word in words)
    return " × ".join(map(" · ".join, named)).replace("_", " ")
