"""What stands on *Growth*."""

import streamlit as st

from vitviz import counts, palette
from vitviz.config import ViTConfig
from vitviz.counts.formula import tex
from vitviz.counts.scaling.growth import FURTHEST, Point, own
from vitviz.figures.counting.growth import Curve, curves
from vitviz.figures.figure import Handle, Stop
from vitviz.numbers import exact, percent, short, small
from vitviz.selection import Selection
from vitviz.ui import controls, page
from vitviz.ui.widgets.live.choice import words_of

from .page import AXES, GROW, GROWN


def show(selection: Selection) -> None:
    config = selection.config
    crossing = counts.overtaking(config)
    one_size(config)
    others = rf"\underbrace{{{tex(crossing.others)}}}"
    if crossing.at is None:
        page.formula(rf"{others}_{{\text{{all products of a block}}}} \quad \text{{without }} t^2")
    else:
        kinds = r" \text{ and } ".join(kind.replace("ᵀ", "^T") for kind in crossing.kinds)
        found = f"= {crossing.above:,}" if crossing.at == crossing.above else rf"\approx {float(crossing.at):,.1f}"
        page.formula(
            rf"\underbrace{{{tex(crossing.squared)}}}_{{{kinds}}} = {others}_{{\text{{all else in a block}}}}"
            rf"\quad\Longleftrightarrow\quad t = {tex(crossing.formula)}",
            rf"t = {tex(crossing.numbers)} {found}",
        )
    page.source(counts.growth, counts.law)


@st.fragment
def one_size(config: ViTConfig) -> None:
    """Controls beside the chart; the diamond asks what the model on screen would cost with another size."""
    left, right = st.columns([3, 7])
    with left:
        field = controls.draw(GROW, config)
        log = controls.draw(AXES, config) == "Logarithmic"
    label = field.replace("_", " ").capitalize()
    against = "tokens" if field in ("image_size", "patch_size") else label.lower()
    points = counts.growth(config, field)
    now = next(point for point in points if point.size == own(config, field))
    seen = [point for point in points if log or point.against <= FURTHEST * now.against]
    grown, sizes = GROWN[field], [point.size for point in seen]
    size = controls.held(grown, config, sizes, f"the sizes {sizes[0]:,} to {sizes[-1]:,} on this curve")
    there = seen[sizes.index(size)]
    crossing = counts.overtaking(config)
    squared = " and ".join(crossing.kinds)
    handle = Handle(
        grown.word,
        f"{label} to compare with",
        tuple(Stop(str(it.size), it.against, it.macs, _caption(it, now, label, squared)) for it in seen),
        sizes.index(size),
    )
    with right:
        page.chart(
            curves(
                [it.against for it in seen],
                _lines(seen, now, against, squared),
                handle,
                against,
                unit="MAC",
                log=log,
                now=(now.against, now.macs),
                marks=[(float(crossing.at), f"{squared} take over")] if against == "tokens" and crossing.at else [],
            ),
            f"Multiply-accumulates by {against}",
            f"The ring is the model on screen: {label.lower()} {exact(now.size)}, "
            f"{exact(now.against)} {against}, {short(now.macs)}MAC"
            + (f", of which {squared} {short(now.quadratic)}MAC." if squared else "."),
            "growth",
            hand="Drag the diamond along the curve.",
            keeps=words_of(grown.word, size, now.size),
        )
    with left:
        _comparison(now, there, label, squared)
        ends = crossing.at is not None and against == "tokens" and not log and crossing.at > seen[-1].against
        st.markdown(
            f"**When does attention take more than all else in a block?** {_overtakes(config)}"
            + (" The linear axis ends before that, the logarithmic one shows it." if ends else "")
        )


def _overtakes(config: ViTConfig) -> str:
    if (above := counts.overtaking(config).above) is None:
        return "Never: linear attention compares no token with every other."
    return f"Above {exact(above)} tokens; this model has {exact(config.tokens)}."


def _lines(points: list[Point], now: Point, against: str, squared: str) -> list[Curve]:
    of_squares: list[Curve] = [(squared, [it.quadratic for it in points], palette.ATTENTION, "solid")]
    return [
        ("all", [it.macs for it in points], palette.MLP, "solid"),
        *(of_squares if squared else []),
        (f"linear in {against}", counts.law(points, now, 1), palette.RESIDUAL, "dot"),
        (f"quadratic in {against}", counts.law(points, now, 2), palette.RESIDUAL, "dash"),
    ]


def _caption(point: Point, now: Point, label: str, squared: str) -> str:
    tokens = f", {exact(point.against)} tokens" if label in ("Image size", "Patch size") else ""
    times = f", × {small(point.macs / now.macs)}" if point is not now else ""
    share = f"; {squared} {short(point.quadratic)}MAC, {percent(point.quadratic / point.macs)}" if squared else ""
    return f"{label} {exact(point.size)}{tokens}: {short(point.macs)}MAC{times}{share}"


def _comparison(now: Point, other: Point, label: str, squared: str) -> None:
    """The size that the diamond stands at beside that of the model on screen."""
    if other == now:
        st.markdown(f"{label} **{exact(now.size)}**, as on screen: drag the diamond.")
        return
    attention = f"{squared} **× {small(other.quadratic / now.quadratic)}**, " if squared else ""
    st.markdown(
        f"{label} **{exact(now.size)} → {exact(other.size)}**\n\n"
        f"all **× {small(other.macs / now.macs)}**, {attention}"
        f"parameters **× {small(other.parameters / now.parameters)}**"
    )
