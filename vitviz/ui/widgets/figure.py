"""A figure drawn by Plotly on the page, written once: Streamlit takes some two milliseconds for it in every run."""

import json
from functools import lru_cache

from vitviz import palette
from vitviz.figures.digested import Digested, digested
from vitviz.figures.figure import Figure
from vitviz.figures.plotly import FONT_SIZE, Spec, spec, template
from vitviz.ui.components import send, written
from vitviz.ui.private import BG_COLOR, ForwardMsg, LayoutConfig, PlotlyChart, calc_hash

# The wheel scrolls the page; what is taken away, or chosen, is so by our own menu and by the board.
CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["toImage", "select2d", "lasso2d", "autoScale2d"],
    "doubleClick": "reset",  # to the axes as they were; Plotly's own would be wider
}
LABEL_ROOM = 26  # pixels


def draw(figure: Figure, alt: str, key: str | None, label: str = "") -> None:
    """Draw a figure; `label` is framed at its top right."""
    send(_written(digested((figure, alt, key, label))))


@lru_cache(maxsize=100)
def _written(drawn: Digested) -> ForwardMsg:
    """What `st.plotly_chart` sends for it; wherever `BG_COLOR` stands Streamlit puts the ground of the theme."""
    figure, alt, key, label = drawn.value
    figure_spec = spec(figure, ground=BG_COLOR)
    layout = figure_spec["layout"]
    for name, axis in layout.items():
        if name[1:5] == "axis":  # the theme's own sizes are too small for a hall
            axis["tickfont"] = {"size": FONT_SIZE}
            axis.setdefault("title", {})["font"] = {"size": FONT_SIZE}
    layout["template"] = json.loads(template("streamlit"))
    if label:
        _label(layout, label)
    chart = PlotlyChart(spec=json.dumps(figure_spec), config=json.dumps(CONFIG), theme="streamlit", form_id="", alt=alt)
    chart.id = f"$$ID-{calc_hash(chart.SerializeToString(deterministic=True))}-{key}"
    return written("plotly_chart", chart, LayoutConfig(width="stretch", height=layout["height"]))


def _label(layout: Spec, text: str) -> None:
    """A framed word at the top right, on a line of its own: titles are long, and a phone is narrow."""
    top = layout["margin"]["t"]
    layout["margin"]["t"] += LABEL_ROOM
    layout["height"] += LABEL_ROOM
    layout["title"] |= {"yref": "paper", "y": 1, "yanchor": "bottom", "pad": {"b": top / 2 - 11}}  # where it was
    place = {"x": 1, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "bottom"}
    look = {"font": {"size": 15}, "bordercolor": palette.RESIDUAL, "borderwidth": 2, "borderpad": 3}
    note = {"text": text, "yshift": top - 4, "showarrow": False}
    layout.setdefault("annotations", []).append(note | place | look)
