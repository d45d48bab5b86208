"""Intervene: parts of the running model are switched off, and the unedited run stands beside it."""

from dataclasses import replace

import streamlit as st

from vitviz.edits import Edits
from vitviz.measures import interventions
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.board.scenes.intervene import second
from vitviz.ui.sections.laboratory import intervene as section
from vitviz.ui.selection import current

selection = current()
config = selection.config
at = address.read(config)
edited = replace(selection, edits=at.edits, donor=second(selection).picture)

if page.drawer("details"):
    section.listed(at.edits, config)
    if config.classes:
        section.answers(edited)
        section.lens(edited)
    section.maps(edited, at.layer, at.head, at.query)

if page.drawer("formula"):
    page.formula(
        r"\mathbf z_l = \mathbf z_{l-1} + \beta \Bigl(\alpha \bigl(\textstyle\sum_h \lambda_h\, \mathbf o_h W_o^{(h)} "
        r"+ \mathbf b_o\bigr) + \mu \operatorname{MLP}(\operatorname{LN}(\mathbf z'))\Bigr) \qquad "
        r"\mathbf o_h = \operatorname{softmax}\!\left(\frac{q_h k_h^\top}{T \sqrt{d_h}} + M\right) v_h",
        rf"\lambda_h,\ \alpha,\ \mu,\ \beta \in [0, 2], \quad h = 1 \dots {config.heads}, \quad l = 1 \dots "
        rf"{config.depth}, \quad d_h = {config.head_dim}",
    )
    st.caption(
        "A head is scaled before the output projection: its slice times λ, the same as scaling its columns of W_o. "
        "The bias b_o belongs to no head. β = 0 leaves the stream as it is: a block that is off is the identity."
    )

if page.drawer("code"):
    page.source("ViT.go_on", Edits.read, interventions.heads_off, interventions.occluded, interventions.put_in)
