"""What a page lets one choose: declared by the page, read from the words of an address, drawn by its control.

How many of a thing a page shows unasked is read here, too: no address says another number.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from vitviz.addresses.ranges import Number, to
from vitviz.config import LIMITS, ViTConfig

Words = Mapping[str, str]
Read = Callable[[Words, ViTConfig], Any]  # raises `ChoiceError` for what there is not
ON_OFF = {"false": False, "true": True}
MOST_QUOTED = 40  # letters of what is refused


class ChoiceError(ValueError):
    """Why something cannot be chosen, and what there is."""


def quoted(text: str) -> str:
    """Foreign words, short, and with nothing that a terminal or a page could obey."""
    return "".join(letter for letter in text[:MOST_QUOTED] if letter.isalnum() or letter in " -_.")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a page lets one choose, under a `word` of the address.

    `values` are the few texts that may stand there, with what each means where that is something else; or a `Number`;
    or what a text has to look like; without any, all texts. Where other words or the model decide, `among` finds the
    few. `usual` is what stands there where nobody chooses, or finds it; else it is the first. `name` is what a notebook
    calls it, "" where no numbers depend on it.

    `label` is that of its control; one that is `typed` is no slider, one of a `scene` is drawn by that, and one that
    `leaves` goes with its page. `there` says what there is where that is too much to list, and `refused` is a lesson's
    sentence for anything else.
    """

    word: str
    values: Mapping[str, Any] | Iterable[Any] | Number | re.Pattern[str] = ()
    name: str = ""
    label: str = ""
    usual: Any = None
    among: Callable[[Words, ViTConfig | None], Mapping[str, Any] | Iterable[Any]] | None = None
    typed: bool = False
    scene: bool = False
    leaves: bool = False
    there: str = ""
    refused: str = "{word} “{text}”, and there is {values}"

    def few(self, words: Words, config: ViTConfig | None) -> dict[str, Any]:
        """What it is one of, by what the address says; nothing where that may be any number of a range, or any text."""
        values = self.values
        if self.among:
            values = self.among(words, config)
        elif isinstance(values, Number):
            values = () if self.typed else values.stops(config)
        elif isinstance(values, re.Pattern):
            values = ()
        return dict(values) if isinstance(values, Mapping) else {str(it): it for it in values}

    def takes(self, text: str, words: Words, config: ViTConfig | None) -> bool:
        """Whether an address may say that; what is no number in its range is for `Number.refusal`."""
        if isinstance(self.values, Number) and not self.among:
            return True
        if isinstance(self.values, re.Pattern):
            return bool(self.values.fullmatch(text))
        few = self.few(words, config)
        return not few or text in few

    def usual_of(self, words: Words, config: ViTConfig) -> Any:
        """What stands there where nobody chooses, as the address would say it; a number as it is."""
        if callable(self.usual):
            return self.usual(words, config)
        return next(iter(self.few(words, config)), "") if self.usual is None else self.usual

    def read(self, words: Words, config: ViTConfig) -> Any:
        """What an address chooses. Raises `ChoiceError` for what there is not."""
        few, usual = self.few(words, config), self.usual_of(words, config)
        text = words.get(self.word)
        if not few and isinstance(self.values, Number) and (ends := self.values.ends()):
            if text and self.values.refusal(self.word, text):
                raise ChoiceError(f"there is no {self.word} {quoted(text)}: they are {ends.least:g} to {ends.most:,g}")
            return type(ends.least)(text or usual)
        return found_in(self.word, text or str(usual), {str(usual): usual} | few)


def found_in(word: str, text: str, values: Mapping[str, Any]) -> Any:
    """What a text is one of."""
    if text not in values:
        raise ChoiceError(f"there is no {word} “{quoted(text)}”; there are {', '.join(values)}")
    return values[text]


HEAD_CLASSES = Choice(  # of a head that is counted
    "head_classes",
    Number(to(LIMITS["classes"], 0)),
    name="classes",
    label="Classes in the head",
    usual=lambda _, config: config.classes,
    typed=True,
)
SCALE = Choice("scale", ("shared", "own"), scene=True)  # of what a scene compares
