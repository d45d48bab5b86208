"""Numbers that an address may say: how they are written, and from which to which the app takes them.

One reader for links, for a session that goes on, and for the views of a lesson: whatever stands in the address has to
pass here before any control sees it. Here are those of models and of places in them; a page declares its own.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vitviz.addresses.place import COUNTED, IN_BLOCKS, MOST_LEARNED, Counted
from vitviz.config import LIMITS, MOST_KEYS, MOST_PRE_LOGITS, MOST_REGISTERS, ViTConfig
from vitviz.config.sides import read, sides_of

# As the app writes them. Python and Streamlit read more: "1e3", "+5", "1_0", "Infinity", "٣".
WHOLE = re.compile(r"\d{1,12}", re.ASCII)
DECIMAL = re.compile(r"\d{1,12}(\.\d{1,17})?", re.ASCII)
SMALL = re.compile(r"\d(\.\d{1,17})?(e-\d{1,3})?", re.ASCII)
SIDES = re.compile(r"[1-9]\d{0,5}(x[1-9]\d{0,5})?", re.ASCII)  # a number, or rows and columns: 96 or "96x128"
KINDS = {WHOLE: "no whole number", DECIMAL: "no number", SMALL: "no number", SIDES: "no number of pixels, nor two"}
SIGNED = re.compile(r"[+-]?\d+", re.ASCII)  # a whole number, whoever wrote it
AUTO = "auto"  # what follows from other sizes
LARGEST_SEED = 2**31 - 1
WIDEST_HEAD = 512  # that is chosen by itself
RATES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)


class Span(NamedTuple):
    """All numbers from one to another."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Number:
    """A number that an address may say: a whole one of a range, any of a `Span`, or one of a few.

    `there` is what there is whatever the model, `of` gives what there is with one; one that `follows` from other sizes
    where nobody chooses may be "auto".
    """

    there: Sequence[float]
    kind: re.Pattern[str] = WHOLE
    of: Callable[[ViTConfig], Sequence[float]] | None = None
    follows: bool = False

    def stops(self, config: ViTConfig | None = None) -> Sequence[float]:
        """What there is, with a model that is known."""
        return self.of(config) if self.of and config else self.there

    def ends(self, config: ViTConfig | None = None) -> Span | None:
        """The least and the most of a range or span; None of a few."""
        there = self.stops(config)
        if isinstance(there, range):
            return Span(there.start, there.stop - 1)
        return there if isinstance(there, Span) else None

    def refusal(self, name: str, text: str, config: ViTConfig | None = None) -> str:
        """Why the app does not take what an address says under `name`, as half a sentence; "" where it does.

        >>> Number(range(1, 11)).refusal("draw", "1e999")
        'that is no whole number; there is only draw 1 to 10'
        """
        if self._takes(text, config):
            return ""
        no_number = "" if self.kind.fullmatch(text) or SIGNED.fullmatch(text) else f"that is {KINDS[self.kind]}; "
        auto = f"{AUTO}, " if self.follows else ""
        if ends := self.ends(config):
            apart = ", for rows and columns apart as in 96x128" if self.kind is SIDES else ""
            there = f"{_written(ends.least)} to {_written(ends.most)}{apart}"
        else:
            there = ", ".join(map(str, self.stops(config)))
        return f"{no_number}there is only {name.replace('_', ' ')} {auto}{there}"

    def _takes(self, text: str, config: ViTConfig | None) -> bool:
        if self.follows and text == AUTO:
            return True
        if not self.kind.fullmatch(text) or (self.kind is SMALL and in_link(float(text)) != text):
            return False
        if not (ends := self.ends(config)):
            return text in map(str, self.stops(config))
        values = sides_of(read(text) or 0) if self.kind is SIDES else (float(text),)
        return all(ends.least <= number <= ends.most for number in values)


def to(most: int, least: int = 1) -> range:
    """All whole numbers up to one, that included."""
    return range(least, most + 1)


def _place(its: Counted) -> Number:
    """A place in a model, of which the largest has so many."""

    def of(config: ViTConfig) -> range:
        least, most = its.ends(config)
        return to(most, least)

    most = its.most if isinstance(its.most, int) else LIMITS[its.most]
    return Number(to(most, its.least), of=of)


NUMBERS: dict[str, Number] = {
    **{name: Number(to(most)) for name, most in LIMITS.items() if name != "channels"},
    **{name: Number(to(LIMITS[name]), SIDES) for name in ("image_size", "patch_size")},
    "classes": Number(to(LIMITS["classes"], 0)),
    "registers": Number(to(MOST_REGISTERS, 0)),
    "top_k": Number(to(MOST_KEYS)),
    "window": Number(to(LIMITS["image_size"], 0)),
    "file_size": Number(to(LIMITS["image_size"]), SIDES),
    "size": Number(to(LIMITS["image_size"]), SIDES),
    "pre_logits": Number(to(MOST_PRE_LOGITS, 0)),
    "head_dim": Number(to(WIDEST_HEAD), follows=True),
    "score_scale": Number((1.0, 0.5, 0.25, 0.125, 0.1, 0.05), DECIMAL, follows=True),
    "epsilon": Number(Span(1e-300, 0.99), SMALL),
    "dropout": Number(Span(0.0, 0.99), SMALL),
    "drop_path": Number(Span(0.0, 0.99), SMALL),
    "seed": Number(to(LARGEST_SEED, 0)),
    **{name: _place(COUNTED[name]) for name in (*IN_BLOCKS, "answer", "against", "removed", "randomised")},
    "learned": Number(to(MOST_LEARNED, 0)),
    "training": Number(to(MOST_LEARNED, 0)),
}
SIDED = tuple(name for name, number in NUMBERS.items() if number.kind is SIDES)


def in_link(number: float) -> str:
    """A number with a fraction as a link writes it: 0.1, 1e-6."""
    return repr(number).replace("e-0", "e-")


def _written(number: float) -> str:
    return f"{number:,}" if number == 0 or number >= 1e-3 else f"{number:g}"
