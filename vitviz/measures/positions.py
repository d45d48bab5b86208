"""Trace to numbers: what the model answers when it does not know where its patches come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from einops import rearrange

from vitviz.machine.pytorch import no_grad, torch
from vitviz.measures.arrays import Array, to_numpy

if TYPE_CHECKING:
    from torch import Tensor

    from vitviz.model import ViT
    from vitviz.trace import Trace

SHUFFLE_SEED = 0


@no_grad
def probabilities_without_positions(trace: Trace) -> Array:
    """Class probabilities when the position embedding of every patch is 0; prefix tokens keep theirs."""
    return _probabilities(trace, positions_off(trace.model))


@no_grad
def probabilities_with_shuffled_positions(trace: Trace) -> Array:
    """Class probabilities when the position embeddings of the patches change places, in one fixed random order."""
    return _probabilities(trace, positions_shuffled(trace.model))


def shuffled_order(trace: Trace) -> Array:
    """`n`: the patch whose position each patch gets when they are shuffled, counted from 0."""
    return to_numpy(_order(trace.model))


@dataclass(frozen=True, slots=True)
class Swap:
    """What becomes of a model when two patches of the picture change places, as largest differences.

    Without positions: `moved` between the outputs of the two patches and each other's before, `stayed` of all other
    tokens, `logits` of the answer. `with_positions`: of the answer with the positions it learned. One number each, `1`.
    """

    moved: Array
    stayed: Array
    logits: Array
    with_positions: Array


@no_grad
def swapped_patches(trace: Trace, first: int, second: int) -> Swap:
    """Swap two patches of the picture, counted from 0, with positions off and on.

    Self-attention treats its tokens as a set: it is equivariant, and only what the class token reads is invariant.
    """
    model, image, prefix = trace.model, trace["image"].tensor, len(trace.config.prefix_tokens)
    order = torch.arange(trace.config.patches, device=image.device)
    order[[first, second]] = order[[second, first]]
    rows, columns = trace.config.grid
    cut = "b c (gh ph) (gw pw) -> b (gh gw) c ph pw"
    patches = rearrange(image, cut, gh=rows, gw=columns)[:, order]
    other = rearrange(patches, "b (gh gw) c ph pw -> b c (gh ph) (gw pw)", gh=rows)
    off = positions_off(model)
    before, after = (_stream(model, picture, off)[0] for picture in (image, other))
    returned = torch.cat([after[:prefix], after[prefix:][order]])
    differences = (returned - before).abs().amax(dim=-1)
    pair = torch.zeros(len(differences), dtype=torch.bool, device=image.device)
    pair[[prefix + first, prefix + second]] = True
    answers = [[logits_with(model, picture, places)[0] for picture in (image, other)] for places in (off, None)]
    without, learned = ((a - b).abs().max() for a, b in answers)
    still = differences[~pair].max() if (~pair).any() else differences.new_zeros(())
    return Swap(*(to_numpy(value.reshape(1)) for value in (differences[pair].max(), still, without, learned)))


@no_grad
def logits_with(model: ViT, image: Tensor, positions: Tensor | None) -> Tensor:
    """`b c h w -> b classes` with other positions, `1 t d`; the model itself is not changed."""
    return model.classify(_stream(model, image, positions))


def positions_off(model: ViT) -> Tensor:
    """The model's positions, `1 t d`, but 0 for every patch; prefix tokens keep theirs."""
    prefix, patches = _split(model)
    return torch.cat([prefix, torch.zeros_like(patches)], dim=1)


def positions_shuffled(model: ViT) -> Tensor:
    """The model's positions, `1 t d`, those of the patches in one fixed random order; prefix tokens keep theirs."""
    prefix, patches = _split(model)
    return torch.cat([prefix, patches[:, _order(model).to(patches.device)]], dim=1)


def _stream(model: ViT, image: Tensor, positions: Tensor | None) -> Tensor:
    """The residual stream after the last block with other positions: `b t d`."""
    x = model.embed(image, positions=positions)
    for block in model.blocks:
        x = block(x)
    return x


def _split(model: ViT) -> tuple[Tensor, Tensor]:
    """Positions of the prefix tokens and of the patches: `1 s d`, `1 n d`."""
    positions = model.positions.detach()
    prefix = len(model.config.prefix_tokens)
    return positions[:, :prefix], positions[:, prefix:]


def _order(model: ViT) -> Tensor:
    return torch.randperm(model.config.patches, generator=torch.Generator().manual_seed(SHUFFLE_SEED))


def _probabilities(trace: Trace, positions: Tensor) -> Array:
    return to_numpy(logits_with(trace.model, trace["image"].tensor, positions)[0].float().softmax(dim=-1))
