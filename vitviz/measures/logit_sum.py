"""Trace to numbers: a logit as an exact sum over all that was ever added to the residual stream.

What leaves the last block is a sum, and what comes after it is linear once the statistics of the last norm are held
fixed: so a logit, or the difference of two, is the sum of what each head hands on of each token, of the MLPs, of the
embedding and of constants (Gandelsman et al. 2023, https://arxiv.org/abs/2310.05916). Nothing is approximated. Sums are
taken in float64 on the CPU, of the numbers that the model made in its own precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from einops import rearrange

from vitviz.machine.pytorch import no_grad, torch
from vitviz.machine.wanted import while_wanted
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.classes import result

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.model import ViT
    from vitviz.switches.block import Norm
    from vitviz.trace import Activations, Trace

NONE = -1  # in place of a class: the one that the model names, or of a second class: no other


@dataclass(frozen=True, slots=True)
class LogitSum:
    """What a logit, or the difference of two, is the sum of.

    `embedding`: `t`, what the tokens that are read had before the first block · `heads`: `layer head t`, what each head
    hands on of each token · `mlps` and `biases`: `layer` · `pooling`: what the MLP behind attention pooling adds, 0 for
    other models · `constant`: of the last norm and the head · `logit`: that of the run · `read`: how many tokens the
    head reads.
    """

    embedding: Array
    heads: Array
    mlps: Array
    biases: Array
    pooling: float
    constant: float
    logit: float
    read: int

    @property
    def layers(self) -> Array:
        """What each head of every layer adds, then its MLP, then its biases: `layer (head mlp bias)`."""
        heads = self.heads.sum(axis=2, dtype=np.float64)
        return np.column_stack([heads, self.mlps, self.biases]).astype(np.float32)

    @property
    def total(self) -> float:
        """All terms added up."""
        parts = (self.embedding, self.heads, self.mlps, self.biases)
        return float(sum(it.sum(dtype=np.float64) for it in parts) + self.pooling + self.constant)

    def of_patches(self, prefix: int) -> Array:
        """What came from each patch: by all heads, and where the patches are read themselves, from the start: `n`."""
        return (self.heads.sum(axis=(0, 1), dtype=np.float64) + self.embedding)[prefix:].astype(np.float32)


def two_classes(trace: Trace, label: int, against: int = NONE) -> tuple[int, int]:
    """A class and the one it is compared with, where `NONE` stands for the one that the model names and for no other.

    A class that is compared with itself is compared with none. Without a head both are components of the result.
    """
    first = int(result(trace).argmax()) if label == NONE else label
    return first, NONE if against == first else against


@no_grad
def logit_sum(trace: Trace, label: int, against: int = NONE) -> LogitSum:
    """The logit of a class, or how far it is above that of `against`, as a sum; `two_classes` says which they are."""
    model, config = trace.model, trace.config
    label, against = two_classes(trace, label, against)
    read = _Reading(model, trace.readout(), _exact(trace.residual_stream(config.depth)), label, against)
    directions, tokens = read.directions, int(read.directions.any(dim=1).sum())
    heads = torch.zeros(config.depth, config.heads, config.tokens, dtype=torch.float64)
    mlps, biases = torch.zeros(2, config.depth, dtype=torch.float64)
    embedding = torch.zeros(config.tokens, dtype=torch.float64)
    for layer in while_wanted(reversed(range(config.depth))):
        block, inside, entering = trace.block(layer), trace.inside(layer), _exact(trace.entering(layer))
        if block.post:
            directions, shift = _through(block.norm2, _exact(inside["resid_sum"].tensor), directions)
            biases[layer] += shift
        mlps[layer] = (directions * _exact(inside["mlp.out"].tensor)).sum()
        if block.post:
            directions, shift = _through(block.norm1, _exact(inside["resid_mid"].tensor), directions)
            biases[layer] += shift
        scaled = directions if block.ls1 is None else directions * block.ls1.gamma.double().cpu()
        biases[layer] += (scaled @ block.attn.proj.bias.double().cpu()).sum()
        heads[layer] = _handed_on(inside, block.attn.proj.weight.double().cpu(), scaled)
        embedding += (directions * (entering - _exact(trace.residual_stream(layer)))).sum(dim=1)  # positions of a layer
    embedding += (directions * _exact(trace.residual_stream(0))).sum(dim=1)
    numbers = result(trace).astype(np.float64)
    return LogitSum(
        to_numpy(embedding),
        to_numpy(heads),
        to_numpy(mlps),
        to_numpy(biases),
        read.pooling,
        read.constant,
        float(numbers[label] - (numbers[against] if against != NONE else 0)),
        tokens,
    )


def _handed_on(inside: Activations, weight: Tensor, directions: Tensor) -> Tensor:
    """What each head hands on of each token, along `directions`, `t d`, of the tokens that ask: `head k`."""
    asks = directions.any(dim=1)
    values, weights = _exact(inside["attn.v"].tensor), inside["attn.weights"].tensor[0].cpu()[:, asks].double()
    wanted = torch.einsum("q d, d h i -> h q i", directions[asks], rearrange(weight, "d (h i) -> d h i", h=len(values)))
    return (torch.einsum("h q k, h q i -> h k i", weights, wanted) * values).sum(dim=2)


class _Reading:
    """How a number of the result is read off what leaves the last block: `directions`, `t d`, and what is added."""

    def __init__(self, model: ViT, readout: Activations, stream: Tensor, label: int, against: int) -> None:
        self.constant = self.pooling = 0.0
        self.model, self.readout, self.stream = model, readout, stream
        heads = [head for head in (model.head, model.head_dist) if head is not None]
        rows = [self._row(head, label, against) / len(heads) for head in heads]
        self.constant /= len(heads)
        if model.pre_logits is not None:
            rows = [self._through_hidden(rows[0])]
        read = self._off_the_tokens(rows)
        if model.norm is not None:
            read, shift = _through(model.norm, stream, read)
            self.constant += shift
        self.directions = read

    def _row(self, head: torch.nn.Module, label: int, against: int) -> Tensor:
        """What a head multiplies its vector with, or without a head the unit vector of a component."""
        if isinstance(head, torch.nn.Linear):
            weights, biases = head.weight.double().cpu(), head.bias.double().cpu()
        else:
            weights, biases = torch.eye(self.model.config.pre_logits or self.model.config.pooled).double(), None
        row = weights[label] - (weights[against] if against != NONE else 0)
        if biases is not None:
            self.constant += float(biases[label] - (biases[against] if against != NONE else 0))
        return row

    def _through_hidden(self, row: Tensor) -> Tensor:
        """Back through the hidden layer, whose tanh(u) is u times a factor that is held fixed, as a norm's is."""
        layer = self.model.pre_logits.fc  # type: ignore[union-attr]
        pooled = self._pooled()
        weights, biases = layer.weight.double().cpu(), layer.bias.double().cpu()
        hidden = weights @ pooled + biases
        row = row * torch.where(hidden == 0, 1.0, hidden.tanh() / hidden)
        self.constant += float(row @ biases)
        return row @ weights

    def _pooled(self) -> Tensor:
        """What the hidden layer reads."""
        readout, pool = self.readout, self.model.config.pool
        if pool == "attention":
            return _exact(readout["pool.out"].tensor) + _exact(readout["pool.mlp.out"].tensor)
        if pool == "class":
            return _exact(readout["norm"].tensor)[0]
        return _exact(readout["fc_norm" if self.model.fc_norm is not None else "pooled"].tensor)

    def _off_the_tokens(self, rows: list[Tensor]) -> Tensor:
        """What multiplies the tokens that are read, after the last norm where that stands before the pooling: `t d`."""
        model, config = self.model, self.model.config
        read = torch.zeros_like(self.stream)
        patches = slice(len(config.prefix_tokens), None)
        match config.pool:
            case "mean":
                (row,) = rows
                if model.fc_norm is not None:
                    row, shift = _through(model.fc_norm, self.stream[patches].mean(dim=0, keepdim=True), row[None])
                    self.constant += shift
                read[patches] = row / config.patches
            case "flatten":
                return rows[0].view_as(read)
            case "attention":
                return self._off_attention(rows[0])
            case _:
                for token, row in enumerate(rows):
                    read[token] = row
        return read

    def _off_attention(self, row: Tensor) -> Tensor:
        """Back through attention pooling, whose weights are held fixed; what its MLP adds is a number."""
        pool = self.model.attn_pool
        assert pool is not None
        self.pooling = float(row @ _exact(self.readout["pool.mlp.out"].tensor))
        weights = _exact(self.readout["pool.weights"].tensor)[:, 0]  # head k
        self.constant += float(row @ pool.proj.bias.double().cpu())
        wanted = rearrange(row @ pool.proj.weight.double().cpu(), "(h i) -> h i", h=pool.heads)
        value, bias = (it.double().cpu().chunk(2)[1] for it in (pool.kv.weight, pool.kv.bias))
        self.constant += float((weights.sum(dim=1) @ (wanted * bias.view_as(wanted))).sum())
        of_heads = torch.einsum("h i, h i d -> h d", wanted, rearrange(value, "(h i) d -> h i d", h=pool.heads))
        return weights.T @ of_heads


def _through(norm: Norm, x: Tensor, directions: Tensor) -> tuple[Tensor, float]:
    """Back through a norm of `x`, `t d`, whose statistics are held fixed: directions before it, and what it adds."""
    gain = directions * norm.weight.double().cpu()
    bias: Tensor | None = getattr(norm, "bias", None)
    shift = 0.0 if bias is None else float((directions @ bias.double().cpu()).sum())
    if isinstance(norm, torch.nn.RMSNorm):
        return gain / (x.square().mean(dim=1, keepdim=True) + (norm.eps or 0)).sqrt(), shift
    if isinstance(norm, torch.nn.LayerNorm):
        gain = gain / (x.var(dim=1, correction=0, keepdim=True) + norm.eps).sqrt()
        return gain - gain.mean(dim=1, keepdim=True), shift  # the norm takes the mean off what it reads
    variance, mean = torch.var_mean(x, dim=0, correction=0)
    gain = gain / (variance + norm.epsilon).sqrt()
    return gain, shift - float((gain @ mean).sum())


def _exact(tensor: Tensor) -> Tensor:
    """The first picture's, in float64 on the CPU."""
    return tensor[0].double().cpu()
