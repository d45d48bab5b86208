"""Growth: what one size costs when all others stay, against the linear and the quadratic law."""

import streamlit as st

from vitviz import counts, palette
from vitviz.counts.scaling.growth import FIELDS
from vitviz.figures import growth as figures
from vitviz.numbers import exact, short
from vitviz.ui import page
from vitviz.ui.selection import current

config = current().config
page.sentence(
    "Change one size and keep the others: does the arithmetic follow a straight line or a parabola? "
    "Attention compares every token with every token, so that part grows with the square of the tokens."
)
left, right = st.columns(2)
names = {field.replace("_", " ").capitalize(): field for field in FIELDS}
label = left.segmented_control(
    "What grows", list(names), default="Image size", required=True, key="grow", bind="query-params"
)
axes = right.segmented_control(
    "Axes", ["Linear", "Logarithmic"], default="Linear", required=True, key="axes", bind="query-params"
)
field = names[label]
points = counts.growth(config, field)
now = next(point for point in points if point.size == getattr(config, field))
against = "tokens" if field in ("image_size", "patch_size") else label.lower()
page.drawing(
    figures.curves(
        [it.against for it in points],
        [
            ("all", [it.macs for it in points], palette.MLP, "solid"),
            ("QKᵀ and AV", [it.quadratic for it in points], palette.ATTENTION, "solid"),
            (f"linear in {against}", counts.law(points, now, 1), palette.RESIDUAL, "dot"),
            (f"quadratic in {against}", counts.law(points, now, 2), palette.RESIDUAL, "dash"),
        ],
        (now.against, now.macs),
        against,
        unit="MAC",
        log=axes == "Logarithmic",
    ),
    f"From {label.lower()} {exact(min(it.size for it in points))} to {exact(max(it.size for it in points))}; "
    f"the diamond is the model on screen: {label.lower()} {exact(now.size)}, {exact(now.against)} {against}, "
    f"{short(now.macs)}MAC, of which QKᵀ and AV {short(now.quadratic)}MAC.",
)
crossing = counts.overtaking(config)
page.formula(
    r"\underbrace{2 t^2 d}_{QK^T \text{ and } AV} = \underbrace{t\,(4 d^2 + 2 d m)}_{\text{all else in a block}}"
    r"\quad\Longleftrightarrow\quad t = 2d + m",
    rf"t = 2 \cdot {config.dim} + {config.mlp_dim} = {crossing}",
)
st.markdown(
    f"**When does attention take more than all else?** From {exact(crossing)} tokens on; this model has "
    f"{exact(config.tokens)}."
)
page.source(counts.growth, counts.law)
