"""Memory: what the parameters take in use and in training, and what the activations add."""

import streamlit as st

from vitviz import counts, palette
from vitviz.figures import counts as figures
from vitviz.numbers import bytes_, exact
from vitviz.ui import page
from vitviz.ui.links import check_number
from vitviz.ui.selection import current
from vitviz.ui.widgets.table import table

HALF = 2  # bytes of a number in 16 bit

config = current().config
inference, training = counts.inference_memory(config), counts.training_memory(config)
activations = counts.activation_memory(config)
total = counts.total_parameters(config)

page.sentence(
    "To use a model takes 2 bytes for each of its Φ parameters; to train it takes ten times as much. "
    "Activations come on top, and they grow with every picture of the batch."
)
check_number("batch", 1, 256)
batch = st.slider("Pictures in a batch", 1, 256, 32, key="batch", bind="query-params")
stored = {kind: HALF * batch * numbers for kind, numbers in activations.items()}
bars = {
    "inference": {item.name: item.bytes for item in inference},
    "training, without activations": {item.name: item.bytes for item in training},
    f"activations of {batch} pictures": stored,
}
page.drawing(
    figures.totals(list(bars.items()), "bytes", colours=palette.MEMORY, say=bytes_, named=False),
    f"To one scale: {bytes_(sum(item.bytes for item in inference))} in use, "
    f"{bytes_(sum(item.bytes for item in training))} in training, and {bytes_(sum(stored.values()))} for everything "
    f"that {batch} forward passes make, in 16 bit with attention written out. Fused attention never stores the scores "
    f"and weights, {bytes_(stored['scores and weights'])} of it.",
)
left, right = st.columns(2)
with left:
    table(
        "Training memory per parameter",
        ["Held in training", "Bytes each", "In all"],
        [[item.name, str(item.bytes_per_parameter), bytes_(item.bytes)] for item in training],
        total=["Sum", str(sum(it.bytes_per_parameter for it in training)), bytes_(sum(it.bytes for it in training))],
        colours=[palette.MEMORY[item.name] for item in training],
    )
with right:
    table(
        "Activations of one picture by kind",
        ["Made by one forward pass", "Numbers", "In 16 bit"],
        [[kind, exact(numbers), bytes_(HALF * numbers)] for kind, numbers in activations.items()],
        total=["Sum", exact(sum(activations.values())), bytes_(HALF * sum(activations.values()))],
        colours=[palette.MEMORY[kind] for kind in activations],
    )
page.formula(
    r"\text{inference} = 2\,\Phi, \qquad \text{training} = (2 + 4)\,\Phi + (2 + 4)\,\Phi + (4 + 4)\,\Phi = 20\,\Phi",
    rf"\Phi = {exact(total)}: \qquad 2\,\Phi = {exact(2 * total)}, \qquad 20\,\Phi = {exact(20 * total)}",
)
st.markdown(
    "Mixed precision with AdamW: parameters, gradients and two moments, the first two also in 16 bit. "
    "[Rajbhandari et al. 2019](https://arxiv.org/abs/1910.02054) count 16 Φ: they keep no gradients in 32 bit."
)
page.source(counts.training_memory, counts.activation_memory)
