"""A figure as Plotly draws it, for its hover and zoom: in Details, in notebooks, and by `vitviz.show`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, singledispatchmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from vitviz import palette
from vitviz.figures import marks as it
from vitviz.figures.colours import SIGNED, WEIGHTS
from vitviz.figures.figure import Figure, Panel
from vitviz.figures.marks import Says
from vitviz.figures.pixels import data_uri, fitting
from vitviz.figures.plotly.hover import Spec, escaped, gaps, hover, lines, packed, spec_of
from vitviz.figures.plotly.layout import (
    EDGE,
    FONT_SIZE,
    LEGEND_ROOM,
    SCALE_ROOM,
    TITLE_ROOM,
    axis_spec,
    colour_bar,
    domains,
    foot,
    heading,
)

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as PlotlyFigure

SYMBOLS = {"ring": "circle-open", "box": "square-open"}
RIGHT = 99  # after the number of a panel: its second axis
CLEAR = "rgba(0,0,0,0)"
FONT = {"size": FONT_SIZE}
LEGEND = {"font": FONT, "orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "traceorder": "normal"}
ALWAYS = {"font": FONT, "hoverlabel": {"font": FONT}, "legend": LEGEND, "bargap": 0, "barmode": "overlay"}
ALWAYS |= {"paper_bgcolor": CLEAR, "plot_bgcolor": CLEAR}


def plotly_figure(figure: Figure) -> "PlotlyFigure":
    """The figure as an object of Plotly's."""
    import plotly.graph_objects as go

    return go.Figure(spec(figure))


@cache
def template(name: str) -> str:
    """A theme that is known to Plotly under a name, as JSON."""
    import plotly.io

    return json.dumps(plotly.io.templates[name].to_plotly_json())


def spec(figure: Figure, ground: str = "") -> Spec:
    """The figure as Plotly's JSON has it: "data" and "layout", with arrays by their bytes.

    `ground` is the colour at 0 of a scale around 0, where it is not white paper's.
    """
    return _Spec(figure, ground).finish()


