"""Switches: the family of architectures, one card for each switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculations, Experiment
from vitviz.cards import CARDS
from vitviz.choice import found_in, one_of
from vitviz.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.cards.change import Figure as Changed
    from vitviz.choice import Words
    from vitviz.config import ViTConfig

SWITCH = one_of("switch", {field: field for field in ("norm_order", *CARDS)})


def changed_by_a_switch(config: ViTConfig, switch: str, value: Any) -> Sequence[Changed]:
    from vitviz.cards import CARDS
    from vitviz.cards.change import compared, totals

    card = CARDS[switch]
    return totals(*compared(config, card, card.choice(value)))


def without_and_with(changed: Sequence[Changed]) -> NDArray[Any]:
    return np.array([(it.without, it.having) for it in changed])


def names_of_changed(changed: Sequence[Changed]) -> dict[str, list[str]]:
    return {"count": [it.name for it in changed]}


SWITCHES = Experiment(
    "parameters, multiply-accumulates, and bytes of parameters and activations without a switch, and with it",
    "count 2",
    without_and_with,
    given={"changed": changed_by_a_switch},
    names=names_of_changed,
    places=("without", "with"),
    pictured=False,
    lacks="every switch has its own formulas; `vitviz/counts/parts.py` has them",
)


def _value(asked: Words, config: ViTConfig) -> Any:
    """The value of a switch; the first that is not the paper's as a rule."""
    values = {it.in_link: it.value for it in CARDS[SWITCH(asked, config)].choices}
    return found_in("value", asked.get("value") or list(values)[1], values)


PAGE = Page(
    __file__,
    "Switches",
    order=502,
    stage="model",
    forward=False,
    choices={
        "switch": SWITCH,
        "value": _value,
    },
    calculations=Calculations(SWITCHES),
)
