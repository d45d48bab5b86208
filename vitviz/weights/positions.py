"""Positions as files have them: embeddings at another image size, and relative ones as a table in each block.

A grid is resized as its family does, prefix tokens never. Relative positions are a table or a small MLP, of each block
or shared by all. The MLP is that of timm's `vit_relpos` models, after Swin V2 (https://arxiv.org/abs/2111.09883): what
it makes of every offset is the table, number by number, so that a model of another size has a table of its own.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from einops import rearrange
from torch import Tensor
from torch.nn import functional as F

from vitviz.weights.errors import WeightsError
from vitviz.weights.families.known import Resize
from vitviz.weights.naming.translation import Recipe

Grid = tuple[int, int]
Shape = tuple[int, ...]

OWNED = re.compile(r"(?:blocks\.(\d+)\.attn\.rel_pos|shared_rel_pos)\.(.+)")
TABLE = "relative_position_bias_table"
TARGET = f"blocks.{{}}.attn.rel_pos.{TABLE}"
MLP = ("mlp.fc1.weight", "mlp.fc1.bias", "mlp.fc2.weight", "mlp.fc2.bias")
COMPUTED = (
    "Computed: the tables of relative positions, offset by offset, by the small MLPs that stand for them there. The "
    "tables are counted here, as parameters; timm counts the MLPs."
)
SHARED = "Shared there, repeated here: the relative positions of all layers."


def resize(positions: Tensor, old: Grid, new: Grid, rule: Resize) -> Tensor:
    """The grid part of a position embedding for another grid: `1 (gh gw) d`, rows and columns of both given.

    "smooth": bicubic with antialiasing (timm, DINOv2 with registers) · "plain": bicubic without (Hugging Face) ·
    "offset": bicubic, asking for 0.1 of a patch more, as the first DINOv2 does · "corners": linear, corners kept
    (Google; `scipy.ndimage.zoom` of order 1). Done in float32.
    """
    if old == new:
        return positions
    grid = rearrange(positions.float(), "1 (gh gw) d -> 1 d gh gw", gh=old[0])
    return rearrange(RULES[rule](grid, new), "1 d gh gw -> 1 (gh gw) d").to(positions.dtype)


def _smooth(grid: Tensor, new: Grid) -> Tensor:
    return F.interpolate(grid, size=new, mode="bicubic", antialias=True)


def _plain(grid: Tensor, new: Grid) -> Tensor:
    return F.interpolate(grid, size=new, mode="bicubic")


def _offset(grid: Tensor, new: Grid) -> Tensor:
    factors = [(new_side + 0.1) / side for new_side, side in zip(new, grid.shape[2:], strict=True)]
    return F.interpolate(grid, scale_factor=factors, mode="bicubic")


def _corners(grid: Tensor, new: Grid) -> Tensor:
    return F.interpolate(grid, size=new, mode="bilinear", align_corners=True)


RULES: dict[Resize, Callable[[Tensor, Grid], Tensor]] = {
    "smooth": _smooth,
    "plain": _plain,
    "offset": _offset,
    "corners": _corners,
}


@dataclass(frozen=True, slots=True)
class TableRecipe(Recipe):
    """How a table of `grid` is made: by the MLP whose parameters are the sources, or of the table of the grid `old`."""

    grid: Grid = (1, 1)
    old: Grid = (1, 1)

    def make(self, read: Callable[[str], Tensor], target: str) -> Tensor:
        """`offsets head`"""
        read_all = [read(name) for name in self.sources]
        if len(read_all) == len(MLP):
            weight, bias, *second = read_all
            return F.linear(F.relu(F.linear(logarithms(self.grid).to(weight.dtype), weight, bias)), *second)
        return resize(read_all[0][None], sides(self.old), sides(self.grid), "smooth")[0].contiguous()


@dataclass(frozen=True, slots=True)
class Relative:
    """The relative positions of a file: recipes and shapes by block and by what they are called there.

    Those of block None are shared by all. `offsets` is how many a table holds, 0 where an MLP fits any grid.
    """

    recipes: Mapping[int | None, Mapping[str, Recipe]]
    shapes: Mapping[int | None, Mapping[str, Shape]]

    @property
    def offsets(self) -> int:
        """Rows of the first table."""
        return next((table[TABLE][0] for table in self.shapes.values() if TABLE in table), 0)

    @property
    def heads(self) -> int:
        """How many heads have numbers of their own."""
        shapes = next(iter(self.shapes.values()))
        return (shapes.get(TABLE) or shapes[MLP[2]][::-1])[1]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is done to them, in sentences."""
        return (*([SHARED] if None in self.recipes else []), *([COMPUTED] if not self.offsets else []))

    def check(self, title: str) -> None:
        """Raise `WeightsError` for what is neither a table nor such an MLP."""
        alone = len(self.shapes) == 1 or None not in self.shapes
        for layer, shapes in self.shapes.items():
            if not alone or not (_is_table(shapes) or _is_mlp(shapes)):
                raise WeightsError(
                    f"{title} is a ViT with relative positions of another kind, which is not shown here: "
                    f"{', '.join(shapes)} {'of all blocks' if layer is None else f'of block {layer:,}'} are neither "
                    "one table of offsets nor an MLP of two layers with biases"
                )

    def tables(self, depth: int, old: Grid, grid: Grid) -> dict[str, Recipe]:
        """How the table of each block is made, for a file that was trained with the grid `old`."""
        tables: dict[str, Recipe] = {}
        for layer in range(depth) if None in self.recipes else self.recipes:
            recipes = self.recipes.get(layer) or self.recipes[None]
            sources = tuple(name for leaf in (MLP if MLP[0] in recipes else (TABLE,)) for name in recipes[leaf].sources)
            tables[TARGET.format(layer)] = TableRecipe(sources, next(iter(recipes.values())).layout, grid=grid, old=old)
        return tables

    def table_shapes(self, depth: int, grid: Grid) -> dict[str, Shape]:
        """The shapes of those tables, as the file's own."""
        count = sides(grid)[0] * sides(grid)[1]
        shapes = {}
        for layer in range(depth) if None in self.shapes else self.shapes:
            table = self.shapes.get(layer) or self.shapes[None]
            shapes[TARGET.format(layer)] = table.get(TABLE) or (count, table[MLP[2]][0])
        return shapes


