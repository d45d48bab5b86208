"""Switches: the family of architectures, one card for each switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculation, Calculations
from vitviz.cards import CARDS
from vitviz.choice import Choice
from vitviz.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.cards.card import Paper
    from vitviz.cards.change import Figure as Changed
    from vitviz.choice import Words
    from vitviz.config import ViTConfig

SWITCH = Choice("switch", CARDS.keys(), name="switch", usual="norm_order", there="the switches of the list")


def changed_by_a_switch(config: ViTConfig, switch: str, value: Any) -> Sequence[Changed]:
    from vitviz.cards import CARDS
    from vitviz.cards.change import compared, totals

    card = CARDS[switch]
    return totals(*compared(config, card, card.choice(value)))


def without_and_with(changed: Sequence[Changed]) -> NDArray[Any]:
    return np.array([(it.without, it.having) for it in changed])


def names_of_changed(changed: Sequence[Changed]) -> dict[str, list[str]]:
    return {"count": [it.name for it in changed]}


def paper_of(switch: str, value: Any) -> tuple[tuple[str, Paper], ...]:
    return ((CARDS[switch].title, CARDS[switch].choice(value).paper),)


SWITCHES = Calculation(
    "parameters, multiply-accumulates, and bytes of parameters and activations without a switch, and with it",
    "count 2",
    without_and_with,
    given={"changed": changed_by_a_switch},
    names=names_of_changed,
    places=("without", "with"),
    pictured=False,
    cited=paper_of,
    lacks="every switch has its own formulas; `vitviz/counts/parts.py` has them",
)


def _values(words: Words, _: ViTConfig | None) -> dict[str, Any]:
    """Those of the switch."""
    field = words.get(SWITCH.word) or SWITCH.usual
    return {it.in_link: it.value for it in CARDS[field if field in CARDS else SWITCH.usual].choices}


# Usual is the first that is not the paper's.
VALUE = Choice("value", among=_values, name="value", usual=lambda words, _: list(_values(words, None))[1])


PAGE = Page(
    __file__,
    "Switches",
    order=502,
    says="Choose a switch: its card shows in colour what it changes in an equation and in the code, what it costs, "
    "and what we measured with it. A Vision Transformer is a family.",
    stage="model",
    forward=False,
    choices=(SWITCH, VALUE),
    calculations=Calculations(SWITCHES),
)
