"""Convolutional stems as data: which convolutions stand before the projection to tokens. Nothing is built.

Two kinds. "conv": 3 × 3 convolutions that halve the map until a place is a patch, channels doubling up to dim (Xiao et
al. 2021, "Early Convolutions Help Transformers See Better", https://arxiv.org/abs/2106.14881; theirs have batch norms).
"r50": the hybrid of the paper, a ResNet-50 without its last stage, whose blocks went to the third, in the form of
BiT (Kolesnikov et al. 2019, https://arxiv.org/abs/1912.11370): `vit_base_r50_s16_224` in timm, whose names it has.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import Protocol

from vitviz.config.checks import ConfigError
from vitviz.config.sides import Sides

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


def _halving(config: Sizes) -> Iterator[Convolution]:
    read, (rows, columns) = config.channels, config.image_sides
    halvings = [side.bit_length() - 1 for side in config.patch_sides]
    for number in range(max(halvings)):
        out = max(1, config.dim >> (max(halvings) - 1 - number))
        down, across = (2 if number < many else 1 for many in halvings)
        rows, columns = rows // down, columns // across
        path, step = f"patch_embed.backbone.{number}", f"stem, convolution {number + 1}"
        sizes = (3, 3), (down, across), (rows, columns)
        yield Convolution(f"{path}.conv", f"{path}.norm", step, number + 1, out, read, *sizes)
        read = out


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


def _no_power_of_two(side: int) -> str:
    if side > 1 and not side & (side - 1):
        return ""
    power = max(2, 1 << (side.bit_length() - 1))
    ways = f"{power} or {2 * power}" if side > 1 else str(power)
    return (
        f"stem conv halves the picture with every convolution, and patch size {side} is no power of two; choose {ways}"
    )


def _no_multiple_of_a_place(side: int) -> str:
    below = side // R50_STRIDE * R50_STRIDE
    if below == side:
        return ""
    ways = f"{below} or {below + R50_STRIDE}" if below else str(R50_STRIDE)
    return (
        f"stem r50 makes one place of {R50_STRIDE} × {R50_STRIDE} pixels, and patch size {side} is no multiple of it; "
        f"choose {ways}"
    )


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of stem: its convolutions in the order of the forward pass, and what of their last map becomes a token.

    `read` gives the channels and sides of that; `types` are what a summary calls a convolution and its norm; `refusal`
    says why no place can stand for patches of a side, or nothing.
    """

    convolutions: Callable[[Sizes], Iterable[Convolution]] = lambda config: ()
    read: Callable[[Sizes], tuple[int, Sides]] = lambda config: (config.channels, config.patch_sides)
    types: tuple[str, str] = ("", "")
    refusal: Callable[[int], str] = lambda side: ""


KINDS = {
    "patch": Kind(),
    "conv": Kind(_halving, lambda config: (config.dim, (1, 1)), ("Conv2d", "LayerNorm"), _no_power_of_two),
    "r50": Kind(
        _resnet,
        lambda config: (R50_WIDTHS[-1], (config.patch_sides[0] // R50_STRIDE, config.patch_sides[1] // R50_STRIDE)),
        ("StdConv2dSame", "GroupNormAct"),
        _no_multiple_of_a_place,
    ),
}
STEMS = tuple(KINDS)


@lru_cache
def convolutions(config: Sizes) -> tuple[Convolution, ...]:
    """The convolutions of a model's stem in the order of the forward pass; none where patches are projected."""
    return tuple(KINDS[config.stem].convolutions(config))


def check_stem(config: Sizes) -> None:
    """Raise `ConfigError` for patches that no place of such a stem can stand for."""
    for side in config.patch_sides:
        if sentence := KINDS[config.stem].refusal(side):
            raise ConfigError(sentence)


def read_by_projection(config: Sizes) -> tuple[int, Sides]:
    """Channels and sides of what becomes one token: of a patch, or of a place of the stem's last map."""
    return KINDS[config.stem].read(config)


def drawn_as(config: Sizes) -> tuple[int, int, int]:
    """Channels, rows and columns of the picture of what becomes one token: the patch itself, or a sheet of channels."""
    channels, sides = read_by_projection(config)
    if config.stem == "patch":
        return channels, *sides
    many = channels * sides[0] * sides[1]
    rows = next(rows for rows in range(isqrt(many), 0, -1) if many % rows == 0)
    return 1, rows, many // rows
