"""Moments of training: of which model some were kept, and where pages show them."""

from vitviz.choice import quoted
from vitviz.pages import PAGES

LEARNER = "demo"


def shows_training(page: str, column: str, moment: str, model: str) -> bool:
    """Whether a moment of a page shows a model as it was while it learned, where that is asked for."""
    return moment_of_training(page, column, model) == moment


def moment_of_training(page: str, column: str, model: str) -> str | None:
    """Which moment of a page may show a model as it was while it learned; None for no moment."""
    its = PAGES[page].calculations
    return its.learned_at.get(column) if its and model == LEARNER else None


def steps_of(text: str, page: str, column: str, moment: str, model: str, refused: list[str]) -> int | None:
    """The steps of training that a word says, where the page shows what was kept of them; else None.

    What was not kept is told to `refused`, on whichever page and at whichever moment; in the second column also that of
    another model, where the page would show it.
    """
    from vitviz.demo.snapshots import snapshots

    learns = model == LEARNER
    learns_here = shows_training(page, column, moment, LEARNER)
    if not text or not (learns or (learns_here and column == "second")):
        return None
    steps = snapshots().steps if learns else ()
    if text in map(str, steps):
        return int(text) if learns_here else None
    which = f"steps {', '.join(map(str, steps))}" if steps else "none of this model"
    refused.append(f"the moment of training {quoted(text)} was not kept; there are {which}")
    return None
