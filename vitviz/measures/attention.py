"""Trace to numbers: who looks at whom.

All results are numpy arrays in float32 for the first picture of the batch; layers, heads and tokens count from 0.
"""

import numpy as np
import torch
from einops import rearrange
from torch import Tensor
from torch.nn import functional as F

from vitviz.measures.arrays import Array, to_numpy
from vitviz.model import attention_scores
from vitviz.trace import Trace


@torch.no_grad()
def attention_weights(trace: Trace, layer: int) -> Array:
    """Attention weights of one layer: `head q k`; each row sums to 1.

    Only the queries and keys of that layer are made again, 2/3 of one projection of one block.
    """
    return to_numpy(_weights(trace, layer))


@torch.no_grad()
def attention_row(trace: Trace, layer: int, query: int) -> Array:
    """What one query token looks at, in all heads of one layer: `head k`; each row sums to 1.

    The key projection is absorbed into the query, (Wq x)·(Wk y) = (Wkᵀ Wq x)·y, so that no other token is projected;
    the key bias shifts a whole row by the same amount and drops out of the softmax.
    """
    block = trace.block(layer)
    x = block.norm1(trace.entering(layer)[:1])[0]
    heads, dh, d = trace.config.heads, trace.config.head_dim, trace.config.dim
    wq, wk, _ = rearrange(block.attn.qkv.weight, "(qkv d_out) d -> qkv d_out d", qkv=3)
    q = F.linear(x[query], wq, block.attn.qkv.bias[:d])
    absorbed = torch.bmm(q.view(heads, 1, dh), wk.view(heads, dh, d)).squeeze(1)
    return to_numpy((absorbed @ x.T / dh**0.5).softmax(dim=-1))


@torch.no_grad()
def class_attention(trace: Trace) -> Array:
    """The class token's attention weights in every layer and head: `layer head k`."""
    return np.stack([attention_row(trace, layer, query=0) for layer in range(trace.config.depth)])


@torch.no_grad()
def rollout(trace: Trace) -> Array:
    """Attention rollout after each layer: `layer q k`; each row sums to 1.

    Head mean, half attention and half identity for the residual stream, multiplied up through the layers (Abnar &
    Zuidema 2020, https://arxiv.org/abs/2005.00928).
    """
    tokens = trace.config.tokens
    identity = torch.eye(tokens)
    total, steps = identity, []
    for layer in range(trace.config.depth):
        mean = _weights(trace, layer).mean(dim=0).float().cpu()
        total = (mean + identity) / 2 @ total
        steps.append(total)
    return to_numpy(torch.stack(steps))


@torch.no_grad()
def layer_scores(trace: Trace, layer: int) -> Tensor:
    """Attention scores of one layer, on the model's device: `head q k`."""
    block = trace.block(layer)
    d = trace.config.dim
    x = block.norm1(trace.entering(layer)[:1])
    qk = F.linear(x, block.attn.qkv.weight[: 2 * d], block.attn.qkv.bias[: 2 * d])
    q, k = rearrange(qk, "1 t (qk head dh) -> qk head t dh", qk=2, head=trace.config.heads)
    return attention_scores(q, k)


def _weights(trace: Trace, layer: int) -> Tensor:
    return layer_scores(trace, layer).softmax(dim=-1)
