"""What the page Five shots draws of fine-tuning: answers and movements of a copy of the model, step by step."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.figures.laboratory import curves
from vitviz.figures.laboratory.five_shots import by_steps
from vitviz.laboratory.fine_tuning import ALL, HEAD, LAST, MOMENTUM, PARTS, Tuned, Use, begin, go_on, tried_copy
from vitviz.laboratory.shots import ClassOf
from vitviz.measures.laboratory.five_shots import ReadOut
from vitviz.numbers import exact, many, percent, short, small
from vitviz.results import requests
from vitviz.selection import Selection
from vitviz.ui import page, pieces
from vitviz.ui.widgets.laboratory import number_of_passes
from vitviz.ui.widgets.table import table

if TYPE_CHECKING:
    from vitviz.engine import Request

STEPS, AT_ONCE = 18, 3  # in all, and between two looks at the answers
STYLES = (1, 0, 3, 2)  # of `PARTS`, as `curves` draws them
BACKWARD = 2  # a pass back makes so many products for each of the pass forward


def run(
    selection: Selection, uses: tuple[Use, ...], pictures: "list[Request[Any]]", learns: str, rate: float
) -> Iterator[list[Tuned]]:
    """The copy after 0, 3, 6 ... steps, as they come; of a large model fewer steps, until all are asked for."""
    from vitviz.engine import Request
    from vitviz.machine.price import require_map

    config = selection.config
    passes = step_macs(config, len(uses), learns) / counts.total_macs(config)
    steps = number_of_passes(config, STEPS, passes, "steps", "fine_tuning")
    require_map(config, round(steps * passes), "fine-tuning")
    model = requests.load_request(selection.model)
    copy: Request[Any] = Request(begin, (model, learns, uses, *pictures), takes_long=True)
    all_requests: list[Request[Tuned]] = [Request(tried_copy, (model, copy), takes_long=True)]
    for first in range(0, steps, AT_ONCE):
        copy = Request(go_on, (model, copy, min(AT_ONCE, steps - first), rate), takes_long=True)
        all_requests.append(Request(tried_copy, (model, copy), takes_long=True))
    return pieces.growing(all_requests, "Fine-tuning")


def step_macs(config: ViTConfig, classes: int, learns: str) -> int:
    """Multiply-accumulates of a step on one picture of each class, in what learns: forward, and about twice as many
    back."""
    first = {ALL: -1, LAST: config.depth - 1, HEAD: config.depth}[learns]
    forward = 0
    for row in counts.macs(config.with_(classes=classes)):
        stage, _, rest = row.tensor.partition(".")
        layer = -1 if stage == "embed" else int(rest.partition(".")[0]) if stage == "blocks" else config.depth
        forward += row.count * (layer >= first)
    return classes * (1 + BACKWARD) * forward


def answers(found: Sequence[Tuned], classes: list[ClassOf], shots: int, read_out: ReadOut) -> None:
    """How many shots and held-out pictures the copy names rightly after each look, beside the read-out."""
    last, tested = found[-1], sum(len(it.held_out) for it in classes)
    taught = sum(len(it.taught[:shots]) for it in classes)
    solved = [
        int((read_out.scores(it.held_out).argmax(axis=-1) == place).sum())
        for place, it in enumerate(classes)
        if len(it.held_out)
    ]
    frozen = sum(solved) / tested if tested else None
    held_out = (
        f" Held-out: {round(last.right[1] * tested)} of {exact(tested)} ({percent(last.right[1])}); the read-out, of "
        f"frozen features, {sum(solved)} ({percent(sum(solved) / tested)})."
        if tested
        else ""
    )
    page.drawing(
        by_steps([it.step for it in found], [it.right for it in found], bool(tested), frozen),
        f"After {many(last.step, 'step')} {round(last.right[0] * taught)} of {many(taught, 'shot')} are classified "
        f"correctly, cross-entropy {small(last.loss)}.{held_out}",
        heading="Classified correctly, step by step",
        own=any(it.own for it in classes),
        alt="Share of shots and of held-out pictures classified correctly, step by step.",
        key="tuning_answers",
    )


def movement(selection: Selection, found: Sequence[Tuned], learns: str) -> None:
    """How far each part of the copy has moved from where the model has it, layer by layer."""
    config, last = selection.config, found[-1]
    if learns == HEAD:
        page.sentence(
            f"**Nothing of the model moves.** Only the new head learns: {exact(last.learned)} numbers, all 0 at the "
            "start. Choose more to learn, and see here how far each layer goes."
        )
        return
    drawn = {name: last.moved[PARTS.index(name)] for name in PARTS}
    stages = _stages(config)
    furthest = int(drawn["all"].argmax())
    if furthest_by := float(drawn["all"][furthest]):
        text = f"furthest {_named(furthest, config)}, by {_share(furthest_by)}"
    else:
        text = "not yet, as a head of zeros passes no gradient back"
    page.picture(
        selection,
        curves.by_layer(drawn, stages, curves.span([last.moved]), "movement", STYLES),
        f"{many(last.step, 'step')}: length of what was added to the parameters, relative to theirs before; {text}. "
        "What stays has no point.",
        heading="How far each layer moved",
        alt="Relative movement of the parameters, layer by layer.",
        key="tuning_moved",
    )


def numbers(selection: Selection, found: Sequence[Tuned], learns: str, classes: int) -> None:
    """The movements as a table, what is learned, and what that costs."""
    config, last = selection.config, found[-1]
    if learns != HEAD:
        rows = [
            (stage, *(_share(float(value)) for value in last.moved[:, at])) for at, stage in enumerate(_stages(config))
        ]
        table(f"Movement of the parameters after {many(last.step, 'step')}", ("layer", *PARTS), rows)
    whole = counts.total_parameters(config.with_(classes=classes))
    st.caption(
        f"{exact(last.learned)} of {exact(whole)} parameters learn, with a new head of {classes} classes. A step: "
        f"{classes} pictures, one of each class, {short(step_macs(config, classes, learns))}MAC in what learns, back "
        f"counted twice as dear as forward. {many(last.step, 'step')} here: {small(last.seconds)} s."
    )


def formulas(found: Sequence[Tuned], learns: str, rate: float) -> None:
    """The step, and the movement of the last block with its numbers."""
    block = float(found[-1].moved[PARTS.index("all"), -2])
    page.formula(
        r"\begin{gathered} v \leftarrow \mu\, v + \min\bigl(1, \tfrac{1}{\lVert g \rVert}\bigr)\, g \\ "
        r"W \leftarrow W - \eta\, v \end{gathered} \qquad \frac{\lVert \Delta W \rVert}{\lVert W \rVert}",
        rf"\eta = {rate:g}, \quad \mu = {MOMENTUM:g}"
        + (
            ""
            if learns == HEAD
            else rf", \quad \text{{last block: }} \tfrac{{\lVert \Delta W \rVert}}"
            rf"{{\lVert W \rVert}} = {small(block)}"
        ),
    )


def _stages(config: ViTConfig) -> list[str]:
    return ["embed", *map(str, range(1, config.depth + 1)), "norm"]


def _named(stage: int, config: ViTConfig) -> str:
    return {0: "the embedding", config.depth + 1: "the last norm"}.get(stage, f"layer {stage}")


def _share(value: float) -> str:
    return f"{100 * value:.2g} %" if value else "–"
