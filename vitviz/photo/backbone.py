"""The backbone of an ONNX file by its parameters' names: matrices, which bear none there, get that of their bias."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from onnx import GraphProto

INSIDE = "backbone."
FIRST_POSITION, OTHER_POSITIONS = "onnx::Concat_1957", "onnx::Reshape_1962"


def parameters(graph: "GraphProto") -> dict[str, Tensor]:
    """Parameters by the names of Hugging Face's DINOv2, without its mask token, which the answer does not need.

    A matrix is the constant that a MatMul multiplies with, `input output`; an Add puts the bias onto the product, and
    the matrix takes its name and is turned, `output input`. Raises `KeyError` where one of them is not there.
    """
    from onnx import numpy_helper

    tensors = {it.name: torch.from_numpy(numpy_helper.to_array(it).copy()) for it in graph.initializer}
    products = {node.output[0]: node.input[1] for node in graph.node if node.op_type == "MatMul"}
    named = {name.removeprefix(INSIDE): tensor for name, tensor in tensors.items() if name.startswith(INSIDE)}
    for node in graph.node:
        if node.op_type == "Add" and (name := _bias(node.input, products)):
            (product,) = set(node.input) & set(products)
            matrix = name.removeprefix(INSIDE).removesuffix("bias") + "weight"
            named[matrix] = tensors[products[product]].T.contiguous()
    positions = torch.cat([tensors[FIRST_POSITION], tensors[OTHER_POSITIONS]], dim=1)
    return named | {"embeddings.position_embeddings": positions}


def _bias(inputs: "list[str]", products: Mapping[str, str]) -> str:
    """The bias that stands beside a product, if this is such an Add."""
    others = [name for name in inputs if name not in products]
    return others[0] if len(others) == 1 and others[0].startswith(INSIDE) and others[0].endswith(".bias") else ""
