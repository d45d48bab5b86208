"""Speed: the measured beside the counted, on this device; what memory takes of it; a ViT beside a CNN."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculation, Calculations
from vitviz.cards.papers import ROOFLINE, SHUFFLENET
from vitviz.choice import Choice
from vitviz.page import Page
from vitviz.plain import products

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig
    from vitviz.trace import Trace


def macs_by_step(config: ViTConfig) -> NDArray[Any]:
    from vitviz.counts import mac_steps

    return np.array(list(mac_steps(config).values()))


def names_of_steps(config: ViTConfig) -> dict[str, list[str]]:
    from vitviz.counts import mac_steps

    return {"step": list(mac_steps(config))}


def calls_and_seconds(trace: Trace) -> dict[str, tuple[int, float]]:
    """Of every stage: how often it is called, and the seconds of one call."""
    from vitviz.measures.speed import speed

    return {it.stage: (it.calls, it.seconds) for it in speed(trace).stages}


STEPS = Calculation(
    "the multiply-accumulates of every step of the forward pass",
    "step",
    macs_by_step,
    products,
    names=names_of_steps,
    anew=calls_and_seconds,
    note="Seconds are those of this machine, and others every time: they are measured anew below, and only what is "
    "counted is asserted.",
    papers=(("Roofline", ROOFLINE), ("Memory access cost", SHUFFLENET)),
)

GROWS = {"Pictures in a batch": "batch", "Pixels a side": "picture"}
NETWORKS = Choice("networks", GROWS.keys(), label="What grows")

PAGE = Page(
    __file__,
    "Speed",
    order=609,
    says="The same number of operations can take different time. Layer norms and GELU cost time although they have no "
    "multiply-accumulates. Beside the count of each stage stands the time that this device takes for it.",
    stage="model",
    choices=(NETWORKS,),
    calculations=Calculations(STEPS),
)
