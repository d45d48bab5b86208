"""What is in a checkpoint: names and shapes first, numbers when asked for. Nothing in a file is ever run."""

from vitviz.weights.files.eight_bits import narrowed, widened
from vitviz.weights.files.npz import unstacked
from vitviz.weights.files.opening import open_source
from vitviz.weights.files.pytorch import open_held
from vitviz.weights.files.source import Source, as_float

__all__ = ["Source", "as_float", "narrowed", "open_held", "open_source", "unstacked", "widened"]
