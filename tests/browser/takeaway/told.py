"""What the explorer says of a row of weights."""

import numpy as np

from vitviz.numbers import small


def strongest(row: np.ndarray, sign: str = "") -> str:
    """What is said of a row of weights of the demo model."""
    best = int(row.argmax())
    name = f"patch {best}" if best else "[class]"
    return f"{name}: {sign}{small(row[best])}, {small(145 * row[best])} × uniform"
