"""The shelf on a page: what each sibling reached beside what was published, and a click that puts it on screen."""

from collections.abc import Mapping, Sequence
from math import floor

import streamlit as st

from vitviz import palette
from vitviz.figures.counting import shelf as charts
from vitviz.numbers import exact, many
from vitviz.shelf.measured import HEADS, PUBLISHED, Measured, all_of, cells, mean_and_range
from vitviz.shelf.rows import (
    BASE,
    DATA_SIZE,
    FIGURE_9,
    KINDS,
    POOLS,
    RATES,
    RECIPE,
    ROWS,
    SCENES,
    SHELF,
    SMALL,
    SWITCHES,
    TABLE_8,
    chosen_as,
)
from vitviz.ui import page
from vitviz.ui.widgets.table import Cell, table

LOSSES = {
    "learned": palette.ATTENTION,
    "no_layer_norm": palette.KEY,
    "post_norm": palette.POSITION,
    "post_norm_no_warm_up": palette.CLASS_TOKEN,
    "no_warm_up": palette.PATCH,
}
CURVES = {
    "class": ("class token", palette.CLASS_TOKEN),
    "gap": ("mean of the patches (GAP)", palette.PATCH),
    "vit": ("ViT", palette.ATTENTION),
    "cnn": ("CNN", palette.LAYERS["convolution"]),
}
Curve = list[tuple[float, Measured]]  # from left to right
ALIKE = "similarity"  # the moment of the page Position embedding that shows how alike positions are
EARLY = 200  # steps
BOTH = (False, True)
PAGE_OF_COLUMNS = "heads"  # the page on which the demo stands in a second column


def positions(here: str) -> None:
    """Table 8 in miniature."""
    found = {it.row: it for it in all_of(TABLE_8)}
    placed = [it for row, it in found.items() if row != "none"]
    least = min(it.span("relations")[0] for it in placed)
    without = found["none"]
    page.sentence(
        "Compare the rows, and click one to see its positions: nine siblings of the demo differ in nothing else; only "
        f"relative ones learn at a rate of their own. Without any, **relations** (left of, above, …) are guessed, "
        f"**{without.mean('relations'):.2f}** where chance is 0.25; with any kind and seed **{least:.2f}** or more. "
        "**Things** need no positions."
    )
    _rows(list(found.values()), here, PUBLISHED, ("things", "relations"), "positions")
    things = [it.mean("things") for it in placed]
    st.markdown(
        f"**The paper's reading**, “without is much worse, the kinds hardly differ”, holds where the answer is a "
        f"matter of places. It is not borne out for things: {without.mean('things'):.3f} without positions, "
        f"{min(things):.3f} to {max(things):.3f} with them. On ImageNet, where most pictures are of things, they are "
        f"worth {100 * (PUBLISHED['learned'] - PUBLISHED['none']):.1f} points of 100."
    )
    _table(list(found.values()), here, PUBLISHED)


