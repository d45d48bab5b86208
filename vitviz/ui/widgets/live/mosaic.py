"""A picture whose patches change places under the hand, beside the picture as it is."""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from PIL import Image

from vitviz import palette
from vitviz.edits.chance import shuffled
from vitviz.figures.figure import Figure
from vitviz.figures.parts import beside_each_other, picture
from vitviz.figures.pixels import data_uri
from vitviz.figures.tiles import cut
from vitviz.messages import MosaicData
from vitviz.scripts.bundle import script_of, sheet_of
from vitviz.ui.takeaway.pictures import of_figure
from vitviz.ui.widgets.live.choice import asked_for, hear, to_browser, words_of

SIDE = 480  # pixels of a picture's longer side
WRITTEN = re.compile(r"(\d{1,7})x(\d{1,7})|shuffled@(\d{1,6})", re.ASCII)

_mount = st.components.v2.component(
    "vitviz.mosaic",
    html="<figure>\n"
    '<div><p>Before: drag one patch onto another</p><canvas role="img" width="1" height="1"></canvas></div>'
    '<div><p>After</p><canvas role="img" width="1" height="1"></canvas></div></figure>'
    '<p role="status"></p><div class="tools"><label>first <input type="range" min="0"></label>'
    '<label>second <input type="range" min="0"></label><button type="button">Shuffle all patches</button></div>',
    css=sheet_of("doors/live/mosaic.css"),
    js=script_of("doors/live/mosaic.js"),
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two patches that change places, counted from 0, or a `seed` by which all of them do."""

    first: int = 0
    second: int = 0
    seed: int | None = None

    def __str__(self) -> str:
        return f"{self.first + 1}x{self.second + 1}" if self.seed is None else f"shuffled@{self.seed}"

    @property
    def edits(self) -> str:
        """The same as an edit of pixels; nothing where a patch changes places with itself."""
        if self.seed is not None:
            return f"i=shuffled@{self.seed}"
        return f"i{self.first + 1}={self.second + 1}" if self.first != self.second else ""

    def order(self, patches: int) -> list[int]:
        """The patch that each place then shows."""
        if self.seed is not None:
            return shuffled(patches, self.seed)
        order = list(range(patches))
        order[self.first], order[self.second] = self.second, self.first
        return order


def mosaic(key: str, pixels: NDArray[np.uint8], grid: tuple[int, int], usual: Exchange, alt: str) -> Exchange:
    """Draw the picture before and after what the address, or the hand, asks for: "15x91" or "shuffled@3".

    Where the patches are moved goes into the address under `key`.
    """
    rows, columns = grid
    patches = rows * columns
    exchange = _read(asked_for(key, lambda text: _read(text, patches) is not None), patches) or usual
    widget = f"mosaic {key}"
    data: MosaicData = {
        "name": key,
        "picture": _encoded(pixels.tobytes(), pixels.shape, grid),
        "rows": rows,
        "columns": columns,
        "order": exchange.order(patches),
        "pair": None if exchange.seed is not None else (exchange.first, exchange.second),
        "seed": exchange.seed or 0,
        "alt": alt,
        "chosen": palette.FRAME,
        **to_browser(widget, {}, words_of(key, str(exchange), str(usual))),
    }
    of_figure(lambda: _before_and_after(pixels, grid, exchange), "Before and after", f"{alt} {_caption(exchange)}")
    _mount(key=widget, data=[data], on_moved_change=hear(widget, {}))
    return exchange


def _before_and_after(pixels: NDArray[np.uint8], grid: tuple[int, int], exchange: Exchange) -> Figure:
    rows, columns = grid
    patches = cut(pixels, rows, columns)[exchange.order(rows * columns)]
    lines = patches.reshape(rows, columns, *patches.shape[1:])
    after = lines.swapaxes(1, 2).reshape(pixels.shape)
    return beside_each_other([picture("Before", pixels), picture("After", after)])


def _caption(exchange: Exchange) -> str:
    if exchange.seed is not None:
        return f"After: all patches shuffled by the seed {exchange.seed}."
    return f"After: patches {exchange.first + 1} and {exchange.second + 1} have changed places."


def _read(text: str, patches: int) -> Exchange | None:
    found = WRITTEN.fullmatch(text)
    if not found:
        return None
    first, second, seed = found.groups()
    if seed:
        return Exchange(seed=int(seed))
    pair = int(first) - 1, int(second) - 1
    return Exchange(*pair) if all(0 <= patch < patches for patch in pair) else None


@lru_cache(maxsize=32)
def _encoded(data: bytes, shape: tuple[int, ...], grid: tuple[int, int]) -> str:
    pixels = np.frombuffer(data, np.uint8).reshape(shape)
    share = min(1, SIDE / max(shape[:2]))
    high, wide = (max(1, int(share * side / many)) for side, many in zip(shape[:2], grid, strict=True))
    small = Image.fromarray(pixels).resize((grid[1] * wide, grid[0] * high), Image.Resampling.BOX)
    return data_uri(np.asarray(small))
