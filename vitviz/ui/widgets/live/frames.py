"""Pictures and charts that a slider runs through in the browser: all frames are sent once, the hand asks no server."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures import figure
from vitviz.figures.figure import Figure
from vitviz.figures.live import message
from vitviz.figures.parts import beside_each_other, framed, picture
from vitviz.figures.pixels import data_uri
from vitviz.figures.tiles import on_white
from vitviz.messages import FramesData, FramesPanel
from vitviz.scripts.bundle import script_of, sheet_of
from vitviz.ui.takeaway.pictures import of_figure
from vitviz.ui.widgets.live.choice import chosen, hear, to_browser, words_of

Box = tuple[float, float, float, float]  # left, top, width and height, as shares of a picture's sides

_mount = st.components.v2.component(
    "vitviz.frames",
    html='<div class="slider"><label for="range"><span></span><output></output></label>\n'
    '<input type="range" id="range" min="0" step="1"></div><div class="panels"></div><div class="charts"></div>',
    css=sheet_of("doors/live/frames.css"),
    js=script_of("doors/live/frames.js"),
)


@dataclass(frozen=True)
class Panel:
    """One picture under its title: `frames`, `stop h w 3`, or 4, in bytes, one for each stop, or one that stays.

    With `slides`, a share of its width for each stop, it moves to the right, and can be dragged there. `lines` are rows
    and columns of a grid that lies over it, for each stop or one for all, and `boxes` what is framed at each stop. One
    that is no `photo` shows numbers as colours.
    """

    title: str
    frames: NDArray[np.uint8]
    slides: float = 0
    lines: tuple[tuple[int, int], ...] = ()
    boxes: tuple[Box, ...] = ()
    photo: bool = True

    def at(self, stop: int) -> figure.Panel:
        """What stands at a stop."""
        pixels = self.frames[min(stop, len(self.frames) - 1)]
        if left := round(self.slides * stop * pixels.shape[1]):
            pixels = np.concatenate([pixels[:, :1].repeat(left, axis=1), pixels[:, :-left]], axis=1)
        rows, columns = self.lines[min(stop, len(self.lines) - 1)] if self.lines else (1, 1)
        marks = []
        if stop < len(self.boxes):
            across, down, wide, high = self.boxes[stop]
            marks.append(framed(down * rows, across * columns, high * rows, wide * columns))
        return picture(self.title, on_white(pixels), grid=(rows, columns), marks=marks, photo=self.photo)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the slider may stand: its value in the address, and in words."""

    value: int
    says: str


def frames(
    label: str,
    stops: Sequence[Stop],
    usual: int,
    key: str,
    panels: Sequence[Panel],
    charts: Sequence[tuple[Figure, str]] = (),
) -> int:
    """Draw all panels, and charts over the stops' values, each with words for a screen reader; the value that stands.

    A line in the charts is at the stop; the address has it under `key` when the hand lets go.
    """
    widget = f"frames {key}"
    values = [stop.value for stop in stops]
    value = chosen(key, values, usual)
    data: FramesData = {
        "name": key,
        "label": label,
        "stops": [{"value": stop.value, "says": stop.says} for stop in stops],
        "at": values.index(value),
        "panels": [_panel(panel) for panel in panels],
        "charts": [{"figure": message(chart), "alt": alt} for chart, alt in charts],
        "chosen": palette.FRAME,
        **to_browser(widget, {}, words_of(key, value, usual)),
    }
    at = values.index(value)
    of_figure(
        lambda: beside_each_other([panel.at(at) for panel in panels], [chart for chart, _ in charts]),
        label,
        f"{label}: {stops[at].says}.",
    )
    _mount(key=widget, data=[data], on_moved_change=hear(widget, {}))
    return value


def _panel(panel: Panel) -> FramesPanel:
    count, height, width, depth = panel.frames.shape
    return {
        "title": panel.title,
        "sheet": data_uri(panel.frames.reshape(count * height, width, depth)),
        "frames": count,
        "slides": panel.slides,
        "lines": panel.lines,
        "boxes": panel.boxes,
    }
