"""Trace to numbers: an edited forward pass beside the plain one, and what the answer owes to each part of a run.

Maps come in pieces: each function takes a stretch of heads, patches or tokens, runs it as one batch, and leaves whole
logits, so that a page may paint while it waits and choose another class without asking again. Of an edited run's trace,
all of it happens under those edits. Everything counts from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vitviz.machine.pytorch import no_grad, torch
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.attention import attention_row
from vitviz.measures.classes import logit_lens, result, results

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.switches.scoring import Scoring
    from vitviz.trace import Trace

PAINTED, MASKED = ("grey", "blur"), "masked"
WAYS = (*PAINTED, MASKED)  # to occlude a patch
SAME = 1e-4  # a difference of logits that is none


@dataclass(frozen=True, slots=True)
class ComparedAnswers:
    """The answers of a plain and an edited run, `classes` each; `change` is edited less plain, of logits."""

    plain: Array
    edited: Array
    change: Array
    plain_probabilities: Array
    edited_probabilities: Array


@no_grad
def compared_answers(trace: Trace) -> ComparedAnswers:
    """The answer of an edited run beside that of the plain run it began with."""
    plain, edited = result(_plain(trace)), result(trace)
    probabilities = (to_numpy(torch.tensor(logits).softmax(dim=-1)) for logits in (plain, edited))
    return ComparedAnswers(plain, edited, edited - plain, *probabilities)


@no_grad
def compared_rows(trace: Trace, layer: int, query: int) -> Array:
    """What a query looks at in an edited and in the plain run, and the difference of the two: `3 head k`."""
    edited, plain = (attention_row(it, layer, query) for it in (trace, _plain(trace)))
    return np.stack([edited, plain, edited - plain])


@no_grad
def compared_lenses(trace: Trace) -> Array:
    """The logit lens of an edited and of the plain run: `2 (depth + 1) classes`."""
    return np.stack([logit_lens(trace), logit_lens(_plain(trace))])


@no_grad
def moved(trace: Trace) -> Array:
    """How far an edited run moved the vector of a model without classes, read before the first block and after each.

    `2 (depth + 1)`: the cosine to the plain run's vector, and the length of the difference in lengths of that.
    """
    plain, edited = results(_plain(trace)), results(trace)
    length = np.linalg.norm(plain, axis=1)
    cosine = (plain * edited).sum(axis=1) / (length * np.linalg.norm(edited, axis=1))
    return np.stack([cosine, np.linalg.norm(edited - plain, axis=1) / length])


@no_grad
def heads_off(trace: Trace, layer: int, first: int, last: int, means: Means | None = None) -> Array:
    """The change of the logits when each of the heads `first` to `last - 1` of a layer is off alone: `head classes`.

    With `means` over a reference set, each stands at its mean there, token by token, instead.
    """
    stream = trace.residual_stream(layer)[:1]
    changed = f"blocks.{layer}.attn.z"
    heads = torch.arange(first, last, device=stream.device)
    on = (heads[:, None] != torch.arange(trace.config.heads, device=stream.device)).to(stream.dtype)[:, :, None, None]
    instead = 0 if means is None else (1 - on) * means[changed].to(stream)

    def change(name: str, value: Tensor) -> Tensor:
        value = trace.change(name, value)
        return value * on + instead if name == changed else value

    return _change(trace, trace.model.go_on(stream, layer, change, trace.scorings))


@no_grad
def occluded(trace: Trace, way: str, first: int, last: int) -> Array:
    """The change of the logits when each of the patches `first` to `last - 1` is hidden alone: `patch classes`.

    `way`: "grey" or "blur" paint its pixels, "masked" hides it as a key, which is the same as to remove its token;
    NaN where nothing would be left to look at.
    """
    patches = torch.arange(first, last, device=trace.model.device)
    if way == MASKED:
        return _change(trace, _without_keys(trace, patches))
    from vitviz.edits.pixels import cut, joined, paint

    grid = trace.config.grid
    pictures = cut(trace["image"].tensor[:1], grid).repeat(len(patches), 1, 1, 1, 1)
    each = torch.arange(len(patches), device=patches.device)
    pictures[each, patches] = paint(pictures[each, patches], way)
    return _change(trace, trace.logits_of(joined(pictures, grid)))


@no_grad
def put_in(host: Trace, donor: Trace, layer: int, first: int, last: int) -> Array:
    """The logits of `host` when each of the tokens `first` to `last - 1` alone enters a layer as in `donor`.

    `token classes`. What is put in is the state of the residual stream (activation patching; Heimersheim & Nanda 2024,
    https://arxiv.org/abs/2404.15255).
    """
    tokens = torch.arange(first, last, device=host.model.device)
    each = torch.arange(len(tokens), device=tokens.device)
    streams = host.residual_stream(layer)[:1].repeat(len(tokens), 1, 1)
    streams[each, tokens] = donor.residual_stream(layer)[0, tokens]
    return to_numpy(host.model.go_on(streams, layer, host.change, host.scorings))


def moved_share(logits: Array, host: Array, donor: Array, wanted: int, against: int) -> Array:
    """How far the difference of two logits moved from the host's to the donor's, 0 to 1: `... classes -> ...`.

    NaN where host and donor have the same difference, of which no share can be told.
    """
    difference, before, after = (it[..., wanted] - it[..., against] for it in (logits, host, donor))
    if abs(after - before) < SAME:
        return np.full_like(difference, np.nan)
    return np.asarray((difference - before) / (after - before), np.float32)


def _without_keys(trace: Trace, patches: Tensor) -> Tensor:
    """The logits when each patch alone is seen by no token: `patch classes`."""
    from vitviz.switches.scoring import USUAL, never_blind

    config = trace.config
    tokens = torch.arange(config.tokens, device=patches.device)
    seen = (tokens != len(config.prefix_tokens) + patches[:, None])[:, None, None, :]

    def scoring(layer: int) -> Scoring:
        own = trace.scorings.get(layer, USUAL)
        mask = seen if own.mask is None else seen & own.mask
        return replace(own, mask=mask if layer == config.depth or mask.shape[-2] == 1 else never_blind(mask))

    scorings = {layer: scoring(layer) for layer in range(config.depth + 1)}
    stream = trace.residual_stream(0)[:1].repeat(len(patches), 1, 1)
    return trace.model.go_on(stream, 0, trace.change, scorings)


def _change(trace: Trace, logits: Tensor) -> Array:
    return to_numpy(logits - trace["logits"].tensor[:1])


def _plain(trace: Trace) -> Trace:
    """The plain run beside an edited one; a plain one stands beside itself."""
    return trace.plain or trace


if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.model import ViT

    Means = Mapping[str, Tensor]

AVERAGED = ("attn.z", "attn.out", "mlp.out")


@no_grad
def component_means(model: ViT, batches: Iterable[Tensor]) -> dict[str, Tensor]:
    """The mean of every layer's `attn.z`, `head t dh`, `attn.out` and `mlp.out`, `t d`, by name, over all pictures.

    Token by token: nothing is averaged but pictures, which come in batches, `b c h w`.
    """
    sums: dict[str, Tensor] = {}
    pictures = 0

    def add(name: str, value: Tensor) -> Tensor:
        if name.endswith(AVERAGED) and name.startswith("blocks."):
            total = value.float().sum(dim=0)
            sums[name] = sums[name] + total if name in sums else total
        return value

    for batch in batches:
        model(batch, add)
        pictures += len(batch)
    return {name: total / pictures for name, total in sums.items()}
