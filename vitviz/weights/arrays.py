"""A model's parameters as numpy arrays, for those who run it elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vitviz.weights.loading import Loaded


def parameters(loaded: Loaded) -> dict[str, NDArray[Any]]:
    """All parameters of a model by their names; as float16 where that loses nothing, else as float32.

    What is added to the tokens before the first block stands by itself: `prefix`, `s d`, the tokens before those of the
    patches, and `positions`, `t d`, with 0 for tokens that have none.
    """
    model = loaded.model
    own = {name: value for name, value in model.named_parameters() if not name.endswith(("_token", "pos_embed"))}
    prefix = [token[0].detach().float().cpu().numpy() for token in model.prefix_tokens(1)]
    return {
        **{name: _short(value.detach().float().cpu().numpy()) for name, value in own.items()},
        "prefix": _short(np.concatenate([np.zeros((0, loaded.config.dim), np.float32), *prefix])),
        "positions": _short(model.positions()[0].detach().float().cpu().numpy()),
    }


def _short(values: NDArray[np.float32]) -> NDArray[Any]:
    with np.errstate(over="ignore"):
        halves = values.astype(np.float16)
    return halves if np.array_equal(halves, values) else values
