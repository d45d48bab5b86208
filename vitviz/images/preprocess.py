"""From a picture to what the model reads: resized, cropped, normalised."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, prod
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.config.sides import Sides, Size, sides_of

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
    """A part of a picture, of the shape that the model reads: where, in thousandths of the picture's shorter side.

    `left` and `top` are those of its corner; `side` is its size, in thousandths of the largest that fits.
    """

    left: int
    top: int
    side: int

    def __str__(self) -> str:
        """As an address writes it."""
        return f"{self.left}-{self.top}-{self.side}"

    def box(self, image: Sized, sides: Sides) -> tuple[float, float, float, float]:
        """Where it lies in `image`, in its pixels: left, top, right, bottom. What would stick out is moved inside.

        `sides` are rows and columns of what the model reads.
        """
        unit, (rows, columns) = min(image.size) / 1000, sides
        largest = min(image.height / rows, image.width / columns)
        share = min(self.side, 1000) / 1000
        wide, tall = (max(1.0, share * largest * side) for side in (columns, rows))
        left, top = min(self.left * unit, image.width - wide), min(self.top * unit, image.height - tall)
        return left, top, left + wide, top + tall


@dataclass(frozen=True, slots=True)
class Preprocess:
    """How one model wants its pictures: `size` pixels a side, or rows and columns; values (x / 255 - mean) / std.

    "shorter side" scales the shorter side to floor(size / crop) and cuts `size` from the middle, as timm does; of a
    picture of another shape than the model's it is the side of which less would stay.
    (https://github.com/huggingface/pytorch-image-models, timm/data/transforms_factory.py); "squash" scales both sides
    to `size` without keeping the proportions, as the Hugging Face ViT processor does.
    """

    size: Size
    crop_fraction: float = 0.9
    resize: Literal["shorter side", "squash"] = "shorter side"
    interpolation: Literal["bicubic", "bilinear"] = "bicubic"
    mean: RGB = (0.5, 0.5, 0.5)
    std: RGB = (0.5, 0.5, 0.5)

    @property
    def sides(self) -> Sides:
        """Rows and columns of what the model reads."""
        return sides_of(self.size)

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
        """Exactly the pixels that the model sees: RGB, of `size`; of the `chosen` part where there is one.

        Of a long picture for a model of thousands of pixels, only these are made: equal within a rounding or two.
        """
        picture = image if image.mode == "RGB" else image.convert("RGB")  # which copies one that is
        filter_ = _RESAMPLING[self.interpolation]
        if chosen or prod(self._scaled(image)) > MOST_SCALED:
            return picture.resize(self.sides[::-1], filter_, box=self._source_box(image, chosen))
        (left, top), (rows, columns) = self._corner(image), self.sides
        scaled = picture.resize(self._scaled(image), filter_)
        return scaled.crop((left, top, left + columns, top + rows))

    def box(self, image: Sized, chosen: Crop | None = None) -> tuple[int, int, int, int]:
        """Where the crop lies in the picture, in its own pixels: left, top, right, bottom."""
        left, top, right, bottom = self._source_box(image, chosen)
        return round(left), round(top), round(right), round(bottom)

    def _scaled(self, image: Sized) -> tuple[int, int]:
        """Width and height after resizing, before the cut."""
        if self.resize == "squash":
            return self.sides[::-1]
        tall, wide = (floor(side / self.crop_fraction) for side in self.sides)
        if tall * image.width >= wide * image.height:
            return tall * image.width // image.height, tall
        return wide, wide * image.height // image.width

    def _source_box(self, image: Sized, chosen: Crop | None = None) -> tuple[float, float, float, float]:
        """Where the crop lies in the picture, to fractions of a pixel: left, top, right, bottom."""
        if chosen:
            return chosen.box(image, self.sides)
        across, down = (side / scaled for side, scaled in zip(image.size, self._scaled(image), strict=True))
        left, top = self._corner(image)
        right, bottom = (left + self.sides[1]) * across, (top + self.sides[0]) * down
        return left * across, top * down, min(right, image.width), min(bottom, image.height)

    def _corner(self, image: Sized) -> tuple[int, int]:
        """Left and top of the cut in the resized picture."""
        (width, height), (rows, columns) = self._scaled(image), self.sides
        return round((width - columns) / 2), round((height - rows) / 2)


DEMO = Preprocess(96, crop_fraction=1.0, std=(0.25, 0.25, 0.25))
"""The demo model's: the whole shorter side at 96 pixels, values (x / 255 - 0.5) / 0.25."""


def for_size(image_size: Size) -> Preprocess:
    """The rule of the published ViT checkpoints in timm: bicubic, centre crop of 90 %, values from -1 to 1."""
    return Preprocess(image_size)
