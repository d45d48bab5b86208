"""From a picture to what the model reads: resized, cropped, normalised."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, prod
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

if TYPE_CHECKING:  # torch takes a second to import, and opening a picture does not need it
    from torch import Tensor

MOST_SCALED = 64_000_000  # pixels; a square picture for a model of 4,096 pixels a side takes 21 million
RGB = tuple[float, float, float]

_RESAMPLING = {"bicubic": Image.Resampling.BICUBIC, "bilinear": Image.Resampling.BILINEAR}


class Sized(Protocol):
    """A picture, or what is known of one: its size in pixels."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""

    @property
    def width(self) -> int:
        """Columns."""

    @property
    def height(self) -> int:
        """Rows."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A square of a picture, in thousandths of its shorter side: the `left` and `top` of its corner, and its `side`."""

    left: int
    top: int
    side: int

    def box(self, image: Sized) -> tuple[float, float, float, float]:
        """Where it lies in `image`, in its pixels: left, top, right, bottom. What would stick out is moved inside."""
        unit = min(image.size) / 1000
        side = max(1.0, min(self.side, 1000) * unit)
        left, top = min(self.left * unit, image.width - side), min(self.top * unit, image.height - side)
        return left, top, left + side, top + side


@dataclass(frozen=True, slots=True)
class Preprocess:
    """How one model wants its pictures: `size` pixels a side, values (x / 255 - mean) / std per colour.

    "shorter side" scales the shorter side to floor(size / crop) and cuts `size` x `size` from the middle, as timm does
    (https://github.com/huggingface/pytorch-image-models, timm/data/transforms_factory.py); "squash" scales both sides
    to `size` without keeping the proportions, as the Hugging Face ViT processor does.
    """

    size: int
    crop_fraction: float = 0.9
    resize: Literal["shorter side", "squash"] = "shorter side"
    interpolation: Literal["bicubic", "bilinear"] = "bicubic"
    mean: RGB = (0.5, 0.5, 0.5)
    std: RGB = (0.5, 0.5, 0.5)

    def __call__(self, image: Image.Image) -> Tensor:
        """The picture as the model reads it: b c h w with b = 1, c = 3, float32."""
        return self.normalised(self.crop(image))

    def normalised(self, crop: Image.Image) -> Tensor:
        """What `crop` returned, as the model reads it."""
        import torch

        pixels = torch.from_numpy(np.array(crop)).permute(2, 0, 1)[None].float()
        mean, std = (torch.tensor(values).view(1, 3, 1, 1) for values in (self.mean, self.std))
        return ((pixels / 255 - mean) / std).contiguous()

    def pixels(self, normalised: Tensor) -> NDArray[np.uint8]:
        """The other way round, in bytes: `1 c h w -> h w c`."""
        scaled = normalised[0].float().cpu().numpy().transpose(1, 2, 0) * self.std + self.mean
        return (scaled * 255).round().clip(0, 255).astype(np.uint8)

    def crop(self, image: Image.Image, chosen: Crop | None = None) -> Image.Image:
        """Exactly the pixels that the model sees: RGB, `size` x `size`; of the `chosen` square where there is one.

        Of a long picture for a model of thousands of pixels, only these are made: equal within a rounding or two.
        """
        picture, filter_ = image.convert("RGB"), _RESAMPLING[self.interpolation]
        if chosen or prod(self._scaled(image)) > MOST_SCALED:
            return picture.resize((self.size, self.size), filter_, box=self._seen(image, chosen))
        left, top = self._corner(image)
        scaled = picture.resize(self._scaled(image), filter_)
        return scaled.crop((left, top, left + self.size, top + self.size))

    def box(self, image: Sized, chosen: Crop | None = None) -> tuple[int, int, int, int]:
        """Where the crop lies in the picture, in its own pixels: left, top, right, bottom."""
        left, top, right, bottom = self._seen(image, chosen)
        return round(left), round(top), round(right), round(bottom)

    def _scaled(self, image: Sized) -> tuple[int, int]:
        """Width and height after resizing, before the cut."""
        if self.resize == "squash":
            return self.size, self.size
        side, shorter = floor(self.size / self.crop_fraction), min(image.size)
        return side * image.width // shorter, side * image.height // shorter

    def _seen(self, image: Sized, chosen: Crop | None = None) -> tuple[float, float, float, float]:
        """Where the crop lies in the picture, to fractions of a pixel: left, top, right, bottom."""
        if chosen:
            return chosen.box(image)
        across, down = (given / scaled for given, scaled in zip(image.size, self._scaled(image), strict=True))
        left, top = self._corner(image)
        right, bottom = (left + self.size) * across, (top + self.size) * down
        return left * across, top * down, min(right, image.width), min(bottom, image.height)

    def _corner(self, image: Sized) -> tuple[int, int]:
        """Left and top of the cut in the resized picture."""
        width, height = self._scaled(image)
        return round((width - self.size) / 2), round((height - self.size) / 2)


DEMO = Preprocess(96, crop_fraction=1.0, std=(0.25, 0.25, 0.25))
"""The demo model's: the whole shorter side at 96 pixels, values (x / 255 - 0.5) / 0.25."""


def for_size(image_size: int) -> Preprocess:
    """The rule of the published ViT checkpoints in timm: bicubic, centre crop of 90 %, values from -1 to 1."""
    return Preprocess(image_size)
