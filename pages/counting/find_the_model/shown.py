"""What stands on *Find the model*."""

from dataclasses import dataclass

import streamlit as st

from vitviz import counts
from vitviz.choices import refusal
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts.scaling import search
from vitviz.counts.scaling.search import Found
from vitviz.figures.counting import models as charts
from vitviz.figures.figure import Handle, Plane, Stop
from vitviz.numbers import exact, percent, short
from vitviz.selection import Selection
from vitviz.ui import controls, page
from vitviz.ui.sidebar.own_inputs import adopt, offer
from vitviz.ui.widgets import comparison
from vitviz.ui.widgets.live.choice import chosen, words_of
from vitviz.ui.widgets.table import table

from .page import BUDGET, THERE, UNIT

DEEPEST = 36  # blocks in the picture, at least
SCALES = {"parameters": ("millions", 10**6), "MACs": ("billions", 10**9)}
ROUND = sorted(factor * 10**power for power in range(-1, 4) for factor in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8))


@st.fragment
def draw(config: ViTConfig) -> None:
    """All that follows from the budget."""
    budget = budgeted(config)
    found, best = budget.best, budget.best.config
    block = search.block_count(best, budget.unit)
    page.formula(
        r"\text{depth} = \frac{\text{budget} - \text{outside the blocks}}{\text{one block}}",
        rf"\frac{{{exact(budget.count)} - {exact(found.count - best.depth * block)}}}{{{exact(block)}}} = "
        rf"{search.depth_for(best, budget.count, budget.unit):.2f} \approx {best.depth}",
    )


def show(selection: Selection) -> None:
    draw(selection.config)
    page.source(counts.nearest)


@dataclass(frozen=True, slots=True)
class Budget:
    """An `amount` in `SCALES` of a `unit`, and the models that come nearest, in the order of their dim."""

    unit: str
    amount: float
    found: tuple[Found, ...]

    @property
    def count(self) -> int:
        """In single parameters, or multiply-accumulates."""
        return round(self.amount * SCALES[self.unit][1])

    @property
    def best(self) -> Found:
        """The nearest."""
        return min(self.found, key=lambda it: abs(it.off))


def budgeted(config: ViTConfig) -> Budget:
    """Controls, the plane and the table of what was found."""
    left, right = st.columns([3, 7])
    with left:
        budget = _budget(config)
    there = _plane(config, budget)
    with right:
        _draw(config, budget, there)
    with left:
        _at(config, budget, there)
    _table(budget)
    return budget


def off(share: float, decimals: int) -> str:
    """A share as a signed percentage."""
    return f"{100 * share:+.{decimals}f} %".replace("-", "−")


def _budget(config: ViTConfig) -> Budget:
    unit = controls.draw(UNIT, config)
    amount = controls.draw(BUDGET, config, label=f"How many {SCALES[unit][0]}", step=1.0)
    found = counts.nearest(config, round(amount * SCALES[unit][1]), unit)
    return Budget(unit, amount, tuple(sorted(found, key=lambda it: it.config.dim)))


def _plane(config: ViTConfig, budget: Budget) -> Plane:
    """Whole heads across and whole blocks down, and the place that was chosen; usually that of the model on screen."""
    models = [config, *PRESETS.values(), *(it.config for it in budget.found)]
    widest = 1.1 * max(it.dim for it in models)
    deepest = max(DEEPEST, config.depth + 2, *(it.config.depth + 2 for it in budget.found))
    dims = [dim for dim in search.widths(config) if dim <= widest]
    places = {_written((dim, depth)): (dim, depth) for dim in dims for depth in range(1, deepest + 1)}
    column, row = places[chosen(THERE.word, list(places), _written((config.dim, config.depth)))]
    labels = "Dim of the model there", "Depth of the model there"
    return Plane(THERE.word, labels, tuple(dims), tuple(range(1, deepest + 1)), (column, row))


def _draw(config: ViTConfig, budget: Budget, there: Plane) -> None:
    curve = tuple(
        (dim, search.depth_for(search.widened(config, dim), budget.count, budget.unit)) for dim in there.columns
    )
    on_curve = dict(curve)
    usual = f"{config.dim}x{config.depth}"
    page.chart(
        charts.plane(
            curve,
            tuple((it.config.dim, it.config.depth, on_curve[it.config.dim], _words(it, budget)) for it in budget.found),
            tuple((comparison.SHORT[name], PRESETS[name].dim, PRESETS[name].depth) for name in comparison.LADDER),
            (search.SLENDER, search.STOUT),
            there,
            _handle(config, budget),
        ),
        "Width and depth for one budget",
        "The curve is that of MLPs of "
        f"{short(config.mlp_dim / config.dim)} · d; blocks are whole, and a thin line is what the MLP makes up for.",
        "plane",
        hand="Click anywhere for the model there, or drag the curve to another budget.",
        takes={BUDGET.word: _take},
        keeps=words_of(THERE.word, f"{there.at[0]}x{there.at[1]}", usual),
    )


