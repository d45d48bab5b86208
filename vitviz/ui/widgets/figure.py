"""A Plotly figure on the page, written once: Plotly and Streamlit take some two milliseconds for it in every run."""

import json

import plotly.graph_objects as go
from streamlit.elements.lib.layout_utils import LayoutConfig
from streamlit.elements.lib.streamlit_plotly_theme import BG_COLOR
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.PlotlyChart_pb2 import PlotlyChart
from streamlit.util import calc_hash

from vitviz import palette
from vitviz.figures.frame import FONT_SIZE
from vitviz.ui.scripts.sent import send, written

# The wheel scrolls the page; what is taken away, or chosen, is so by our own menu and by the board.
CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["toImage", "select2d", "lasso2d", "autoScale2d"]}
LABEL_ROOM = 26  # pixels
USUAL_HEIGHT = 450  # pixels, Plotly's own
ON_PAPER = go.Heatmap(colorscale=palette.SIGNED).colorscale
# Streamlit puts the ground of the theme in place of its colour, and does so again when the theme changes.
ON_SCREEN = ((0, palette.BELOW), (0.5, BG_COLOR), (1, palette.ABOVE))


def draw(figure: go.Figure, alt: str, key: str | None, label: str = "") -> None:
    """Draw a figure, which must not change any more; `label` is framed at its top right."""
    kept: dict[tuple[str | None, ...], ForwardMsg] = vars(figure).setdefault("_written", {})
    how = (alt, key, label)
    if how not in kept:
        kept[how] = _write(figure, *how)
    send(kept[how])


def _write(figure: go.Figure, alt: str, key: str | None, label: str) -> ForwardMsg:
    """What `st.plotly_chart` sends for it."""
    import plotly.io

    figure = go.Figure(figure)  # a copy: the figure may be kept for others
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        if axis.visible is not False:  # the theme's own sizes are too small for a hall
            axis.tickfont.size = axis.title.font.size = FONT_SIZE
    for heat in figure.select_traces({"type": "heatmap"}):
        if heat.colorscale == ON_PAPER:
            heat.colorscale = ON_SCREEN
    if label:
        _label(figure, label)
    chart = PlotlyChart(
        spec=plotly.io.to_json(figure, validate=False),
        config=json.dumps(CONFIG),
        theme="streamlit",
        form_id="",
        alt=alt,
    )
    chart.id = f"$$ID-{calc_hash(chart.SerializeToString(deterministic=True))}-{key}"
    layout = LayoutConfig(width="stretch", height=figure.layout.height or USUAL_HEIGHT)
    return written("plotly_chart", chart, layout)


def _label(figure: go.Figure, text: str) -> None:
    """A framed word at the top right, on a line of its own: titles are long, and a phone is narrow."""
    top = figure.layout.margin.t
    beside_legend = bool(figure.layout.showlegend) and (figure.layout.legend.y or 0) > 1
    room = LABEL_ROOM * (1 + beside_legend)
    figure.layout.margin.t += room
    figure.layout.height += room
    figure.layout.title.update(yref="paper", y=1, yanchor="bottom", pad={"b": top / 2 - 11})  # where it was
    figure.add_annotation(
        text=text,
        x=1,
        y=1,
        xref="paper",
        yref="paper",
        xanchor="right",
        yanchor="bottom",
        yshift=top - 4 + LABEL_ROOM * beside_legend,
        showarrow=False,
        font={"size": 15},
        bordercolor=palette.RESIDUAL,
        borderwidth=2,
        borderpad=3,
    )
