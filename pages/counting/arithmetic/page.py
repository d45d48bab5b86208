"""Arithmetic: where the multiply-accumulates of one forward pass go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.addresses.ranges import Number, to
from vitviz.calculation import Calculations, Counted
from vitviz.choice import Choice
from vitviz.config import MOST_KEYS, MOST_REGISTERS
from vitviz.page import Page
from vitviz.plain import plain_products, products

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig


def macs_by_product(config: ViTConfig) -> NDArray[Any]:
    from vitviz.counts import mac_split

    return np.array([it.count for it in mac_split(config)])


def names_of_products(config: ViTConfig) -> dict[str, list[str]]:
    from vitviz.counts import mac_split

    return {"product": [it.name for it in mac_split(config)]}


PRODUCTS = Counted(
    "the multiply-accumulates of one forward pass, by kind of product",
    "product",
    macs_by_product,
    plain_products,
    (products,),
    names=names_of_products,
    note="The orders of growth beside recurrence and convolution: `vitviz.counts.complexity(config, kernel)`.",
)


def _lengths(config: ViTConfig) -> list[int]:
    """Powers of 2 up to 2¹⁵, and the model's own."""
    return sorted({*(2**power for power in range(16)), config.tokens})


KERNEL = Choice("kernel", Number(to(15)), label="Width k of the convolution", usual=3)
SEQUENCE = Choice(
    "sequence",
    Number(to(MOST_KEYS + MOST_REGISTERS + 2), of=_lengths),
    label="Tokens n",
    usual=lambda _, config: config.tokens,
    there="powers of 2 and the number of tokens of the model",
)

PAGE = Page(
    __file__,
    "Arithmetic",
    order=603,
    says={
        "attention=linear": (
            "One **MAC** is a multiply-accumulate, a·b + c: two **FLOP**. These are the matrix products of one "
            "picture's forward pass; none compares tokens with tokens."
        ),
        "": (
            "One **MAC** is a multiply-accumulate, a·b + c: two **FLOP**. These are the matrix products of one "
            "picture's forward pass; only QKᵀ and AV compare tokens with tokens."
        ),
    },
    stage="model",
    forward=False,
    choices=(KERNEL, SEQUENCE),
    calculations=Calculations(PRODUCTS),
)
