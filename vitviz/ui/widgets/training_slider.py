"""A slider over the moments of the demo model's training that were kept, and what was measured at each."""

import streamlit as st

from vitviz.demo.snapshots import snapshots
from vitviz.selection import Selection
from vitviz.ui.links import check_choice
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
