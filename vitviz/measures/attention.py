"""Trace to numbers: who looks at whom.

All results are numpy arrays in float32 for the first picture of the batch; layers, heads and tokens count from 0.
Whatever the model's precision, softmax and everything after it is done in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from einops import rearrange

from vitviz.machine import device
from vitviz.machine.pytorch import F, no_grad, torch
from vitviz.machine.wanted import require_wanted
from vitviz.measures.arrays import Array, to_numpy

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.trace import Trace


@no_grad
def attention_weights(trace: Trace, layer: int) -> Array:
    """Attention weights of one layer: `head q k`; each row sums to 1.

    Only the queries and keys of that layer are made again, 2/3 of one projection of one block.
    """
    return to_numpy(layer_scores(trace, layer).softmax(dim=-1))


@no_grad
def attention_row(trace: Trace, layer: int, query: int) -> Array:
    """What one query token looks at, in all heads of one layer: `head k`; each row sums to 1.

    The key projection is absorbed into the query, (Wq x)·(Wk y) = (Wkᵀ Wq x)·y, so that no other token is projected;
    the key bias shifts a whole row by the same amount and drops out of the softmax. In a layer whose scores are
    edited, or whose queries and keys are more than products, all of them are made.
    """
    if layer in trace.scorings or trace.config.qk_norm or trace.config.positions == "rotary":
        return to_numpy(layer_scores(trace, layer)[:, query].softmax(dim=-1))
    block = trace.block(layer)
    x = block.reads(trace.entering(layer))[0]
    heads, dh, d = trace.config.heads, trace.config.head_dim, trace.config.dim
    wq, wk, _ = rearrange(block.attn.qkv.weight, "(qkv d_out) d -> qkv d_out d", qkv=3)
    bias_q = None if block.attn.qkv.bias is None else block.attn.qkv.bias[: heads * dh]
    q = F.linear(x[query], wq, bias_q)
    absorbed = torch.bmm(q.view(heads, 1, dh), wk.view(heads, dh, d)).squeeze(1)
    scores = absorbed @ x.T / dh**0.5
    if (bias := trace.bias(layer)) is not None:
        scores = scores + bias[:, query]
    return to_numpy(scores.float().softmax(dim=-1))


@no_grad
def score_row(trace: Trace, layer: int, query: int) -> Array:
    """The scores of one query token in all heads of one layer, minus infinity for keys it does not see: `head k`."""
    return to_numpy(layer_scores(trace, layer)[:, query])


@no_grad
def attention_column(trace: Trace, layer: int, key: int) -> Array:
    """Who looks at one key token, in all heads of one layer: `head q`.

    Every query shares out a weight of 1, so a column may sum to anything from 0 to t; the mean over all keys is 1.
    """
    return to_numpy(layer_scores(trace, layer).softmax(dim=-1)[:, :, key])


@no_grad
def class_attention(trace: Trace) -> Array:
    """The class token's attention weights in every layer and head: `layer head k`."""
    return np.stack([attention_row(trace, layer, query=0) for layer in range(trace.config.depth)])


@no_grad
def mean_attention(trace: Trace) -> Array:
    """What the tokens of every layer look at on average, over all queries and heads: `layer k`; each row sums to 1."""
    means = [layer_scores(trace, layer).softmax(dim=-1).mean(dim=(0, 1)) for layer in range(trace.config.depth)]
    return to_numpy(torch.stack(means))


@dataclass(frozen=True, slots=True)
class AttentionSteps:
    """One query token's way through one head, step by step; one entry per key token where there is a `k`.

    q: `dh` · keys: `k dh` · values: `k dh` · products = q·k: `k` · scores = q·k / sqrt(dh): `k` · exponentials =
    exp(score - largest score): `k` · denominator: their sum · weights = exponentials / denominator: `k` · z = the
    sum of weights · values: `dh`.
    """

    q: Array
    keys: Array
    values: Array
    products: Array
    scores: Array
    exponentials: Array
    denominator: float
    weights: Array
    z: Array


