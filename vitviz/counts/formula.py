"""Formulas as text: what follows from axes, the same line with this model's numbers in it, and the value.

A formula is a sum of products, `3·d·d + d`; a factor may be a sum or difference in brackets, `(2·gh − 1)·head`. Its
symbols are the words for axes.
"""

import ast
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import groupby
from math import prod

from vitviz.config import ViTConfig
from vitviz.config.stems import read_by_projection
from vitviz.numbers import exact

Symbols = Mapping[str, int]

OPERATIONS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
PYTHON = str.maketrans("·−", "*-")
WRITTEN = {"qkv": "3", "q": "t", "k": "t"}  # axes that a formula writes otherwise; an axis of length 1 it leaves out


# what a symbol stands for, where a formula needs the word beside it
MEANINGS = {
    "b": "batch",
    "c": "channels",
    "h": "image height",
    "w": "image width",
    "ph": "patch height",
    "pw": "patch width",
    "n": "patches",
    "t": "tokens",
    "d": "dim",
    "half": "half of dim",
    "offsets": "offsets between patches",
    "pairs": "pairs of components of a head",
    "dv": "components of a value",
    "m": "MLP width",
    "depth": "blocks",
    "block": "parameters of one block",
    "classes": "in the head",
    "registers": "register tokens",
    "r": "width before the head",
    "s": "channels of the stem",
    "sh": "rows of a patch on the stem's map",
    "sw": "columns of a patch on the stem's map",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One addend of a total: its name, how it comes about, in symbols and in numbers, and what it comes to."""

    name: str
    formula: str
    numbers: str
    count: int


def symbols(config: ViTConfig) -> dict[str, int]:
    """What each symbol stands for in this model, for one image."""
    (rows, columns), (h, w), (ph, pw) = config.grid, config.image_sides, config.patch_sides
    read, sides = read_by_projection(config)
    return {
        "b": 1,
        "c": config.channels,
        "h": h,
        "w": w,
        "gh": rows,
        "gw": columns,
        "ph": ph,
        "pw": pw,
        "n": config.patches,
        "t": config.tokens,
        "q": config.tokens,
        "k": config.tokens,
        "d": config.dim,
        "half": config.dim // 2,
        "offsets": (2 * rows - 1) * (2 * columns - 1),
        "pairs": config.head_dim // 2,
        "qkv": 3,
        "head": config.heads,
        "dh": config.head_dim,
        "dv": config.head_dim,
        "m": config.mlp_dim,
        "depth": config.depth,
        "classes": config.classes,
        "registers": config.registers,
        "r": config.pre_logits,
        "s": read,
        "sh": sides[0],
        "sw": sides[1],
    }


def item(name: str, formula: str, numbers: Symbols) -> Item:
    """A formula with a name as an item of this model."""
    return Item(name, formula, put_in(formula, numbers), value(formula, numbers))


def value(formula: str, numbers: Symbols) -> int:
    """`3·d·d + d` -> 1,770,240 for dim 768."""
    return _value(_parsed(formula), numbers)


def put_in(formula: str, numbers: Symbols) -> str:
    """`3·d·d + d` -> `3·768·768 + 768`: the formula with this model's numbers in it."""
    return re.sub(r"[a-z]+|\d+", lambda it: exact(numbers[it[0]] if it[0] in numbers else int(it[0])), formula)


def shape(axes: str, numbers: Symbols) -> tuple[int, ...]:
    """`b n (c ph pw)` -> (1, 196, 768): words side by side are axes, words in brackets are one axis."""
    return tuple(prod(_value(_parsed(word), numbers) for word in group.split()) for group in _groups(axes))


def product(axes: str, numbers: Symbols) -> str:
    """The product of all axes: `(qkv head dh) d` -> `3·d·d`, for heads side by side are as wide as a token."""
    return _product(_groups(axes), numbers["head"] * numbers["dh"] == numbers["d"])


def matrix_product(pattern: str, numbers: Symbols) -> str:
    """Multiply-accumulates of a product: `t d, m d -> t m` -> `t·d·m`, each axis of the two factors once."""
    factors = tuple(dict.fromkeys(_groups(pattern.partition("->")[0])))
    return _product(factors, numbers["head"] * numbers["dh"] == numbers["d"])


def times(symbol: str, formula: str) -> str:
    """`depth` times `4·d·d + 4·d` -> `depth·4·d·d + depth·4·d`."""
    return " + ".join(f"{symbol}·{term}" for term in _terms(formula))


def total(formulas: Iterable[str]) -> str:
    """`3·d·d`, `3·d`, `d·d`, `d` -> `4·d·d + 4·d`: like terms become one, in the place of the first."""
    coefficients: dict[tuple[str, ...], int] = {}
    spelled: dict[tuple[str, ...], str] = {}
    for term in (term for formula in formulas for term in _terms(formula)):
        factors = _factors(term)
        symbols = [factor for factor in factors if not factor.isdigit()]
        like, spelling = tuple(sorted(symbols)), "·".join(symbols)
        coefficients[like] = coefficients.get(like, 0) + prod(int(it) for it in factors if it.isdigit())
        spelled[like] = min(spelled.get(like, spelling), spelling)
    return " + ".join(
        f"{number}·{spelled[it]}" if number > 1 and it else spelled[it] or str(number)
        for it, number in coefficients.items()
    )


def side_by_side(formula: str, numbers: Symbols) -> str:
    """`2·head·t·t·dh` -> `2·t·t·d`, where all heads side by side are as wide as a token; else as it is."""
    if numbers["head"] * numbers["dh"] != numbers["d"]:
        return formula
    return " + ".join("·".join(_joined(_factors(term))) for term in _terms(formula))


def divided(formula: str, by: str) -> str:
    """`4·t·d·d + 3·t·d·m` by `2·t·d` -> `2·d + 3·m/2`: each term by a product, and what both have cancels."""
    return " + ".join(_cancelled(term, by) for term in _terms(formula))


def tex(formula: str) -> str:
    """`4·d·d + 3·m/2` -> `4d^2 + \\frac{3m}{2}`, for LaTeX; of numbers, `3·512/2`, with dots between them."""
    return " + ".join(
        rf"\frac{{{_tex(above)}}}{{{_tex(below.strip('()'))}}}" if below else _tex(above)
        for above, _, below in (term.partition("/") for term in _terms(formula))
    )


@cache
def _product(groups: tuple[str, ...], side_by_side: bool) -> str:
    """The product of all axes; where heads `side_by_side` are as wide as a token, `d` is written for them."""
    if side_by_side:
        groups = tuple(re.sub(r"\bhead dh\b", "d", group) if " " in group else group for group in groups)
    words = [WRITTEN.get(word, word) for group in groups for word in group.split() if word != "1"]
    return "·".join(sorted(words, key=words.index)) or "1"  # equal symbols side by side


@cache
def _groups(axes: str) -> tuple[str, ...]:
    return tuple(group or word for group, word in re.findall(r"\(([^)]*)\)|(\w+)", axes))


def _terms(formula: str) -> list[str]:
    return re.split(r" \+ (?![^(]*\))", formula)


def _factors(term: str) -> list[str]:
    return re.split(r"·(?![^(]*\))", term)


def _joined(factors: list[str]) -> list[str]:
    pairs = min(factors.count("head"), factors.count("dh"))
    left = Counter(factors) - Counter({"head": pairs, "dh": pairs}) + Counter({"d": pairs})
    return [it for symbol, power in left.items() for it in [symbol] * power]


def _cancelled(term: str, by: str) -> str:
    above, below = (Counter(it for it in _factors(side) if not it.isdigit()) for side in (term, by))
    share = Fraction(*(prod(int(it) for it in _factors(side) if it.isdigit()) for side in (term, by)))
    sides = [
        "·".join([*([str(number)] if number > 1 else []), *symbols.elements()]) or "1"
        for number, symbols in ((share.numerator, above - below), (share.denominator, below - above))
    ]
    above_it, below_it = sides
    below_it = f"({below_it})" if "·" in below_it else below_it
    return above_it if below_it == "1" else f"{above_it}/{below_it}"


def _tex(term: str) -> str:
    powers = [(factor, len(list(equal))) for factor, equal in groupby(_factors(term))]
    words = [_word(it) if power == 1 else f"{_word(it)}^{power}" for it, power in powers]
    numbers, spelled = (sum(map(kind, words)) for kind in (lambda it: it[0].isdigit(), lambda it: "mathit" in it))
    return (r" \cdot " if numbers > 1 else r"\," if spelled else "").join(words)


def _word(factor: str) -> str:
    """A symbol or number for LaTeX: `d`, `d_h`, `\\mathit{head}`, `768`."""
    if factor in ("dh", "dv"):
        return f"d_{factor[1]}"
    return factor if len(factor) == 1 or not factor.isalpha() else rf"\mathit{{{factor}}}"


@cache
def _parsed(formula: str) -> ast.expr:
    return ast.parse(formula.translate(PYTHON), mode="eval").body


def _value(node: ast.expr, numbers: Symbols) -> int:
    match node:
        case ast.BinOp(left, operation, right) if type(operation) in OPERATIONS:
            return OPERATIONS[type(operation)](_value(left, numbers), _value(right, numbers))
        case ast.Name(symbol):
            return numbers[symbol]
        case ast.Constant(int(number)):
            return number
    raise ValueError(f"{ast.unparse(node)} is no sum, difference or product of whole numbers")
