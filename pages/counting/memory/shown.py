"""What stands on *Memory*."""

import streamlit as st

from vitviz import counts, palette
from vitviz.config import ViTConfig
from vitviz.figures.counting import counts as charts
from vitviz.numbers import bytes_, exact
from vitviz.selection import Selection
from vitviz.ui import controls, page
from vitviz.ui.widgets.table import table

from .page import BATCH

HALF = 2  # bytes of a number in 16 bit


@st.fragment
def compared(config: ViTConfig) -> None:
    """Three bars to one scale; the last grows with the batch while the slider is dragged."""
    left, right = st.columns([1, 3])
    with left:
        batch = controls.draw(BATCH, config)
    inference, training = (
        {item.name: item.bytes for item in items(config)} for items in (counts.inference_memory, counts.training_memory)
    )
    stored = {kind: HALF * batch * numbers for kind, numbers in counts.activation_memory(config).items()}
    bars = [
        ("inference", inference),
        ("training, without activations", training),
        (f"activations of {batch} pictures", stored),
    ]
    with right:
        page.chart(
            charts.totals(bars, "bytes", colours=palette.MEMORY, say=bytes_, named=False),
            "Memory in use and in training",
            f"To one scale: {bytes_(sum(inference.values()))} in use, {bytes_(sum(training.values()))} in training, "
            f"and {bytes_(sum(stored.values()))} for everything that {batch} forward passes make, in 16 bit with "
            f"attention written out. {_written_out(config)}, {bytes_(stored['scores and weights'])} of it.",
            "memory",
        )


def _written_out(config: ViTConfig) -> str:
    """Whether this model's forward pass holds scores and weights at all."""
    if config.attention == "linear":
        return "Linear attention makes scores and weights only to show them"
    if config.plain_scores:
        return "Fused attention never stores the scores and weights"
    return "This model's attention is not fused and stores the scores and weights"


def show(selection: Selection) -> None:
    config = selection.config
    compared(config)
    training, activations = counts.training_memory(config), counts.activation_memory(config)
    left, right = st.columns(2)
    with left:
        table(
            "Training memory per parameter",
            ["Held in training", "Bytes each", "In all"],
            [[item.name, str(item.bytes_per_parameter), bytes_(item.bytes)] for item in training],
            total=[
                "Sum",
                str(sum(it.bytes_per_parameter for it in training)),
                bytes_(sum(it.bytes for it in training)),
            ],
            colours=[palette.MEMORY[item.name] for item in training],
            lights=[item.name for item in training],
        )
    with right:
        table(
            "Activations of one picture by kind",
            ["Made by one forward pass, attention written out", "Numbers", "In 16 bit"],
            [[kind, exact(numbers), bytes_(HALF * numbers)] for kind, numbers in activations.items()],
            total=["Sum", exact(sum(activations.values())), bytes_(HALF * sum(activations.values()))],
            colours=[palette.MEMORY[kind] for kind in activations],
            lights=list(activations),
        )
    total = counts.total_parameters(config)
    page.formula(
        r"\text{inference} = 2\,\Phi, \qquad "
        r"\text{training} = (2 + 4)\,\Phi + (2 + 4)\,\Phi + (4 + 4)\,\Phi = 20\,\Phi",
        rf"\Phi = {exact(total)}: \qquad 2\,\Phi = {exact(2 * total)}, \qquad 20\,\Phi = {exact(20 * total)}",
    )
    st.markdown(
        "Mixed precision with AdamW: parameters, gradients and two moments, the first two also in 16 bit. "
        "[Rajbhandari et al. 2019](https://arxiv.org/abs/1910.02054) count 16 Φ: they keep no gradients in 32 bit."
    )
    page.source(counts.training_memory, counts.activation_memory)
