"""Formulas as data: one string gives the symbols, the same line with this model's numbers, and the value.

A formula is a sum of products, `3·d·d + d`; its symbols are the axis names of the house.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from vitviz.config import ViTConfig
from vitviz.numbers import exact

Symbols = dict[str, int]


@dataclass(frozen=True, slots=True)
class Item:
    """One addend of a total: its name, how it comes about, in symbols and in numbers, and what it comes to."""

    name: str
    formula: str
    numbers: str
    count: int


def symbols(config: ViTConfig) -> Symbols:
    """What each symbol stands for in this model, for one image."""
    rows, columns = config.grid
    return {
        "b": 1,
        "c": config.channels,
        "h": config.image_size,
        "w": config.image_size,
        "gh": rows,
        "gw": columns,
        "ph": config.patch_size,
        "pw": config.patch_size,
        "n": config.patches,
        "t": config.tokens,
        "q": config.tokens,
        "k": config.tokens,
        "d": config.dim,
        "qkv": 3,
        "head": config.heads,
        "dh": config.head_dim,
        "m": config.mlp_dim,
        "depth": config.depth,
        "classes": config.classes,
        "registers": config.registers,
    }


def value(formula: str, numbers: Symbols) -> int:
    """`3·d·d + d` -> 1,770,240 for dim 768."""
    return sum(prod(_number(factor, numbers) for factor in term.split("·")) for term in formula.split(" + "))


def put_in(formula: str, numbers: Symbols) -> str:
    """`3·d·d + d` -> `3·768·768 + 768`: the formula with this model's numbers in it."""
    return re.sub(r"[a-z]+", lambda symbol: exact(numbers[symbol[0]]), formula)


def items(lines: Iterable[tuple[str, str]], numbers: Symbols) -> tuple[Item, ...]:
    """Pairs of name and formula as items."""
    return tuple(Item(name, formula, put_in(formula, numbers), value(formula, numbers)) for name, formula in lines)


def shape(axes: str, numbers: Symbols) -> tuple[int, ...]:
    """`b n (c ph pw)` -> (1, 196, 768): words side by side are axes, words in brackets are one axis."""
    words = re.findall(r"\(([^)]*)\)|(\S+)", axes)
    return tuple(prod(_number(word, numbers) for word in (group or single).split()) for group, single in words)


def _number(word: str, numbers: Symbols) -> int:
    return int(word) if word.isdigit() else numbers[word]