@no_grad
def attention_steps(trace: Trace, layer: int, head: int, query: int) -> AttentionSteps:
    """Attention written out for one query token in one head (equations 5-7 of appendix A)."""
    from vitviz.model import attention_scores

    queries, keys, values, _ = (part[head] for part in _attention(trace, layer))
    q = queries[query]
    products = keys @ q
    scores = products / len(q) ** 0.5
    bias = trace.bias(layer)
    if layer in trace.scorings or bias is not None:
        its_own = None if bias is None else bias[head].float()
        scores = attention_scores(queries, keys, trace.scorings.get(layer), its_own)[query]
    exponentials = (scores - scores.max()).exp()  # less the largest: softmax is the same, and nothing overflows
    denominator = exponentials.sum()
    weights = exponentials / denominator
    z = weights @ values
    return AttentionSteps(
        to_numpy(q),
        to_numpy(keys),
        to_numpy(values),
        to_numpy(products),
        to_numpy(scores),
        to_numpy(exponentials),
        float(denominator),
        to_numpy(weights),
        to_numpy(z),
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """How far two results are apart: the largest difference, and its share of the largest magnitude."""

    largest: float
    relative: float


@no_grad
def fused_difference(trace: Trace, layer: int) -> Difference:
    """How far attention written out step by step is from the fused attention of the forward pass, over one whole layer.

    Raises `DeviceError` where memory is short for the written-out one.
    """
    from vitviz.model import attention

    _require_room(trace)
    q, k, v, fused = _attention(trace, layer)
    written_out = attention(q, k, v, scoring=trace.scorings.get(layer), bias=trace.bias(layer))
    largest = (written_out - fused).abs().max()
    return Difference(float(largest), float(largest / fused.abs().max().clamp_min(torch.finfo(fused.dtype).tiny)))


@no_grad
def rollout(trace: Trace) -> Array:
    """Attention rollout after each layer: `layer q k`; each row sums to 1.

    Head mean, half attention and half identity for the residual stream, multiplied up through the layers (Abnar &
    Zuidema 2020, https://arxiv.org/abs/2005.00928). Where edits let a head add less to the stream, or nothing, it
    counts as much less, and the rows are scaled to sum to 1 again.
    """
    steps: list[Tensor] = []
    for layer in range(trace.config.depth):
        steps.append(rollout_step(steps, layer_scores(trace, layer).softmax(dim=-1), trace.passed_on(layer)))
    return to_numpy(torch.stack(steps))


@dataclass(frozen=True, slots=True)
class AttentionByLayer:
    """What attention is like in every layer and head.

    distance: `layer head`, how far the patches look, in patches · entropy: `layer head`, how evenly all tokens look,
    in nats; ln t where attention is uniform · class_map: `layer k`, the class token's weights, mean over the heads,
    None where there is no class token · rollout: `layer q k` · uniform_distance: if all patches looked at all alike.
    """

    distance: Array
    entropy: Array
    class_map: Array | None
    rollout: Array
    uniform_distance: float


@no_grad
def attention_by_layer(trace: Trace) -> AttentionByLayer:
    """Mean distance, mean entropy, the class token's map and rollout of all layers, in one pass that holds one layer.

    Distance is the Euclidean distance between patch centres, weighted by attention: patch queries and patch keys
    only, with each row's weights on the patches scaled to sum to 1 (which is the softmax over the patches alone), and
    the mean over all patch queries (Dosovitskiy et al. 2020, figure 7). Entropy is that of whole rows, prefix tokens
    included, and the mean over all queries.
    """
    prefix = len(trace.config.prefix_tokens)
    apart = patch_distances(*trace.config.grid).to(trace["image"].tensor.device)
    distance, entropy, class_map = [], [], []
    rolled: list[Tensor] = []
    for layer in range(trace.config.depth):
        scores = layer_scores(trace, layer)
        weights = scores.softmax(dim=-1)
        among_patches = scores[:, prefix:, prefix:].softmax(dim=-1).nan_to_num()  # of a patch that sees none
        distance.append((among_patches * apart).sum(dim=-1).mean(dim=-1))
        entropy.append(torch.special.entr(weights).sum(dim=-1).mean(dim=-1))
        class_map.append(weights[:, 0].mean(dim=0))
        rolled.append(rollout_step(rolled, weights, trace.passed_on(layer)))
    return AttentionByLayer(
        to_numpy(torch.stack(distance)),
        to_numpy(torch.stack(entropy)),
        to_numpy(torch.stack(class_map)) if "class" in trace.config.prefix_tokens else None,
        to_numpy(torch.stack(rolled)),
        float(apart.mean()),
    )


def attention_distance(trace: Trace) -> Array:
    """How far each head of each layer looks: `layer head`, in patches; times the patch size, in pixels.

    Distance between patch centres weighted by attention, mean over the patch queries (Dosovitskiy et al. 2020, figure 7
    right; Raghu et al. 2021): `AttentionByLayer` says how. Of a picture; the papers' figures are means over many.
    """
    return attention_by_layer(trace).distance


def attention_entropy(trace: Trace) -> Array:
    """How evenly each head of each layer looks: `layer head`, in nats, mean over all queries; ln t where uniform."""
    return attention_by_layer(trace).entropy


def patch_distances(rows: int, columns: int) -> Tensor:
    """Euclidean distance between the centres of all patches, in patches: `q k`, both in raster order."""
    cells = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).float()
    return torch.cdist(cells, cells, compute_mode="donot_use_mm_for_euclid_dist")


