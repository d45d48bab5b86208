"""Heads: every head asks its own question of the picture."""

from vitviz.measures import attention_weights
from vitviz.measures.attention import layer_scores
from vitviz.model import attention, attention_scores
from vitviz.ui import controls, explorer, page
from vitviz.ui.sections.attention import heads as section
from vitviz.ui.selection import current

view = current()
config = view.config

page.sentence(
    "Attention weights say how much each {query} takes from every {key}. Do all heads look at the same places?"
)
explorer.draw(view, section.server_drawn)
section.attention_learned(view, controls.chosen_layer(view))
page.formula(
    r"A = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_h}}\right)",
    rf"\sqrt{{d_h}} = \sqrt{{{config.head_dim}}}, \quad {config.heads} \times {config.tokens} \times {config.tokens}",
)
page.source(attention_weights, layer_scores, attention, attention_scores)
