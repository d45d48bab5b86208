"""Conditions on the fields of a configuration as text, for tables of what a model has: "layer_scale pool!=class"."""

import re
from functools import cache


def holds(config: object, conditions: str) -> bool:
    """Whether all conditions hold: a field alone is on, others are or are not what stands behind their sign."""
    return not conditions or all(
        bool(getattr(config, field)) if not sign else (str(getattr(config, field)) == value) == (sign == "=")
        for field, sign, value in _conditions(conditions)
    )


@cache
def _conditions(text: str) -> tuple[tuple[str, str, str], ...]:
    """Field, sign and value of each condition; of a field alone the last two are empty."""
    return tuple(re.findall(r"(\w+)(!?=)?(\S*)", text))
