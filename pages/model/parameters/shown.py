"""What stands on *Parameters*."""

from vitviz import counts, palette
from vitviz.config import PRESETS
from vitviz.counts.formula import tex
from vitviz.figures.counting import counts as charts
from vitviz.numbers import exact, percent, short
from vitviz.ui import page
from vitviz.ui.selection import current
from vitviz.ui.widgets.table import table

from . import section


def show() -> None:
    """Draw it."""
    selection = current()
    config = selection.config
    steps = counts.steps(config)
    total = sum(step.count for step in steps)

    largest = max(counts.parameter_split(config), key=lambda item: item.count)
    page.chart(
        charts.mosaic(counts.columns(config), config.dim),
        "The parameters to scale",
        f"All {exact(total)} parameters in the order of the forward pass; every area is to scale. "
        f"Most sit in: {largest.name}, {exact(largest.count)} ({percent(largest.count / total)}).",
        "mosaic",
    )
    table(
        "Parameters of each step",
        ["Step", "Formula", "With this model's numbers", "Once", "Times", "Parameters"],
        [[it.name, it.formula, it.numbers, exact(it.once), f"× {it.times}", exact(it.count)] for it in steps],
        words=(0, 1, 2),
        total=["All steps", "", "", "", "", exact(total)],
        colours=[palette.STAGES[step.kind] for step in steps],
        lights=[step.kind for step in steps],
    )
    section.squares(config)
    section.text_model(config)
    page.link("build_a_vit", "Change any size, and see what moves: Build a ViT →")
    models = {"this model": config} if selection.model.name not in PRESETS else {}
    models |= PRESETS
    page.chart(
        charts.totals(
            [(name, {it.name: it.count for it in counts.parameter_split(it)}) for name, it in models.items()],
            "parameters",
        ),
        "The presets to one scale",
        f"The presets to one scale, from {short(min(map(counts.total_parameters, models.values())))} "
        f"to {short(max(map(counts.total_parameters, models.values())))} parameters.",
        "presets",
    )
    table(
        "The presets side by side",
        ["Model", "Parameters", "MACs", "Tokens", "dim", "Depth", "Heads", "MLP"],
        [
            [
                name,
                exact(counts.total_parameters(it)),
                short(counts.total_macs(it)),
                *map(exact, (it.tokens, it.dim, it.depth, it.heads, it.mlp_dim)),
            ]
            for name, it in models.items()
        ],
        marked=list(models.values()).index(config),
    )
    block = counts.block_split(config)
    page.formula(
        r"\text{one block} = "
        + " + ".join(rf"\underbrace{{{tex(it.formula)}}}_{{\text{{{it.name}}}}}" for it in block),
        rf"{' + '.join(exact(it.count) for it in block)} = {exact(sum(it.count for it in block))} \quad "
        rf"d = {exact(config.dim)},\ m = {exact(config.mlp_dim)}",
    )
    page.source(counts.steps, counts.parameter_split)
