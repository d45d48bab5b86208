"""The attention explorer of a trace, as one HTML file or inside a notebook."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz import __version__, palette
from vitviz.figures.pixels import png_file
from vitviz.measures.quantised import exact_weights, largest_variation, quantised_bytes, quantised_layer
from vitviz.measures.tokens import embedded
from vitviz.numbers import bytes_, exact, many, small
from vitviz.scripts.parcels import Arrays, pack
from vitviz.scripts.sizes import counted, sizes, weights_scale
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.explorer.page import EXPLORED, page
from vitviz.takeaway.explorer.running import Progress, Running, running, unseen
from vitviz.takeaway.file import MOST_BYTES, write_whole
from vitviz.takeaway.view import check_places
from vitviz.weights.arrays import pixels_of

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

SHARE = 5 / 6  # of a byte in the file for each weight: what gzip leaves, in base64
HEIGHT = 660  # pixels in a notebook


@dataclass(frozen=True, slots=True)
class Start:
    """What is chosen when it opens; all count from 0."""

    layer: int = 0
    head: int = 0
    query: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class Explorer:
    """Where every token looks in every head and layer, to be explored by hand and keys, without a server.

    A notebook shows it by itself; `save` writes it as a file that opens without a network, `html` is that file's text.
    """

    trace: Trace
    pixels: NDArray[np.uint8]  # what the model sees, `h w c`
    labels: tuple[str, ...]
    model: str
    picture: str
    trained: bool | None
    layers: tuple[int, ...]
    start: Start
    running: Running | None = None
    queries: tuple[int, ...] = ()  # others than the first whose weights are in the file uncoded

    @cached_property
    def html(self) -> str:
        """The file. Raises `TakeawayError` where it is larger than a file should be."""
        title, model = f"{self.model} on {self.picture}", self.running.parcels if self.running else None
        text = page(title, self.message, list(self.packed), self.caption, self.source, model)
        _require(len(text), self)
        return text

    def save(self, path: str | Path) -> Path:
        """Write the file, whole or not at all. Raises `TakeawayError` where it cannot be."""
        return write_whole(path, self.html)

    def __repr__(self) -> str:
        return f"<Explorer: {self.caption}>"

    def _repr_html_(self) -> str:
        """A frame of its own: neither its styles nor its keys reach the notebook, nor those of the notebook it."""
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="{escape(self.caption)}" sandbox="allow-scripts '
            f'allow-downloads" style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
        )

    @property
    def caption(self) -> str:
        """What it shows, in a sentence."""
        config = self.trace.config
        some = "" if len(self.layers) == config.depth else f" ({len(self.layers)} of them here)"
        edits = f"; edited: {self.trace.edits.in_short(config)}" if self.trace.edits else ""
        untrained = "; untrained parameters" if self.trained is False else ""
        return (
            f"{self.model} on “{self.picture}”: attention weights of {many(config.depth, 'layer')}{some}, "
            f"{many(config.heads, 'head')} each, over {exact(config.tokens)} tokens{edits}{untrained}."
        )

    @property
    def _caveat(self) -> str:
        """Why the answer means less than it seems; empty where nothing is known against it."""
        edits = self.trace.edits
        edited = f"Edited: {edits.in_short(self.trace.config)}." if edits else ""
        untrained = "Untrained: all parameters are random, and so is the answer." if self.trained is False else ""
        return f"{edited} {untrained}".strip()

    @property
    def source(self) -> str:
        """What made it."""
        off = small(100 * largest_variation(self.trace.config.tokens))
        return (
            f"Made with vitviz {__version__}. Numbers with ≈ come from 8-bit weights, whose rows are at most {off} % "
            "off; those of the query that was chosen when this file was made are exact. This file asks no server."
        )

    @property
    def _arrays(self) -> Iterator[tuple[str, Arrays]]:
        """What the scene reads, by the names of its parcels."""
        labels = np.frombuffer(_json_bytes(self.labels), np.uint8)
        yield "opening", {"picture": np.frombuffer(png_file(self.pixels), np.uint8), "labels": labels}
        for layer in self.layers:
            yield f"maps-{layer}", {"code": quantised_layer(self.trace, layer)}
            for query in sorted({self.start.query, *self.queries}):
                row, column = exact_weights(self.trace, layer, query)
                yield f"exact-{layer}-{query}", {"row": row, "column": column}
        if self.running:
            yield "forward-patches", {"own": embedded(self.trace, "patches")}

    @property
    def packed(self) -> Iterator[bytes]:
        """Its numbers, as the front end unpacks them."""
        for name, arrays in self._arrays:
            yield pack(self._digest, name, arrays)

    @cached_property
    def _digest(self) -> str:
        """A name for the model and picture of this file."""
        read = self.trace["image"].tensor.detach().float().cpu().numpy().tobytes()
        return sha256(read + f"{self.model} {self.picture} {self.trace.edits}".encode()).hexdigest()[:16]

    @property
    def message(self) -> dict[str, Any]:
        """What the explorer is told: as `Data` and `Selection` in the front end."""
        config = self.trace.config
        meta = {
            "digest": self._digest,
            "model": self.model,
            "trained": self.trained is not False,
            "caveat": self._caveat,
            "picture": {"title": self.picture, "alt": f"{self.picture}, as the model sees it.", "digest": ""},
            "crop": "",
            "edits": str(self.trace.edits),
            "donor": "",
            **sizes(config),
        }
        stage: dict[str, Any] = {
            "stem": EXPLORED.stem,
            "title": EXPLORED.title,
            "label": EXPLORED.title,
            "shape": "",
            "colour": palette.ATTENTION,
        }
        moments = [{"name": it.name, "sentence": EXPLORED.headline(it, config)} for it in EXPLORED.moments(config)]
        stage |= {"moments": moments, "columns": [], "count": counted(config, EXPLORED.stage)}
        data = {
            "page": EXPLORED.stem,
            "picture": self.picture,
            "model": self.model,
            "meta": meta,
            "facts": {
                "off": small(100 * largest_variation(config.tokens)),
                **(self.running.facts if self.running else {}),
            },
            "stages": [stage],
            "others": [],
            "palette": palette.DRAWN,
            "weights": weights_scale(),
            "second": None,
        }
        chosen = {"layer": self.start.layer, "head": self.start.head, "query": self.start.query}
        return {"data": data, "chosen": chosen}


def explore(
    trace: Trace,
    loaded: Loaded | None = None,
    *,
    model: str = "",
    picture: str = "",
    layers: Sequence[int] | None = None,
    layer: int = 0,
    head: int = 0,
    query: int = 0,
    weights: bool = False,
    progress: Progress = unseen,
) -> Explorer:
    """The attention explorer of a trace: a notebook shows it, and `.save("cat.html")` writes it as a file.

    `loaded` is what `load` returned: with it the picture has its own colours, without it they are stretched from
    the smallest to the largest value, and classes have no names. `model` and `picture` are their titles. `layer`,
    `head` and `query` (a token) are chosen at first, `layers` are all that the file holds; all count from 0. With
    `weights` the file holds the model, too; `progress` is told how many scenes its means have been made of.

    Raises `TakeawayError` where the file would be over 25 MB, before anything is computed: choose layers.
    """
    config = trace.config
    chosen = tuple(sorted(set(range(config.depth) if layers is None else layers)))
    check_places(config, layer=layer, head=head, query=query)
    for each in chosen:
        check_places(config, layer=each)
    explorer = Explorer(
        trace,
        pixels_of(trace, loaded),
        tuple(loaded.labels) if loaded else (),
        model or "a model",
        picture or "a picture",
        loaded.trained if loaded else None,
        chosen,
        Start(layer, head, query),
        running(trace, loaded, progress) if weights else None,
    )
    _require(round(SHARE * len(chosen) * quantised_bytes(config)), explorer)
    return explorer


def layers_around(config: ViTConfig, layer: int) -> range:
    """All layers; where a file of them would be larger than it should be, the most that fit around `layer`."""
    most = min(config.depth, max(1, _most_layers(config)))
    first = min(max(0, layer - most // 2), config.depth - most)
    return range(first, first + most)


def _most_layers(config: ViTConfig) -> int:
    """How many a file holds."""
    return int(MOST_BYTES / (SHARE * quantised_bytes(config)))


def _require(size: int, explorer: Explorer) -> None:
    """Raise `TakeawayError` where a file has more bytes than it should have."""
    if size <= MOST_BYTES:
        return
    config, count = explorer.trace.config, len(explorer.layers)
    fewer = min(_most_layers(config), count - 1)
    way_out = f"choose at most {many(fewer, 'layer')}" if fewer else "choose a smaller picture size"
    raise TakeawayError(
        f"the maps of {many(count, 'layer')} make a file of about {bytes_(size)} and the limit is "
        f"{bytes_(MOST_BYTES)}; {way_out}"
    )


def _json_bytes(labels: Sequence[str]) -> bytes:
    return json.dumps(list(labels)).encode()
