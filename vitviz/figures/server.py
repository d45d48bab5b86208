"""What became of the requests to the engine."""

from collections.abc import Mapping

import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import frame

ROW = 46  # pixels


def outcomes(many: Mapping[str, int]) -> go.Figure:
    """One bar for each outcome, with its number."""
    fig = frame.figure(height=ROW * len(many) + 40)
    fig.add_trace(
        go.Bar(
            orientation="h",
            x=list(many.values()),
            y=list(many),
            text=[numbers.exact(number) for number in many.values()],
            textposition="outside",
            cliponaxis=False,
            marker={"color": palette.ATTENTION},
            hovertemplate="%{y}: %{x:,}<extra></extra>",
        )
    )
    fig.update_xaxes(visible=False, range=[0, 1.15 * max(1, *many.values())])
    fig.update_yaxes(autorange="reversed", automargin=True)
    return fig
