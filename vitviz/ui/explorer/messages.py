"""What Python sends to the explorer, as bytes: u32 length of a JSON header, the header, then its parts in order."""

import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from plotly import colors

from vitviz import palette
from vitviz.measures.attention import rollout
from vitviz.measures.quantised import exact_weights, largest_variation, quantised_rows
from vitviz.ui import results
from vitviz.ui.explorer.policy import Policy
from vitviz.ui.results import measure
from vitviz.ui.selection import Selection


def opening(view: Selection) -> bytes:
    """The picture as the model saw it, all sizes and names, and what the special tokens look at everywhere."""
    config = view.config
    rows = [measure(view, quantised_rows, token) for token in range(len(config.prefix_tokens))]
    header = {
        "kind": "opening",
        "model": view.model.name,
        "picture": view.picture.title,
        "alt": view.picture.alt,
        "trained": results.trained(view),
        "precision": view.model.precision,
        "rows": config.grid[0],
        "columns": config.grid[1],
        "specials": config.prefix_tokens,
        "depth": config.depth,
        "heads": config.heads,
        "tokens": config.tokens,
        "variation": largest_variation(config.tokens),
        "sendable": Policy.of(view.config).sendable,
        "colours": colours().ravel().tolist(),
        "frame": palette.FRAME,
    }
    return pack(view, header, {"picture": _png(results.shown(view)), "rows": b"".join(row.tobytes() for row in rows)})


def layer_maps(view: Selection, layer: int) -> bytes:
    """All attention weights of one layer, one byte each."""
    return pack(view, {"kind": "layer", "layer": layer}, {"code": results.quantised_attention(view, layer).tobytes()})


def query_weights(view: Selection, layer: int, query: int, with_rollout: bool) -> bytes:
    """The uncoded weights of one query in one layer; its coded rows in all layers where not all maps are sent."""
    row, column = measure(view, exact_weights, layer, query)
    parts = {"row": row.tobytes(), "column": column.tobytes()}
    if with_rollout:
        parts["rollout"] = measure(view, rollout)[layer, query].tobytes()
    if not Policy.of(view.config).complete:
        parts["rows"] = measure(view, quantised_rows, query).tobytes()
    return pack(view, {"kind": "query", "layer": layer, "query": query}, parts)


def pack(view: Selection, header: Mapping[str, Any], parts: Mapping[str, bytes]) -> bytes:
    """One message; its header says which model and picture it belongs to."""
    sizes = [(name, len(part)) for name, part in parts.items()]
    text = json.dumps({**header, "digest": view.digest, "parts": sizes}).encode()
    return b"".join([len(text).to_bytes(4, "little"), text, *parts.values()])


def colours() -> NDArray[np.uint8]:
    """The colour scale of weights in 256 steps, `256 rgb`: Plotly's own, so that both ways of drawing agree."""
    stops = colors.get_colorscale(palette.WEIGHTS)
    places = [place for place, _ in stops]
    rgb = np.array([colors.hex_to_rgb(colour) for _, colour in stops])
    steps = np.linspace(0, 1, 256)
    return np.stack([np.interp(steps, places, channel) for channel in rgb.T], axis=1).round().astype(np.uint8)


def _png(pixels: NDArray[np.uint8]) -> bytes:
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()
