"""The second column: what the address asks for beside the selection, as a selection of its own.

Its parameters bear the names of the first one's behind "b."; what they do not say is as in the first column, and there
is a second column as long as `b.model` stands in the address.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

import streamlit as st

from vitviz import results
from vitviz.addresses.place import SECOND, of_second
from vitviz.addresses.ranges import LARGEST_SEED
from vitviz.choices import refusal
from vitviz.config import OWN, PRESETS, ConfigError, ViTConfig
from vitviz.config.sides import written
from vitviz.edits import Edits
from vitviz.messages import ColumnSetup
from vitviz.pretrained import SIZES, at_size
from vitviz.samples import samples
from vitviz.selection import ModelChoice, Picture, Selection, titled
from vitviz.shelf.rows import SHELF
from vitviz.shown import quoted
from vitviz.ui import fallback
from vitviz.ui.links import MOST_LETTERS
from vitviz.ui.sidebar import uploads
from vitviz.ui.sidebar.checkpoints import as_it_is
from vitviz.ui.sidebar.models.listed import CHOICES, label
from vitviz.ui.sidebar.models.picture_size import choices
from vitviz.ui.sidebar.own_model import FIELDS, Field, Value, config_of, in_link, values_of

OWN_FIELDS = (*FIELDS, "seed", "size")  # what a link says of a model besides its name


@dataclass(frozen=True)
class Second:
    """What the second column is asked to show: a selection, or a sentence why there is none."""

    selection: Selection | None
    why_not: str = ""
    notes: tuple[str, ...] = ()


def read(first: Selection) -> Second | None:
    """The second column that the address asks for; None where it asks for none."""
    words = of_second(st.query_params)
    if "model" not in words:
        return None
    try:
        with _in_a_sentence():
            model, picture = _model(words, first.model), _picture(words, first)
            edits, notes = Edits.read(words.get("edits", ""), model.config)
            donor = _picture({"image": words["donor"]}, first) if "donor" in words else first.donor
            if donor is None and edits.needs_donor:
                edits, notes = edits.without_donor(), (*notes, "some of the edits need a second picture")
            crop = first.crop if picture.digest == first.picture.digest else None
            learned = _learned(words, model)
    except NoColumnError as sentence:
        return Second(None, str(sentence))
    return Second(Selection(model, picture, crop, edits, donor, learned), notes=notes)


def begin(first: Selection, second: Second) -> None:
    """Let the engine begin with both at once."""
    if second.selection and second.selection.key != first.key:
        results.begin(first, second.selection)


def to_browser(first: Selection, second: Second) -> ColumnSetup:
    """What the heads of the columns say and offer."""
    column = second.selection
    moments = _moments(column.model) if column else ()
    return {
        "model": (name := column.model.name if column else _word("model")),
        "model_title": column.model.title if column else titled(name),
        "sizes": _sizes(name),
        "size": _size(column.model) if column else _word("size"),
        "image": _name(column.picture) if column else _word("image") or _name(first.picture),
        "edits": str(column.edits) if column else _word("edits"),
        "learned": column.learned if column else None,
        "switches": _switches(column.model) if column else "",
        "first": {
            "model": first.model.name,
            "image": _name(first.picture),
            "edits": str(first.edits),
            "size": _size(first.model),
        },
        "models": [(name, label(name)) for name in CHOICES],
        "images": list((_own_pictures(first, column) | samples().titles).items()),
        "moments": moments,
        "fields": OWN_FIELDS,
        "says": second.why_not,
        "notes": second.notes,
    }


def explained(make: Callable[[], None]) -> str:
    """Why the second column cannot be drawn, in a sentence; "" where it was."""
    try:
        make()
    except fallback.Failure as error:
        return _sentence(error)
    return ""


def _sentence(error: Exception) -> str:
    """The same as a text for the browser, which makes no Markdown of it; any other error is raised again."""
    fallback.sentence(error)
    return str(error)


def _word(name: str) -> str:
    """A parameter as it stands in the address."""
    return st.query_params.get(SECOND + name, "")


class NoColumnError(Exception):
    """Why there is no such column."""


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Errors that a person can do something about, as a `NoColumnError`."""
    try:
        yield
    except ConfigError as error:
        raise NoColumnError(str(error)) from error
    except fallback.Failure as error:
        raise NoColumnError(_sentence(error)) from error


