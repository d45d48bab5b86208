"""Fields of a configuration as people write them: `image_size=384`, `distilled=true`."""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from vitviz.config.checks import ConfigError
from vitviz.config.config import FIELDS, ViTConfig
from vitviz.config.sides import read


def with_words(config: ViTConfig, pairs: Sequence[str]) -> ViTConfig:
    """`config` with fields changed as in `["image_size=384", "distilled=true"]`; raises `ConfigError`."""
    changes: dict[str, Any] = {}
    for pair in pairs:
        field, _, text = pair.partition("=")
        if field not in FIELDS:
            raise ConfigError(f"{field!r} is no field of a model; there are {', '.join(FIELDS)}")
        changes[field] = _read(field, text, getattr(config, field))
    return config.with_(**changes)


def _read(field: str, text: str, present: object) -> object:
    """`text` as a value of the kind that `field` has at present; what is None now may become a number."""
    if isinstance(present, str):
        return text
    if field in ("image_size", "patch_size") and (size := read(text)) is not None:
        return size
    with suppress(ValueError):
        value = json.loads(text)
        if type(value) is type(present) or (isinstance(present, float | None) and type(value) in (int, float)):
            return value
    raise ConfigError(f"{field} is {json.dumps(present)}, and {text!r} is nothing of that kind")
