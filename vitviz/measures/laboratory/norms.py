"""Tokens to numbers: the same tokens under layer norm and batch norm, the same model under other activations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vitviz.machine.pytorch import F, no_grad, torch
from vitviz.measures.arrays import Array, to_numpy

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.trace import Trace

PAIRS = 500  # numbers of a picture that are drawn, of all of its tokens: a browser lays out every mark
KINDS = ("layer", "batch")


@dataclass(frozen=True, slots=True)
class Batched:
    """A picture's tokens in two batches of `pictures`, normalised without learned scale and shift.

    `before`, `d`: one token; `after`, `kind batch d`: what layer norm (kind 0) and batch norm (1) make of it in each
    batch; `mean` and `variance`, `kind batch d`, with which; a layer norm has the same for every component. `pairs`,
    `kind batch number`: evenly spread numbers of all tokens; `moved`, `kind`: the largest change of any number.
    """

    pictures: int
    before: Array
    after: Array
    mean: Array
    variance: Array
    pairs: Array
    moved: Array


@no_grad
def batched(one: Tensor, other: Tensor, epsilon: float, token: int) -> Batched:
    """The first picture of two batches, `b t d` each, under both kinds of norm."""
    found = [[normalised(kind, batch.float(), epsilon) for batch in (one, other)] for kind in KINDS]
    own = torch.stack([torch.stack([values[0] for values, _, _ in pair]) for pair in found])
    means, variances = (
        torch.stack([torch.stack([it[at][token].expand(own.shape[-1]) for it in pair]) for pair in found])
        for at in (1, 2)
    )
    numbers = own.flatten(2)
    chosen = torch.arange(0, numbers.shape[-1], -(-numbers.shape[-1] // PAIRS), device=own.device)
    return Batched(
        pictures=len(one),
        before=to_numpy(one[0, token]),
        after=to_numpy(own[:, :, token]),
        mean=to_numpy(means),
        variance=to_numpy(variances),
        pairs=to_numpy(numbers[..., chosen]),
        moved=to_numpy((own[:, 0] - own[:, 1]).abs().amax(dim=(1, 2))),
    )


def normalised(kind: str, batch: Tensor, epsilon: float) -> tuple[Tensor, Tensor, Tensor]:
    """The batch normalised, and mean and variance of the first picture's tokens: `b t d`, `t 1` or `t d` twice.

    A layer norm takes both of each token's own components; a batch norm of each component over all tokens of all
    pictures.
    """
    over = (2,) if kind == "layer" else (0, 1)
    variance, mean = torch.var_mean(batch, dim=over, correction=0, keepdim=True)
    result = (batch - mean) / (variance + epsilon).sqrt()
    tokens = batch.shape[1]
    return result, mean[0].expand(tokens, -1), variance[0].expand(tokens, -1)


@dataclass(frozen=True, slots=True)
class Hidden:
    """What enters the activation of one layer's MLP, for all tokens of a picture: a histogram with `counts` between
    `edges`, the share `below` 0, and the smallest and the largest number."""

    counts: Array
    edges: Array
    below: float
    least: float
    most: float


@no_grad
def hidden(trace: Trace, layer: int, bins: int) -> Hidden:
    """The values before the activation of block `layer`; of a gated MLP those of its gate."""
    inside = trace.inside(layer)
    values = inside["mlp.gate" if trace.config.activation == "swiglu" else "mlp.hidden"].tensor[0].float()
    counts, edges = np.histogram(to_numpy(values), bins)
    share = float((values < 0).float().mean())
    return Hidden(counts.astype(np.float32), edges.astype(np.float32), share, float(values.min()), float(values.max()))


@no_grad
def answer_with(trace: Trace, activation: str) -> Array:
    """Probabilities of the classes where every MLP has this activation in place of its own: `classes`.

    Parameters stay as they are, and nothing is trained anew. "swiglu" is its SiLU; of a gated MLP it is the gate's.
    """
    from vitviz.switches.block import ACTIVATION_FUNCTIONS

    function = (ACTIVATION_FUNCTIONS | {"swiglu": F.silu})[activation]
    gated, seen = trace.config.activation == "swiglu", {}

    def replaced(name: str, value: Tensor) -> Tensor:
        part = name.rpartition(".")[2]
        if name.endswith(("mlp.gate", "mlp.hidden")):
            seen[part] = value
        if name.endswith("mlp.active"):
            return function(seen["gate"]) * seen["hidden"] if gated else function(seen["hidden"])
        return value

    logits = trace.model(trace["image"].tensor[:1], replaced)
    return to_numpy(logits[0].float().softmax(dim=-1))
