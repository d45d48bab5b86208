"""Bytes that the parameters take, in use and in training: the rules of thumb 2Φ and 20Φ, item by item."""

from dataclasses import dataclass

from vitviz.config import ViTConfig
from vitviz.counts.totals import total_parameters


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One copy of all parameters, or one number beside each of them: bytes per parameter, bytes in all."""

    name: str
    bytes_per_parameter: int
    bytes: int


INFERENCE = (("parameters, 16 bit", 2),)
TRAINING = (
    ("parameters, 16 bit", 2),
    ("parameters, 32 bit master copy", 4),
    ("gradients, 16 bit", 2),
    ("gradients, 32 bit", 4),
    ("AdamW first moment, 32 bit", 4),
    ("AdamW second moment, 32 bit", 4),
)


def inference_memory(config: ViTConfig) -> tuple[MemoryItem, ...]:
    """Bytes of the parameters in 16-bit inference: 2Φ. Activations come on top."""
    return _items(INFERENCE, config)


def training_memory(config: ViTConfig) -> tuple[MemoryItem, ...]:
    """Bytes held per parameter in mixed-precision training with AdamW: 20Φ. Activations come on top."""
    return _items(TRAINING, config)


def _items(lines: tuple[tuple[str, int], ...], config: ViTConfig) -> tuple[MemoryItem, ...]:
    count = total_parameters(config)
    return tuple(MemoryItem(name, size, size * count) for name, size in lines)
