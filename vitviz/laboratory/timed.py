"""Networks that take turns under one clock: two of as many multiply-accumulates, and a ViT beside a CNN."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import prod
from typing import TYPE_CHECKING

from vitviz.config import ViTConfig
from vitviz.counts import total_parameters
from vitviz.machine.device import dtype, pick, require
from vitviz.machine.price import forward_bytes
from vitviz.machine.pytorch import no_grad, torch
from vitviz.measures.laboratory.memory import most_held
from vitviz.measures.speed import Work, in_turn
from vitviz.shelf.rows import BASE, CNNSizes

if TYPE_CHECKING:
    from vitviz.model import ViT
    from vitviz.shelf.cnn import CNN

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Timed:
    """One network: seconds of its forward pass in each round, and the most bytes of results that it held at once."""

    seconds: tuple[float, ...]
    memory: int


@no_grad
def models_in_turn(configs: tuple[ViTConfig, ...], device: str, precision: str, run: int = 0) -> tuple[Timed, ...]:
    """Models with first values, one picture each; another `run` measures again.

    Values of parameters are no part of how long it takes. Raises `DeviceMemoryError`.
    """
    from vitviz.model import ViT

    needed = 4 * sum(map(total_parameters, configs)) + max(map(forward_bytes, configs))
    require(needed, "timing models of as many multiply-accumulates", pick(device))
    return _in_turn([(ViT(it), (1, it.channels, *it.image_sides)) for it in configs], device, precision)


@no_grad
def vit_and_cnn(pictures: int, side: int, device: str, precision: str, run: int = 0) -> tuple[Timed, ...]:
    """The shelf's ViT and its CNN of as many parameters on a batch of `pictures` of `side` pixels.

    Raises `DeviceMemoryError`; on the same picture the CNN holds less than the ViT.
    """
    from vitviz.model import ViT
    from vitviz.shelf.cnn import CNN

    config, sizes, batch = BASE.with_(image_size=side), CNNSizes(), (pictures, BASE.channels, side, side)
    needed = 4 * (total_parameters(config) + sizes.parameters + 2 * prod(batch)) + pictures * forward_bytes(config)
    require(needed, "timing a ViT and a CNN", pick(device))
    return _in_turn([(ViT(config), batch), (CNN(sizes), batch)], device, precision)


def _in_turn(networks: list[tuple[ViT | CNN, tuple[int, ...]]], device: str, precision: str) -> tuple[Timed, ...]:
    there, numbers = pick(device), dtype(precision)
    works: list[Work] = []
    for network, shape in networks:
        ready = network.to(there, numbers).eval().requires_grad_(False)
        works.append(partial(ready, torch.zeros(shape, device=there, dtype=numbers)))
    memory = [most_held(work) for work in works]
    return tuple(Timed(tuple(seconds), most) for seconds, most in zip(in_turn(works, ROUNDS), memory, strict=True))
