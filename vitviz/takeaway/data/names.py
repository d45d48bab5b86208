"""Foreign names in a file: on one line, and apart from each other."""

from collections.abc import Collection
from itertools import chain, count


def one_line(text: str) -> str:
    """Foreign words on one line, without what no file can hold."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(shown.split())


def free(name: str, taken: Collection[str]) -> str:
    """The name, numbered where another has it already, in capitals or not."""
    lower = {other.lower() for other in taken}
    return next(it for it in chain([name], (f"{name}_{number}" for number in count(2))) if it.lower() not in lower)
