"""A question's look at the model of its step, through the engine."""

from functools import partial

from vitviz import results
from vitviz.addresses.place import of_second, read_crop
from vitviz.edits import Edits
from vitviz.lecture.answers import Look
from vitviz.lecture.views import MODELS, View, ViewError
from vitviz.samples import first, samples
from vitviz.selection import ModelChoice, Selection


def look(view: View, on_screen: Selection) -> Look:
    """What answers are computed from: the view's own model and picture, wherever the visitor has gone from there."""
    selection = selected(view, on_screen)
    return Look(view, selection.config, partial(results.measure, selection), lambda: results.labels(selection))


def selected(view: View, on_screen: Selection) -> Selection:
    """Model, picture and edits of a view; the model as it is `on_screen`, with its precision, where it is that one."""
    if view.config is None:
        raise ViewError(f"nothing can be asked of {view.model}, whose sizes its name does not tell")
    same = on_screen.model.name == view.model and on_screen.model.config == view.config
    model = on_screen.model if same else ModelChoice(view.model, MODELS[view.model], int(view.get("seed", "0")))
    donor = view.get("donor")
    return Selection(
        model,
        samples()[view.get("sample")] if view.get("sample") else first(),
        crop=read_crop(view.get("crop")),
        edits=Edits.read(view.get("edits"), view.config)[0],
        donor=samples()[donor] if donor else None,
    )


def columns(view: View) -> list[View]:
    """The view of each column that an address shows, as one of its own; places are those of the first."""
    words_of_second, words = of_second(dict(view.words)), dict(view.words)
    if "model" not in words_of_second:
        return [view]
    own = {name: words_of_second.get(name, "") for name in ("model", "edits", "seed")}
    other = words_of_second.get("image", "")
    same = other in ("", words.get("sample", ""))
    second = own | {
        "sample": words.get("sample", "") if same else other,
        "crop": words.get("crop", "") if same else "",
        "donor": words_of_second.get("donor") or words.get("donor", ""),
    }
    return [view, View(view.page, tuple((name, text) for name, text in second.items() if text))]
