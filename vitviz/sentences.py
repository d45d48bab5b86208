"""Sentences as plain text with named places: a translator gets texts, and what each place stands for."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.config.sides import spelled
from vitviz.numbers import exact

When = str | Callable[[ViTConfig], object]  # conditions that `ViTConfig.has` reads, "" for always; or a function
Sentence = str | Mapping[When, str]  # one text, or several by when each is said: of those that hold the first
BRACES = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Place:
    """What a name in braces stands for, and the text that takes its place with a model."""

    stands_for: str
    text: Callable[[ViTConfig], str]


def _role(word: str) -> Place:
    return Place(f"“{word}”, in its colour", lambda config: f"{{{word}}}")


PLACES = {word: _role(word) for word in palette.ROLE_WORDS} | {
    "heads": Place("how many heads a layer has", lambda config: str(config.heads)),
    "depth": Place("how many layers there are", lambda config: exact(config.depth)),
    "tokens": Place("how many tokens there are", lambda config: exact(config.tokens)),
    "dim": Place("how many components a token has", lambda config: exact(config.dim)),
    "channels": Place("how many colours the picture has", lambda config: exact(config.channels)),
    "rows": Place("how many rows of patches there are", lambda config: str(config.grid[0])),
    "columns": Place("how many columns of patches there are", lambda config: str(config.grid[1])),
    "number of patches": Place("how many patches there are", lambda config: exact(config.patches)),
    "numbers of a patch": Place("how many numbers a patch has", lambda config: exact(config.patch_values)),
    "image size": Place("rows × columns of the pixels of the picture", lambda config: spelled(config.image_size)),
    "patch size": Place("rows × columns of the pixels of a patch", lambda config: spelled(config.patch_size)),
}


def alternatives(sentence: Sentence) -> Mapping[When, str]:
    """The texts of a sentence by when each is said."""
    return {"": sentence} if isinstance(sentence, str) else sentence


def condition(when: When) -> str:
    """When it is, for who reads it: " [heads=1]", a function by its name, "" for always."""
    named = when if isinstance(when, str) else when.__name__.replace("_", " ")
    return named and f" [{named}]"


def holds(when: When, config: ViTConfig) -> bool:
    """Whether it holds of such a model."""
    return config.has(when) if isinstance(when, str) else bool(when(config))


def chosen(sentence: Sentence, config: ViTConfig) -> str:
    """The text that is said of such a model, "" where none is."""
    return next((text for when, text in alternatives(sentence).items() if holds(when, config)), "")


def filled(text: str, config: ViTConfig, places: Mapping[str, Place]) -> str:
    """A text with what its places stand for, roles in braces."""
    return BRACES.sub(lambda found: places[found[1]].text(config), text)


def places_in(text: str) -> Iterator[str]:
    """The names of its places, in order."""
    return (found[1] for found in BRACES.finditer(text))
