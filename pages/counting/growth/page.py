"""Growth: what one size costs when all others stay, against the linear and the quadratic law."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from vitviz.addresses.ranges import Number, to
from vitviz.calculation import Calculations, Counted
from vitviz.choice import Choice, Words
from vitviz.config import LIMITS
from vitviz.counts.scaling.growth import FIELDS, growth, own
from vitviz.page import Page

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig


def growing_macs(config: ViTConfig, field: str) -> NDArray[Any]:
    from vitviz.counts import growth

    return np.array([(it.against, it.macs, it.quadratic) for it in growth(config, field)])


def growing_sizes(config: ViTConfig, field: str) -> dict[str, list[str]]:
    from vitviz.counts import growth

    return {"size": [f"{field} {it.size}" for it in growth(config, field)]}


GROWTH = Counted(
    "what it is drawn against, all multiply-accumulates, and those of QKᵀ and AV, at every size of the curve",
    "size 3",
    growing_macs,
    lacks="it counts a model for every size; `vitviz/counts/totals.py` has the closed form",
    places=("drawn against", "all MACs", "of QKᵀ and AV"),
    names=growing_sizes,
)


def _sizes(field: str, _: Words, config: ViTConfig | None) -> list[int]:
    return [it.size for it in growth(config, field)] if config else []


GROW = Choice(
    "grow", {field.replace("_", " ").capitalize(): field for field in FIELDS}, name="field", label="What grows"
)
AXES = Choice("axes", ("Linear", "Logarithmic"), label="Axes")
GROWN = {
    field: Choice(
        f"grown_{field}",
        Number(to(LIMITS[field])),
        usual=lambda _, config, field=field: own(config, field),
        among=partial(_sizes, field),
        refused="{word} {text}, and the curve of this model does not have that size",
    )
    for field in FIELDS
}  # another size of the model, on its curve

PAGE = Page(
    __file__,
    "Growth",
    order=604,
    says={
        "attention=linear": (
            "Change one size and keep the others: does the arithmetic follow a straight line or a parabola? Attention "
            "is linear in this model: no token is compared with every other, and nothing grows with the square of the "
            "tokens."
        ),
        "": (
            "Change one size and keep the others: does the arithmetic follow a straight line or a parabola? Attention "
            "compares every token with every token, so that part grows with the square of the tokens."
        ),
    },
    stage="model",
    forward=False,
    choices=(GROW, AXES, *GROWN.values()),
    calculations=Calculations(GROWTH),
)
