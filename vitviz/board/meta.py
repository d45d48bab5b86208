"""What the board is told of a model and a picture beside their numbers."""

from functools import lru_cache

from vitviz import palette, results
from vitviz.addresses.old import places_of_numbers
from vitviz.config import ViTConfig
from vitviz.messages import Meta, Other, Stage, Strip
from vitviz.pages import CHAPTERS
from vitviz.scripts.sizes import counted, sizes, weights_scale
from vitviz.selection import Selection
from vitviz.shelf.rows import SHELF


@lru_cache(maxsize=256)
def strip(config: ViTConfig, untrained: bool) -> Strip:
    """What the strip and the foot of the board say of a model, from its sizes and whether it has learned anything."""
    stages: list[Stage] = []
    others: list[Other] = []
    for chapter, entries in CHAPTERS.items():
        first = True
        for entry in entries:
            if entry.on_board:
                moments = entry.moments(config)
                names = [it.name for it in moments]
                stage: Stage = {
                    "stem": entry.address,
                    "title": entry.title,
                    "label": entry.label,
                    "shape": entry.text_of(entry.shape, config),
                    "colour": entry.colour,
                    "moments": [{"name": it.name, "sentence": entry.headline(it, config, untrained)} for it in moments],
                    "columns": [it.name for it in moments if it.columns],
                    "count": counted(config, entry.stage),
                }
                if places := places_of_numbers(entry.stem, names):
                    stage["numbered"] = places
                stages.append(stage)
            else:
                other: Other = {"stem": entry.address, "title": entry.title}
                if first:
                    other["begins"] = chapter
                others.append(other)
                first = False
    return {"stages": stages, "others": others, "palette": palette.DRAWN, "weights": weights_scale()}


def meta(selection: Selection) -> Meta:
    """Sizes and names of both, and what is chosen of them."""
    config, picture = selection.config, selection.picture
    return {
        "digest": selection.digest,
        "model": selection.model.name,
        "model_title": selection.model.title,
        "trained": results.trained(selection),
        "caveat": caveat(selection),
        "picture": {"title": picture.title, "alt": picture.alt, "digest": picture.digest[:16]},
        "crop": str(selection.crop or ""),
        "edits": str(selection.edits),
        "donor": selection.donor_link,
        **sizes(config),
    }


def caveat(selection: Selection) -> str:
    """Why this answer means less than it seems; empty for a trained model, as it is, that looks at its own world."""
    edited = f"Edited: {selection.edits.in_short(selection.config)}." if selection.edits else ""
    return f"{edited} {_inexperienced(selection)}".strip()


def _inexperienced(selection: Selection) -> str:
    """What the model has not learned."""
    if not results.trained(selection):
        return "Untrained: all parameters are random, and so is the answer."
    if (selection.model.name == "demo" or selection.model.name in SHELF) and not selection.picture.drawn:
        of = "the demo model" if selection.model.name == "demo" else "this model"
        return (
            f"This photo is unlike anything {of} was trained on ({selection.config.classes} classes of drawn "
            "scenes). Softmax still has to name one."
        )
    return ""
