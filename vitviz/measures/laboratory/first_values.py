"""Trace to numbers: what untrained models of the same sizes make of the picture, by the values that they start from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from einops import rearrange

from vitviz.machine.device import require
from vitviz.machine.price import backward_bytes
from vitviz.machine.pytorch import no_grad, torch
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.attention import attention_weights
from vitviz.measures.classes import result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

    from vitviz.config import ViTConfig
    from vitviz.trace import Trace

ALIKE = "alike"
STARTS = ("trunc_normal", "zeros", "normal", ALIKE)
MATRICES = ("queries", "keys", "values", "output")


@dataclass(frozen=True, slots=True)
class Start:
    """An untrained model on the picture, and the first gradient of its loss.

    `maps`, `head n`: what the class token looks at in layer 1, or the mean token where there is none; `entropy`,
    `head`, in nats: of the weights of all queries there; `lengths`, `depth + 1`: mean length of a token before the
    first block and after each; `probabilities`, `classes`; `gradients`, `matrix head`: lengths of the loss's gradient
    for each head's part of `MATRICES` of layer 1; `moved` of all `parameters` have a gradient other than 0.
    """

    maps: Array
    entropy: Array
    lengths: Array
    probabilities: Array
    gradients: Array
    moved: int
    parameters: int


def start(trace: Trace, name: str, seed: int, label: int) -> Start:
    """One of `STARTS`, drawn with `seed`; the loss is the cross-entropy of class `label`. Raises `DeviceError`."""
    from vitviz.measures.laboratory.gradients import backward

    config = trace.config
    require(
        backward_bytes(config), "an untrained model of these sizes and the gradient of its loss", trace.model.device
    )
    values = first_values(trace, name, seed)
    image = trace["image"].tensor[:1].float()
    slopes = backward(config, values, image, label).parameters
    return Start(
        *_looked_at(config, values, image),
        _by_head(slopes, config),
        sum(int((it != 0).sum()) for it in slopes.values()),
        sum(it.numel() for it in slopes.values()),
    )


def first_values(trace: Trace, name: str, seed: int) -> Mapping[str, Tensor]:
    """Parameters of an untrained model by name, as the config's `initial` draws them; "alike": all heads as head 1."""
    from vitviz.measures.laboratory.gradients import untrained

    if name != ALIKE:
        return untrained(trace.model, name, seed)
    drawn = untrained(trace.model, "trunc_normal", seed)
    return {key: _as_head_1(key, it.detach(), trace.config.heads) for key, it in drawn.items()}


def _as_head_1(name: str, values: Tensor, heads: int) -> Tensor:
    """The part of head 1 in the place of every head's, where a parameter has parts of heads."""
    if name.endswith("attn.qkv.weight"):
        return rearrange(
            rearrange(values, "(qkv head dh) d -> qkv head dh d", qkv=3, head=heads)[:, :1].expand(-1, heads, -1, -1),
            "qkv head dh d -> (qkv head dh) d",
        )
    if name.endswith("attn.proj.weight"):
        return rearrange(
            rearrange(values, "d (head dh) -> d head dh", head=heads)[:, :1].expand(-1, heads, -1),
            "d head dh -> d (head dh)",
        )
    return values[:, :1].expand_as(values) if name.endswith("relative_position_bias_table") else values


@no_grad
def _looked_at(config: ViTConfig, values: Mapping[str, Tensor], image: Tensor) -> tuple[Array, Array, Array, Array]:
    """Maps and entropies of layer 1, lengths by depth, and the answer."""
    from vitviz.model import ViT
    from vitviz.trace import record

    with torch.device("meta"):
        model = ViT(config)
    model.load_state_dict(values, assign=True)
    trace = record(model, image)
    weights = attention_weights(trace, 0)
    logs = np.log(np.where(weights > 0, weights, 1))
    rows = weights[:, 0] if config.pool == "class" else weights.mean(axis=1)
    lengths = [to_numpy(trace.residual_stream(layer)[0].norm(dim=-1).mean()) for layer in range(config.depth + 1)]
    answer = torch.tensor(result(trace)).softmax(dim=-1)
    entropy = -(weights * logs).sum(axis=-1).mean(axis=-1)
    return rows[:, len(config.prefix_tokens) :], entropy, np.array(lengths), to_numpy(answer)


def _by_head(slopes: dict[str, Tensor], config: ViTConfig) -> Array:
    """Lengths of the gradient for each head's part of the matrices of layer 1: `matrix head`."""
    slope = rearrange(
        slopes["blocks.0.attn.qkv.weight"], "(qkv head dh) d -> qkv head (dh d)", qkv=3, head=config.heads
    )
    out = rearrange(slopes["blocks.0.attn.proj.weight"], "d (head dh) -> 1 head (d dh)", head=config.heads)
    return np.concatenate([to_numpy(it.norm(dim=-1)) for it in (slope, out)])
