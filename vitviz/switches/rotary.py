"""Rotary positions: q and k are turned by angles that their places decide, so that scores depend on offsets alone.

The axial form of Heo et al. 2024, "Rotary Position Embedding for Vision Transformer" (https://arxiv.org/abs/2403.13298,
RoPE-Axial), after Su et al. 2021 (https://arxiv.org/abs/2104.09864): of the pairs of components of a head, neighbours
as they stand, the first half is turned by the column, the second by the row. Timm's `vit_*_patch16_rope_224` do so.
"""

from functools import lru_cache

import torch
from einops import rearrange
from torch import Tensor
from torch.nn import functional as F

from vitviz.config import ViTConfig

SLOWEST = 100  # the first pair turns by 1 for each patch; the slowest would turn by 1 / 100


@lru_cache(maxsize=64)
def rotations(config: ViTConfig, device: torch.device, dtype: torch.dtype) -> Tensor:
    """The angle that each pair of components of a token is turned by: `t pairs`; 0 for prefix tokens."""
    rows, columns = config.grid
    frequencies = config.head_dim // 4
    speeds = SLOWEST ** -(torch.arange(frequencies).double() / max(1, frequencies))
    row, column = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    angles = torch.cat([torch.outer(axis.flatten().double(), speeds) for axis in (column, row)], dim=-1)
    return F.pad(angles, (0, 0, len(config.prefix_tokens), 0)).to(device, dtype)


def turned(x: Tensor, angles: Tensor | None) -> Tensor:
    """Each pair of components (a, b) as (a cos - b sin, b cos + a sin): `... t dh -> ... t dh`; as it is without."""
    if angles is None:
        return x
    a, b = rearrange(x, "... t (pairs ab) -> ab ... t pairs", ab=2)
    sin, cos = angles.sin(), angles.cos()
    return rearrange([a * cos - b * sin, b * cos + a * sin], "ab ... t pairs -> ... t (pairs ab)")
