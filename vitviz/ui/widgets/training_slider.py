"""A slider over the moments of the demo model's training that were kept, and what was measured at each."""

from functools import cache
from typing import Any

import streamlit as st

from vitviz.demo.artifacts import read_metrics
from vitviz.demo.snapshots import snapshots
from vitviz.numbers import exact
from vitviz.ui.links import check_choice
from vitviz.ui.selection import Selection
from vitviz.ui.widgets.live.slider import slider


def moment(selection: Selection) -> int | None:
    """Draw the slider; an index into the snapshots, or None for a model whose training was not kept."""
    if selection.model.name != "demo":
        return None
    st.subheader("Watch it learn", anchor=False)
    steps = snapshots().steps
    check_choice("training", list(map(str, steps)), f"training steps {', '.join(map(str, steps))}")
    step = slider("Training time (steps)", steps, steps[-1], "training", plays=True)
    return steps.index(step)


def when(at: int) -> str:
    """The moment in words, for a caption."""
    steps = snapshots().steps
    return "Before training" if steps[at] == 0 else f"After {exact(steps[at])} of {exact(steps[-1])} steps"


def milestone(at: int) -> dict[str, Any]:
    """What the training measured at that moment, by name."""
    step = snapshots().steps[at]
    found: dict[str, Any] = next(one for one in metrics()["milestones"] if one["step"] == step)
    return found


@cache
def metrics() -> dict[str, Any]:
    """All that training and report measured of the demo model."""
    return read_metrics()
