"""Where parameters come from: the trained demo model, an untrained preset, or a checkpoint that people know."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from vitviz.weights.card import Card, parse_card
from vitviz.weights.errors import WeightsError
from vitviz.weights.families.sources import Sources

if TYPE_CHECKING:
    from vitviz.weights.blueprint import Blueprint
    from vitviz.weights.loading import Loaded, assemble, build, infer_config, inspect, load

__all__ = [
    "Blueprint",
    "Card",
    "Loaded",
    "Sources",
    "WeightsError",
    "assemble",
    "build",
    "infer_config",
    "inspect",
    "load",
    "parse_card",
]


def __getattr__(name: str) -> Any:
    """What needs PyTorch, imported when it is asked for: a server of pages asks for the rest alone."""
    if name not in __all__:
        raise AttributeError(f"module {__name__} has no {name}")
    return getattr(import_module(f"{__name__}.{'blueprint' if name == 'Blueprint' else 'loading'}"), name)
