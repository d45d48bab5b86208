"""Foreign names in a file: on one line, and apart from each other."""

from collections.abc import Collection
from itertools import chain, count


def free(name: str, taken: Collection[str]) -> str:
    """The name, numbered where another has it already, in capitals or not."""
    lower = {other.lower() for other in taken}
    return next(it for it in chain([name], (f"{name}_{number}" for number in count(2))) if it.lower() not in lower)
