"""What pages of the laboratory begin with: the model as it is, dials, and how much of many forward passes is made."""

from collections.abc import Sequence

import streamlit as st

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.numbers import exact, many, short
from vitviz.ui.links import check_choice
from vitviz.ui.selection import Selection, current
from vitviz.ui.widgets.live.choice import Value
from vitviz.ui.widgets.live.slider import slider


def unedited() -> Selection:
    """The selection of this visitor without edits, and a word where there are some."""
    selection = current()
    if selection.edits:
        st.caption(f"{many(len(selection.edits.each), 'edit')} left aside: this page shows the model as it is.")
    return selection.plain


def dial(label: str, stops: Sequence[Value], usual: Value, key: str) -> Value:
    """A live slider, and a word where the link asks for a value that it does not have."""
    check_choice(key, list(map(str, stops)), f"{label.lower()} {', '.join(map(str, stops))}")
    return slider(label, stops, usual, key)


def granted(config: ViTConfig, wanted: int, passes: float, things: str, key: str) -> int:
    """How many of `wanted` `things`, each of so many forward passes, are to be made of this model.

    All where that takes a moment; else as many as take one, and a switch that says what all of them cost.
    """
    from vitviz.machine.price import at_once, seconds

    few = at_once(config, passes, wanted)
    if few == wanted:
        return wanted
    macs = round(wanted * passes * counts.total_macs(config))
    every = st.toggle(
        f"All {exact(wanted)} {things}: {short(macs)} multiply-adds, some {wanted * passes * seconds(config):.0f} s",
        key=f"every {key}",
        help=f"This model is large: {exact(few)} of {exact(wanted)} {things} are shown until you ask for all.",
    )
    return wanted if every else few
