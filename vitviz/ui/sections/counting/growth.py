"""How the arithmetic grows with one size: curves, and a diamond that is dragged along them."""

import streamlit as st

from vitviz import counts, palette
from vitviz.charts.chart import Handle, Stop
from vitviz.charts.growth import Curve, curves
from vitviz.config import ViTConfig
from vitviz.counts.scaling.growth import FIELDS, FURTHEST, Point, own
from vitviz.numbers import exact, percent, short, small
from vitviz.ui import page
from vitviz.ui.links import check_choice
from vitviz.ui.widgets.live.choice import chosen, kept

LABELS = {field.replace("_", " ").capitalize(): field for field in FIELDS}
PRODUCTS = "QKᵀ and AV"


@st.fragment
def show(config: ViTConfig) -> None:
    """Controls beside the chart; the diamond asks what the model on screen would cost with another size."""
    left, right = st.columns([3, 7])
    label = left.segmented_control(
        "What grows", list(LABELS), default="Image size", required=True, key="grow", bind="query-params"
    )
    axes = left.segmented_control(
        "Axes", ["Linear", "Logarithmic"], default="Linear", required=True, key="axes", bind="query-params"
    )
    field, log = LABELS[label], axes == "Logarithmic"
    against = "tokens" if field in ("image_size", "patch_size") else label.lower()
    points = counts.growth(config, field)
    now = next(point for point in points if point.size == own(config, field))
    seen = [point for point in points if log or point.against <= FURTHEST * now.against]
    name, sizes = f"grown_{field}", [point.size for point in seen]
    check_choice(name, [str(size) for size in sizes], f"the sizes {sizes[0]:,} to {sizes[-1]:,} on this curve")
    size = chosen(name, sizes, now.size)
    asked = seen[sizes.index(size)]
    crossing = counts.overtaking(config)
    handle = Handle(
        name,
        f"{label} to compare with",
        tuple(Stop(str(it.size), it.against, it.macs, _said(it, now, label)) for it in seen),
        sizes.index(size),
    )
    with right:
        page.chart(
            curves(
                [it.against for it in seen],
                _lines(seen, now, against),
                handle,
                against,
                unit="MAC",
                log=log,
                now=(now.against, now.macs),
                marks=[(crossing, f"{PRODUCTS} take over")] if against == "tokens" else [],
            ),
            f"Multiply-accumulates by {against}",
            f"The ring is the model on screen: {label.lower()} {exact(now.size)}, "
            f"{exact(now.against)} {against}, {short(now.macs)}MAC, of which {PRODUCTS} {short(now.quadratic)}MAC.",
            "growth",
            hand="Drag the diamond along the curve.",
            keeps=kept(name, size, now.size),
        )
    with left:
        _beside(now, asked, label)
        st.markdown(
            f"**When does attention take more than all else?** From {exact(crossing)} tokens on; this model has "
            f"{exact(config.tokens)}"
            + (
                ". The linear axis ends before that, the logarithmic one shows it."
                if against == "tokens" and not log and crossing > max(it.against for it in seen)
                else "."
            )
        )


def _lines(points: list[Point], now: Point, against: str) -> list[Curve]:
    return [
        ("all", [it.macs for it in points], palette.MLP, "solid"),
        (PRODUCTS, [it.quadratic for it in points], palette.ATTENTION, "solid"),
        (f"linear in {against}", counts.law(points, now, 1), palette.RESIDUAL, "dot"),
        (f"quadratic in {against}", counts.law(points, now, 2), palette.RESIDUAL, "dash"),
    ]


def _said(point: Point, now: Point, label: str) -> str:
    tokens = f", {exact(point.against)} tokens" if label in ("Image size", "Patch size") else ""
    times = f", × {small(point.macs / now.macs)}" if point is not now else ""
    return (
        f"{label} {exact(point.size)}{tokens}: {short(point.macs)}MAC{times}; {PRODUCTS} {short(point.quadratic)}MAC, "
        f"{percent(point.quadratic / point.macs)}"
    )


def _beside(now: Point, asked: Point, label: str) -> None:
    """The size that the diamond stands at beside that of the model on screen."""
    if asked == now:
        st.markdown(f"{label} **{exact(now.size)}**, as on screen: drag the diamond.")
        return
    st.markdown(
        f"{label} **{exact(now.size)} → {exact(asked.size)}**\n\n"
        f"all **× {small(asked.macs / now.macs)}**, {PRODUCTS} **× {small(asked.quadratic / now.quadratic)}**, "
        f"parameters **× {small(asked.parameters / now.parameters)}**"
    )