def switches(here: str) -> None:
    """The other siblings, and how their losses fell."""
    found = {it.row: it for it in all_of(["learned", *SWITCHES])}
    usual = found["learned"]
    page.sentence(
        "Compare each row with the first, the usual sibling with learned 1-D positions "
        f"({usual.mean('all'):.3f} of all scenes): one thing else is different, one switch at a time."
    )
    left, right = st.columns([11, 9])
    with left:
        _rows(list(found.values()), here, {}, ("things", "relations"), "switches")
    with right:
        named = [
            ("as usual" if row == "learned" else ROWS[row].title, colour, found[row].losses[0])
            for row, colour in LOSSES.items()
            if row in found
        ]
        page.chart(
            charts.losses(named, 10),
            "The loss by step",
            f"The loss of the class over {RECIPE.steps} steps, seed 0: one value in 10, each the mean of the last "
            f"{charts.MARGIN + 1}.",
            "losses",
        )
    early = {row: charts.smooth(found[row].losses[0])[EARLY // 10 - 1] for row in LOSSES if row in found}
    st.markdown(
        f"**What is luck?** {_luck(usual, [it for it in found.values() if it is not usual])}\n\n"
        "**Why LayerNorm?** Without it inside the blocks this small model learns all the same, later: a loss of "
        f"{early['no_layer_norm']:.2f} after {EARLY} steps, where the usual one has {early['learned']:.2f}. Four "
        "blocks and clipped gradients forgive much.\n\n"
        "**Does post-norm need warm-up?** That is said of deep models; it is not borne out for four blocks: "
        f"{found['post_norm'].mean('all'):.3f} with it, {found['post_norm_no_warm_up'].mean('all'):.3f} without. Both "
        f"start later than pre-norm, with a loss of {early['post_norm']:.2f} and {early['post_norm_no_warm_up']:.2f} "
        f"after {EARLY} steps."
    )
    _table(list(found.values()), here, {})


def _luck(usual: Measured, others: Sequence[Measured]) -> str:
    low, high = usual.span("all")
    means = {it.row: it.mean("all") for it in others}
    sides = {
        "better": [row for row, mean in means.items() if mean > high],
        "alike": [row for row, mean in means.items() if low <= mean <= high],
        "worse": [row for row, mean in means.items() if mean < low],
    }
    each = {side: ", ".join(f"{ROWS[row].title} {means[row]:.3f}" for row in rows) for side, rows in sides.items()}
    text = "; ".join(f"{side}: {those}" for side, those in each.items())
    return (
        f"{many(len(usual.seeds), 'seed')} of the usual sibling lie between {low:.3f} and {high:.3f} of all scenes. By "
        f"that measure {text}."
    )


def rates() -> None:
    """Figure 9 in miniature."""
    ticks = [(rate, f"{rate:g}") for rate in RATES]
    curves = {pool: _curve([(rate, f"{pool}_at_{rate:g}") for rate in RATES]) for pool in POOLS}
    best = {pool: max(curve, key=lambda it: it[1].mean("all")) for pool, curve in curves.items()}
    (rate, classy), (other_rate, mean) = best["class"], best["gap"]
    page.sentence(
        "Compare the tops of both curves: is the answer read off the {class token}, or off the mean of all patches? "
        f"The {{class token}} does best at a learning rate of {rate:g}, **{classy.mean('all'):.3f}**; the mean at "
        f"{other_rate:g}, **{mean.mean('all'):.3f}**."
    )
    _curves(curves, "learning rate", ticks)
    pairs = list(zip(curves["class"], curves["gap"], strict=True))
    ahead = {by: [f"{x:g}" for (x, one), (_, gap) in pairs if (gap.mean("all") > one.mean("all")) is by] for by in BOTH}
    apart = mean.mean("all") - classy.mean("all")
    overlap = mean.span("all")[0] <= classy.span("all")[1] and classy.span("all")[0] <= mean.span("all")[1]
    same = (
        f"Not borne out that they need different ones: here both do best at {rate:g}."
        if rate == other_rate
        else f"Borne out that they need different ones: {rate:g} and {other_rate:g}."
    )
    st.markdown(
        "**The paper's figure 9**: without a class token a ViT is as good, if its learning rate is chosen for it; what "
        "looked like a weakness of the mean was the rate. "
        + (
            "Borne out that it is as good: at their best, the seeds of both overlap. "
            if overlap
            else f"Not as good: at their best they are {abs(apart):.3f} apart, and no two seeds overlap. "
        )
        + f"{same} Which of both is ahead depends on the rate: the class token is at {' and '.join(ahead[False])}, the "
        f"mean at {' and '.join(ahead[True])}."
    )
    _table(all_of(FIGURE_9), "", {})


def data() -> None:
    """Accuracy over the number of scenes."""
    ticks = [(scenes, exact(scenes)) for scenes in SCENES]
    curves = {kind: _curve([(scenes, f"{kind}_of_{scenes}") for scenes in SCENES]) for kind in KINDS}
    (few, vit), (most, vit_of_many) = curves["vit"][0], curves["vit"][-1]
    cnn, cnn_of_many = curves["cnn"][0][1], curves["cnn"][-1][1]
    gaps = [100 * (one.mean("all") - other.mean("all")) for one, other in ((cnn, vit), (cnn_of_many, vit_of_many))]
    page.sentence(
        "See how far apart the curves are on the left, and on the right. A convolution knows before it learns that "
        "neighbours belong together, and that what moves stays the same; a ViT has to see it. "
        f"From {few:,} scenes a ViT gets **{vit.mean('all'):.2f}** right and a CNN of as many "
        f"parameters **{cnn.mean('all'):.2f}**; from {most:,}, **{vit_of_many.mean('all'):.2f}** and "
        f"**{cnn_of_many.mean('all'):.2f}**."
    )
    _curves(curves, "scenes to learn from", ticks)
    st.markdown(
        f"**Do the curves cross?** Not here: they come nearer, from {gaps[0]:.0f} points to {gaps[1]:.0f}. In the "
        "paper (figures 3 and 4) they do: pre-trained on ImageNet's 1.3 million pictures a ViT stays behind ResNets, "
        "on the 300 million of JFT it is ahead. These scenes are so easy for the CNN that no room is left above it, "
        f"and a ViT of {exact(vit.parameters)} parameters has not finished learning after {RECIPE.steps} steps."
    )
    _table(all_of(DATA_SIZE), "", {})


def how(rows: Sequence[str]) -> str:
    """How the rows were measured, in one sentence."""
    found = all_of(rows)
    config = SMALL if rows[0] in FIGURE_9 or rows[0] in DATA_SIZE else BASE
    minutes = [minute for it in found for minute in it.cpu_minutes]
    counts = [len(it.seeds) for it in found]
    seeds = many(max(counts), "seed") if min(counts) == max(counts) else f"{min(counts)} to {max(counts)} seeds"
    scenes = "" if rows[0] in DATA_SIZE else f" on {exact(RECIPE.pictures)} scenes"
    return (
        f"Siblings of dim {config.dim}, depth {config.depth}, {config.heads} heads, MLP {config.mlp_dim}; "
        f"{RECIPE.steps} steps of {RECIPE.batch} pictures{scenes}, each {min(minutes):.1f} to {max(minutes):.1f} "
        f"minutes of one CPU core; {seeds}; tested on {exact(RECIPE.tested)} unseen scenes without the faint light, "
        "which would tell the place."
    )


def _rows(
    found: Sequence[Measured], here: str, published: Mapping[str, float], measures: Sequence[str], key: str
) -> None:
    drawn = []
    for it in found:
        name, title = chosen_as(it.row), ROWS[it.row].title
        accuracies = {measure: (it.mean(measure), *it.span(measure)) for measure in measures}
        says = ", ".join(f"{measure} {mean_and_range(it.accuracy[measure])}" for measure in measures)
        leads = _links(name).get("position", "")
        drawn.append((name, title, accuracies, published.get(it.row), f"{title}: {says}", leads))
    page.chart(
        charts.rows(drawn, here),
        "The siblings' accuracy",
        how([it.row for it in found]),
        key,
        hand="Click a row: that model, with its own position picture.",
    )


def _curve(places: Sequence[tuple[float, str]]) -> Curve:
    return [(x, it) for x, row in places for it in all_of([row])]


def _curves(curves: Mapping[str, Curve], axis: str, ticks: Sequence[tuple[float, str]]) -> None:
    drawn = [
        (*CURVES[kind], [(x, (it.mean("all"), *it.span("all"))) for x, it in curve]) for kind, curve in curves.items()
    ]
    least = min(low for *_, points in drawn for _, (_, low, _) in points)
    rows = [it.row for curve in curves.values() for _, it in curve]
    page.chart(charts.curves(drawn, axis, ticks, floor(10 * least) / 10), f"Accuracy by {axis}", how(rows), axis)


def _table(found: Sequence[Measured], here: str, published: Mapping[str, float]) -> None:
    shelf = [chosen_as(it.row) for it in found]
    has_demo = any(name in SHELF for name in shelf)
    columns = slice(None if published else -1)  # nothing of the paper's where it has nothing
    head = ["sibling", "parameters", *HEADS[columns]]
    rows: list[list[Cell]] = []
    for it, name in zip(found, shelf, strict=True):
        title, links = ROWS[it.row].title, _links(name)
        position, beside = ({title: links["position"]}, {"demo": links["beside"]}) if links else (title, "")
        rows.append([position, exact(it.parameters), *cells(it, published)[columns], *([beside] if has_demo else [])])
    table(
        "What the siblings reached: mean over the seeds, least and most",
        [*head, "beside it"] if has_demo else head,
        rows,
        marked=shelf.index(here) if here in shelf else None,
        lights=shelf,
    )


def _links(name: str) -> dict[str, str]:
    """Where a sibling is seen: its positions, and the demo beside it."""
    if name not in SHELF:
        return {}
    return {
        "position": f"position_embedding?model={name}&moment={ALIKE}",
        "beside": f"{PAGE_OF_COLUMNS}?model={name}&b.model=demo",
    }
