"""What a page lets one choose: read from the words of an address, by name.

How many of a thing a page shows unasked is read here, too: no address says another number.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from vitviz.addresses.ranges import fractions, stops
from vitviz.config import LIMITS, ViTConfig

Words = Mapping[str, str]
Read = Callable[[Words, ViTConfig], Any]  # raises `ChoiceError` for what there is not
WHOLE = re.compile(r"\d{1,9}", re.ASCII)
NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)
MOST_QUOTED = 40  # letters of what is refused


class ChoiceError(ValueError):
    """Why something cannot be chosen, and what there is."""


def quoted(text: str) -> str:
    """Foreign words, short, and with nothing that a terminal or a page could obey."""
    return "".join(letter for letter in text[:MOST_QUOTED] if letter.isalnum() or letter in " -_.")


def one_of(word: str, values: Mapping[str, Any]) -> Read:
    """One of a few words; the first where the address has none."""
    return lambda asked, _: found_in(word, asked.get(word) or next(iter(values)), values)


def stop_of(word: str, stops: Iterable[Any], usual: Any) -> Read:
    """One of the values at which a slider stops."""
    return one_of(word, {str(it): it for it in (usual, *stops)})


def number(word: str, least: float, most: float, usual: float) -> Read:
    """A number between two others, whole where the usual one is."""

    def read(asked: Words, config: ViTConfig) -> Any:
        text = asked.get(word) or str(usual)
        whole = isinstance(usual, int)
        if not (WHOLE if whole else NUMBER).fullmatch(text) or not least <= float(text) <= most:
            raise ChoiceError(f"there is no {word} {quoted(text)}: they are {least:g} to {most:,g}")
        return int(text) if whole else float(text)

    return read


def dial(word: str, usual: float) -> Read:
    """One of the numbers at which the slider of a page stops."""

    def read(asked: Words, config: ViTConfig) -> Any:
        return stop_of(word, fractions(word, config) or stops(word, config), usual)(asked, config)

    return read


def rate(word: str) -> Read:
    """A rate of what is dropped: the model's own as a rule, else a tenth."""

    def read(asked: Words, config: ViTConfig) -> Any:
        own: float = getattr(config, word.removesuffix("_rate"))
        return dial(word, own or 0.1)(asked, config)

    return read


def found_in(word: str, text: str, values: Mapping[str, Any]) -> Any:
    """What a text is one of."""
    if text not in values:
        raise ChoiceError(f"there is no {word} “{quoted(text)}”; there are {', '.join(values)}")
    return values[text]


def classes_of_head(asked: Words, config: ViTConfig) -> int:
    """How many classes a head has that is counted; as many as that of the model as a rule."""
    return number("head_classes", 0, LIMITS["classes"], config.classes)(asked, config)
