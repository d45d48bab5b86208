"""What stands on *Growth*."""

from vitviz import counts
from vitviz.counts.formula import tex
from vitviz.ui import page
from vitviz.ui.selection import current

from . import section


def show() -> None:
    """Draw it."""
    config = current().config
    crossing = counts.overtaking(config)
    section.show(config)
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
