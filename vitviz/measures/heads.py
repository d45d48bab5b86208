"""Trace to numbers: what the heads of one layer read, how their products lie, what each adds. Layers count from 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from einops import rearrange

from vitviz.machine.pytorch import F, no_grad, torch
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.attention import layer_products, layer_scores

if TYPE_CHECKING:
    from vitviz.trace import Trace


@dataclass(frozen=True, slots=True)
class LayerValues:
    """What attention of one layer reads and makes: stream, normalised, added: `t d` · q, k, v: `head t dh`.

    Where norms stand after the sums, attention reads the stream itself.
    """

    stream: Array
    normalised: Array
    q: Array
    k: Array
    v: Array
    added: Array


@no_grad
def layer_values(trace: Trace, layer: int) -> LayerValues:
    """The stream that enters a layer, its layer-normalised copy, queries, keys, values, and what attention adds."""
    inside = trace.inside(layer)
    entering = trace.entering(layer)
    read = trace.block(layer).reads(entering)
    values = (inside[name].tensor for name in ("attn.q", "attn.k", "attn.v", "attn.out"))
    return LayerValues(*(to_numpy(value[0]) for value in (entering, read, *values)))


@no_grad
def projections(trace: Trace, layer: int) -> Array:
    """W_q, W_k and W_v of one layer as every head uses them, to multiply a token from the right: `qkv head d dh`."""
    weight = trace.block(layer).attn.qkv.weight
    return to_numpy(rearrange(weight, "(qkv head dh) d -> qkv head d dh", qkv=3, head=trace.config.heads))


@dataclass(frozen=True, slots=True)
class ProductSpread:
    """How q·k lies over all pairs of tokens, per head: before the division by √dh.

    deviation: `head`, the standard deviation · reach: `head`, the largest magnitude · counts: `head bin`, pairs in
    equal bins from -reach to reach.
    """

    deviation: Array
    reach: Array
    counts: Array


@no_grad
def product_spread(trace: Trace, layer: int, bins: int = 60) -> ProductSpread:
    """The products q·k of all pairs of tokens of one layer, as histograms.

    Components of q and k with variance 1 would give q·k a variance of dh, and q·k / √dh one of 1 (Vaswani et al.
    2017, section 3.2.1, footnote 4). Raises `DeviceError` where memory is short for the scores.
    """
    products = layer_products(trace, layer).flatten(1)
    reach = products.abs().amax(dim=1).clamp_min(torch.finfo(torch.float32).tiny)
    counts = [
        torch.histc(each.cpu(), bins, -float(most), float(most)) for each, most in zip(products, reach, strict=True)
    ]
    return ProductSpread(to_numpy(products.std(dim=1, correction=0)), to_numpy(reach), to_numpy(torch.stack(counts)))


@no_grad
def head_shares(trace: Trace, layer: int, query: int) -> Array:
    """What each head adds to one token, before the bias of W_o and any layer scale: `head d` (equation 8).

    Heads side by side times W_o is the sum over the heads of each one's own rows of W_o.
    """
    z = trace.inside(layer)["attn.z"].tensor[0, :, query]
    weight = rearrange(trace.block(layer).attn.proj.weight, "d (head dh) -> head dh d", head=len(z))
    return to_numpy(torch.einsum("h i, h i d -> h d", z, weight))


@no_grad
def kernels(trace: Trace, layer: int, radius: int) -> Array:
    """What each head of a layer is like as a kernel: `head down across`, up to `radius` patches each way.

    The weight that patches give to the patch at an offset, mean over all of them, as a share of all that they give to
    patches. A convolution has such a kernel, the same at every place; of a head this is the mean.
    """
    from vitviz.switches.positions import offsets

    prefix, (rows, columns) = len(trace.config.prefix_tokens), trace.config.grid
    weights = layer_scores(trace, layer)[:, prefix:, prefix:].softmax(dim=-1).nan_to_num()  # of one that sees none
    by_offset = weights.new_zeros(len(weights), (2 * rows - 1) * (2 * columns - 1))
    by_offset.index_add_(1, offsets(trace.config.grid).flatten().to(weights.device), weights.flatten(1))
    whole = rearrange(by_offset / trace.config.patches, "head (down across) -> head down across", down=2 * rows - 1)
    beyond = [radius - (side - 1) for side in (columns, columns, rows, rows)]  # below 0: cut off
    return to_numpy(F.pad(whole, beyond))