def take(recipes: dict[str, Recipe], shapes: dict[str, Shape]) -> Relative | None:
    """The relative positions of a file, taken out of `recipes` and `shapes`; None where there are none."""
    tables: dict[int | None, dict[str, Recipe]] = {}
    sizes: dict[int | None, dict[str, Shape]] = {}
    for target in [*recipes]:
        if owned := OWNED.fullmatch(target):
            layer = int(owned[1]) if owned[1] else None
            tables.setdefault(layer, {})[owned[2]] = recipes.pop(target)
            sizes.setdefault(layer, {})[owned[2]] = shapes.pop(target)
    return Relative(tables, sizes) if tables else None


def _is_table(shapes: Mapping[str, Shape]) -> bool:
    return set(shapes) == {TABLE} and len(shapes[TABLE]) == 2


def _is_mlp(shapes: Mapping[str, Shape]) -> bool:
    if set(shapes) != set(MLP) or [len(shapes[leaf]) for leaf in MLP] != [2, 1, 2, 1]:
        return False
    (hidden, two), first, (heads, read), second = (shapes[leaf] for leaf in MLP)
    return two == 2 and first == (hidden,) and read == hidden and second == (heads,)


def logarithms(grid: Grid) -> Tensor:
    """Rows and columns from key to query, log(1 + |offset|) with the sign of the offset: `offsets 2`."""
    axes = [torch.arange(1 - side, side).float() for side in grid]
    ways = torch.stack(torch.meshgrid(*axes, indexing="ij"), dim=-1).reshape(-1, 2)
    return ways.sign() * ways.abs().log1p()


def sides(grid: Grid) -> Grid:
    """How many offsets there are along each axis of a grid."""
    return 2 * grid[0] - 1, 2 * grid[1] - 1