@dataclass
class _Spec:
    figure: Figure
    ground: str
    traces: list[Spec] = field(default_factory=list)
    shapes: list[Spec] = field(default_factory=list)
    notes: list[Spec] = field(default_factory=list)
    scaled: bool = False
    named: bool = False  # cells: a trace would add its places to their names
    x: str = "x"
    y: str = "y"

    def finish(self) -> Spec:
        figure = self.figure
        headings = [heading(row) for row in figure.rows]
        heights = [max(panel.height for panel in row) for row in figure.rows]
        feet = [max(foot(panel.across) for panel in row) for row in figure.rows]
        above = (TITLE_ROOM if figure.title else 12) + LEGEND_ROOM * bool(figure.legend)
        below = EDGE + feet[-1] + (SCALE_ROOM if figure.scale else 0)
        inner = sum(headings) - headings[0] + sum(heights) - feet[-1]
        layout = self._layout(above + headings[0] + inner + below, above + headings[0], below)
        top, number = 0.0, 0
        for row, (panels, titles, height, ticks) in enumerate(zip(figure.rows, headings, heights, feet, strict=True)):
            top += titles if row else 0
            ends = 1 - (top + height - ticks) / inner, 1 - top / inner
            for panel, domain in zip(panels, domains(panels), strict=True):
                number += 1
                self._panel(panel, layout, number, domain, (max(0.0, ends[0]), ends[1]))
            top += height
        self._keys()
        over = {"shapes": self.shapes, "annotations": self.notes}
        return {"data": self.traces, "layout": layout | {name: found for name, found in over.items() if found}}

    def _layout(self, height: float, above: float, below: float) -> Spec:
        figure = self.figure
        return ALWAYS | {
            "height": round(height),
            "title": {"text": escaped(figure.title), "font": {"size": FONT_SIZE + 2}, "x": 0, "xref": "paper"},
            "margin": {"l": EDGE, "r": EDGE, "t": above, "b": below},
            "showlegend": bool(figure.legend),
        }

    def _panel(self, panel: Panel, layout: Spec, number: int, across: Sequence[float], down: Sequence[float]) -> None:
        mark = "" if number == 1 else str(number)
        self.x, self.y = f"x{mark}", f"y{mark}"
        x, y = axis_spec(panel.across), axis_spec(panel.down)
        x |= {"domain": list(across), "anchor": self.y}
        y |= {"domain": list(down), "anchor": self.x}
        if panel.square is not None:
            x |= {"constrain": "domain"}
            y |= {"constrain": "domain", "constraintoward": "top", "scaleanchor": self.x, "scaleratio": panel.square}
        layout[f"xaxis{mark}"], layout[f"yaxis{mark}"] = x, y
        if panel.right:
            name = f"{number}{RIGHT}"
            layout[f"yaxis{name}"] = axis_spec(panel.right) | {"overlaying": self.y, "side": "right", "anchor": self.x}
            nothing = {"mode": "markers", "x": [panel.across.low], "y": [panel.right.low], "opacity": 0}
            self._trace(type="scatter", hoverinfo="skip", **nothing, yaxis=f"y{name}")  # no trace, no axis
        if panel.title:
            self._note(lines(panel.title), sum(across) / 2, down[1], xref="paper", yref="paper", size=FONT_SIZE + 2)
        self.named = any(isinstance(each, it.Heat) and (each.called or each.columns) for each in panel.marks)
        for each in panel.marks:
            self._draw(each)

    def _trace(self, **trace: Any) -> None:
        named = {"showlegend": False} if trace["type"] in ("bar", "scatter") else {}
        self.traces.append({"xaxis": self.x, "yaxis": self.y} | named | trace)

    def _shape(self, kind: str, x: Sequence[float], y: Sequence[float], **shape: Any) -> None:
        places = {"x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1], "xref": self.x, "yref": self.y}
        self.shapes.append({"type": kind} | places | shape)

    def _note(
        self, text: str, x: float, y: float, *, anchor: str = "center", size: int = FONT_SIZE, **note: Any
    ) -> None:
        where = {"xref": self.x, "yref": self.y, "xanchor": anchor, "yanchor": "bottom", "showarrow": False}
        self.notes.append({"text": text, "x": x, "y": y, "font": {"size": size}} | where | note)

    @singledispatchmethod
    def _draw(self, mark: Any) -> None:
        raise TypeError(f"{type(mark).__name__} is no mark of a figure")

    @_draw.register
    def _heat(self, mark: it.Heat) -> None:
        colours = mark.colours
        scale = None if self.scaled else self.figure.scale
        has_scale, self.scaled = scale is not None, self.scaled or scale is not None
        bar = colour_bar(scale, foot(self.figure.rows[-1][0].across)) if scale else {}
        self._trace(
            type="heatmap",
            z=packed(np.asarray(mark.values, np.float32)),
            **({"x": list(map(escaped, mark.columns))} if mark.columns else {"x0": mark.x, "dx": mark.across}),
            **({"y": list(map(escaped, mark.called))} if mark.called else {"y0": mark.y, "dy": mark.down}),
            zmin=colours.ends[0],
            zmax=colours.limit or 1,
            colorscale=self._scale(colours.signed),
            opacity=mark.opacity,
            showscale=has_scale,
            **bar,
            **hover(mark.says, mark.values.shape, "z"),
        )

    def _scale(self, signed: bool) -> list[list[Any]]:
        if signed and self.ground:
            return [[0, palette.BELOW], [0.5, self.ground], [1, palette.ABOVE]]
        colours = SIGNED if signed else WEIGHTS
        return [[at / (len(colours) - 1), colour] for at, colour in enumerate(colours)]

    @_draw.register
    def _picture(self, mark: it.Picture) -> None:
        pixels = fitting(mark.pixels)
        height, width = pixels.shape[:2]
        dx, dy = mark.columns / width, mark.rows / height
        x0, y0 = mark.x - 0.5 + dx / 2, mark.y - 0.5 + dy / 2
        self._trace(type="image", source=data_uri(pixels), x0=x0, y0=y0, dx=dx, dy=dy, hoverinfo="skip")
        if mark.says:
            cells = int(mark.rows), int(mark.columns)
            hover_spec = hover(mark.says, cells, "z")
            look = {"x0": mark.x, "y0": mark.y, "opacity": 0, "showscale": False, "hoverongaps": False}
            self._trace(type="heatmap", z=packed(gaps(mark.says, cells)), **look, **hover_spec)

    @_draw.register
    def _bars(self, mark: it.Bars) -> None:
        places, values = packed(mark.places), packed(mark.values)
        self._trace(
            type="bar",
            orientation="h" if mark.level else "v",
            x=values if mark.level else places,
            y=places if mark.level else values,
            width=packed(np.broadcast_to(np.asarray(mark.thick, np.float32), np.shape(mark.values))),
            marker={"color": mark.colours[0] if len(mark.colours) == 1 else list(mark.colours), "line": {"width": 0}},
            text=[escaped(text) for text in mark.texts] or None,
            textposition="outside" if mark.texts else "none",
            cliponaxis=False,
            **hover(mark.says, np.shape(mark.values), "x" if mark.level else "y"),
        )

    @_draw.register
    def _points(self, mark: it.Points) -> None:
        hollow = mark.shape in SYMBOLS
        self._trace(
            type="scatter",
            mode="markers",
            x=packed(mark.x),
            y=packed(mark.y),
            cliponaxis=False,
            marker={
                "symbol": SYMBOLS.get(mark.shape, mark.shape),
                "size": mark.sizes[0] if len(mark.sizes) == 1 else list(mark.sizes),
                "color": mark.colours[0] if len(mark.colours) == 1 else list(mark.colours),
                "opacity": mark.opacity,
                "line": {"width": 3 if hollow else bool(mark.edge), **({"color": mark.edge} if mark.edge else {})},
            },
            **hover(mark.says, np.shape(mark.x), "y"),
        )

    @_draw.register
    def _line(self, mark: it.Line) -> None:
        x, y = (list(places) for places in zip(*mark.points, strict=True)) if mark.points else ([], [])
        line = {"color": _ink(mark.colour), "width": mark.width, "dash": mark.dash}
        if self.named:
            self._shape("line", x, y, line=line)
            return
        smooth = {"shape": "spline"} if mark.smooth and len(x) > 2 else {}
        hover_spec = hover(mark.says, (len(x),), "y") if isinstance(mark.says, Says) else spec_of(mark.says)
        self._trace(type="scatter", mode="lines", x=x, y=y, line=line | smooth, **hover_spec)

    @_draw.register
    def _area(self, mark: it.Area) -> None:
        x, y = (mark.x, mark.x + mark.width), (mark.y, mark.y + mark.height)
        fill = _ink(mark.colour)
        if mark.framed:
            self._shape("rect", x, y, line={"color": mark.edge or palette.FRAME, "width": 4})
        if mark.says:
            corners = {"x": [x[0], x[1], x[1], x[0], x[0]], "y": [y[0], y[0], y[1], y[1], y[0]]}
            look = {"fill": "toself", "fillcolor": fill, "line": {"width": 0.5, "color": "#ffffff"}}
            hover_spec = {"text": escaped(mark.says), "hoveron": "fills", "hoverinfo": "text"}
            self._trace(type="scatter", mode="lines", **corners, **look, **hover_spec)
        elif fill != CLEAR:
            self._shape("rect", x, y, fillcolor=fill, opacity=mark.opacity, line={"width": 0}, layer="below")
        if mark.text:
            white = {"size": FONT_SIZE, "color": "#ffffff"}
            self._note(
                lines(mark.text), sum(x) / 2, sum(y) / 2, yanchor="middle", font=white, bgcolor=mark.ground or CLEAR
            )

    @_draw.register
    def _spot(self, mark: it.Spot) -> None:
        look = {"symbol": SYMBOLS.get(mark.shape, mark.shape), "size": 14, "color": _ink(mark.colour)}
        named = {"text": [escaped(mark.text)], "textposition": "top center"}
        how = "markers+text" if mark.text else "markers"
        self._trace(type="scatter", mode=how, x=[mark.x], y=[mark.y], marker=look, **named, **spec_of(mark.says))

    @_draw.register
    def _text(self, mark: it.Text) -> None:
        lead = f"<b>{escaped(mark.lead)}</b>" if mark.lead else ""
        side = {"above": "bottom", "middle": "middle", "below": "top"}[mark.side]
        anchor = {"start": "left", "middle": "center", "end": "right"}[mark.anchor]
        shift = {"start": 6, "middle": 0, "end": -6}[mark.anchor] if mark.side == "middle" else 0
        self._note(lead + lines(mark.text), mark.x, mark.y, anchor=anchor, yanchor=side, xshift=shift)

    @_draw.register
    def _rule(self, mark: it.Rule) -> None:
        line = {"color": palette.RESIDUAL, "width": 2, "dash": "dot"}
        self._shape("line", (mark.x, mark.x), (0, 1), yref=f"{self.y} domain", line=line)
        self._note(escaped(mark.text), mark.x, 1, yref=f"{self.y} domain", yanchor="top", anchor="left", xshift=4)

    @_draw.register
    def _grid(self, mark: it.Grid) -> None:
        right, bottom = mark.columns - 0.5, mark.rows - 0.5
        path = "".join(f"M-0.5,{row - 0.5}H{right}" for row in range(mark.rows + 1))
        path += "".join(f"M{column - 0.5},-0.5V{bottom}" for column in range(mark.columns + 1))
        for colour, width in (("rgba(0,0,0,0.3)", 3), ("rgba(255,255,255,0.8)", 1)):
            line = {"color": colour, "width": width}
            self.shapes.append({"type": "path", "path": path, "xref": self.x, "yref": self.y, "line": line})

    def _keys(self) -> None:
        """Traces without points, which are the lines of the legend."""
        for key in self.figure.legend:
            area = key.dash == "area"
            marker = {"symbol": SYMBOLS.get(key.shape, key.shape), "size": 12, "color": _ink(key.colour)}
            line = {"color": _ink(key.colour), "width": 3, "dash": key.dash}
            look = {"marker": marker} if area else {"line": line}
            named = {"name": escaped(key.text), "showlegend": True, "xaxis": "x", "yaxis": "y"}
            self._trace(type="scatter", mode="markers" if area else "lines", x=[None], y=[None], **look, **named)


def _ink(colour: str) -> str:
    return {"currentColor": palette.RESIDUAL, "none": CLEAR, "transparent": CLEAR}.get(colour, colour)
