"""The one place where tensors become the numpy arrays that figures take; between two of them work may end.

Arrays are decomposed by PyTorch: NumPy's library has threads of its own, which on a busy machine wait for one another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from vitviz.machine.pytorch import torch
from vitviz.machine.wanted import require_wanted

if TYPE_CHECKING:
    from torch import Tensor

Array = NDArray[np.float32]
Real = TypeVar("Real", bound=np.floating)


def to_numpy(tensor: Tensor) -> Array:
    """`tensor` as float32 on the CPU, of the same shape; not writeable, because it may be the model's own memory."""
    require_wanted()
    array = tensor.detach().float().cpu().numpy()
    array.flags.writeable = False
    return array


def eigh(matrix: NDArray[Real]) -> tuple[NDArray[Real], NDArray[Real]]:
    """Eigenvalues of a symmetric matrix `d d`, the least first, `d`, and their vectors in columns, `d d`."""
    values, vectors = torch.linalg.eigh(torch.from_numpy(matrix))
    return values.numpy(), vectors.numpy()


def svd(matrix: NDArray[Real]) -> tuple[NDArray[Real], NDArray[Real], NDArray[Real]]:
    """The three factors of `m d`, of k = min(m, d) directions: `m k`, the largest singular value first `k`, `k d`."""
    left, sizes, right = torch.linalg.svd(torch.from_numpy(matrix), full_matrices=False)
    return left.numpy(), sizes.numpy(), right.numpy()


def solve(matrix: NDArray[Real], wanted: NDArray[Real]) -> NDArray[Real]:
    """What `matrix`, `d d`, makes `wanted` of, `d f`: `d f`."""
    solved: NDArray[Real] = torch.linalg.solve(torch.from_numpy(matrix), torch.from_numpy(wanted)).numpy()
    return solved
