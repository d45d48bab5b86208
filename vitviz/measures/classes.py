"""Trace to numbers: from the class token to probabilities, after the last block and after every other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vitviz.machine.pytorch import no_grad, torch
from vitviz.measures.arrays import Array, to_numpy

if TYPE_CHECKING:
    from vitviz.trace import Trace


@dataclass(frozen=True, slots=True)
class Readout:
    """One read-out of the residual stream.

    `stream` and `normalised`, `prefix d`: the tokens that heads read, before and after the final norm; none where
    all tokens are read. `heads`, `head classes`: the logits of each head. `logits` and `probabilities`,
    `classes`; a distilled model averages the logits of its two heads. Without a head the last three are empty.
    """

    stream: Array
    normalised: Array
    heads: Array
    logits: Array
    probabilities: Array

    def best(self, most: int) -> list[int]:
        """The most probable classes, the best first."""
        return best(self.probabilities, most)


@no_grad
def answer(trace: Trace, layer: int) -> Readout:
    """The read-out of the stream that enters block `layer`; `layer = depth`, what leaves the last, is the model's own.

    Equation 4 of the paper. Every block adds to the same stream, so the final norm and the head can read it after each.
    """
    model, config, read = trace.model, trace.config, trace.readout(layer)
    stream = trace.residual_stream(layer)[0, : 1 + config.distilled if config.pool == "class" else 0]
    normalised = read["norm"].tensor[0, : len(stream)] if len(stream) else stream
    logits = read["logits"].tensor[0] if config.classes else stream.new_zeros(0)
    heads = [logits]
    if config.classes and model.head_dist is not None:
        heads = [model.head(normalised[0]), model.head_dist(normalised[1])]
    return Readout(
        stream=to_numpy(stream),
        normalised=to_numpy(normalised),
        heads=to_numpy(torch.stack(heads)),
        logits=to_numpy(logits),
        probabilities=to_numpy(logits.float().softmax(dim=-1)),
    )


@no_grad
def result(trace: Trace) -> Array:
    """What leaves a model: `classes` logits, or the vector, `d`, that a head would read where there is none."""
    return to_numpy(trace.readout()["logits"].tensor[0])


@no_grad
def results(trace: Trace) -> Array:
    """What `result` would be if it were read before the first block and after each: `(depth + 1) classes`, or `d`."""
    return np.stack([to_numpy(trace.readout(layer)["logits"].tensor[0]) for layer in range(trace.config.depth + 1)])


@dataclass(frozen=True, slots=True)
class HeadParameters:
    """What makes logits of vectors, two heads if distilled: weights `head classes d`, biases `head classes`."""

    weights: Array
    biases: Array


@no_grad
def head_parameters(trace: Trace) -> HeadParameters:
    """The linear layers that read `head_inputs`."""
    linears = [head for head in (trace.model.head, trace.model.head_dist) if isinstance(head, torch.nn.Linear)]
    return HeadParameters(
        to_numpy(torch.stack([head.weight for head in linears])), to_numpy(torch.stack([head.bias for head in linears]))
    )


@no_grad
def head_inputs(trace: Trace, layer: int) -> Array:
    """The vectors that the heads read in `answer`: normalised tokens, or what was made of them: `head d`.

    A hidden layer before the head makes vectors of another length, and so do tokens side by side.
    """
    read = trace.readout(layer)
    for made in ("pre_logits", "fc_norm", "pooled"):
        if made in read:
            return to_numpy(read[made].tensor)
    if trace.config.pool == "class":
        normalised: Array = answer(trace, layer).normalised
        return normalised
    return to_numpy(read["pool.out"].tensor + read["pool.mlp.out"].tensor)


@no_grad
def logit_lens(trace: Trace) -> Array:
    """Probabilities if the head read the stream before the first block and after each: `(depth + 1) classes`.

    Known as logit lens (nostalgebraist 2020, https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru).
    """
    return np.stack([answer(trace, layer).probabilities for layer in range(trace.config.depth + 1)])


def best(probabilities: Array, most: int) -> list[int]:
    """At most `most` classes, the most probable first; of equals the one that comes first. A million are not sorted."""
    candidates = np.arange(len(probabilities))
    if most < len(probabilities):
        candidates = np.flatnonzero(probabilities >= np.partition(probabilities, -most)[-most])
    order: list[int] = candidates[np.argsort(-probabilities[candidates], kind="stable")][:most].tolist()
    return order


def named_classes(lens: Array, most: int) -> list[int]:
    """At most `most` classes that tell the story of `logit_lens`, the most probable at the end first.

    Those that win after some block, the last block before the others, then the best of the rest.
    """
    final = lens[-1]
    winners = lens.argmax(axis=1)[::-1].tolist() if len(final) else []
    classes = list(dict.fromkeys(winners + best(final, most)))[:most]
    return sorted(classes, key=lambda index: (-final[index], index))
