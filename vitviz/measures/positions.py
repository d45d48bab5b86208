"""Trace to numbers: what the model answers when it does not know where its patches come from."""

import torch
from torch import Tensor

from vitviz.measures.arrays import Array, to_numpy
from vitviz.trace import Trace

SHUFFLE_SEED = 0


@torch.no_grad()
def probabilities_without_positions(trace: Trace) -> Array:
    """Class probabilities when the position embedding of every patch is 0; special tokens keep theirs."""
    specials, patches = _split(trace)
    return _probabilities(trace, torch.cat([specials, torch.zeros_like(patches)], dim=1))


@torch.no_grad()
def probabilities_with_shuffled_positions(trace: Trace) -> Array:
    """Class probabilities when the position embeddings of the patches change places, in one fixed random order."""
    specials, patches = _split(trace)
    order = torch.randperm(patches.shape[1], generator=torch.Generator().manual_seed(SHUFFLE_SEED))
    return _probabilities(trace, torch.cat([specials, patches[:, order.to(patches.device)]], dim=1))


def _split(trace: Trace) -> tuple[Tensor, Tensor]:
    """Positions of the special tokens and of the patches: `1 s d`, `1 n d`."""
    positions = trace.model.positions
    specials = len(trace.config.special_tokens)
    return positions[:, :specials], positions[:, specials:]


def _probabilities(trace: Trace, positions: Tensor) -> Array:
    """One forward of the traced image with other positions, `1 t d`; the model is not changed."""
    x = trace.model.embed(trace["image"].tensor, positions=positions)
    for layer in range(trace.config.depth):
        x = trace.block(layer)(x)
    return to_numpy(trace.model.classify(x)[0].float().softmax(dim=-1))
