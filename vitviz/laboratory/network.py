"""What the engine runs of the shelf's convolutional network, which stands beside the model on screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from vitviz import images

if TYPE_CHECKING:
    from PIL.Image import Image

    from vitviz.images import Crop
    from vitviz.shelf.cnn import CNN

T = TypeVar("T")


def load_network() -> CNN:
    """The trained network, shared by everybody."""
    from vitviz.shelf.cnn import load_cnn

    return load_cnn()


def of_network(cnn: CNN, picture: Image, chosen: Crop | None, function: Callable[[CNN, Any], T]) -> T:
    """`function` of the network and of the picture, or of the `chosen` square of it, as the network reads it."""
    return function(cnn, images.DEMO.normalised(images.DEMO.crop(picture, chosen)))
