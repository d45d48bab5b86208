"""From the shapes of parameters to a configuration, and whether they are exactly those of such a model."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isqrt

import torch

from vitviz.config import ViTConfig
from vitviz.config.stems import R50_STRIDE
from vitviz.counts.parts import switches
from vitviz.model import ViT
from vitviz.shown import quoted
from vitviz.weights.errors import WeightsError
from vitviz.weights.families.sources import Reading
from vitviz.weights.positions import Grid

MAX_NAMES = 4  # names in one sentence, at most
FIRST_BLOCK = "blocks.0."
BLOCK = re.compile(r"^blocks\.\d+\.")

# Where the sizes stand: how many axes each of these has.
AXES = {
    "patch_embed.proj.weight": 4,
    "pos_embed": 3,
    "blocks.0.mlp.fc2.weight": 2,
    "reg_token": 3,
    "pre_logits.fc.weight": 2,
    "head.weight": 2,
}
OPTIONAL = ("reg_token", "pre_logits.fc.weight", "head.weight")
ROOT = "patch_embed.backbone.stem.conv.weight"  # of the hybrid

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """Positions that are added to no token but change scores, by `kind`: "rotary" or "relative".

    `side` is that of the picture in pixels, None where nobody knows; `offsets` how many a table has, 0 without one.
    """

    kind: str
    side: int | None
    offsets: int = 0


@dataclass(frozen=True, slots=True)
class Positions:
    """What the rows of a position embedding stand for: the grid, and how many tokens before it have one."""

    grid: Grid
    prefix: int
    fold: bool


def config_from(
    shapes: Mapping[str, Shape],
    grid: Grid | None,
    reading: Reading,
    scored: Scored | None = None,
) -> tuple[ViTConfig, Positions]:
    """The sizes of the model whose parameters have these shapes, and what its positions stand for.

    `scored` are its positions where none are added to the tokens.

    Raises `WeightsError` for what is no whole Vision Transformer, `ConfigError` for sizes that do not fit together.
    """
    for name, axes in AXES.items():
        if name == "pos_embed" and scored:
            continue
        if len(shapes.get(name, ())) != axes and (name in shapes or name not in OPTIONAL):
            raise WeightsError(f"{name} is missing, or has the shape {shapes.get(name)}: no whole Vision Transformer")
    dim, channels, patch_size, _ = shapes["patch_embed.proj.weight"]
    if ROOT in shapes:
        channels, patch_size = shapes[ROOT][1], R50_STRIDE * patch_size
    mlp_dim = shapes["blocks.0.mlp.fc2.weight"][1]
    registers = shapes["reg_token"][1] if "reg_token" in shapes else 0
    prefix = ("cls_token" in shapes) + ("dist_token" in shapes) + registers
    if scored:
        positions = Positions(grid or _grid(scored, patch_size), 0, False)
    else:
        positions = _positions(shapes["pos_embed"][1], prefix, registers, grid)
    config = ViTConfig(
        image_size=(positions.grid[0] * patch_size, positions.grid[1] * patch_size),
        patch_size=patch_size,
        channels=channels,
        dim=dim,
        depth=1 + max(int(name.split(".")[1]) for name in shapes if name.startswith("blocks.")),
        heads=reading.heads,
        mlp_dim=mlp_dim,
        classes=shapes["head.weight"][0] if "head.weight" in shapes else 0,
        registers=registers,
        prefix_positions=bool(scored) or (positions.prefix == prefix and not positions.fold),
        positions=scored.kind if scored else "learned",
        stem="r50" if ROOT in shapes else "patch",
        activation=reading.activation,
        pool=reading.pool,
        keep_class_token=reading.pool != "class" and "cls_token" in shapes,
        norm=reading.norm,
        pre_logits=shapes["pre_logits.fc.weight"][0] if "pre_logits.fc.weight" in shapes else 0,
        epsilon=reading.epsilon,
    )
    return config.with_(**switches(shapes)), positions


def _grid(scored: Scored, patch_size: int) -> Grid:
    """The patches of a model whose positions are in its scores alone."""
    side = (isqrt(scored.offsets) + 1) // 2
    if scored.offsets and (2 * side - 1) ** 2 != scored.offsets:
        raise WeightsError(
            f"relative positions have {scored.offsets:,} offsets, which are not those of a square of patches; say "
            "how many rows and columns"
        )
    if not scored.offsets and scored.side is None:
        raise WeightsError(
            "relative positions of this kind fit any number of patches, and nothing says how many there were; give "
            "the file its published name, such as vit_relpos_base_patch16_224, or say an image size"
        )
    side = side if scored.offsets else (scored.side or 0) // patch_size
    return side, side


def _positions(rows: int, prefix: int, registers: int, grid: Grid | None) -> Positions:
    """All tokens may have a position, or the patches alone, or the patches and the class token (DINOv2's registers)."""
    for before in dict.fromkeys((prefix, 0, 1) if not registers else (0, 1, prefix)):
        if before > prefix:
            continue
        patches = rows - before
        fits = patches == grid[0] * grid[1] if grid else patches > 0 and isqrt(patches) ** 2 == patches
        if fits:
            side = isqrt(patches)
            return Positions(grid or (side, side), before, before == 1 and prefix > 1)
    if grid:
        raise WeightsError(
            f"pos_embed has {rows:,} rows; a grid of {grid[0]} × {grid[1]} has {grid[0] * grid[1]:,} patches"
        )
    raise WeightsError(
        f"pos_embed has {rows:,} rows, and {rows - prefix:,} patches are no square; say how many rows and columns"
    )


def check(
    title: str, config: ViTConfig, shapes: Mapping[str, Shape], positions: Positions, unknown: Iterable[str]
) -> None:
    """Exactly the parameters of this configuration must be there, each in its own shape."""
    expected = parameter_shapes(config)
    rows = positions.grid[0] * positions.grid[1] + positions.prefix
    if "pos_embed" in expected:
        expected["pos_embed"] = (1, rows, config.dim)
    missing = [name for name in expected if name not in shapes]
    extra = [*unknown, *(name for name in shapes if name not in expected)]
    if missing:
        raise WeightsError(f"{title} {_lacks(missing, config.depth)}")
    if extra:
        raise WeightsError(f"{title} holds {_listed(extra)}, which no Vision Transformer of the kind shown here has")
    for name, shape in expected.items():
        if shapes[name] != shape:
            raise WeightsError(f"{name} in {title} has the shape {shapes[name]}; its other sizes ask for {shape}")


def parameter_shapes(config: ViTConfig) -> dict[str, Shape]:
    """The shape of each parameter of a model, from one block: a thousand, even without numbers, would take seconds."""
    with torch.device("meta"):
        shapes = {name: tuple(tensor.shape) for name, tensor in ViT(config.with_(depth=1)).named_parameters()}
    block = {name: shapes.pop(name) for name in list(shapes) if name.startswith(FIRST_BLOCK)}
    blocks = {
        f"blocks.{layer}.{name.removeprefix(FIRST_BLOCK)}": shape
        for layer in range(config.depth)
        for name, shape in block.items()
    }
    return blocks | shapes


def _lacks(missing: list[str], depth: int) -> str:
    """What is not there: in no block at all, as in a model that is built otherwise, or in some, as in half a file."""
    counts = Counter(BLOCK.sub("blocks.*.", name) for name in missing)
    if any(count < depth for name, count in counts.items() if name.startswith("blocks.")):
        return f"lacks {_listed(missing)} of {depth:,} blocks; take the complete file"
    return f"has no {_listed(list(counts))}, which every Vision Transformer shown here has"


def _listed(names: list[str]) -> str:
    """A few names and how many more: "norm.weight, norm.bias and 3 more"."""
    more = len(names) - MAX_NAMES
    return ", ".join(map(quoted, names[:MAX_NAMES])) + (f" and {more:,} more" if more > 0 else "")
