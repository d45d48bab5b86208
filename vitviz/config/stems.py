"""Convolutional stems as data: which convolutions stand before the projection to tokens. Nothing is built.

Two kinds. "conv": 3 × 3 convolutions that halve the map until a place is a patch, channels doubling up to dim (Xiao et
al. 2021, "Early Convolutions Help Transformers See Better", https://arxiv.org/abs/2106.14881; theirs have batch norms).
"r50": the hybrid of the paper, a ResNet-50 without its last stage, whose blocks went to the third, in the form of
BiT (Kolesnikov et al. 2019, https://arxiv.org/abs/1912.11370): `vit_base_r50_s16_224` in timm, whose names it has.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import Protocol

from vitviz.config.checks import ConfigError
from vitviz.config.sides import Sides

STEMS = ("patch", "conv", "r50")
R50_BLOCKS, R50_WIDTHS, R50_ROOT = (3, 4, 9), (256, 512, 1024), 64  # bottlenecks and channels of each stage
R50_STRIDE = 16  # pixels that one place of the last map stands for, each way
BOTTLENECK = 4  # times as wide as its 3 × 3 convolution is what a block makes


class Sizes(Protocol):
    """What of a model's configuration decides its stem."""

    @property
    def stem(self) -> str:
        """One of `STEMS`."""

    @property
    def channels(self) -> int:
        """Of the picture."""

    @property
    def dim(self) -> int:
        """Numbers of a token."""

    @property
    def image_sides(self) -> Sides:
        """Of the picture."""

    @property
    def patch_sides(self) -> Sides:
        """Of a patch."""


@dataclass(frozen=True, slots=True)
class Convolution:
    """One convolution, `out read kernel`, without a bias, and the norm of its result; sides are rows and columns.

    `module` and `norm` are paths in the state dict, `step` is what both are part of; `map` is the number of the first
    map in the trace, from 1, that it helps to make; `size` are the sides of what it makes itself.
    """

    module: str
    norm: str
    step: str
    map: int
    out: int
    read: int
    kernel: Sides
    stride: Sides
    size: Sides


@lru_cache
def convolutions(config: Sizes) -> tuple[Convolution, ...]:
    """The convolutions of a model's stem in the order of the forward pass; none where patches are projected."""
    return {"patch": lambda _: (), "conv": _halving, "r50": lambda it: tuple(_resnet(it))}[config.stem](config)


def check_stem(config: Sizes) -> None:
    """Raise `ConfigError` for patches that no place of such a stem can stand for."""
    for side in set(config.patch_sides):
        if config.stem == "conv" and (side & (side - 1) or side == 1):
            power = max(2, 1 << (side.bit_length() - 1))
            ways = f"{power} or {2 * power}" if side > 1 else str(power)
            raise ConfigError(
                f"stem conv halves the picture with every convolution, and patch size {side} is no power of two; "
                f"choose {ways}"
            )
        if config.stem == "r50" and side % R50_STRIDE:
            below = side // R50_STRIDE * R50_STRIDE
            ways = f"{below} or {below + R50_STRIDE}" if below else str(R50_STRIDE)
            raise ConfigError(
                f"stem r50 makes one place of {R50_STRIDE} × {R50_STRIDE} pixels, and patch size {side} is no multiple "
                f"of it; choose {ways}"
            )


def read_by_projection(config: Sizes) -> tuple[int, Sides]:
    """Channels and sides of what becomes one token: of a patch, or of a place of the stem's last map."""
    rows, columns = config.patch_sides
    match config.stem:
        case "conv":
            return config.dim, (1, 1)
        case "r50":
            return R50_WIDTHS[-1], (rows // R50_STRIDE, columns // R50_STRIDE)
    return config.channels, (rows, columns)


def drawn_as(config: Sizes) -> tuple[int, int, int]:
    """Channels, rows and columns of the picture of what becomes one token: the patch itself, or a sheet of channels."""
    channels, sides = read_by_projection(config)
    if config.stem == "patch":
        return channels, *sides
    many = channels * sides[0] * sides[1]
    rows = next(rows for rows in range(isqrt(many), 0, -1) if many % rows == 0)
    return 1, rows, many // rows


def _halving(config: Sizes) -> tuple[Convolution, ...]:
    made, read, (rows, columns) = [], config.channels, config.image_sides
    halvings = [side.bit_length() - 1 for side in config.patch_sides]
    for number in range(max(halvings)):
        out = max(1, config.dim >> (max(halvings) - 1 - number))
        down, across = (2 if number < many else 1 for many in halvings)
        rows, columns = rows // down, columns // across
        path, step = f"patch_embed.backbone.{number}", f"stem, convolution {number + 1}"
        made.append(
            Convolution(
                f"{path}.conv", f"{path}.norm", step, number + 1, out, read, (3, 3), (down, across), (rows, columns)
            )
        )
        read = out
    return tuple(made)


def _resnet(config: Sizes) -> Iterator[Convolution]:
    path, (rows, columns) = "patch_embed.backbone", config.image_sides
    root = f"{path}.stem.conv", f"{path}.stem.norm", "stem, root", 1
    yield Convolution(*root, R50_ROOT, config.channels, (7, 7), (2, 2), (rows // 2, columns // 2))
    size, read = (rows // 4, columns // 4), R50_ROOT  # max pooling halves it once more
    for stage, (blocks, width) in enumerate(zip(R50_BLOCKS, R50_WIDTHS, strict=True)):
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            before, size, narrow = size, (size[0] // stride, size[1] // stride), width // BOTTLENECK
            lines = (
                *([("downsample.conv", "downsample.norm", width, read, 1, stride, size)] if not block else []),
                ("conv1", "norm1", narrow, read, 1, 1, before),
                ("conv2", "norm2", narrow, narrow, 3, stride, size),
                ("conv3", "norm3", width, narrow, 1, 1, size),
            )
            inside, of = f"{path}.stages.{stage}.blocks.{block}", (f"stem, stage {stage + 1}", stage + 2)
            for conv, norm, out, reads, kernel, by, makes in lines:
                sides = (kernel, kernel), (by, by), makes
                yield Convolution(f"{inside}.{conv}", f"{inside}.{norm}", *of, out, reads, *sides)
            read = width
