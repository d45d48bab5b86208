"""Every tensor of one forward, with its shape and size, before any of them exists."""

from dataclasses import dataclass
from math import prod

from vitviz.config import ViTConfig
from vitviz.counts.formula import Symbols, shape, symbols

FLOAT32_BYTES = 4

EMBEDDING = (
    ("image", "b c h w"),
    ("embed.patches", "b n (c ph pw)"),
    ("embed.patch_tokens", "b n d"),
    ("embed.resid_post", "b t d"),
)
BLOCK = (
    ("norm1", "b t d"),
    ("attn.q", "b head t dh"),
    ("attn.k", "b head t dh"),
    ("attn.v", "b head t dh"),
    ("attn.scores", "b head q k"),
    ("attn.weights", "b head q k"),
    ("attn.mixed", "b head t dh"),
    ("attn.out", "b t d"),
    ("resid_mid", "b t d"),
    ("norm2", "b t d"),
    ("mlp.hidden", "b t m"),
    ("mlp.active", "b t m"),
    ("mlp.out", "b t d"),
    ("resid_post", "b t d"),
)


@dataclass(frozen=True, slots=True)
class ActivationRow:
    """One tensor of the forward: its name in the trace, its axes in einops words, its size for one image."""

    name: str
    axes: str
    shape: tuple[int, ...]
    dtype: str
    elements: int
    bytes: int


def activations(config: ViTConfig) -> tuple[ActivationRow, ...]:
    """Every tensor of one forward of one image in float32, in order of birth, attention written out.

    The names are those of the trace. Without a head the last tensor, `logits`, is the class token: `b d`.
    """
    numbers = symbols(config)
    inside = [_row(name, axes, numbers) for name, axes in BLOCK]
    blocks = [
        ActivationRow(f"blocks.{i}.{row.name}", row.axes, row.shape, row.dtype, row.elements, row.bytes)
        for i in range(config.depth)
        for row in inside
    ]
    result = (("norm", "b t d"), ("logits", "b classes" if config.classes else "b d"))
    before, after = ([_row(name, axes, numbers) for name, axes in lines] for lines in (EMBEDDING, result))
    return (*before, *blocks, *after)


def _row(name: str, axes: str, numbers: Symbols) -> ActivationRow:
    size = shape(axes, numbers)
    return ActivationRow(name, axes, size, "float32", prod(size), prod(size) * FLOAT32_BYTES)
