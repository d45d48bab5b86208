"""The one place where tensors become the numpy arrays that figures take; between two of them work may end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vitviz.machine.wanted import require_wanted

if TYPE_CHECKING:
    from torch import Tensor

Array = NDArray[np.float32]


def to_numpy(tensor: Tensor) -> Array:
    """`tensor` as float32 on the CPU, of the same shape; not writeable, because it may be the model's own memory."""
    require_wanted()
    array = tensor.detach().float().cpu().numpy()
    array.flags.writeable = False
    return array
