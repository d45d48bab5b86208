"""Matrices in 8 bits: `NAME` holds whole numbers from -127 to 127, and `NAME_scale` beside it one factor for each row.

A row is what stands at one place of the first axis: in PyTorch's files an output of the matrix. The names are those of
compressed-tensors (https://github.com/vllm-project/compressed-tensors), whose scales have the shape `rows 1`.
"""

import torch
from torch import Tensor

from vitviz.shown import quoted
from vitviz.weights.errors import WeightsError
from vitviz.weights.files.source import Source, as_float

SCALE = "_scale"
LARGEST = 127  # -128 is left out, so that a number and its negative have the same error


def narrowed(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """A float matrix in 8 bits, of its own shape, and the scale of each row, `rows`: its largest number over 127."""
    rows = matrix.float().flatten(1)
    largest = rows.abs().amax(1)
    scale = torch.where(largest > 0, largest / LARGEST, 1.0)
    return (rows / scale[:, None]).round().to(torch.int8).reshape(matrix.shape), scale


def widened(source: Source) -> Source:
    """The checkpoint with matrices in 8 bits as what they stand for, in float32; others stay as they are.

    Raises `WeightsError` for a scale without its matrix or of another length than its rows; on reading, for a matrix
    without scale, a scale beside other than 8 bits, and one that is not positive.
    """
    scales = {name + SCALE: name for name in source.shapes if name + SCALE in source.shapes}
    for name in source.shapes:
        if name.endswith("weight" + SCALE) and name not in scales:
            raise WeightsError(
                f"{quoted(name)} in {source.title} is the scale of {quoted(name.removesuffix(SCALE))}, which the file "
                "does not hold; take the complete file"
            )
    for scale, name in scales.items():
        _require_one_a_row(source, name, scale)
    matrices = set(scales.values())

    def read(name: str) -> Tensor:
        tensor = source.read(name)
        if name not in matrices:
            if tensor.dtype == torch.int8:
                raise WeightsError(
                    f"{quoted(name)} in {source.title} is in 8 bits, and its scale {quoted(name + SCALE)} is not "
                    "there; take the complete file"
                )
            return tensor
        if tensor.dtype != torch.int8:
            kind = str(tensor.dtype).removeprefix("torch.")
            raise WeightsError(
                f"{quoted(name)} in {source.title} has a scale for 8 bits beside it and holds {kind} numbers; which of "
                "the two is meant cannot be told"
            )
        factors = as_float(source.read(name + SCALE), name + SCALE).reshape(-1)
        if not bool((factors > 0).all()):
            raise WeightsError(
                f"{quoted(name + SCALE)} in {source.title} holds {float(factors.min()):g}; a scale is above 0, so the "
                "file is damaged"
            )
        return tensor.float() * factors.reshape(-1, *[1] * (tensor.ndim - 1))

    return Source(source.title, {name: shape for name, shape in source.shapes.items() if name not in scales}, read)


def _require_one_a_row(source: Source, name: str, scale: str) -> None:
    rows, factors = source.shapes[name], source.shapes[scale]
    if len(rows) < 2 or factors not in ((rows[0],), (rows[0], 1)):
        raise WeightsError(
            f"{quoted(scale)} in {source.title} has the shape {quoted(factors)}, and {quoted(name)} has "
            f"{quoted(rows)}; a matrix in 8 bits has one scale for each row"
        )
