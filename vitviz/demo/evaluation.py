"""What the demo model does with scenes, in numbers: accuracy, where it parts, what its positions know.

Everything is computed on pictures and parameters alone, so the same functions serve training, the report and tests.
"""

from typing import NamedTuple

import numpy as np
import torch
from einops import rearrange, reduce
from numpy.typing import NDArray
from torch import Tensor

from vitviz.demo.dataset import GRID, Pictures, to_input, to_tensor
from vitviz.measures.positions import Change, logits_with
from vitviz.model import ViT, attention_scores
from vitviz.recording import into

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
ROW, COLUMN = (axis.ravel() for axis in np.mgrid[:GRID, :GRID])
DISTANCE = np.hypot(ROW[:, None] - ROW, COLUMN[:, None] - COLUMN)  # between patches, in patches: n n


class Evaluation(NamedTuple):
    """One forward pass per picture, and what was recorded inside it.

    `logits` `b classes`; `lens` `b depth+1`: the class that the head would name from the class token as it enters the
    first layer and leaves each; `attention` `b layer head t`: the class token's weights; `distance` `b layer head`: how
    far patches look, in patches; `differ` and `patches_differ` `b layer`: how much the heads of a layer differ in what
    the class token, and what a patch, looks at (Jensen-Shannon divergence in nats, 0 to ln heads).
    """

    logits: Floats
    lens: Ints
    attention: Floats
    distance: Floats
    differ: Floats
    patches_differ: Floats


@torch.no_grad()
def evaluate(model: ViT, pictures: Pictures, batch: int = 40) -> Evaluation:
    """Run the model over all pictures and keep what `Evaluation` names."""
    apart = torch.from_numpy(DISTANCE).float().to(model.device)
    batches = []
    for start in range(0, len(pictures), batch):
        x = model.embed(to_input(to_tensor(pictures.image[start : start + batch], model.device)))
        lens, layers = [model.classify(x).argmax(1)], []
        for block in model.blocks:
            values: dict[str, Tensor] = {}
            x = block(x, into(values))
            weights = attention_scores(values["attn.q"], values["attn.k"]).softmax(-1)
            lens.append(model.classify(x).argmax(1))
            differ = jensen_shannon(rearrange(weights, "b head q k -> b q head k"))
            layers.append((weights[:, :, 0], mean_distance(weights, apart), differ[:, 0], differ[:, 1:].mean(1)))
        inside = [torch.stack(part, 1) for part in zip(*layers, strict=True)]
        batches.append([part.cpu().numpy() for part in (model.classify(x), torch.stack(lens, 1), *inside)])
    return Evaluation(*(np.concatenate(part) for part in zip(*batches, strict=True)))


def answers(model: ViT, pictures: Pictures, change: Change | None = None, batch: int = 80) -> Ints:
    """The predicted class of each picture, `b`, with changed positions if a change is given."""
    found = []
    for start in range(0, len(pictures), batch):
        image = to_input(to_tensor(pictures.image[start : start + batch], model.device))
        found.append(logits_with(model, image, change).argmax(1).cpu().numpy())
    return np.concatenate(found)


def on_target(attention: Floats, target: Floats) -> Floats:
    """How often more than by chance the class token parts at the target: `b layer head t`, `b n` -> `layer head`.

    The share of attention that lies on the target (what the class token gives to itself lies beside it), divided by
    the share of the picture that the target covers; mean over pictures. 1 is looking everywhere alike.
    """
    mass = np.einsum("b l a n, b n -> b l a", attention[..., 1:], target)
    return (mass / target.mean(axis=1)[:, None, None]).mean(axis=0)


def mean_distance(weights: Tensor, apart: Tensor) -> Tensor:
    """How far patches look: `b head q k -> b head`, mean over patches; `apart` `n n` holds their distances."""
    among = weights[:, :, 1:, 1:]
    return ((among * apart).sum(-1) / among.sum(-1)).mean(-1)


def jensen_shannon(weights: Tensor) -> Tensor:
    """How much heads differ in what they look at: `... head k -> ...`, in nats, from 0 to ln heads."""

    def entropy(p: Tensor) -> Tensor:
        return -torch.xlogy(p, p).sum(-1)

    return entropy(weights.mean(-2)) - entropy(weights).mean(-1)


def position_similarity(position: Floats) -> Floats:
    """Cosine of the position embeddings of all pairs of patches: `t d -> n n`."""
    patches = position[1:] / np.linalg.norm(position[1:], axis=1, keepdims=True)
    return patches @ patches.T


def position_rank_correlation(position: Floats) -> float:
    """Spearman's correlation of the similarity of two patches' positions, `t d`, with their nearness on the grid."""
    pairs = np.triu_indices(GRID * GRID, 1)
    return float(np.corrcoef(ranks(position_similarity(position)[pairs]), ranks(-DISTANCE[pairs].round(6)))[0, 1])


def ranks(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """Rank of each value; equal values share the mean of their ranks."""
    _, place, number = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(number) - (number - 1) / 2)[place]


def low_frequency_share(filters: Floats) -> float:
    """Share of the patch embedding's energy, `d c ph pw`, at no more than 2 cycles per patch (white noise: 0.20)."""
    energy = reduce(np.abs(np.fft.fft2(filters)) ** 2, "d c fy fx -> fy fx", "sum")
    cycles = np.fft.fftfreq(filters.shape[-1], 1 / filters.shape[-1])
    low = cycles[:, None] ** 2 + cycles**2 <= 4
    return float(energy[low].sum() / energy.sum())
