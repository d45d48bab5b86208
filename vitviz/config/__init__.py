"""The sizes of a Vision Transformer as one checked value, and presets under the names people type."""

from vitviz.config.checks import MOST_DROPPED, ConfigError, divisors
from vitviz.config.config import (
    ACTIVATION_FUNCTIONS,
    ACTIVATION_NAMES,
    ADDED,
    ATTENTIONS,
    FIELDS,
    INITIAL,
    LIMITS,
    MOST_KEYS,
    MOST_PRE_LOGITS,
    MOST_REGISTERS,
    NORM_NAMES,
    NORM_ORDERS,
    NORMS,
    POOLS,
    POSITIONS,
    POSITIONS_AT,
    ViTConfig,
)
from vitviz.config.presets import OWN, OWN_START, PRESETS, TRAINED
from vitviz.config.stems import STEMS

__all__ = [
    "ACTIVATION_FUNCTIONS",
    "ACTIVATION_NAMES",
    "ADDED",
    "ATTENTIONS",
    "FIELDS",
    "INITIAL",
    "LIMITS",
    "MOST_DROPPED",
    "MOST_KEYS",
    "MOST_PRE_LOGITS",
    "MOST_REGISTERS",
    "NORMS",
    "NORM_NAMES",
    "NORM_ORDERS",
    "OWN",
    "OWN_START",
    "POOLS",
    "POSITIONS",
    "POSITIONS_AT",
    "PRESETS",
    "STEMS",
    "TRAINED",
    "ConfigError",
    "ViTConfig",
    "divisors",
]
