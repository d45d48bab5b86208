"""The kinds of position embedding (Dosovitskiy et al. 2020, appendix D.4, table 8) that are not one vector per token.

A table belongs to the model, or to each block where every layer has positions of its own. Axes: gh gw grid rows and
columns, n patches, t tokens, d dim, head, q query token, k key token.

Rotary positions turn q and k by angles that their places decide, so that scores depend on offsets alone: the axial form
of Heo et al. 2024, "Rotary Position Embedding for Vision Transformer" (https://arxiv.org/abs/2403.13298, RoPE-Axial),
after Su et al. 2021 (https://arxiv.org/abs/2104.09864). Of the pairs of components of a head, neighbours as they stand,
the first half is turned by the column, the second by the row, as timm's `vit_*_patch16_rope_224` do.
"""

from functools import lru_cache

import torch
from einops import rearrange, repeat
from torch import Tensor, nn
from torch.nn import functional as F

from vitviz.config import ViTConfig

LONGEST_WAVE = 10_000  # the longest wave of the sinusoidal kind is so many times the shortest (Vaswani et al. 2017)
SLOWEST_TURN = 100  # the first pair turns by 1 for each patch; the slowest would turn by 1 / 100


def add_tables(owner: nn.Module, config: ViTConfig) -> None:
    """Give a model or block the tables of its learned positions."""
    rows, columns = config.grid
    shapes = {
        "learned": {"pos_embed": (config.tokens if config.prefix_positions else config.patches, config.dim)},
        "learned_2d": {"pos_embed_row": (rows, config.dim // 2), "pos_embed_column": (columns, config.dim // 2)},
    }
    for name, shape in shapes.get(config.positions, {}).items():
        owner.register_parameter(name, nn.Parameter(torch.empty(1, *shape)))


def embedding(owner: nn.Module, config: ViTConfig, like: Tensor) -> Tensor:
    """What is added to the tokens, `1 t d`: 0 for tokens without a position, and for all where nothing is added."""
    rows, columns = config.grid
    table: Tensor
    match config.positions:
        case "learned":
            table = owner.get_parameter("pos_embed")
        case "learned_2d":
            table = on_grid(owner.get_parameter("pos_embed_row"), owner.get_parameter("pos_embed_column"))
        case "sincos_2d":
            halves = (waves(count, config.dim // 4).to(like) for count in (rows, columns))
            table = on_grid(*halves)
        case _:
            table = like.new_zeros(1, 0, config.dim)
    without = config.tokens - table.shape[1], config.dim - table.shape[2]
    return F.pad(table, (0, without[1], without[0], 0))  # zeros before the rows of t, and at the end of an odd d


def on_grid(rows: Tensor, columns: Tensor) -> Tensor:
    """A half for each row and a half for each column: `1 gh half, 1 gw half -> 1 (gh gw) d`."""
    gh, gw = rows.shape[1], columns.shape[1]
    row = repeat(rows, "1 gh half -> 1 (gh gw) half", gw=gw)
    column = repeat(columns, "1 gw half -> 1 (gh gw) half", gh=gh)
    return torch.cat([row, column], dim=-1)


def waves(count: int, frequencies: int) -> Tensor:
    """Sine and cosine of each of `count` places along one side: `1 count (2 frequencies)`."""
    speeds = LONGEST_WAVE ** -(torch.arange(frequencies) / max(1, frequencies))
    angles = torch.outer(torch.arange(count), speeds)
    return rearrange([angles.sin(), angles.cos()], "wave count f -> 1 count (wave f)")


class RelativePositions(nn.Module):
    """A learned bias on the score of two patches, for each head and each offset between them; 0 for prefix tokens.

    The table is that of Swin and timm: a row is the way from the key's patch to the query's.
    """

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.grid, self.prefix = config.grid, len(config.prefix_tokens)
        rows, columns = self.grid
        self.relative_position_bias_table = nn.Parameter(torch.empty((2 * rows - 1) * (2 * columns - 1), config.heads))

    def forward(self) -> Tensor:
        """`head q k`"""
        table = self.relative_position_bias_table
        among_patches = table[offsets(self.grid).T.to(table.device)]
        return F.pad(rearrange(among_patches, "q k head -> head q k"), (self.prefix, 0, self.prefix, 0))


def offsets(grid: tuple[int, int]) -> Tensor:
    """Which offset lies from each patch to each other, as a row of the table, row by row: `n n`."""
    rows, columns = grid
    row, column = (axis.flatten() for axis in torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij"))
    down, across = row - row[:, None] + rows - 1, column - column[:, None] + columns - 1
    return down * (2 * columns - 1) + across


@lru_cache(maxsize=64)
def rotations(config: ViTConfig, device: torch.device, dtype: torch.dtype) -> Tensor:
    """The angle that each pair of components of a token is turned by: `t pairs`; 0 for prefix tokens."""
    rows, columns = config.grid
    frequencies = config.head_dim // 4
    speeds = SLOWEST_TURN ** -(torch.arange(frequencies).double() / max(1, frequencies))
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