def _model(words: Mapping[str, str], first: ModelChoice) -> ModelChoice:
    name = words["model"]
    if name not in CHOICES:
        raise NoColumnError(f"There is no model “{quoted(name, MOST_LETTERS)}”; choose one of the list")
    if name == first.name and not any(field in words for field in OWN_FIELDS):
        return first
    sized = at_size(name, words.get("size", "")) if name in SIZES else None
    if name not in (*PRESETS, *SHELF, OWN):
        return replace(as_it_is(name, sized.image_size if sized else None), precision=first.precision)
    config = sized or (_own(words, first) if name == OWN else {**PRESETS, **SHELF}[name])
    seed = words.get("seed", "0")
    if refusal("seed", seed):
        raise NoColumnError(f"“{quoted(seed, MOST_LETTERS)}” is no seed; seeds go from 0 to {LARGEST_SEED:,}")
    return ModelChoice(name, config, int(seed), precision=first.precision)


def _own(words: Mapping[str, str], first: ModelChoice) -> ViTConfig:
    """build-your-own: as the first column has it, where that is one, with what is asked for."""
    usual = values_of(first.config) if first.name == OWN else {name: field.usual for name, field in FIELDS.items()}
    return config_of({name: _value(FIELDS[name], words.get(name), it) for name, it in usual.items()})


def _value(field: Field, text: str | None, usual: Value) -> Value:
    if text is None:
        return usual
    if field.whole:
        value: Value | None = int(text) if text.isdecimal() and not refusal(field.name, text) else None
    else:
        value = next((it for it in field.values if in_link(it) == text), None)
    if value is None:
        raise NoColumnError(f"{field.label} “{quoted(text, MOST_LETTERS)}” is not to be had")
    return value


def _picture(words: Mapping[str, str], first: Selection) -> Picture:
    name = words.get("image")
    if name is None or name == _name(first.picture):
        return first.picture
    picture = samples().get(name) or uploads.own(name)
    if picture is None:
        raise NoColumnError(
            f"The picture “{quoted(name, MOST_LETTERS)}” is not here, or not yours; choose one of the list"
        )
    return picture


def _learned(words: Mapping[str, str], model: ModelChoice) -> int | None:
    text = words.get("moment")
    if text is None:
        return None
    moments = _moments(model)
    if text not in map(str, moments):
        which = f"steps {', '.join(map(str, moments))}" if moments else "none of this model"
        raise NoColumnError(f"The moment of training “{quoted(text, MOST_LETTERS)}” was not kept; there are {which}")
    return int(text)


def _sizes(name: str) -> tuple[str, ...]:
    """Sizes of pictures between which the head of the column chooses."""
    return tuple(written(it.image_size) for it in choices(SIZES[name])) if name in SIZES else ()


def _size(model: ModelChoice) -> str:
    """The one that it has."""
    return written(model.config.image_size) if model.name in SIZES else ""


def _moments(model: ModelChoice) -> tuple[int, ...]:
    """Steps of training of which something was kept."""
    from vitviz.demo.snapshots import snapshots

    return snapshots().steps if model.name == "demo" else ()


def _switches(model: ModelChoice) -> str:
    """What a model that is built has beside the usual one, as its link says it: "depth=6 positions=none"."""
    if model.name != OWN:
        return ""
    values = values_of(model.config)
    changes = [f"{name}={in_link(it)}" for name, it in values.items() if it != FIELDS[name].usual]
    return " ".join([*changes, *([f"seed={model.seed}"] if model.seed else [])])


def _own_pictures(first: Selection, second: Selection | None) -> dict[str, str]:
    """The pictures of one's own that are on screen, by name."""
    pictures = (first.picture, first.donor, second.picture if second else None)
    return {it.digest: it.title for it in pictures if it and it.id == "own"}


def _name(picture: Picture) -> str:
    """A picture as the address names it."""
    return picture.digest if picture.id == "own" else picture.id
