"""vitviz: see every number of a Vision Transformer on its way to an answer."""

from typing import Any

__version__ = "0.1.0"

# What a notebook calls, and the module that it lies in; each is imported when it is first used.
CALLED = {"Board": "vitviz.widget", "explore": "vitviz.takeaway.explorer.explorer", "show": "vitviz.takeaway.show"}


def __getattr__(name: str) -> Any:
    """`vitviz.explore` and its like, without importing what the rest does not need."""
    if name not in CALLED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(CALLED[name]), name)
