"""Trace to seconds: every stage of the forward pass again, on its recorded input, with a clock beside it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from vitviz.machine.device import require, synchronise
from vitviz.machine.price import forward_bytes
from vitviz.machine.pytorch import F, no_grad, torch
from vitviz.machine.wanted import while_wanted

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.config import ViTConfig
    from vitviz.trace import Activations, Trace

ROUNDS, FEWER_ROUNDS = 3, 2  # the second for a slow model: others wait for the same worker
SLOW = 0.5  # seconds of a forward pass
LEAST = 0.005  # seconds of one measurement; shorter work is repeated within it
SIDE, LARGE_SIDE = 1024, 8192  # of the square matrices whose product shows what a CPU, or a GPU, can do
COPIED, LARGE_COPIED = (
    1 << 26,
    1 << 28,
)  # bytes whose copy shows what its memory can move, or a cache that holds both ends

PRODUCT, COPY = "one large matrix product", "one large copy"

Work = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Timing:
    """One stage: the seconds of one call, and how often a forward pass calls it (0: only for comparison)."""

    stage: str
    seconds: float
    calls: int


@dataclass(frozen=True, slots=True)
class Speed:
    """Measured seconds: stages, the whole forward pass; multiply-accumulates per second of one large matrix product,
    bytes per second, read and written, of one large copy, and the bytes of both its ends."""

    stages: tuple[Timing, ...]
    forward: float
    peak: float
    bandwidth: float
    copied: int


@dataclass(frozen=True, slots=True)
class Spent:
    """What some work is: counted multiply-accumulates, bytes that it reads and writes, and measured seconds."""

    name: str
    macs: int
    moved: int
    seconds: float

    @property
    def intensity(self) -> float:
        """FLOP per byte; a multiply-accumulate is two."""
        return 2 * self.macs / self.moved

    @property
    def rate(self) -> float:
        """FLOP per second."""
        return 2 * self.macs / self.seconds

    @property
    def bandwidth(self) -> float:
        """Bytes per second."""
        return self.moved / self.seconds


@dataclass(frozen=True, slots=True)
class Roof:
    """The most FLOP and the most bytes per second that were measured, and of what.

    What is attainable is the lower of `peak` and `bandwidth` times the FLOP per byte (Williams et al. 2009,
    https://doi.org/10.1145/1498765.1498785).
    """

    peak: float
    peak_of: str
    bandwidth: float
    bandwidth_of: str

    @property
    def ridge(self) -> float:
        """FLOP per byte from which on arithmetic, and no longer memory, sets the limit."""
        return self.peak / self.bandwidth

    def share(self, spent: Spent) -> float:
        """Of what is attainable at the FLOP per byte of this work, at most 1 for what the roof was made of."""
        return max(spent.rate / self.peak, spent.bandwidth / self.bandwidth)


def roof(works: list[Spent], measured: Speed) -> Roof:
    """The roof over all that was measured: work in a cache may be faster than the large product, or the large copy."""
    fastest, widest = max(works, key=lambda it: it.rate), max(works, key=lambda it: it.bandwidth)
    peak, bandwidth = 2 * measured.peak, measured.bandwidth
    return Roof(
        *((fastest.rate, fastest.name) if fastest.rate > peak else (peak, PRODUCT)),
        *((widest.bandwidth, widest.name) if widest.bandwidth > bandwidth else (bandwidth, COPY)),
    )


@no_grad
def speed(trace: Trace, run: int = 0) -> Speed:
    """Time the stages on the picture of `trace`, those of a block in the first one; another `run` measures again.

    Raises `DeviceMemoryError`.
    """
    model, image = trace.model, trace["image"].tensor
    side, copied = (LARGE_SIDE, LARGE_COPIED) if image.is_cuda else (SIDE, COPIED)
    needed = 2 * copied + 3 * side**2 * image.itemsize + forward_bytes(trace.config)
    require(needed, "timing the stages of this model", image.device)
    square = torch.ones(side, side, device=image.device, dtype=image.dtype)
    here, there = torch.ones(2, copied, device=image.device, dtype=torch.uint8)
    stages = _stages(trace)
    works = [
        lambda: model(image),
        lambda: square @ square,
        lambda: there.copy_(here),
        *(work for _, work, _ in stages),
    ]
    forward, product, copy, *seconds = map(min, in_turn(works))  # whatever else runs can only slow one down
    timings = [Timing(stage, it, calls) for (stage, _, calls), it in zip(stages, seconds, strict=True)]
    return Speed(tuple(timings), forward, side**3 / product, 2 * copied / copy, 2 * copied)


def _stages(trace: Trace) -> list[tuple[str, Work, int]]:
    """Name, work and calls in a forward pass; those that none calls come last."""
    from vitviz.model import GatedMLP

    model, block, x, inside = trace.model, trace.block(0), trace.residual_stream(0), trace.inside(0)
    depth, pool = trace.config.depth, model.attn_pool
    attention, mlp = block.attn, block.mlp
    normalised, active = inside["norm1"].tensor, inside["mlp.active"].tensor
    z = inside["attn.z"].tensor.transpose(1, 2).flatten(2)
    hidden = mlp.fc1(normalised)
    read = model.pool(x) if model.pre_logits is None else model.pre_logits(model.pool(x))
    gate, gated = hidden.chunk(2, dim=-1)
    bend = (lambda: F.silu(gate) * gated) if isinstance(mlp, GatedMLP) else (lambda: mlp.activation(hidden))
    stages: list[tuple[str, Work, int]] = [
        ("patch embedding", lambda: model.patch_embed(trace["image"].tensor), 1),
        ("layer norms", lambda: block.norm1(x), 2 * depth + 1),
        ("q k v projections", lambda: attention.qkv(normalised), depth),
        *_attention(trace.config, inside),
        ("output projection", lambda: attention.proj(z), depth),
        ("MLP, first layer", lambda: mlp.fc1(normalised), depth),
        ("activation", bend, depth),
        ("MLP, second layer", lambda: mlp.fc2(active), depth),
        *([("attention pooling", lambda: model.pool(x), 1)] if pool is not None else []),
        ("head", lambda: model.head(read), 1 + trace.config.distilled),
        ("q k v, token by token", lambda: _one_by_one(attention.qkv, normalised), 0),
    ]
    return sorted(stages, key=lambda it: not it[2])


def _attention(config: ViTConfig, inside: Activations) -> list[tuple[str, Work, int]]:
    """As the forward pass does it; where it is fused there, written out for comparison."""
    from vitviz.model import attend, attention_scores
    from vitviz.recording import ignore
    from vitviz.switches.scoring import own_scoring

    q, k, v, scores, weights = (inside[f"attn.{it}"].tensor for it in ("q", "k", "v", "scores", "weights"))
    bias = inside["attn.bias"].tensor if config.positions == "relative" else None
    scoring = own_scoring(config, q.device)
    whole = partial(attend, q, k, v, ignore, scoring, bias)
    if config.attention == "linear":
        return [("linear attention", whole, config.depth)]
    calls = 0 if config.plain_scores else config.depth
    return [
        *([("fused attention", whole, config.depth)] if config.plain_scores else []),
        ("QKᵀ", lambda: attention_scores(q, k, scoring, bias), calls),
        ("softmax", lambda: scores.softmax(dim=-1), calls),
        ("AV", lambda: weights @ v, calls),
    ]


def _one_by_one(work: Callable[[Tensor], Tensor], tokens: Tensor) -> list[Tensor]:
    """The same product for one token after the other, `b t d` cut along t."""
    return [work(token) for token in while_wanted(tokens.split(1, dim=1))]


def in_turn(works: list[Work], rounds: int = ROUNDS) -> list[list[float]]:
    """Seconds of one call of each work in each round, `work round`; in fewer rounds where the first is slow.

    All take turns, so that what slows the machine down for a while slows all of them; every other round goes backwards.
    """
    for work in while_wanted(works):
        work()
    once = [_clock(work, 1) for work in while_wanted(works)]
    repeats = [max(1, round(LEAST / seconds)) for seconds in once]
    found: list[list[float]] = [[] for _ in works]
    for number in range(min(rounds, FEWER_ROUNDS) if once[0] > SLOW else rounds):
        for at in while_wanted(range(len(works))[:: -1 if number % 2 else 1]):
            found[at].append(_clock(works[at], repeats[at]) / repeats[at])
    return found


def _clock(work: Work, repeats: int) -> float:
    """Seconds of so many calls; a GPU is waited for, because it answers before it has finished."""
    synchronise()
    started = time.perf_counter()
    for _ in range(repeats):
        work()
    synchronise()
    return time.perf_counter() - started
