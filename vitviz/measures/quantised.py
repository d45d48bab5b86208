"""Attention weights quantised to one byte each, so that a browser can hold those of all layers and heads.

The byte of a weight is u = round(255 · exp((score − row maximum) / 2)), the square root of its share of the row's
largest weight. Whoever reads it squares it and divides by the row's sum: a = u² / Σ u². No softmax has to be computed
and nothing has to be sent beside it. The square root keeps the small weights, of which a row has many; linear steps
would round most of them to 0.

**How far off a row can be.** Let r be a row of square roots, 1 for its largest weight, and t its length. Rounding moves
every other r by e ≤ δ = 1/510. On the way from r to r + e the weights a = r² / S, S = Σ r², move at the rate
2 (r e − a Σ r e) / S. The part of the row that gains, A, and the rest, B, exchange the total variation; at the rate

    (2 / S) · [a_B Σ_A r e − a_A Σ_B r e]  ≤  2 δ √((t − 1) p (a_B² α + a_A² a_B))

where p = 1 / S is the largest weight, in A say (B is alike), and α = a_A − p the other weights there: Cauchy and
Schwarz, first within A and B, then between them. What stands under the root, p a_B (a_B α + a_A²), is at most 27/256,
reached for a_B = 1/4, a_A = p = 3/4. So a row is off by at most

    3 √3 / 8 · √(t − 1) / 510  =  0.00127 √(t − 1)

in total variation (`largest_variation`): 1.8 % at 197 tokens, 4.7 % at 1,370, whatever the scores are, and rows are
found that come that near. Where rounding goes up as often as down they are far better: the demo model's, of 145
tokens, are off by .2 % on average and .5 % at most, where the bound says 1.5 %.
Before the division each weight is off by at most 1/255 of the row's largest.
"""

from __future__ import annotations

import zlib
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.config import ViTConfig
from vitviz.machine.pytorch import no_grad, torch
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.attention import attention_row, layer_scores

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.model import ViT
    from vitviz.trace import Trace

Quantised = NDArray[np.uint8]

LARGEST = 255
FULL_LIGHT = 15
TIMES_UNIFORM = 8  # of the weight that each token has where all have the same: from there on light grows no more
AT_ONCE = 16_000_000  # bytes of a model's weights up to which a browser gets all of it


def quantise(scores: Tensor) -> Quantised:
    """The softmax of `scores` along their last axis, a byte each; the largest of each row becomes 255."""
    halves = scores.float() / 2
    below = halves - (halves.amax(dim=-1, keepdim=True) - log(LARGEST))
    quantised: Quantised = below.exp_().add_(0.5).to(torch.uint8).cpu().numpy()  # cut off, and so rounded
    quantised.flags.writeable = False
    return quantised


def dequantise(quantised: Quantised) -> NDArray[np.float64]:
    """The weights that the bytes stand for, of the same shape; each row sums to 1."""
    squares = quantised.astype(np.float64) ** 2
    return squares / squares.sum(axis=-1, keepdims=True)


def largest_variation(tokens: int) -> float:
    """How far a row of `tokens` weights can be off as a whole: the share of weight that lies elsewhere at most."""
    return 3 * sqrt(3) / 8 * sqrt(tokens - 1) / (2 * LARGEST)


def quantised_bytes(config: ViTConfig) -> int:
    """Bytes of the weights of one layer."""
    return config.heads * config.tokens**2


def quantised_forward(model: ViT, image: Tensor, **edited: Any) -> tuple[Trace, tuple[Quantised, ...]]:
    """The trace of `image`, and the weights of every layer that ran, `head q k`, made in passing.

    `edited` is handed on to `record`. The weights are those of queries and keys, or of scores that edits made.
    """
    trace, layers = quantised_forwards(model, image, **edited)
    return trace, tuple(layer[0] for layer in layers)


def quantised_forwards(model: ViT, images: Tensor, **edited: Any) -> tuple[Trace, tuple[Quantised, ...]]:
    """The same for a batch of images: one trace of all of them, and weights `b head q k`."""
    from vitviz.model import attention_scores
    from vitviz.trace import record

    seen: dict[str, Tensor] = {}  # of the layer that runs
    layers: list[Quantised] = []

    def watch(name: str, value: Tensor) -> Tensor:
        if ".attn." in name:
            seen[name.rpartition(".")[2]] = value
        if name.endswith(".attn.z"):
            if "scores" not in seen:
                seen["scores"] = attention_scores(seen["q"], seen["k"], bias=seen.get("bias"))
            layers.append(quantise(seen["scores"]))
            seen.clear()
        return value

    return record(model, images, watch, **edited), tuple(layers)


@no_grad
def quantised_layer(trace: Trace, layer: int) -> Quantised:
    """All attention weights of one layer, quantised: `head q k`."""
    return quantise(layer_scores(trace, layer))


@no_grad
def quantised_rows(trace: Trace, query: int) -> Quantised:
    """What one query token looks at in every layer and head, quantised: `layer head k`."""
    rows = np.stack([attention_row(trace, layer, query) for layer in range(trace.config.depth)])
    return quantise(torch.from_numpy(rows).log())


@no_grad
def exact_weights(trace: Trace, layer: int, query: int) -> Array:
    """What `query` looks at, and who looks at it, in all heads of one layer, not quantised: `2 head t`."""
    weights = layer_scores(trace, layer).softmax(dim=-1)
    return to_numpy(torch.stack([weights[:, query, :], weights[:, :, query]]))


@no_grad
def deflated_light(trace: Trace, layers: tuple[int, ...]) -> Quantised:
    """What patches look at as light on a photo, mean of the heads: small enough to come with a front page.

    The light of a pair grows with the root of its weight, as on the page Heads, in steps from 0 to 15; two are in a
    byte, the first low, of `layer k q`, and all of it is deflated.
    """
    config = trace.config
    prefix, full = len(config.prefix_tokens), TIMES_UNIFORM / config.tokens
    light = []
    for layer in layers:
        weights = layer_scores(trace, layer).softmax(dim=-1).mean(dim=0)[prefix:, prefix:].T
        light.append((FULL_LIGHT * (weights / full).clamp(max=1).sqrt()).round().to(torch.uint8).cpu().numpy().ravel())
    steps = np.concatenate([*light, np.zeros(sum(map(len, light)) % 2, np.uint8)])
    return np.frombuffer(zlib.compress((steps[::2] | steps[1::2] << 4).tobytes()), np.uint8)
