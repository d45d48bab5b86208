"""What stands on *Shift*."""

from math import prod

import streamlit as st

from vitviz.config.sides import spelled
from vitviz.measures.laboratory.shift import max_pooled, moved_tokens, receptive_fields, shifted, similarity
from vitviz.numbers import exact, many, small
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.widgets import predictions
from vitviz.ui.widgets.laboratory import guess, verdict

from . import moving
from . import moving as section
from .page import GUESS


def show(selection: Selection) -> None:
    config = selection.config
    models = section.looked(selection)
    guessed = guess(
        GUESS,
        "The picture moves by half a patch. Whose last map, moved back, stays more like itself?",
        section.WHOSE,
    )
    if guessed:
        ours, theirs = map(small, models.similarity)
        verdict(
            guessed,
            models.staying,
            f"after {models.half} pixels the map of the CNN is {ours} like itself, that of the ViT {theirs}.",
        )
    section.moving(selection, models, curves=bool(guessed))
    st.caption(
        f"Each model reads {spelled(config.image_size)} pixels. Pixels that come in repeat the first "
        f"column.{section.sizes(selection)} Colours are three principal components of the map that did not "
        "move. Like itself: the cosine of the vectors of a pixel before and after, each less the mean, over all pixels "
        "in sight." + (" The curves come with your guess." if not guessed else "")
    )
    numbers = (
        rf"k({models.half}) = {small(models.similarity[0])} \ \text{{(CNN)}}, \quad {small(models.similarity[1])} \ "
        r"\text{(ViT)}"
    )
    predictions.warn(selection)
    page.formula(r"f(T_s x) = T_s f(x) \quad \text{(equivariant)}")
    page.formula(
        r"\begin{gathered} k(s) = \frac1N \sum_{y,\,x} \cos\bigl(f(x)_{y,\,x}, \\ f(T_s x)_{y,\,x+s}\bigr) "
        r"\end{gathered}",
        numbers if guessed else "",
    )

    st.subheader("What a maximum forgives", anchor=False)
    page.sentence(
        "A map that moves along is not the same map. Max-pooling keeps the greatest of each window and forgets where "
        "in it it stood: a small shift changes less of what comes next, as far as the maximum stays in its window."
    )
    pooled = moving.forgiving(selection)
    st.caption(
        "The first filters of the CNN at every pixel of the picture, before and after it moves by one pixel, nothing "
        "moved back. Shown is the channel that differs most over the picture; alike is the cosine as above, of all "
        "channels. One place of each window, in the last column, makes a map as coarse and reads no more than that "
        "place. This CNN itself has no max-pool; it steps over every second pixel, and ends with a mean over all "
        "places."
    )
    page.formula(
        r"\begin{gathered} p(f(T_s x)) \approx p(f(x)) \quad \text{(invariant)} \\ p(f)_{i,\,j} = "
        r"\max_{0 \le a,\,b < 2} f_{2i + a,\,2j + b} \end{gathered}",
        rf"{small(float(pooled.similarity[0]))} \ \text{{without}}, \quad {small(float(pooled.similarity[1]))} \ "
        r"\text{with } 2 \times 2",
    )

    st.subheader("Who sees how far", anchor=False)
    page.sentence(
        "A place of the map sees more with every convolution. A {query} of attention can look at every {patch} in the "
        "first layer already."
    )
    layers = section.reach(selection)
    st.caption(
        f"Around patch {address.read(config).patch + 1}. After {many(layers, 'layer')} of 3 × 3 convolution a place "
        f"sees {2 * layers + 1} × {2 * layers + 1} of {spelled(config.image_size)} pixels; after the "
        f"first layer of attention all {exact(config.patches)} patches. Light on the photo: where the head looks."
    )
    page.formula(
        r"\begin{gathered} (2l + 1)^2 \ \text{pixels after } l \text{ layers} \\ "
        r"n \ \text{patches after one} \end{gathered}",
        rf"\begin{{gathered}} (2 \cdot {layers} + 1)^2 = {exact((2 * layers + 1) ** 2)} \ \text{{of}} \ "
        rf"{exact(prod(config.image_sides))} \\ n = {exact(config.patches)} \\ \text{{all of the picture after }} "
        rf"{exact(section.layers_for_all(config, address.read(config)))} \text{{ layers}} \end{{gathered}}",
    )
    page.source(shifted, similarity, moved_tokens, max_pooled, receptive_fields)
