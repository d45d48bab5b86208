"""Small networks of convolutions in the place of plain patches: see `vitviz.config.stems` for their sizes."""

import torch
from einops import rearrange
from torch import Tensor, nn
from torch.nn import functional as F

from vitviz.config import ViTConfig
from vitviz.config.sides import Sides
from vitviz.config.stems import BOTTLENECK, R50_BLOCKS, R50_ROOT, R50_WIDTHS, Convolution, convolutions
from vitviz.recording import Record

GROUPS, GROUP_EPSILON = 32, 1e-5
FILTER_EPSILON = 1e-8  # what BiT adds to the variance of a filter


class Halving(nn.Module):
    """A 3 × 3 convolution, a layer norm over the channels of each place, ReLU."""

    def __init__(self, config: ViTConfig, sizes: Convolution) -> None:
        super().__init__()
        self.conv = nn.Conv2d(sizes.read, sizes.out, sizes.kernel, sizes.stride, padding=1, bias=False)
        self.norm = nn.LayerNorm(sizes.out, config.epsilon)

    def forward(self, x: Tensor) -> Tensor:
        """`b c h w -> b d gh gw`"""
        return F.relu(self.norm(self.conv(x).movedim(1, -1)).movedim(-1, 1))


class ConvStem(nn.ModuleList):
    """Convolutions that halve the picture until one place stands for one patch."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__(Halving(config, sizes) for sizes in convolutions(config))

    def forward(self, x: Tensor, record: Record) -> Tensor:
        """`b c h w -> b d gh gw`; what each convolution makes is recorded."""
        for number, halving in enumerate(self, start=1):
            x = record(f"stem.{number}", halving(x))
        return x


class StandardisedConv(nn.Conv2d):
    """A convolution whose filters have mean 0 and variance 1 (Qiao et al. 2019, https://arxiv.org/abs/1903.10520)."""

    def __init__(self, read: int, out: int, kernel: int, stride: int = 1) -> None:
        super().__init__(read, out, kernel, stride, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """`b c h w -> b d h w`, of half the sides where the stride is 2."""
        centred = self.weight - self.weight.mean(dim=(1, 2, 3), keepdim=True)
        variance = centred.square().mean(dim=(1, 2, 3), keepdim=True)  # 20 times as quick as `torch.var_mean`
        weight = centred / (variance + FILTER_EPSILON).sqrt()
        return F.conv2d(padded(x, self.kernel_size[0], self.stride[0]), weight, None, self.stride)


class Shortcut(nn.Module):
    """What goes past a block whose result is wider than what it reads."""

    def __init__(self, read: int, out: int, stride: int) -> None:
        super().__init__()
        self.conv = StandardisedConv(read, out, 1, stride)
        self.norm = group_norm(out)

    def forward(self, x: Tensor) -> Tensor:
        """`b c h w -> b d h w`"""
        return self.norm(self.conv(x))


class Bottleneck(nn.Module):
    """A residual block: 1 × 1, 3 × 3, 1 × 1, the middle one a quarter as wide (He et al. 2015)."""

    def __init__(self, read: int, out: int, stride: int, first: bool) -> None:
        super().__init__()
        narrow = out // BOTTLENECK
        self.downsample = Shortcut(read, out, stride) if first else None
        self.conv1, self.norm1 = StandardisedConv(read, narrow, 1), group_norm(narrow)
        self.conv2, self.norm2 = StandardisedConv(narrow, narrow, 3, stride), group_norm(narrow)
        self.conv3, self.norm3 = StandardisedConv(narrow, out, 1), group_norm(out)

    def forward(self, x: Tensor) -> Tensor:
        """`b c h w -> b d h w`"""
        past = x if self.downsample is None else self.downsample(x)
        x = F.relu(self.norm1(self.conv1(x)))
        x = F.relu(self.norm2(self.conv2(x)))
        return F.relu(past + self.norm3(self.conv3(x)))


class Stage(nn.Module):
    """Bottlenecks of one width, the first of which may halve the map."""

    def __init__(self, read: int, out: int, blocks: int, stride: int) -> None:
        super().__init__()
        self.blocks = nn.Sequential(
            *(Bottleneck(out if block else read, out, 1 if block else stride, not block) for block in range(blocks))
        )

    def forward(self, x: Tensor) -> Tensor:
        """`b c h w -> b d h w`"""
        return self.blocks(x)


class ResNetStem(nn.Module):
    """The paper's R50: a 7 × 7 convolution, max pooling, and stages of 3, 4 and 9 bottlenecks."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.stem = nn.ModuleDict(
            {"conv": StandardisedConv(config.channels, R50_ROOT, 7, 2), "norm": group_norm(R50_ROOT)}
        )
        widths = zip((R50_ROOT, *R50_WIDTHS), R50_WIDTHS, R50_BLOCKS, strict=False)
        self.stages = nn.ModuleList(Stage(*sizes, 2 if number else 1) for number, sizes in enumerate(widths))

    def forward(self, x: Tensor, record: Record) -> Tensor:
        """`b c h w -> b d h w`, of a sixteenth of the sides; root and stages are recorded."""
        x = record("stem.1", F.relu(self.stem["norm"](self.stem["conv"](x))))
        x = F.max_pool2d(padded(x, 3, 2, -torch.inf), 3, 2)
        for number, stage in enumerate(self.stages, start=2):
            x = record(f"stem.{number}", stage(x))
        return x


KINDS: dict[str, type[ConvStem | ResNetStem]] = {"conv": ConvStem, "r50": ResNetStem}


def stem(config: ViTConfig) -> ConvStem | ResNetStem | None:
    """The convolutions before the projection; None where patches are projected as they are."""
    return KINDS[config.stem](config) if config.stem in KINDS else None


def group_norm(channels: int) -> nn.GroupNorm:
    """A norm over groups of channels, all places together (Wu & He 2018)."""
    return nn.GroupNorm(GROUPS, channels, GROUP_EPSILON)


def cut(image: Tensor, sides: tuple[int, ...]) -> Tensor:
    """A picture as its patches in raster order: `b c (gh ph) (gw pw) -> b (gh gw) (c ph pw)`."""
    return rearrange(image, "b c (gh ph) (gw pw) -> b (gh gw) (c ph pw)", ph=sides[0], pw=sides[1])


def joined(patches: Tensor, grid: Sides, sides: Sides) -> Tensor:
    """Patches in raster order as the picture that they were: `b (gh gw) (c ph pw) -> b c (gh ph) (gw pw)`."""
    sizes = {"gh": grid[0], "ph": sides[0], "pw": sides[1]}
    return rearrange(patches, "b (gh gw) (c ph pw) -> b c (gh ph) (gw pw)", **sizes)


def padded(x: Tensor, kernel: int, stride: int, value: float = 0) -> Tensor:
    """A map with edges as TensorFlow adds them, more below and on the right, so that a stride halves it exactly."""
    more = [max((-(-side // stride) - 1) * stride + kernel - side, 0) for side in (x.shape[-1], x.shape[-2])]
    return F.pad(x, [edge for both in more for edge in (both // 2, both - both // 2)], value=value)
