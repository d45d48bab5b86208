"""Trace to numbers: what a block does to the residual stream, token by token. Layers and tokens count from 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from vitviz.machine.pytorch import F, no_grad, torch
from vitviz.measures.arrays import Array, to_numpy

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.trace import Trace

Norm = Literal["norm1", "norm2"]
ENTERING = "entering"
# What each norm reads and makes.
AROUND = {
    ("pre", "norm1"): (ENTERING, "norm1"),
    ("pre", "norm2"): ("resid_mid", "norm2"),
    ("post", "norm1"): ("resid_mid", "norm1"),
    ("post", "norm2"): ("resid_sum", "resid_post"),
}


@dataclass(frozen=True, slots=True)
class Normalised:
    """One token around a norm; all arrays are `d`.

    `after` = (before - `mean`) / sqrt(`variance` + epsilon) · `scale` + `shift`, the latter two learned. A layer norm
    takes mean and variance of the token, the root mean square a mean and shift of 0; a batch norm those of each
    component over all tokens.
    """

    before: Array
    after: Array
    scale: Array
    shift: Array
    mean: Array
    variance: Array


@dataclass(frozen=True, slots=True)
class Additions:
    """Lengths (Euclidean norms) of what flows through a block, per token: each `t`.

    `entering` + attention = middle, middle + MLP = `leaving` holds for the vectors, unless norms stand after the sums;
    lengths add up to at least that.
    `unscaled` is attention and MLP before their layer scales, None where the block has none.
    """

    entering: Array
    attention: Array
    middle: Array
    mlp: Array
    leaving: Array
    unscaled: tuple[Array, Array] | None


@no_grad
def layer_norm(trace: Trace, layer: int, norm: Norm, token: int) -> Normalised:
    """One token around "norm1", that of the attention, or "norm2", that of the MLP (Ba et al. 2016, equation 4)."""
    inside, (read, made) = trace.inside(layer), AROUND[trace.config.norm_order, norm]
    stream = (trace.entering(layer) if read == ENTERING else inside[read].tensor).float()
    module = getattr(trace.block(layer), norm)
    before = stream[0, token]
    match trace.config.norm:
        case "batch":
            variance, mean = torch.var_mean(stream, dim=(0, 1), correction=0)
        case "rms":
            variance, mean = before.square().mean().expand_as(before), torch.zeros_like(before)
        case _:
            variance, mean = (it.expand_as(before) for it in torch.var_mean(before, correction=0))
    return Normalised(
        before=to_numpy(before),
        after=to_numpy(inside[made].tensor[0, token]),
        scale=to_numpy(module.weight),
        shift=to_numpy(mean.new_zeros(len(before)) if getattr(module, "bias", None) is None else module.bias),
        mean=to_numpy(mean),
        variance=to_numpy(variance),
    )


@no_grad
def additions(trace: Trace, layer: int) -> Additions:
    """What attention and MLP of one block add to the residual stream of each token, as lengths."""
    inside = trace.inside(layer)
    return Additions(
        entering=_lengths(trace.entering(layer)),
        attention=_lengths(inside["attn.out"].tensor),
        middle=_lengths(inside["norm1" if trace.config.norm_order == "post" else "resid_mid"].tensor),
        mlp=_lengths(inside["mlp.out"].tensor),
        leaving=_lengths(inside["resid_post"].tensor),
        unscaled=(_lengths(inside["attn.unscaled"].tensor), _lengths(inside["mlp.unscaled"].tensor))
        if "attn.unscaled" in inside
        else None,
    )


@no_grad
def block_values(trace: Trace, layer: int) -> dict[str, Array]:
    """The stream around a block and what is read from it and added to it, by name, `t d` each.

    "stream" + "attention" = "middle", "middle" + "mlp" = "leaving"; "normed1" and "normed2" are what the two read.
    Where norms stand after the sums, "middle" and "leaving" are what they make of those, "sum1" and "sum2".
    """
    inside, post = trace.inside(layer), trace.config.norm_order == "post"
    names = {
        "attention": "attn.out",
        "middle": "norm1" if post else "resid_mid",
        "normed2": "norm1" if post else "norm2",
        "mlp": "mlp.out",
        "leaving": "resid_post",
        **({"sum1": "resid_mid", "sum2": "resid_sum"} if post else {}),
    }
    values = {name: to_numpy(inside[of].tensor[0]) for name, of in names.items()}
    entering = trace.entering(layer)
    read = to_numpy(trace.block(layer).reads(entering)[0])
    return {"stream": to_numpy(entering[0]), "normed1": read, **values}


@no_grad
def hidden(trace: Trace, layer: int, token: int | None) -> tuple[Array, Array]:
    """The hidden values of a token in the MLP, and what is left of them after GELU or a gate.

    `m` each, or `t m` of all tokens where none is named.
    """
    inside, which = trace.inside(layer), slice(None) if token is None else token
    before, after = (to_numpy(inside[name].tensor[0, which]) for name in ("mlp.hidden", "mlp.active"))
    return before, after


@no_grad
def gate(trace: Trace, layer: int, token: int | None) -> tuple[Array, Array]:
    """The gate of a token in a gated MLP before and after SiLU; it multiplies the hidden values.

    `m` each, or `t m` of all tokens where none is named.
    """
    values = trace.inside(layer)["mlp.gate"].tensor[0, slice(None) if token is None else token]
    return to_numpy(values), to_numpy(F.silu(values))


@no_grad
def active_share(trace: Trace, layer: int) -> Array:
    """The share of units whose activation reads a number above 0, hidden value or gate, per token: `t`."""
    read = "mlp.gate" if trace.config.activation == "swiglu" else "mlp.hidden"
    return to_numpy((trace.inside(layer)[read].tensor[0] > 0).float().mean(dim=-1))


@no_grad
def token_similarity(trace: Trace, layer: int) -> Array:
    """Cosine of every token with every token in the stream that enters block `layer`: `t t`.

    `layer = depth` is what leaves the last block.
    """
    directions = _directions(trace, layer)
    return to_numpy(directions @ directions.T)


@no_grad
def mean_similarity(trace: Trace) -> Array:
    """Mean cosine between two different tokens before the first block and after each: `depth + 1`.

    The squared length of the sum of t unit vectors is t plus the cosines of all t · (t - 1) pairs.
    """
    tokens = trace.config.tokens
    sums = torch.stack([_directions(trace, layer).sum(dim=0) for layer in range(trace.config.depth + 1)])
    return to_numpy((sums.square().sum(dim=-1) - tokens) / (tokens * (tokens - 1)))


def _lengths(x: Tensor) -> Array:
    return to_numpy(x[0].float().norm(dim=-1))


def _directions(trace: Trace, layer: int) -> Tensor:
    return F.normalize(trace.residual_stream(layer)[0].float(), dim=-1)
