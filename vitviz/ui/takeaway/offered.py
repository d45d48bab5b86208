"""What the menu of a picture on the board offers."""

from typing import Any

from vitviz.lecture.chapters import CHAPTERS
from vitviz.numbers import many
from vitviz.scripts.fitting import fits
from vitviz.takeaway.kinds import KINDS
from vitviz.ui.selection import ModelChoice, Selection
from vitviz.ui.server.client import engine


def offered(stem: str, selection: Selection) -> dict[str, Any]:
    """The files that a page's picture can be taken away as, and what is to be said of them before."""
    config, edits = selection.config, selection.edits
    if stem not in KINDS:
        return {"key": stem, "files": []}
    repeats = not (edits.needs_donor or edits.needs_means)
    files = ["png", "svg", *(["notebook"] if repeats else [])]
    files += ["chapter"] if repeats and len(chapter_of(stem)) > 1 else []
    files += ["file", *(["file_weights"] if fits(config) and not edits else [])]
    return {"key": stem, "files": files, **_told(selection)}


def _told(selection: Selection) -> dict[str, Any]:
    from vitviz.takeaway.explorer.explorer import layers_around

    config = selection.config
    some = len(layers_around(config, 0))
    return {
        **({"own": True} if selection.picture.id == "own" else {}),
        **({} if is_exact(selection.model) else {"remade": True}),
        **({"layers": f"{some} of {many(config.depth, 'layer')}"} if some < config.depth else {}),
    }


def chapter_of(stem: str) -> tuple[str, ...]:
    """The pages of the same chapter that can be taken away, in order; the page itself where it is alone."""
    chapter = next(them for them in CHAPTERS.values() if any(entry.stem == stem for entry in them))
    return tuple(entry.stem for entry in chapter if entry.stem in KINDS)


def is_exact(model: ModelChoice) -> bool:
    """Whether it runs on the CPU in float32, as notebooks do."""
    return model.precision == "fp32" and engine().device(model.device).kind == "cpu"
