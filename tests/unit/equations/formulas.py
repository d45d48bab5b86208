"""Formulas as they are printed, in LaTeX or in words, computed again: both sides of each sign of equality."""

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from vitviz.config import ViTConfig
from vitviz.counts.formula import symbols

OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
LAYOUT = re.compile(r"\\(?:begin|end)\{\w+\}|\\(?:[Bb]ig+[lr]?|left|right|[dt]frac(?!\w)|[,;! ])|&")
APART = re.compile(r"\\q?quad|\\Longleftrightarrow|\\\\(?:\[\w+\])?|,\\ ")
WORD = re.compile(r"\\mathit\{(\w+)\}|(d)_([hv])")
WHOLE = r"\d+(?:,\d{3})*"
IN_WORDS = re.compile(
    r"(?<![·×+−/] )(?<![\w.,·×+−/])(N(?: ?[·×+] ?N)+) = (N)(?!\d|[.,]\d| ?[·×+^]| [kMGTP])".replace("N", WHOLE)
)


def wrong(latex: Sequence[str], text: str, config: ViTConfig) -> list[str]:
    """The equalities of whole numbers that do not hold, and formulas whose numbers, in the line below, are others."""
    latex = [line.strip("$\n ") for line in latex]
    found = [line for line in latex if any(len(set(values)) > 1 for values in chains(line, {}))]
    for symbolic, numeric in pairwise(latex):
        asked = [values[-1] for values in chains(symbolic, symbols(config)) if values]
        given = {number for values in chains(numeric, {}) for number in values}
        if asked and given and not any(chains(symbolic, {})) and asked[-1] not in given:
            found.append(f"{symbolic} is {asked[-1]}: {numeric}")
    said = "\n".join(line for line in text.splitlines() if "\\" not in line)
    return found + [f"{left} = {right}" for left, right in IN_WORDS.findall(said) if value(left) != value(right)]


def chains(latex: str, numbers: Mapping[str, int]) -> Iterator[list[Fraction]]:
    """The values of what stands between signs of equality, for each chain of them; nothing for what has none."""
    for chain in APART.split(_unbraced(latex)):
        yield [found for side in _parted(chain, "=") if (found := value(side, numbers)) is not None]


def value(formula: str, numbers: Mapping[str, int] | None = None) -> Fraction | None:
    """What a formula of whole numbers, and of symbols that have one, comes to; None for any other."""
    text = LAYOUT.sub("", fractions(formula.replace("{,}", ",").replace(r"\tfrac", r"\frac"))).strip()
    text = WORD.sub(lambda it: f"‹{''.join(filter(None, it.groups()))}›", text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text).replace(r"\cdot", "*").translate(str.maketrans("·×−", "**-"))
    text = re.sub(r"\^\{?(\d+)\}?", r"**\1", text)
    tokens = [it.strip("‹›") for it in re.findall(r"\*\*\d+|‹\w+›|[a-zA-Z]|\d+|\S", text)]
    joined = ""
    for before, token in zip(["*", *tokens], tokens, strict=False):  # side by side they are multiplied
        joined += ("*" if re.match(r"[\w)]|\*\*\d", before) and re.match(r"[\w(]", token) else "") + token
    try:
        return _value(ast.parse(joined, mode="eval").body, numbers or {}) if joined else None
    except (SyntaxError, KeyError, ValueError):
        return None


def _unbraced(latex: str) -> str:
    """Without the names under braces, what is not said as text, and colours."""
    latex = re.sub(r"\\textcolor\{[^}]*\}", "", latex)
    while found := re.search(r"\\underbrace", latex):
        inside, rest = _group(latex[found.end() :])
        under = re.match(r"_", rest)
        latex = latex[: found.start()] + f"({inside})" + (_group(rest[1:])[1] if under else rest)
    return latex


def fractions(latex: str) -> str:
    while found := re.search(r"\\frac", latex):
        above, rest = _group(latex[found.end() :])
        below, rest = _group(rest)
        latex = f"{latex[: found.start()]}(({above})/({below})){rest}"
    return latex


def _group(latex: str) -> tuple[str, str]:
    """The first group, in braces or a single character, and what follows."""
    if not latex.startswith("{"):
        return latex[:1], latex[1:]
    deep = 0
    for at, character in enumerate(latex):
        deep += {"{": 1, "}": -1}.get(character, 0)
        if not deep:
            return latex[1:at], latex[at + 1 :]
    return latex, ""


def _parted(latex: str, sign: str) -> list[str]:
    """The sides of a sign that stands in no braces."""
    parts, deep = [""], 0
    for character in latex:
        deep += {"{": 1, "}": -1}.get(character, 0)
        if character == sign and not deep:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _value(node: ast.expr, numbers: Mapping[str, int]) -> Fraction:
    match node:
        case ast.BinOp(left, operation, right):
            return OPERATIONS[type(operation)](_value(left, numbers), _value(right, numbers))
        case ast.Name(symbol):
            return Fraction(numbers[symbol])
        case ast.Constant(int(number)):
            return Fraction(number)
    raise ValueError(ast.unparse(node))