def _handle(config: ViTConfig, budget: Budget) -> Handle:
    """The curve at the dim of the nearest model, where every other round budget would have it."""
    wide = search.widened(config, budget.best.config.dim)
    scale = SCALES[budget.unit][1]
    amounts = sorted({*ROUND, budget.amount})
    depths = {it: search.depth_for(wide, round(it * scale), budget.unit) for it in amounts}
    stops = tuple(
        Stop(f"{it:g}", wide.dim, depths[it], f"Budget: {short(it * scale)} {budget.unit}")
        for it in amounts
        if it == budget.amount or 0 < depths[it] < 2 * DEEPEST
    )
    return Handle(BUDGET.word, "Budget", stops, [stop.value for stop in stops].index(f"{budget.amount:g}"))


def _take(text: str) -> None:
    if not refusal(BUDGET.word, text):
        st.session_state[BUDGET.word] = float(text)


def _at(config: ViTConfig, budget: Budget, there: Plane) -> None:
    """The model at the chosen place, and buttons that put it, or the nearest, on screen."""
    offer(config)
    dim, depth = there.at
    here = config if there.at == (config.dim, config.depth) else search.widened(config, dim).with_(depth=depth)
    total, macs = counts.total_parameters(here), counts.total_macs(here)
    spent = search.COUNTS[budget.unit](here) / budget.count
    whose = " (on screen)" if here == config else ""
    st.markdown(
        f"**At the ring**{whose}: dim {exact(dim)}, depth {exact(depth)}\n\n{exact(total)} parameters, "
        f"{short(macs)}MAC, {percent(spent)} of the budget"
    )
    if here != config and st.button(f"Put dim {dim}, depth {depth} on screen", on_click=adopt, args=[here]):
        st.rerun()
    best = budget.best.config
    if (best.dim, best.depth) != there.at and st.button(
        f"Put the nearest on screen: dim {best.dim}, depth {best.depth}", on_click=adopt, args=[best]
    ):
        st.rerun()
    st.caption(nearest(config, budget))


def nearest(config: ViTConfig, budget: Budget) -> str:
    """To what the nearest model is near, and why its mark may lie beside the curve."""
    best, usual = budget.best.config, config.mlp_dim / config.dim
    ratio = best.mlp_dim / best.dim
    to = f"Nearest to {short(budget.count)} {budget.unit}: {off(budget.best.off, 2)}"
    if f"{ratio:.2f}" == f"{usual:.2f}":
        return f"{to}."
    return (
        f"{to}. Its MLP has {ratio:.2f} · d, where the curve has {usual:.2f} · d: it makes up for what whole blocks "
        "leave of the budget, or take too much."
    )


def _table(budget: Budget) -> None:
    near = budget.best.near
    if not near:
        st.markdown(
            f"Nothing in these proportions comes within {100 * search.NEAR:.0f} % of {short(budget.count)} "
            f"{budget.unit}: the nearest is {off(budget.best.off, 0)} off."
        )
    table(
        "The models nearest to the budget" if near else "The model nearest to the budget, which is not near",
        ["#", "dim", "Depth", "Heads", "MLP", "Parameters", "MACs", "Off"],
        [
            [
                str(place),
                *map(exact, (it.config.dim, it.config.depth, it.config.heads, it.config.mlp_dim)),
                exact(counts.total_parameters(it.config)),
                short(counts.total_macs(it.config)),
                off(it.off, 2),
            ]
            for place, it in enumerate(budget.found, start=1)
        ],
        marked=budget.found.index(budget.best),
        lights=[str(place) for place, _ in enumerate(budget.found, start=1)],
    )


def _words(it: Found, budget: Budget) -> str:
    config = it.config
    return (
        f"dim {exact(config.dim)}, depth {exact(config.depth)}, MLP {exact(config.mlp_dim)}: {exact(it.count)} "
        f"{budget.unit}, {off(it.off, 2)}"
    )


def _written(place: tuple[int, int]) -> str:
    return f"{place[0]}x{place[1]}"
