"""Patches of the picture painted, shuffled and swapped, before the model sees it."""

from __future__ import annotations

import torch
from einops import rearrange
from torch import Tensor

from vitviz.edits.chance import shuffled
from vitviz.edits.edit import Edit
from vitviz.edits.edits import Edits

PAINTED = ("grey", "blur", "paste")


def changes(edits: Edits) -> bool:
    """Whether any pixel changes."""
    return any(edits.of("pixels")) or any(edit.word in PAINTED for edit in edits.of("patch"))


def edited(image: Tensor, edits: Edits, grid: tuple[int, int], donor: Tensor | None) -> Tensor:
    """The picture after `edits`: `b c (gh ph) (gw pw)`, normalised as the model reads it.

    Grey is 0, the mean of the training pictures; a blurred patch has one colour, its mean. Painting comes first, then
    the shuffle, then swaps.
    """
    if not changes(edits):
        return image
    rows, columns = grid
    patches = cut(image, grid)
    for edit in edits.of("patch"):
        if edit.word in PAINTED:
            chosen = torch.tensor(edit.places, device=image.device)
            source = patches if edit.word != "paste" or donor is None else cut(donor, grid)
            patches = patches.index_copy(1, chosen, paint(source[:, chosen], edit.word).expand_as(patches[:, chosen]))
    for edit in sorted(edits.of("pixels"), key=lambda it: it.is_swap):
        patches = patches[:, new_order(edit, rows * columns)]
    return joined(patches, grid)


def new_order(edit: Edit, patches: int) -> Tensor:
    """Which patch each place shows, or whose position it gets, after a shuffle or a swap: `n`."""
    if not edit.is_swap:
        return torch.tensor(shuffled(patches, edit.seed))
    order = torch.arange(patches)
    pair = [edit.places[0], int(edit.number)]
    order[pair] = order[pair[::-1]]
    return order


def paint(patches: Tensor, way: str) -> Tensor:
    """What is painted in place of patches, `... c ph pw`: grey, their own mean, or, to paste them, themselves."""
    if way == "grey":
        return torch.zeros_like(patches)
    return patches.mean(dim=(-2, -1), keepdim=True).expand_as(patches) if way == "blur" else patches


def cut(image: Tensor, grid: tuple[int, int]) -> Tensor:
    """A picture as its patches: `b c (gh ph) (gw pw) -> b (gh gw) c ph pw`."""
    return rearrange(image, "b c (gh ph) (gw pw) -> b (gh gw) c ph pw", gh=grid[0], gw=grid[1])


def joined(patches: Tensor, grid: tuple[int, int]) -> Tensor:
    """The same the other way round."""
    return rearrange(patches, "b (gh gw) c ph pw -> b c (gh ph) (gw pw)", gh=grid[0]).contiguous()
