"""A question's look at the model of its step, through the engine."""

from functools import partial

from vitviz.addresses.place import read_crop
from vitviz.edits import Edits
from vitviz.lecture.answers import Look
from vitviz.lecture.views import MODELS, View, ViewError
from vitviz.ui import results
from vitviz.ui.selection import ModelChoice, Selection
from vitviz.ui.sidebar.samples import first, samples


def look(view: View, shown: Selection) -> Look:
    """What answers are computed from: the view's own model and picture, wherever the visitor has gone from there."""
    selection = selected(view, shown)
    return Look(view, selection.config, partial(results.measure, selection), lambda: results.labels(selection))


def selected(view: View, shown: Selection) -> Selection:
    """Model, picture and edits of a view; the model as it is `shown`, with its precision, where it is that one."""
    if view.config is None:
        raise ViewError(f"nothing can be asked of {view.model}, whose sizes its name does not tell")
    same = shown.model.name == view.model and shown.model.config == view.config
    model = shown.model if same else ModelChoice(view.model, MODELS[view.model], int(view.get("seed", "0")))
    donor = view.get("donor")
    return Selection(
        model,
        samples()[view.get("sample")] if view.get("sample") else first(),
        crop=read_crop(view.get("crop")),
        edits=Edits.read(view.get("edits"), view.config)[0],
        donor=samples()[donor] if donor else None,
    )