def rollout_step(steps: list[Tensor], weights: Tensor, passed_on: Sequence[float]) -> Tensor:
    """One more step of the rollout: half the head mean of `weights` (`head q k`), half identity, times the last.

    Heads count as much as they pass on, 1 each as a rule; rows sum to 1 all the same.
    """
    identity = torch.eye(weights.shape[-1], device=weights.device)
    shares = weights.new_tensor(passed_on) / len(weights)
    step = (torch.tensordot(shares, weights, dims=1) + identity) / (1 + shares.sum())
    return step @ steps[-1] if steps else step


@no_grad
def layer_scores(trace: Trace, layer: int) -> Tensor:
    """Attention scores of one layer in float32, on the model's device: `head q k`.

    Raises `DeviceError` where memory is short for them.
    """
    from vitviz.model import attention_scores

    q, k = _queries_and_keys(trace, layer)
    return attention_scores(q, k, trace.scorings.get(layer), trace.bias(layer)).float()


@no_grad
def layer_products(trace: Trace, layer: int) -> Tensor:
    """q·k of one layer, of which scores are made, in float32: `head q k`. Raises `DeviceError` like those."""
    q, k = _queries_and_keys(trace, layer)
    return (q @ k.mT).float()


def _queries_and_keys(trace: Trace, layer: int) -> tuple[Tensor, Tensor]:
    require_wanted()
    block = trace.block(layer)
    _require_room(trace)
    q, k = block.attn.projected(block.reads(trace.entering(layer))[:1], 2, trace.angles(layer))
    return q[0], k[0]


def _require_room(trace: Trace) -> None:
    """Raise `DeviceError` unless scores, weights and two more of their size fit: `head q k` in float32 each."""
    heads, tokens = trace.config.heads, trace.config.tokens
    what = f"attention of {heads} × {tokens:,} × {tokens:,} weights"
    device.require(4 * 4 * heads * tokens**2, what, trace["image"].tensor.device)


def _attention(trace: Trace, layer: int) -> tuple[Tensor, ...]:
    """q, k, v and the fused result of one layer, made by the model's own code: `head t dh` each, in float32."""
    from vitviz.recording import into

    values: dict[str, Tensor] = {}
    block = trace.block(layer)
    block.attn(block.reads(trace.entering(layer))[:1], into(values), trace.scorings.get(layer))
    return tuple(values[name][0].float() for name in ("q", "k", "v", "z"))
