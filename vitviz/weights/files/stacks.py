"""big_vision's checkpoints stack the blocks of a model into one array per parameter."""

from functools import lru_cache

from torch import Tensor

from vitviz.config import LIMITS
from vitviz.shown import quoted
from vitviz.weights.errors import WeightsError
from vitviz.weights.files.source import Source, require_count

STACK = "/encoderblock/"


def unstacked(source: Source) -> Source:
    """The checkpoint with a name of its own for each block, as older files have it; others stay as they are."""
    layers = {name: _layers(source, name) for name in source.shapes if STACK in name}
    if not layers:
        return source
    require_count(source.title, sum(layers.values()))
    places = {
        name.replace(STACK, f"/encoderblock_{layer}/"): (name, layer)
        for name, depth in layers.items()
        for layer in range(depth)
    }
    if twice := next((name for name in places if name in source.shapes), None):
        raise WeightsError(f"{source.title} holds {quoted(twice)} twice, of its own and in a stack; keep one of them")
    whole = lru_cache(maxsize=3)(source.read)  # q, k and v are read in turns

    def read(name: str) -> Tensor:
        if name not in places:
            return source.read(name)
        array, layer = places[name]
        return whole(array)[layer].clone()

    shapes = {name: shape for name, shape in source.shapes.items() if name not in layers}
    return Source(source.title, shapes | {name: source.shapes[array][1:] for name, (array, _) in places.items()}, read)


def _layers(source: Source, name: str) -> int:
    """How many blocks are stacked in an array: its first axis."""
    layers = source.shapes[name][0] if source.shapes[name] else 0
    if not 1 <= layers <= LIMITS["depth"]:
        raise WeightsError(
            f"{quoted(name)} in {source.title} stacks {layers:,} blocks; a Vision Transformer has 1 to "
            f"{LIMITS['depth']:,}"
        )
    return layers
