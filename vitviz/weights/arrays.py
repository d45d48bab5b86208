"""A model's parameters as numpy arrays, for those who run it elsewhere, and the pixels that it sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vitviz.trace import Trace
    from vitviz.weights.loading import Loaded

LARGEST = 127  # of 8 bits
ULPS = 4 * np.finfo(np.float32).eps  # what a product with a scale, and a quotient, may lose
MANY = 2_000_000  # parameters of which the matrices are rounded


def parameters(loaded: Loaded) -> dict[str, NDArray[Any]]:
    """All parameters of a model by their names; as float16 where that loses nothing, else as float32.

    A matrix that was stored in 8 bits is int8 again, with `NAME_scale`, one factor for each row. Of a model of more
    than `MANY` parameters the other matrices are float16, too: half as many bytes, and each off by at most .05 %.

    What is added to the tokens before the first block stands by itself: `prefix`, `s d`, the tokens before those of the
    patches, and `positions`, `t d`, with 0 for tokens that have none.
    """
    model = loaded.model
    own = {name: value for name, value in model.named_parameters() if not name.endswith(("_token", "pos_embed"))}
    prefix = [token[0].detach().float().cpu().numpy() for token in model.prefix_tokens(1)]
    many = sum(value.numel() for value in own.values()) > MANY
    short: dict[str, NDArray[Any]] = {}
    for name, value in own.items():
        short |= _matrix(name, value.detach().float().cpu().numpy(), many)
    return {
        **short,
        "prefix": _short(np.concatenate([np.zeros((0, loaded.config.dim), np.float32), *prefix])),
        "positions": _short(model.positions()[0].detach().float().cpu().numpy()),
    }


def _matrix(name: str, values: NDArray[np.float32], rounded: bool) -> dict[str, NDArray[Any]]:
    short = _short(values)
    if values.ndim < 2 or short.dtype == np.float16:
        return {name: short}
    rows = values.reshape(len(values), -1)
    scale = np.abs(rows).max(1) / LARGEST
    whole = np.rint(rows / np.where(scale > 0, scale, 1)[:, None])
    if np.all(np.abs(whole * scale[:, None] - rows) <= ULPS * np.abs(rows)):
        return {name: whole.reshape(values.shape).astype(np.int8), f"{name}_scale": scale}
    return {name: values.astype(np.float16) if rounded and np.abs(rows).max() < np.finfo(np.float16).max else values}


def _short(values: NDArray[np.float32]) -> NDArray[Any]:
    with np.errstate(over="ignore"):
        halves = values.astype(np.float16)
    return halves if np.array_equal(halves, values) else values


def pixels_of(trace: Trace, loaded: Loaded | None) -> NDArray[np.uint8]:
    """The picture of a trace, `h w c`; where its model's rule is not known, from the smallest value to the largest."""
    image = trace["image"].tensor
    if loaded is not None:
        return loaded.preprocess.pixels(image)
    values = image[0].float().cpu().numpy().transpose(1, 2, 0)
    low, high = values.min(), values.max()
    stretched: NDArray[np.uint8] = (255 * (values - low) / max(high - low, 1e-9)).round().astype(np.uint8)
    return stretched
