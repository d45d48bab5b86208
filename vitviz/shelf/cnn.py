"""A plain convolutional network of as many parameters as a sibling, to stand beside it: `CNN(sizes)(image)`."""

from itertools import pairwise

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F

from vitviz.shelf.rows import CNNSizes, checkpoint


class Convolution(nn.Module):
    """3 x 3 convolution, batch norm, ReLU."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        """`b c y x -> b d y x`, or half as many rows and columns at a stride of 2."""
        return F.relu(self.norm(self.conv(x)))


class CNN(nn.Module):
    """Three convolutions of stride 2, so that a place of the map is a patch wide; then `layers` with residual
    connections; the mean over all places; a linear head. Parameters are drawn from `seed`."""

    def __init__(self, sizes: CNNSizes, seed: int = 0) -> None:
        super().__init__()
        self.sizes, width = sizes, sizes.width
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            widths = (sizes.channels, width // 3, 2 * width // 3, width)
            self.stem = nn.Sequential(*(Convolution(inputs, outputs, 2) for inputs, outputs in pairwise(widths)))
            self.layers = nn.ModuleList(Convolution(width, width) for _ in range(sizes.layers))
            self.head = nn.Linear(width, sizes.classes)

    def features(self, image: Tensor) -> Tensor:
        """The last map before pooling: `b c (gh 8) (gw 8) -> b d gh gw`."""
        x: Tensor = self.stem(image)
        for layer in self.layers:
            x = x + layer(x)
        return x

    def classify(self, features: Tensor) -> Tensor:
        """What the head answers to the mean over all places: `b d gh gw -> b classes`."""
        logits: Tensor = self.head(features.mean(dim=(2, 3)))
        return logits

    def forward(self, image: Tensor) -> Tensor:
        """`b c y x -> b classes`"""
        return self.classify(self.features(image))


def load_cnn() -> CNN:
    """The trained network that lies on the shelf, ready to answer: its batch norms use what training saw."""
    model = CNN(CNNSizes())
    state = load_file(checkpoint("cnn"))
    model.load_state_dict({key: value.float() if value.is_floating_point() else value for key, value in state.items()})
    return model.eval().requires_grad_(False)
