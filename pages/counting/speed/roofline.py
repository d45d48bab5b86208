"""Stages and whole models under the roof of the device, and two models that count alike and take other time."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import streamlit as st

from vitviz import counts, palette
from vitviz.config import ViTConfig
from vitviz.counts.scaling.search import ALIKE
from vitviz.figures.counting import speed as charts
from vitviz.measures.speed import COPY, Roof, Speed, Spent
from vitviz.numbers import bytes_, exact, short, small
from vitviz.selection import ModelChoice
from vitviz.ui import page
from vitviz.ui.fallback import sentence
from vitviz.ui.server.client import ask
from vitviz.ui.widgets.table import table

MOST_TIMED = 5_000_000_000  # multiply-accumulates of each of two models that are built to be timed
MOST_BUILT = 100_000_000  # parameters of each
SCORING = dict.fromkeys(("fused attention", "linear attention", "softmax"), palette.SCORES)
COLOURS = palette.STAGES | SCORING | {"activation": palette.MLP}


@dataclass(frozen=True, slots=True)
class Alike:
    """A model that is timed for its multiply-accumulates: seconds of each round, and the work with their median."""

    config: ViTConfig
    seconds: tuple[float, ...]
    spent: Spent


def alike(model: ModelChoice, size: int, run: int) -> tuple[tuple[Alike, ...], str]:
    """Two models of as many multiply-accumulates as that on screen, or as `MOST_TIMED`, deep and wide, in turn.

    None, and a sentence why, where there are no two or they do not fit. `size` are the bytes of a number.
    """
    from vitviz.engine import Request
    from vitviz.laboratory.timed import models_in_turn

    budget = min(counts.total_macs(model.config), MOST_TIMED)
    found = counts.deep_and_wide(model.config, budget, MOST_BUILT)
    if not found:
        return (), (
            f"No two models in the paper's proportions, of at most {exact(MOST_BUILT)} parameters each, come within "
            f"{100 * ALIKE:.0f} % of {short(budget)}MAC."
        )
    configs = tuple(it.config for it in found)
    request = Request(models_in_turn, (configs, model.device, model.precision, run), takes_long=True)
    try:
        timed = ask(request, "Timing two models of equal FLOPs").value
    except RuntimeError as error:
        return (), f"No two models of equal FLOPs are timed: {sentence(error)}."
    models = tuple(
        Alike(config, it.seconds, _work(name, config, size, median(it.seconds)))
        for name, config, it in zip(("deep and narrow", "shallow and wide"), configs, timed, strict=True)
    )
    return models, ""


def draw(works: Sequence[Spent], others: Sequence[str], whole: Sequence[str], roof: Roof, measured: Speed) -> None:
    """The roof with all works that have multiply-accumulates, and the table of all; rings for those in `others`."""
    numbers = {it.name: str(at) for at, it in enumerate(works, start=1)}
    points = [
        charts.Under(
            it.name,
            numbers[it.name],
            it.intensity,
            it.rate,
            _colour(it.name),
            "ring" if it.name in others else "diamond" if it.name in whole else "circle",
            f"{it.name}: {small(it.intensity)} FLOP per byte, {short(it.rate)}FLOP per second, "
            f"{_share(roof.share(it))} of the roof there",
        )
        for it in works
        if it.macs
    ]
    page.chart(
        charts.roofline(points, roof.peak, roof.bandwidth, measured.bandwidth),
        "Roofline",
        caption(roof, measured, [it for it in works if it.name not in (*others, *whole)]),
        "roofline",
    )
    table(
        "Stages under the roof",
        [
            "Stage",
            "FLOP",
            "Read and written",
            "FLOP per byte",
            "FLOP per second",
            "Bytes per second",
            "Of the roof",
        ],
        [_cells(it, numbers[it.name], roof) for it in works],
        lights=[it.name for it in works],
        colours=[_colour(it.name) for it in works],
    )


def caption(roof: Roof, measured: Speed, stages: Sequence[Spent]) -> str:
    """What the roof is made of, and which of the stages memory bounds, which arithmetic."""
    copied = "" if roof.bandwidth_of == COPY else f"; {COPY} reaches {short(measured.bandwidth)}B"
    bound = [it.name for it in stages if it.intensity < roof.ridge]
    free = [it.name for it in stages if it.intensity >= roof.ridge]
    sides = [
        f"{limit} sets the limit of {_listed(names)}"
        for limit, names in (("Memory", bound), ("arithmetic", free))
        if names
    ]
    return (
        f"The roof is the most that was measured here: {short(roof.peak)}FLOP per second ({roof.peak_of}) and "
        f"{short(roof.bandwidth)}B per second ({roof.bandwidth_of}{copied}). They meet at {small(roof.ridge)} FLOP per "
        f"byte. {'; '.join(sides)[:1].upper()}{'; '.join(sides)[1:]}."
    )


def compare(here: ViTConfig, models: Sequence[Alike], roof: Roof, why_none: str) -> None:
    """The two models side by side, and which was faster."""
    budget = min(counts.total_macs(here), MOST_TIMED)
    if not models:
        st.caption(why_none)
        return
    as_many = "as many MACs as the model on screen" if budget < MOST_TIMED else f"{short(budget)}MAC"
    st.markdown(
        f"**Equal FLOPs, other latency.** A deep and narrow and a shallow and wide model (◆), of {as_many}, with first "
        "values and timed in turn: does the clock tell them apart?"
    )
    table(
        "Two models of equal FLOPs",
        [
            "Model",
            "dim × blocks",
            "MAC",
            "Parameters",
            "Read and written",
            "FLOP per byte",
            "ms, median",
            "From … to",
            "Of the roof",
        ],
        [
            [
                it.spent.name,
                f"{exact(it.config.dim)} × {exact(it.config.depth)}",
                exact(it.spent.macs),
                exact(counts.total_parameters(it.config)),
                bytes_(it.spent.moved),
                small(it.spent.intensity),
                small(1000 * it.spent.seconds),
                f"{small(1000 * min(it.seconds))} … {small(1000 * max(it.seconds))}",
                _share(roof.share(it.spent)),
            ]
            for it in models
        ],
        words=(0, 1),
        lights=[it.spent.name for it in models],
    )
    st.markdown(outcome(models))


def outcome(models: Sequence[Alike]) -> str:
    """How equal both are, and what the clock says."""
    one, other = models
    off = abs(one.spent.macs / other.spent.macs - 1)
    equal = f"The FLOPs are equal {f'within {small(100 * off)} %' if off else 'to the unit'}"
    fast, slow = sorted(models, key=lambda it: it.spent.seconds)
    if not all(one < other for one, other in zip(fast.seconds, slow.seconds, strict=True)):
        return f"{equal}; in time neither is the faster one in every round."
    times, more = slow.spent.seconds / fast.spent.seconds, slow.spent.moved > fast.spent.moved
    moves = "It also reads and writes more" if more else "It reads and writes no more, so bytes are not the reason"
    return (
        f"{equal}, and yet the {slow.spent.name} model takes × {small(times)} the time. {moves}: "
        f"{bytes_(slow.spent.moved)} against {bytes_(fast.spent.moved)}."
    )


def _work(name: str, config: ViTConfig, size: int, seconds: float) -> Spent:
    return Spent(name, counts.total_macs(config), size * counts.total_traffic(config), seconds)


def _cells(it: Spent, number: str, roof: Roof) -> list[str]:
    arithmetic = [small(it.intensity), f"{short(it.rate)}"] if it.macs else ["0", "–"]
    cells = [f"{number} {it.name}", exact(2 * it.macs), bytes_(it.moved), *arithmetic]
    return [*cells, f"{short(it.bandwidth)}B", _share(roof.share(it))]


def _share(share: float) -> str:
    return f"{100 * share:.0f} %"


def _colour(name: str) -> str:
    return COLOURS.get(name) or COLOURS.get(name.partition(",")[0], palette.RESIDUAL)


def _listed(names: Sequence[str]) -> str:
    """Head; head and softmax; head, softmax and MLP second layer."""
    *first, last = (name.replace(",", "") for name in names)
    return f"{', '.join(first)} and {last}" if first else last
