"""Where parameters come from: the trained demo model, an untrained preset, or a checkpoint that people know."""

from vitviz.weights.blueprint import Blueprint
from vitviz.weights.card import Card, parse_card
from vitviz.weights.errors import WeightsError
from vitviz.weights.families.sources import Sources
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
