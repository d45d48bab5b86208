"""A ViT and a CNN of as many parameters in turn, over growing batches and pictures."""

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

import streamlit as st

from vitviz import counts
from vitviz.figures.counting import speed as charts
from vitviz.numbers import bytes_, exact, percent, short, small
from vitviz.selection import ModelChoice
from vitviz.shelf.rows import BASE, CNNSizes
from vitviz.ui import controls, page
from vitviz.ui.fallback import sentence
from vitviz.ui.pieces import growing
from vitviz.ui.server.client import engine

from .page import GROWS, NETWORKS

if TYPE_CHECKING:
    from vitviz.engine import Request
    from vitviz.laboratory.timed import Timed

NAMES = ("ViT", "CNN")
SIDE = BASE.image_sides[0]
BATCHES, GPU_BATCHES = (1, 2, 4, 8, 16, 32), (1, 4, 16, 64, 256, 1024)
SIDES = (32, 64, 96, 128, 192, 256)
Both = Sequence[tuple["Timed", ...]]  # for each size the ViT and the CNN


def show(model: ModelChoice, run: int) -> None:
    """What grows, both networks over it, and what came of it."""
    way = controls.draw(NETWORKS, model.config)
    sizes = _sizes(model, GROWS[way])
    left, right = (it.empty() for it in st.columns(2))
    try:
        for found in growing(_requests(model, GROWS[way], sizes, run), "Timing a ViT and a CNN", least=2):
            with left.container():
                _times(way, sizes[: len(found)], found)
            with right.container():
                _memory(way, sizes[: len(found)], found)
    except RuntimeError as error:
        st.caption(f"No ViT is timed beside a CNN: {sentence(error)}.")
        return
    st.caption(sized())


def _times(way: str, sizes: Sequence[int], found: Both) -> None:
    axis, per_picture = way.lower(), sizes if GROWS[way] == "batch" else [1] * len(sizes)
    page.chart(
        charts.over(sizes, _curves(found, per_picture), axis, "ms"),
        f"Time of a ViT and a CNN by {axis}",
        "The median of a few rounds, in which both take turns; a line goes from the least to the most. "
        + caption(GROWS[way], sizes, found),
        "networks_time",
    )


def _memory(way: str, sizes: Sequence[int], found: Both) -> None:
    memory = [charts.Curve(name, [(it[at].memory,) * 3 for it in found]) for at, name in enumerate(NAMES)]
    page.chart(
        charts.over(sizes, memory, way.lower(), "bytes"),
        f"Memory of a ViT and a CNN by {way.lower()}",
        "Results that are held at once, beside the parameters. " + weighed(sizes, found),
        "networks_memory",
    )


def sized() -> str:
    """In what both are equal, and in what not."""
    cnn, vit = CNNSizes(), counts.total_parameters(BASE)
    apart = percent(abs(cnn.parameters / vit - 1))
    return (
        f"Equal in parameters, to {apart}: the siblings' ViT has {exact(vit)}, its CNN {exact(cnn.parameters)}. On "
        f"{SIDE} × {SIDE} pixels they take {short(counts.total_macs(BASE))}MAC and {short(cnn.macs(SIDE))}MAC; batches "
        "are of such pictures, and pictures of other sizes come one by one. Two small networks on this device: what "
        "holds of them need not hold of large ones."
    )


def caption(way: str, sizes: Sequence[int], found: Both) -> str:
    """What the clock says of one picture from the first size to the last, and which network bears that better.

    A network is ahead where it is so in every round: what one takes against the other, in turn, fell or rose.
    """
    (first, last), many = (found[0], found[-1]), sizes[-1] if way == "batch" else 1
    vit, cnn = (median(last[at].seconds) / median(first[at].seconds) / many for at in range(len(NAMES)))
    before, after = _against(first), _against(last)
    more, less = NAMES if vit > cnn else NAMES[::-1]
    ahead = min(after) > max(before) if vit > cnn else max(after) < min(before)
    if way == "batch":
        begins, ends = f"In a batch of {exact(sizes[-1])} a picture takes", f"the {less} gains more from the batch"
    else:
        pixels = exact((sizes[-1] // sizes[0]) ** 2)
        begins, ends = f"With {pixels} times the pixels it takes", f"the {more} is strained more"
    if not ahead:
        ends = "the rounds overlap, and neither is ahead for sure"
    return f"{begins} the ViT × {small(vit)} the time that it took, the CNN × {small(cnn)}: {ends}."


def weighed(sizes: Sequence[int], found: Both) -> str:
    """Which network holds more at the last size."""
    vit, cnn = (it.memory for it in found[-1])
    both = f"At {exact(sizes[-1])} the ViT holds {bytes_(vit)}, the CNN {bytes_(cnn)}"
    if vit == cnn:
        return f"{both}: as much."
    more, times = (NAMES[0], vit / cnn) if vit > cnn else (NAMES[1], cnn / vit)
    return f"{both}: the {more} needs × {small(times)}."


def _against(timed: "tuple[Timed, ...]") -> list[float]:
    """Seconds of the first network for one of the second, in each round."""
    one, other = (it.seconds for it in timed)
    return [first / second for first, second in zip(one, other, strict=True)]


def _sizes(model: ModelChoice, way: str) -> tuple[int, ...]:
    if way == "picture":
        return SIDES
    return BATCHES if engine().device(model.device).kind == "cpu" else GPU_BATCHES


def _requests(model: ModelChoice, way: str, sizes: Sequence[int], run: int) -> "list[Request[tuple[Timed, ...]]]":
    from vitviz.engine import Request
    from vitviz.laboratory.timed import vit_and_cnn

    batches = [(size, SIDE) if way == "batch" else (1, size) for size in sizes]
    return [Request(vit_and_cnn, (*it, model.device, model.precision, run), takes_long=True) for it in batches]


def _curves(found: Both, pictures: Sequence[int]) -> list[charts.Curve]:
    return [
        charts.Curve(
            name,
            [
                (1000 * median(times) / many, 1000 * min(times) / many, 1000 * max(times) / many)
                for times, many in zip((it[at].seconds for it in found), pictures, strict=True)
            ],
        )
        for at, name in enumerate(NAMES)
    ]
