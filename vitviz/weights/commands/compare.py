"""Two models tensor by tensor: `vitviz weights compare A B`."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from vitviz.pretrained import PRETRAINED
from vitviz.weights import hub
from vitviz.weights.blueprint import Blueprint
from vitviz.weights.errors import WeightsError
from vitviz.weights.files import narrowed
from vitviz.weights.loading import DEMO_FILE, PHOTO_FILE, assemble, inspect

SHIPPED = {"demo": DEMO_FILE, "photo": PHOTO_FILE}
EQUAL = 1e-6  # of the largest number of a tensor: what float32 leaves of the same computation


@dataclass(frozen=True, slots=True)
class Difference:
    """How far a tensor of one model is from that of the other.

    `largest` number of both; `difference` the largest between them; `rounded` the same with the one that is in float
    rounded to 8 bits as the other is, None where both or neither are in 8 bits.
    """

    name: str
    shape: tuple[int, ...]
    largest: float
    difference: float
    rounded: float | None

    @property
    def equal(self) -> bool:
        """Whether both hold the same numbers, as far as the bits of both files go."""
        return (self.difference if self.rounded is None else self.rounded) <= EQUAL * self.largest


def opened(name: str) -> Blueprint:
    """A model that ships, a published one that is on this machine, or a file. Raises `WeightsError`."""
    if name in PRETRAINED:
        path = hub.local(name)
        if path is None:
            raise WeightsError(f"{name} is not on this machine; vitviz weights fetch {name} fetches it")
        return inspect(path, name=name)
    return inspect(SHIPPED.get(name, Path(name)))


def differences(one: Blueprint, other: Blueprint) -> Iterator[Difference]:
    """Each tensor that both have, at the size at which it lies in its file.

    Raises `WeightsError` where they are not of one shape.
    """
    states = [assemble(it).state_dict() for it in (one, other)]
    for name in dict.fromkeys([*states[0], *states[1]]):
        shapes = [tuple(state[name].shape) if name in state else None for state in states]
        if shapes[0] != shapes[1] or shapes[0] is None:
            both = f"{shapes[0] or 'none'} in {one.source.title} and {shapes[1] or 'none'} in {other.source.title}"
            raise WeightsError(f"{name} has the shape {both}; only models of the same sizes are compared")
        here, there = states[0][name], states[1][name]
        rounded = None
        if bool(one.eight_bits) != bool(other.eight_bits):
            exact, short = (there, here) if one.eight_bits else (here, there)
            rounded = _furthest(_rounded(name, exact), short)
        yield Difference(
            name, shapes[0], float(max(here.abs().max(), there.abs().max())), _furthest(here, there), rounded
        )


def _rounded(name: str, tensor: Tensor) -> Tensor:
    """What a shrunk file keeps of it."""
    if tensor.ndim != 2 or not name.endswith(".weight"):
        return tensor.half().float()
    whole, scale = narrowed(tensor)
    return whole * scale[:, None]


def _furthest(one: Tensor, other: Tensor) -> float:
    return float((one - other).abs().max())
