"""Where in a model somebody looks: one reader of it for the app, for lessons and for what is taken away.

Everything counts from 1 in an address, but for numbers of blocks that have run, and from 0 in code. For what a model
does not have stands what is usual; whoever reads decides whether to raise an error or to leave a note.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from vitviz.config import LIMITS, ViTConfig
from vitviz.config.sides import middle
from vitviz.images import Crop

SECOND = "b."  # begins the words of the second column; there is one as long as "b.model" is said
STRONGEST = -1  # the key that nobody has chosen: the one with the largest weight
WHOLE, DIGITS = re.compile(r"\d{1,12}", re.ASCII), 6  # of a number, and more only where the largest has more
CROP = re.compile(r"(\d{1,5})-(\d{1,5})-(\d{1,4})", re.ASCII)
LEAST_SIDE, MOST_SIDE = 20, 1000  # of a crop, in thousandths of the shorter side
TOKENS = ("query", "key")
MOST_LEARNED = 999_999  # steps of training
MOST_PATCHES = LIMITS["image_size"] ** 2
MOST_PARTS = LIMITS["depth"] + 1  # the blocks, and what stands behind them


class Counted(NamedTuple):
    """A number that an address says of a model: from the `least` to how many it has, or to a number.

    `usual` is what it leaves out, None for the most; and `before` how much more it says than is said in code.
    """

    most: Literal["depth", "heads", "dim", "classes"] | int
    least: int = 1
    usual: int | None = 1
    before: int = 1

    def ends(self, config: ViTConfig) -> tuple[int, int]:
        """The least and the largest."""
        return self.least, getattr(config, self.most) if isinstance(self.most, str) else self.most

    def usual_of(self, config: ViTConfig) -> int:
        """What is usual, as the address would say it."""
        most = self.ends(config)[1]
        return most if self.usual is None else min(self.usual, most)


COUNTED = {
    "layer": Counted("depth"),
    "head": Counted("heads"),
    "beside": Counted("heads", usual=2),
    "component": Counted("dim"),
    "answer": Counted("classes", usual=0),
    "against": Counted("classes", usual=0),
    "removed": Counted(MOST_PATCHES, 0, 0, before=0),
    "randomised": Counted(MOST_PARTS, 0, 0, before=0),
    "after": Counted("depth", 0, None, before=0),
    "through": Counted("depth", before=0),
    "learned": Counted(MOST_LEARNED, 0, -1, before=0),
}
IN_BLOCKS = ("layer", "head", "component", "through", "after")  # numbers of a `Place`


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a model: layers, heads, tokens and components count from 0; `after` and `through` count blocks."""

    layer: int
    head: int
    query: int
    key: int
    component: int
    after: int
    through: int


def numbers(config: ViTConfig) -> dict[str, tuple[int, int]]:
    """The least and the largest number that an address may say of each part of a model."""
    return {name: COUNTED[name].ends(config) for name in IN_BLOCKS}


def read_place(words: Mapping[str, str], config: ViTConfig) -> tuple[Place, tuple[str, ...]]:
    """The place that an address asks for, and the names of the words that say what this model does not have.

    Usual are the first of each, the strongest key and all blocks.
    """
    found: dict[str, int] = {"query": 0, "key": STRONGEST}
    refused = []
    for name, (least, most) in numbers(config).items():
        text = words.get(name, "")
        value = whole(text, least, most)
        if text and value is None:
            refused.append(name)
        its = COUNTED[name]
        found[name] = (its.usual_of(config) if value is None else value) - its.before
    for name in TOKENS:
        text = words.get(name, "")
        token = read_token(text, config)
        if text and token is None:
            refused.append(name)
        found[name] = found[name] if token is None else token
    return Place(**found), tuple(refused)


def whole(text: str, least: int, most: int) -> int | None:
    """The whole number that a word says; None where it says none from `least` to `most`."""
    if not WHOLE.fullmatch(text) or len(text) > max(DIGITS, len(str(most))):
        return None
    return int(text) if least <= int(text) <= most else None


def read_token(text: str, config: ViTConfig) -> int | None:
    """The token that a word names, "class" or the number of a patch; None where there is none."""
    names = config.prefix_tokens
    if text in names:
        return names.index(text)
    patch = whole(text, 1, config.patches)
    return None if patch is None else len(names) + patch - 1


def patch_of(token: int, config: ViTConfig) -> int:
    """The patch that a token is, or the one in the middle where it is none."""
    patch = token - len(config.prefix_tokens)
    return patch if patch >= 0 else middle(config.grid)


def read_crop(text: str) -> Crop | None:
    """A square of the picture, "left-top-side" in thousandths of its shorter side; None where a word says none."""
    found = CROP.fullmatch(text)
    crop = Crop(*map(int, found.groups())) if found else None
    return crop if crop and LEAST_SIDE <= crop.side <= MOST_SIDE else None


def of_second(words: Mapping[str, str]) -> dict[str, str]:
    """What an address says of the second column, in the words of the first."""
    return {name.removeprefix(SECOND): text for name, text in words.items() if name.startswith(SECOND)}


def same_place(place: Place, first: ViTConfig, second: ViTConfig) -> Place:
    """The same place in another model: what that has fewer of ends earlier, grids lie over each other.

    The browser finds it by the same table of words.
    """
    found = {name: _same_number(COUNTED[name], getattr(place, name), first, second) for name in IN_BLOCKS}
    for name in TOKENS:
        token = getattr(place, name)
        found[name] = token if token == STRONGEST else _same_token(token, first, second)
    return Place(**found)


def _same_number(its: Counted, at: int, first: ViTConfig, second: ViTConfig) -> int:
    """A number as it is in another model: where the most is usual, that stays the most."""
    most, other = (its.ends(config)[1] - its.before for config in (first, second))
    return other if its.usual is None and at == most else min(at, other)


def _same_token(token: int, first: ViTConfig, second: ViTConfig) -> int:
    """The token of `second` that lies where one of `first` does, or bears its name; else its first one."""
    names, others = first.prefix_tokens, second.prefix_tokens
    if token < len(names):
        return others.index(names[token]) if names[token] in others else 0
    (rows, columns), (down, across) = first.grid, second.grid
    row, column = divmod(token - len(names), columns)
    return len(others) + (2 * row + 1) * down // (2 * rows) * across + (2 * column + 1) * across // (2 * columns)
