"""Overview: the picture with its light, then all stages."""

import numpy as np

from vitviz.config import ViTConfig
from vitviz.page import Moment

MOST_LIGHT = 1_000_000  # bytes


def moments(config: ViTConfig) -> tuple[Moment, ...]:
    """Those of Overview."""
    result = "an answer" if config.classes else "a vector"
    torch = "Move over the picture. Light: what this {patch} looks at."
    return (
        Moment("light", torch if lit_layers(config) else "This is a Vision Transformer. Choose a picture."),
        Moment("stages", f"A picture goes in, {result} comes out. What happens between?", columns=True),
    )


def lit_layers(config: ViTConfig) -> tuple[int, ...]:
    """The layers whose light is sent with the front page: all, or as many, evenly from first to last, as are small."""
    of_a_layer = (config.patches**2 + 1) // 2  # before it is deflated: two patches share a byte
    many = min(config.depth, MOST_LIGHT // of_a_layer)
    return tuple(np.linspace(0, config.depth - 1, many).round().astype(int).tolist())
