"""Vectors to a read-out: classes that a few pictures show, solved at once on what a frozen model makes of them.

The few-shot measure of Dosovitskiy et al. 2020, section 4.1: regularised least squares from frozen vectors to targets
of -1 and 1, which has a closed form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from vitviz.activations import last_tokens
from vitviz.machine.pytorch import no_grad
from vitviz.machine.wanted import while_wanted
from vitviz.measures.arrays import Array, to_numpy

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.model import ViT
    from vitviz.trace import Trace


class ReadOut(NamedTuple):
    """A linear read-out: scores are vector · `weights` (`d classes`) + `bias` (`classes`)."""

    weights: Array
    bias: Array

    def scores(self, vectors: Array) -> Array:
        """`... d -> ... classes`; about 1 for what a class is, about -1 for what it is not."""
        return vectors @ self.weights + self.bias


@dataclass(frozen=True, slots=True)
class Tried:
    """Read-outs of 1 shot and more, each from several draws of the shots: the `right` of `tested` held-out pictures.

    `right`: `shots draw`.
    """

    right: Array
    tested: int


def ridge(vectors: Array, classes: Sequence[int], count: int, penalty: float) -> ReadOut:
    """The read-out of least squared error plus `penalty` times its squared weights: `n d`, `n -> ReadOut`.

    W = Xᵀ(XXᵀ + λI)⁻¹Y, of vectors and targets less their means, which is (XᵀX + λI)⁻¹XᵀY with n equations in place of
    d; the means give the bias, which nothing penalises.
    """
    x = vectors.astype(np.float64)
    y = 2.0 * np.eye(count)[list(classes)] - 1
    mean, target = x.mean(axis=0), y.mean(axis=0)
    x, y = x - mean, y - target
    weights = x.T @ np.linalg.solve(x @ x.T + penalty * np.eye(len(x)), y)  # in the app, which has no PyTorch
    return ReadOut(weights.astype(np.float32), (target - mean @ weights).astype(np.float32))


def tried(shots: Sequence[Array], held_out: Sequence[Array], most: int, penalty: float) -> Tried:
    """How many held-out pictures are named rightly with 1 to `most` shots of each class, `picture d` of every class.

    A draw begins with another shot of each class, and goes on from the first after the last.
    """
    draws = max(map(len, shots))
    tests = np.concatenate(held_out)
    answers = np.repeat(np.arange(len(held_out)), [len(it) for it in held_out])
    right = np.zeros((most, draws), np.float32)
    for number in while_wanted(range(most)):
        for draw in range(draws):
            chosen = [vectors[[(draw + at) % len(vectors) for at in range(number + 1)]] for vectors in shots]
            classes = np.repeat(np.arange(len(shots)), number + 1)
            found = ridge(np.concatenate(chosen), classes.tolist(), len(shots), penalty)
            right[number, draw] = (found.scores(tests).argmax(axis=-1) == answers).sum()
    return Tried(right, len(tests))


@no_grad
def read_vector(trace: Trace) -> Array:
    """What the head of the model would read of the picture, `d`: the class token after the last norm, as a rule."""
    return to_numpy(_read(trace.model, trace.last_tokens())[0])


@no_grad
def frozen_vectors(model: ViT, images: Tensor) -> Array:
    """The same of several pictures: `b c h w -> b d`. With batch norms, each by itself."""
    vectors: list[Tensor] = []

    def keep(name: str, value: Tensor) -> Tensor:
        if name == last_tokens(model.config):
            vectors.append(value)
        return value

    for image in images.split(1):
        model(image, keep)
    return np.concatenate([to_numpy(_read(model, normalised)) for normalised in vectors])


def _read(model: ViT, normalised: Tensor) -> Tensor:
    return model.pool(normalised, scoring=model.scorings.get(model.config.depth))
