"""The classes of the page Five shots: scenes, or pictures that are brought, and what the model makes of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from vitviz import results
from vitviz.demo.scenes import CLASSES, FAMILIES, members
from vitviz.images import ImageError
from vitviz.images.photos import BY_TITLE
from vitviz.laboratory.shots import ClassOf, Seen, prepare_picture, prepare_scenes, see_picture, see_scenes
from vitviz.results import requests
from vitviz.selection import Picture, Selection
from vitviz.ui import fallback, pieces
from vitviz.ui.links import check_choice, escaped, follow_usual, quoted
from vitviz.ui.sidebar import uploads
from vitviz.ui.widgets.laboratory import number_of_passes

from .page import MOST_SHOTS, PICTURES, SHOTS_OF, families_of
from .page import OWN_PICTURES as OWN

if TYPE_CHECKING:
    from vitviz.engine import Request
    from vitviz.laboratory.fine_tuning import Use

LARGEST = 5  # MB of one picture
AT_ONCE = 5  # pictures in one request, so that nobody waits for all of them


@dataclass(frozen=True, slots=True)
class Chosen:
    """A class: its name, what looks at its pictures, `count` of them, and how many `shots` of these teach it.

    `prepares` reads the same pictures for a copy that learns, parcel by parcel as `looks`; `own` are a visitor's.
    """

    name: str
    looks: "list[Request[Seen]]"
    prepares: "list[Request[Any]]"
    shots: int
    count: int
    own: bool


def chosen(selection: Selection, count: int) -> list[Chosen]:
    """The classes that the visitor chose; a sentence where one cannot be had."""
    from vitviz.machine.price import require_map

    each = max(2, number_of_passes(selection.config, PICTURES, count, "pictures of each class", "five_shots"))
    require_map(selection.config, each * count, "looking at all pictures")
    found: list[Chosen] = []
    for place, column in enumerate(st.columns(count)):
        with column:
            found.append(_class(selection, place, each, [it.name for it in found]))
    return found


def seen(classes: list[Chosen]) -> Iterator[list[ClassOf]]:
    """The classes with the pictures that were looked at, from when there are some of each: first those that teach."""
    turns = sorted((number, place) for place, it in enumerate(classes) for number in range(len(it.looks)))
    requests_ = [classes[place].looks[number] for number, place in turns]
    for found in pieces.growing(requests_, "Looking at pictures", least=len(classes)):
        looked: list[list[Seen]] = [[] for _ in classes]
        for (_, place), it in zip(turns, found, strict=False):
            looked[place].append(it)
        yield [
            ClassOf(it.name, it.shots, it.count, it.own, Seen(*map(np.concatenate, zip(*parts, strict=True))))
            for it, parts in zip(classes, looked, strict=True)
        ]


def parcels(classes: list[Chosen], shots: int, head_alone: bool) -> "tuple[tuple[Use, ...], list[Request[Any]]]":
    """What a copy learns of each class from the first `shots`, and its pictures; for a head, what was seen of them."""
    uses = tuple((len(it.looks), min(shots, it.shots), it.shots) for it in classes)
    return uses, [parcel for it in classes for parcel in (it.looks if head_alone else it.prepares)]


def _class(selection: Selection, place: int, each: int, others: list[str]) -> Chosen:
    its = SHOTS_OF[place]
    what = (
        f"{len(FAMILIES)} families and {len(CLASSES)} classes of scenes, {len(BY_TITLE)} sample photographs, and {OWN}"
    )
    there = families_of(selection.model.name)
    check_choice(its.word, (*there, OWN), what)
    follow_usual(its.word, there[place])
    source = st.selectbox(its.label, (*there, OWN), place, key=its.word, bind="query-params")
    excluded = {label for name in others for label in members(name)}
    instead = next(name for name in there if excluded.isdisjoint(members(name)))
    if source == OWN:
        name = st.text_input(
            "What it is called", f"class {place + 1}", max_chars=40, key=f"name_of_{place + 1}"
        ).strip()
        pictures = _own_pictures(place, each)
        if name in others:
            st.warning(f"There is a class “{quoted(name)}” already; call this one otherwise. Shown instead: {instead}.")
        elif not name:
            st.warning(f"A class needs a name of at least 1 letter, and this one has 0. Shown instead: {instead}.")
        elif not pictures:
            st.warning(
                f"A class needs 1 picture at least, and this one has 0; upload up to 5. Shown instead: {instead}."
            )
        else:
            return _of_own(selection, name, pictures)
        source = instead
    elif not excluded.isdisjoint(members(source)):
        st.warning(f"Pictures of “{source}” are in another class, too; choose another. Shown instead: {instead}.")
        source = instead
    return _of_scenes(selection, source, each)


def _of_scenes(selection: Selection, name: str, each: int) -> Chosen:
    from vitviz.engine import Request

    model = requests.load_request(selection.model)
    arguments = [(model, name, first, min(first + AT_ONCE, each)) for first in range(0, each, AT_ONCE)]
    looks: list[Request[Seen]] = [Request(see_scenes, it, takes_long=True) for it in arguments]
    prepares: list[Request[Any]] = [Request(prepare_scenes, it) for it in arguments]
    return Chosen(name, looks, prepares, max(1, min(MOST_SHOTS, each // 3)), each, own=False)


def _of_own(selection: Selection, name: str, pictures: list[Picture]) -> Chosen:
    from vitviz.engine import Request

    model = requests.load_request(selection.model)
    arguments = [(model, requests.decode_request(picture)) for picture in pictures]
    looks: list[Request[Seen]] = [Request(see_picture, it, takes_long=True) for it in arguments]
    prepares: list[Request[Any]] = [Request(prepare_picture, it) for it in arguments]
    return Chosen(name, looks, prepares, min(MOST_SHOTS, len(pictures)), len(pictures), own=True)


def _own_pictures(place: int, most: int) -> list[Picture]:
    """The pictures that were uploaded for a class and can be opened; a sentence for each other one."""
    files = st.file_uploader(
        f"Up to {MOST_SHOTS} pictures, and more to test it with",
        accept_multiple_files=True,
        key=f"shots_{place + 1}",
        max_upload_size=LARGEST,
    )
    good: list[Picture] = []
    for file in files[:most]:
        picture = Picture("own", "your picture", "A picture that was uploaded.", file.getvalue())
        try:
            results.photo(picture)
        except ImageError as error:
            st.warning(f"{quoted(file.name)}: {escaped(str(error))}")
            continue
        except RuntimeError as error:
            st.warning(f"{quoted(file.name)}: {fallback.sentence(error)}.")
            continue
        if picture.digest not in {it.digest for it in good}:
            uploads.hold(picture)
            good.append(picture)
    if len(files) > most:
        st.caption(f"{len(files)} pictures were brought, and the first {most} are looked at.")
    return good
