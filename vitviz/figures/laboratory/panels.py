"""Maps of tokens side by side, each under its name, on one scale or each on its own."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from vitviz import numbers
from vitviz.figures import frame, tiles
from vitviz.figures.tiles import Floats

HEIGHT, HEADING, LINE = 210, 28, 22  # pixels of the maps, of a heading, and of a second line of it
GAP = 0.03


@frame.remembered
def panels(
    maps: Mapping[str, Floats],
    limits: Sequence[float],
    says: str,
    *,
    framed: Mapping[str, tuple[int, ...]] | None = None,
    patch: float = 1,
) -> go.Figure:
    """Named maps `gh gw`, each of its own grid of patches `patch` times as high as wide, and from 0 to its own limit.

    Equal limits are one scale, drawn below all; unequal ones stand under the names. `says` is what a number is called;
    `framed` are the places, counted from 0, that stand out in each map.
    """
    share = (1 + GAP) / len(maps)
    domains = [(at * share, (at + 1) * share - GAP) for at in range(len(maps))]
    axes = ["", *map(str, range(2, len(maps) + 1))]
    layout: dict[str, Any] = {f"yaxis{axis}": {"anchor": f"x{axis}"} for axis in axes}
    layout |= {f"xaxis{axis}": {"domain": domain} for axis, domain in zip(axes, domains, strict=True)}
    own = len(set(limits)) > 1
    ends = [f"<br>0 to {numbers.small(limit)}" * own for limit in limits]
    names = [frame.heading(name + end, sum(domain) / 2) for name, end, domain in zip(maps, ends, domains, strict=True)]
    above, below = HEADING + LINE * own, frame.MARGIN["b"] if own else frame.SCALE_ROOM
    fig = frame.figure(above + HEIGHT + below, margin=frame.MARGIN | {"t": above}, annotations=names, **layout)
    for axis, limit, (name, values) in zip(axes, limits, maps.items(), strict=True):
        rows, columns = values.shape
        frame.tell(fig, name, "row column", values, f"{says[0].upper()}{says[1:]}, at each patch.")
        hover = f"{tiles.PLACE}<br>{says} %{{z:.3g}}"
        shown = frame.heat(
            values, hover=hover, limit=limit, text=tiles.places_of(rows, columns), show_scale=axis == "" and not own
        )
        fig.add_trace(shown.update(xaxis=f"x{axis}", yaxis=f"y{axis}"))
        for at in (framed or {}).get(name, ()):
            frame.outline(fig, *divmod(at, columns), xref=f"x{axis}", yref=f"y{axis}")
    return frame.square(fig if own else frame.scale_below(fig), patch)
