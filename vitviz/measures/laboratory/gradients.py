"""Trace to numbers: the gradient of the loss of one picture, layer by layer, with parts of the architecture changed.

Gradients are taken with respect to tensors of our own, which share their numbers with the model's parameters: the model
itself learns nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from vitviz.config import ViTConfig
from vitviz.counts import total_parameters
from vitviz.machine.device import require
from vitviz.machine.price import backward_bytes
from vitviz.machine.pytorch import F, torch
from vitviz.machine.wanted import require_wanted, while_wanted
from vitviz.measures.arrays import Array

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.model import ViT
    from vitviz.recording import Record
    from vitviz.trace import Trace

USUAL, RESIDUAL, NORMS, SCORES = WAYS = ("usual", "residual", "norms", "scores")
AFTER_THE_BLOCKS = ("norm", "fc_norm", "attn_pool", "pre_logits", "head", "head_dist")
SUMS = {"pre": ("resid_mid", "resid_post"), "post": ("resid_mid", "resid_sum")}  # attention's and the MLP's


class Backward(NamedTuple):
    """A loss, its gradient by parameter, and that of the residual stream before each block and after the last."""

    loss: float
    parameters: dict[str, Tensor]
    streams: tuple[Tensor, ...]


@dataclass(frozen=True, slots=True)
class Gradients:
    """Lengths (Euclidean norms) of a loss's gradient.

    `stages`, `depth + 2`: with respect to all parameters of the embedding, of each block, and of what comes after the
    last; `scores`, `depth`: to what makes queries and keys in each block; `streams`, `depth + 1`: to the residual
    stream before the first block and after each.
    """

    loss: float
    stages: Array
    scores: Array
    streams: Array


def ways(config: ViTConfig) -> tuple[str, ...]:
    """In which ways a model can be changed: linear attention has no scores to divide."""
    return tuple(way for way in WAYS if way != SCORES or config.attention != "linear")


def changed(config: ViTConfig, way: str) -> ViTConfig:
    """The model with its norms at the other place, or its scores divided where they were not, and not where they were.

    Parameters stay of the same shapes.
    """
    if way == NORMS:
        return config.with_(norm_order="post" if config.norm_order == "pre" else "pre")
    if way == SCORES:
        return config.with_(score_scale=1.0 if config.score_scale is None else None)
    return config


def gradients(trace: Trace, label: int, way: str, drawn: Mapping[str, Tensor] | None = None) -> Gradients:
    """The gradient of the cross-entropy of class `label` for the picture of `trace`, under one of `WAYS`.

    Parameters are those of an `untrained` model, `drawn`, or the model's own. Raises `DeviceError`.
    """
    model, image = trace.model, trace["image"].tensor[:1]
    require(backward_bytes(trace.config), "the gradient of this model's loss", model.device)
    parameters = dict(model.named_parameters()) if drawn is None else drawn
    found = backward(changed(trace.config, way), parameters, image, label, residual=way != RESIDUAL)
    return Gradients(
        found.loss,
        np.array([_length(stage) for stage in by_stage(found.parameters, trace.config.depth)], np.float32),
        np.array([_length([_of_scores(found.parameters, layer)]) for layer in range(trace.config.depth)], np.float32),
        np.array([_length([stream]) for stream in found.streams], np.float32),
    )


def untrained(model: ViT, initial: str, seed: int) -> Mapping[str, Tensor]:
    """The first values of a model of the same sizes, by name, on its device. Raises `DeviceError`."""
    from vitviz.model import ViT

    require(4 * total_parameters(model.config), "an untrained model of these sizes", model.device)
    drawn = ViT(model.config.with_(initial=initial), seed)
    return {name: it.detach().to(model.device) for name, it in drawn.named_parameters()}


def backward(
    config: ViTConfig, parameters: Mapping[str, Tensor], image: Tensor, label: int, residual: bool = True
) -> Backward:
    """Cross-entropy of class `label` and its gradient, for a model of these `parameters`, `1 c h w`."""
    from torch.func import functional_call

    from vitviz.model import ViT

    with torch.device("meta"):
        form = ViT(config)
    streams: list[Tensor] = []
    watch = _without_residual(config.norm_order) if not residual else _as_it_is

    def keep(name: str, value: Tensor) -> Tensor:
        value = watch(name, value)
        if value.requires_grad:
            value.register_hook(_still_wanted)
        if name.endswith("resid_post"):
            streams.append(value)
        return value

    with torch.enable_grad():
        leaves: dict[str, Tensor] = {name: torch.nn.Parameter(precise(it.detach())) for name, it in parameters.items()}
        logits = functional_call(form, leaves, (precise(image), keep))
        loss = F.cross_entropy(logits, torch.tensor([label], device=logits.device))
        inputs = [*leaves.values(), *streams]
        found = torch.autograd.grad(loss, inputs, allow_unused=True, materialize_grads=True)
    return Backward(float(loss.detach()), dict(zip(leaves, found, strict=False)), found[len(leaves) :])


def _still_wanted(slope: Tensor) -> None:
    """Ask on the way back, too, where PyTorch goes from value to value by itself."""
    require_wanted()


def by_stage(values: Mapping[str, Tensor], depth: int) -> list[list[Tensor]]:
    """Values by parameter, sorted into those of the embedding, of each block, and of what comes after the last."""
    stages: list[list[Tensor]] = [[] for _ in range(depth + 2)]
    for name, value in values.items():
        first, _, rest = name.partition(".")
        if first == "blocks":
            stages[1 + int(rest.partition(".")[0])].append(value)
        else:
            stages[-1 if first in AFTER_THE_BLOCKS else 0].append(value)
    return stages


def _of_scores(values: Mapping[str, Tensor], layer: int) -> Tensor:
    """Of the matrix that makes queries, keys and values of a block, the rows of the first two."""
    whole = values[f"blocks.{layer}.attn.qkv.weight"]
    return whole[: 2 * len(whole) // 3]


def _without_residual(norm_order: str) -> Record:
    """A `record` that puts what attention and MLP make in the place of the sums they would enter."""
    added: dict[str, Tensor] = {}

    def replace(name: str, value: Tensor) -> Tensor:
        if name.startswith("blocks.") and name.endswith(("attn.out", "mlp.out")):
            added["last"] = value
        if name.startswith("blocks.") and name.endswith(SUMS[norm_order]):
            return added["last"]
        return value

    return replace


def _as_it_is(name: str, value: Tensor) -> Tensor:
    return value


def precise(tensor: Tensor) -> Tensor:
    """In 32 bits at least: a gradient in 16 is mostly rounding."""
    return tensor.to(torch.promote_types(tensor.dtype, torch.float32))


def _length(tensors: list[Tensor]) -> float:
    return float(sum(float(it.norm()) ** 2 for it in while_wanted(tensors)) ** 0.5)
