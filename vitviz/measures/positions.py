"""Trace to numbers: what the model answers when it does not know where its patches come from."""

import torch
from torch import Tensor

from vitviz.measures.arrays import Array, to_numpy
from vitviz.model import ViT
from vitviz.trace import Trace

SHUFFLE_SEED = 0


@torch.no_grad()
def probabilities_without_positions(trace: Trace) -> Array:
    """Class probabilities when the position embedding of every patch is 0; prefix tokens keep theirs."""
    return _probabilities(trace, positions_off(trace.model))


@torch.no_grad()
def probabilities_with_shuffled_positions(trace: Trace) -> Array:
    """Class probabilities when the position embeddings of the patches change places, in one fixed random order."""
    return _probabilities(trace, positions_shuffled(trace.model))


@torch.no_grad()
def logits_with(model: ViT, image: Tensor, positions: Tensor | None) -> Tensor:
    """`b c h w -> b classes` with other positions, `1 t d`; the model itself is not changed."""
    x = model.embed(image, positions=positions)
    for block in model.blocks:
        x = block(x)
    return model.classify(x)


def positions_off(model: ViT) -> Tensor:
    """The model's positions, `1 t d`, but 0 for every patch; prefix tokens keep theirs."""
    prefix, patches = _split(model)
    return torch.cat([prefix, torch.zeros_like(patches)], dim=1)


def positions_shuffled(model: ViT) -> Tensor:
    """The model's positions, `1 t d`, those of the patches in one fixed random order; prefix tokens keep theirs."""
    prefix, patches = _split(model)
    order = torch.randperm(patches.shape[1], generator=torch.Generator().manual_seed(SHUFFLE_SEED))
    return torch.cat([prefix, patches[:, order.to(patches.device)]], dim=1)


def _split(model: ViT) -> tuple[Tensor, Tensor]:
    """Positions of the prefix tokens and of the patches: `1 s d`, `1 n d`."""
    positions = model.positions.detach()
    prefix = len(model.config.prefix_tokens)
    return positions[:, :prefix], positions[:, prefix:]


def _probabilities(trace: Trace, positions: Tensor) -> Array:
    return to_numpy(logits_with(trace.model, trace["image"].tensor, positions)[0].float().softmax(dim=-1))
