"""Maps of tokens side by side on one scale, each under its name."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from vitviz.figures import frame, tiles
from vitviz.figures.tiles import Floats

ROOM = frame.MARGIN["t"] + 28 + frame.SCALE_ROOM  # pixels above and below the maps
GAP = 0.03


@frame.remembered
def panels(
    maps: Mapping[str, Floats],
    limit: float,
    says: str,
    *,
    framed: Mapping[str, tuple[int, ...]] | None = None,
    signed: bool = False,
    height: int = 210,
) -> go.Figure:
    """Named maps `gh gw`, each of its own grid, from 0 to `limit`, or from -`limit` where `signed`.

    `says` is what a number is called; `framed` are the places, counted from 0, that stand out in each map.
    """
    share = (1 + GAP) / len(maps)
    domains = [(at * share, (at + 1) * share - GAP) for at in range(len(maps))]
    axes = ["", *map(str, range(2, len(maps) + 1))]
    layout: dict[str, Any] = {f"yaxis{axis}": {"anchor": f"x{axis}"} for axis in axes}
    layout |= {f"xaxis{axis}": {"domain": domain} for axis, domain in zip(axes, domains, strict=True)}
    names = [_heading(name, sum(domain) / 2) for name, domain in zip(maps, domains, strict=True)]
    fig = frame.figure(ROOM + height, margin=frame.MARGIN | {"t": 28}, annotations=names, **layout)
    for axis, (name, values) in zip(axes, maps.items(), strict=True):
        rows, columns = values.shape
        text = tiles.places(np.arange(rows * columns), columns).reshape(rows, columns, 3)
        hover = f"{tiles.PLACE}<br>{says} %{{z:.3g}}"
        place = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
        shown = frame.heat(values, hover=hover, limit=limit, signed=signed, text=text, show_scale=axis == "", **place)
        fig.add_trace(shown)
        for patch in (framed or {}).get(name, ()):
            frame.outline(fig, *divmod(patch, columns), xref=f"x{axis}", yref=f"y{axis}")
    return frame.square(frame.scale_below(fig))


def _heading(text: str, x: float) -> dict[str, Any]:
    place = {"x": x, "xref": "paper", "xanchor": "center", "y": 1, "yref": "paper", "yanchor": "bottom"}
    return {"text": text, "font": {"size": frame.FONT_SIZE}, "showarrow": False} | place
