"""What became of the requests to the engine."""

from functools import lru_cache

import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import frame

ROW = 46  # pixels


@lru_cache(maxsize=8)  # the page that shows it renews itself, mostly for the same numbers
def outcomes(*many: tuple[str, int]) -> go.Figure:
    """One bar for each outcome, with its number."""
    names, counts = zip(*many, strict=True)
    fig = frame.figure(height=ROW * len(many) + 40)
    fig.add_trace(
        go.Bar(
            orientation="h",
            x=counts,
            y=names,
            text=[numbers.exact(number) for number in counts],
            textposition="outside",
            cliponaxis=False,
            marker={"color": palette.ATTENTION},
            hovertemplate="%{y}: %{x:,}<extra></extra>",
        )
    )
    fig.update_xaxes(visible=False, range=[0, 1.15 * max(1, *counts)])
    fig.update_yaxes(autorange="reversed", automargin=True)
    return fig
