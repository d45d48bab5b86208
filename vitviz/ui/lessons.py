"""What the demo model alone can teach, because its training is known: how it learned, and why positions matter.

Every number is one that training or the report measured and wrote beside the checkpoint.
"""

from functools import cache
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from vitviz.config import PRESETS
from vitviz.demo.files import read_metrics
from vitviz.demo.pictures import VALIDATION
from vitviz.demo.samples import WATCHED
from vitviz.demo.snapshots import snapshots
from vitviz.figures.attention import maps
from vitviz.figures.tokens import patch_embedding, position_embedding
from vitviz.measures import tokens as measures
from vitviz.measures.arrays import Array
from vitviz.measures.positions import probabilities_with_shuffled_positions, probabilities_without_positions
from vitviz.measures.tokens import Components
from vitviz.numbers import exact, small
from vitviz.ui import answer, ledger_table
from vitviz.ui import furniture as page
from vitviz.ui.fallback import explained
from vitviz.ui.links import heed
from vitviz.ui.token_views import FILTERS
from vitviz.ui.view import View


@st.fragment
@explained()
def positions_learned(view: View, patch: int) -> None:
    """The similarity of positions at any moment of training."""
    if (at := _moment(view)) is None:
        return
    patches = np.arange(view.config.patches).reshape(view.config.grid)
    chosen = divmod(patch, view.config.grid[1])
    page.picture(
        view,
        position_embedding.similarity_maps(_similar_positions(at), patches, chosen),
        f"{_when(at)}: rank correlation of {{position}} similarity with nearness "
        f"{small(_milestone(at)['position_rank_correlation'])}, accuracy on {len(VALIDATION)} scenes kept for watching "
        f"{small(_milestone(at)['accuracy'])}.",
        key="positions_learned",
    )


@st.fragment
@explained()
def filters_learned(view: View) -> None:
    """The filters of the patch embedding at any moment of training."""
    if (at := _moment(view)) is None:
        return
    components = _filter_components(at)
    page.picture(
        view,
        patch_embedding.filters(components.directions, view.config.patch_size),
        f"{_when(at)}: the first {FILTERS} principal components of the {exact(view.config.dim)} filters, which hold "
        f"{100 * components.share.sum():.1f} % of their variance; {100 * _milestone(at)['low_frequency_share']:.0f} % "
        "of the filters' energy is coarse (low frequencies).",
        key="filters_learned",
    )


@st.fragment
@explained()
def attention_learned(view: View, layer: int) -> None:
    """Where the class token of one layer looked on four fixed scenes, mean of its heads, at any moment of training."""
    if (at := _moment(view)) is None:
        return
    special = len(view.config.special_tokens)
    weights = snapshots().attention[at, :, layer].mean(axis=1)[:, special:].reshape(-1, *view.config.grid)
    limit = float(weights.max())
    for column, sample, pixels, seen in zip(st.columns(len(WATCHED)), WATCHED, _scenes(), weights, strict=True):
        with column:
            page.picture(
                view,
                maps.overlay(pixels, seen, limit, None),
                f"{sample.title}: {view.config.patches} weights, strongest {small(float(seen.max()))}.",
                key=f"attention_learned_{sample.id}",
            )
    st.caption(
        f"{_when(at)}, layer {layer + 1}, mean of its {view.config.heads} heads, one scale from 0 to {small(limit)}. "
        f"On {len(VALIDATION)} scenes kept for watching, over all heads and layers, the class token looks at the "
        f"target {small(_milestone(at)['attention_on_target'])} times as much as its area alone would "
        f"give; accuracy {small(_milestone(at)['accuracy'])}."
    )


@st.fragment
@explained()
def positions_matter(view: View) -> None:
    """Answers without positions and with shuffled ones beside the model's own, and the measured accuracy of each.

    A model without classes gives none.
    """
    if not view.config.classes:
        return
    st.subheader("Do positions matter?", anchor=False)
    columns = st.columns(3)
    with columns[0]:
        st.markdown("**as learned**")
        answer.bars(view.labels, answer.final(view).probabilities)
    switches = {
        "positions_off": ("Positions off", probabilities_without_positions),
        "positions_shuffled": ("Positions shuffled", probabilities_with_shuffled_positions),
    }
    for column, (key, (label, measure)) in zip(columns[1:], switches.items(), strict=True):
        with column:
            if st.toggle(label, value=True, key=key, bind="query-params"):
                answer.bars(view.labels, view.measure(measure))
    if view.choice.name == "demo":
        _measured_accuracy()


def _measured_accuracy() -> None:
    found, scenes = _metrics()["trained"], _metrics()["report"]["scenes"]
    rows = {
        "as learned": "accuracy",
        "positions off": "positions_off",
        "positions and light off": "positions_and_light_off",
        "positions shuffled": "positions_shuffled",
    }
    ledger_table.table(
        "Accuracy on test scenes",
        ["accuracy", "things (12 classes)", "relations (4 classes)", "all"],
        [
            [label, *(f"{100 * found[name + kind]:.1f} %" for kind in ("_things", "_relations", ""))]
            for label, name in rows.items()
        ],
    )
    st.caption(
        f"Measured on {exact(scenes)} scenes that the model never trained on. A bag of patches is enough to tell most "
        "things; which ball is left of the other needs positions. Guessing among the four relations gives 25 %. "
        f"{_light()}"
    )


def _moment(view: View) -> int | None:
    """A slider for the moment of training, where the model is the one whose training was kept."""
    if view.choice.name != "demo":
        return None
    st.subheader("Watch it learn", anchor=False)
    options = [str(step) for step in snapshots().steps]
    heed("training", options, f"training steps {', '.join(options)}")
    step = st.select_slider("Training time (steps)", options, value=options[-1], key="training", bind="query-params")
    return options.index(step)


def _when(at: int) -> str:
    steps = snapshots().steps
    return "Before training" if steps[at] == 0 else f"After {exact(steps[at])} of {exact(steps[-1])} steps"


def _light() -> str:
    found = _metrics()["trained"]
    return (
        "Each scene carries a faint fixed light, brighter above and warmer on the left, which tells a little of the "
        f"place by itself; with positions, the same scenes without it give {100 * found['light_off']:.2f} %."
    )


def _milestone(at: int) -> dict[str, Any]:
    step = snapshots().steps[at]
    found: dict[str, Any] = next(one for one in _metrics()["milestones"] if one["step"] == step)
    return found


@cache
def _filter_components(at: int) -> Components:
    filters = snapshots().filters[at]
    return measures.principal_components(filters.reshape(len(filters), -1), FILTERS)


@cache
def _similar_positions(at: int) -> Array:
    config = PRESETS["demo"]
    return measures.similarity_maps(snapshots().positions[at][len(config.special_tokens) :], config.grid)


@cache
def _scenes() -> tuple[NDArray[np.uint8], ...]:
    return tuple(np.asarray(sample.scene.image) for sample in WATCHED)


@cache
def _metrics() -> dict[str, Any]:
    return read_metrics()
