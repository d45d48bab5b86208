"""Encoder block: what attention and MLP do to the residual stream."""

import streamlit as st

from vitviz.ui import controls, page
from vitviz.ui.links import heed
from vitviz.ui.sections.model.encoder_block import STEPS
from vitviz.ui.view import current

view = current()

page.sentence("Attention, then the MLP, each reads a normed copy of the {residual stream} and adds its result to it.")
heed("step", STEPS, "one of " + ", ".join(STEPS))
step = st.segmented_control(
    "Step",
    list(STEPS),
    default="Layer norm",
    required=True,
    key="step",
    bind="query-params",
    label_visibility="collapsed",
)
left, right = st.columns(2)
with left:
    layer = controls.layer(view)
with right:
    token = controls.query(view, "Token")
STEPS[step](view, layer, token)
