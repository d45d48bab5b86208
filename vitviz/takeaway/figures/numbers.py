"""The numbers of a figure as files hold them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitviz.figures.figure import Figure
from vitviz.figures.numbers import numbers_of
from vitviz.takeaway.data import Named, outline
from vitviz.takeaway.errors import NEEDS_TICK, TakeawayError


def named_numbers(figure: Figure, *, photos: bool = True, whole: bool = True) -> list[Named]:
    """All arrays of a figure; without `photos` not those of somebody's own picture, not `whole` their outlines alone.

    Raises `TakeawayError` where there are no others.
    """
    held: Callable[[Any], NDArray[Any]] = _fitting if whole else outline
    found = [Named(it.name, held(it.values), it.axes, it.names, it.says) for it in numbers_of(figure, photos)]
    if not found:
        raise TakeawayError(NEEDS_TICK)
    return found


def _fitting(values: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers as int64, others as float32."""
    return values.astype(np.int64 if values.dtype.kind in "iub" else np.float32)
