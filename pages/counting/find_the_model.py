"""Find the model: a budget, and the configurations that come nearest to it."""

import streamlit as st

from vitviz import counts
from vitviz.config import PRESETS
from vitviz.counts.scaling import search
from vitviz.figures import models as figures
from vitviz.numbers import exact, short
from vitviz.ui import page
from vitviz.ui.links import check_number
from vitviz.ui.selection import current
from vitviz.ui.sidebar.own_inputs import adopt
from vitviz.ui.widgets import comparison
from vitviz.ui.widgets.table import table


def percent(share: float, decimals: int) -> str:
    """A share as a signed percentage."""
    return f"{100 * share:+.{decimals}f} %".replace("-", "−")


config = current().config
page.sentence(
    "Say what a model may cost, and see which come nearest. Many shapes fit one budget, wide and shallow or narrow and "
    "deep. All else is as in the model on screen: picture, patches, classes, switches, and the width of a head."
)
left, right = st.columns(2)
unit = left.segmented_control(
    "Budget of", list(search.COUNTS), default="parameters", required=True, key="budget_of", bind="query-params"
)
prefix, scale = ("millions", 10**6) if unit == "parameters" else ("billions", 10**9)
check_number("budget", 0.1, 10_000.0)
amount = right.number_input(f"How many {prefix}", 0.1, 10_000.0, 50.0, step=1.0, key="budget", bind="query-params")
budget = round(amount * scale)
found = counts.nearest(config, budget, unit)
first, best = found[0], found[0].config
what = f"dim {best.dim}, depth {best.depth}, MLP {exact(best.mlp_dim)}, {exact(first.count)} {unit}"
if first.near:
    caption = (
        f"On the curve a model with an MLP of {short(config.mlp_dim / config.dim)} · d has {short(budget)} {unit}; "
        f"blocks are whole, and the MLP makes up for that. The nearest: {what}."
    )
else:
    caption = (
        f"Nothing in these proportions comes within {100 * search.NEAR:.0f} % of {short(budget)} {unit}: "
        f"the nearest, {what}, is {percent(first.off, 0)} off."
    )

page.drawing(
    figures.plane(
        [(dim, search.depth_for(search.widened(config, dim), budget, unit)) for dim in search.widths(config)],
        [(str(place), it.config.dim, it.config.depth) for place, it in enumerate(found, start=1)],
        [(comparison.SHORT[name], PRESETS[name].dim, PRESETS[name].depth) for name in comparison.LADDER],
        (search.SLENDER, search.STOUT),
    ),
    caption,
)
table(
    "The nearest models" if first.near else "The nearest model, which is not near",
    ["#", "dim", "Depth", "Heads", "MLP", "Parameters", "MACs", "Off"],
    [
        [
            str(place),
            *map(exact, (it.config.dim, it.config.depth, it.config.heads, it.config.mlp_dim)),
            exact(counts.total_parameters(it.config)),
            short(counts.total_macs(it.config)),
            percent(it.off, 2),
        ]
        for place, it in enumerate(found, start=1)
    ],
)
st.button(f"Put dim {best.dim}, depth {best.depth} on screen", on_click=adopt, args=[best])
block = search.COUNTS[unit](best.with_(depth=best.depth + 1)) - found[0].count
page.formula(
    r"\text{depth} = \frac{\text{budget} - \text{outside the blocks}}{\text{one block}}",
    rf"\frac{{{exact(budget)} - {exact(found[0].count - best.depth * block)}}}{{{exact(block)}}} = "
    rf"{search.depth_for(best, budget, unit):.2f} \approx {best.depth}",
)
page.source(counts.nearest)
