"""What the page Five shots draws: classes of a few pictures each, and a read-out that is solved on them at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from vitviz.addresses.ranges import RANGES
from vitviz.demo.scenes import CLASSES, FAMILIES, members
from vitviz.figures.laboratory import five_shots as figures
from vitviz.images import ImageError
from vitviz.laboratory.shots import Seen, see_picture, see_scenes
from vitviz.measures.arrays import Array
from vitviz.measures.laboratory.five_shots import ReadOut, read_vector, ridge, tried
from vitviz.numbers import exact, many, percent, small
from vitviz.shelf.rows import SHELF
from vitviz.ui import fallback, page, pieces, results
from vitviz.ui.links import check_choice, escaped, quoted
from vitviz.ui.results import measure
from vitviz.ui.selection import Picture, Selection
from vitviz.ui.sidebar import uploads
from vitviz.ui.widgets.laboratory.patience import granted
from vitviz.ui.widgets.table import table

if TYPE_CHECKING:
    from vitviz.engine import Request

SHOTS, HELD_OUT = int(RANGES["shots"][1]), 10
USUAL = 2  # shots: so few that something is named wrongly
OWN = "own pictures"
LARGEST = 5  # MB of one picture
AT_ONCE = 5  # pictures in one request, so that nobody waits for all of them
SCENES = (*FAMILIES, *CLASSES)  # the first stand there, so that nothing is empty


@dataclass(frozen=True, slots=True)
class Chosen:
    """A class: its name, what looks at its pictures, `count` of them, and how many `shots` of these teach it."""

    name: str
    looks: "list[Request[Seen]]"
    shots: int
    count: int


@dataclass(frozen=True, slots=True)
class ClassOf(Chosen):
    """The same with what the model made of its first pictures, or of all."""

    seen: Seen

    @property
    def taught(self) -> Array:
        """The vectors of its shots: `picture d`."""
        return self.seen.vectors[: self.shots]

    @property
    def held_out(self) -> Array:
        """Those of its other pictures: `picture d`."""
        return self.seen.vectors[self.shots :]


def chosen(selection: Selection, count: int) -> list[Chosen]:
    """The classes that the visitor chose; a sentence where one cannot be had."""
    from vitviz.machine.price import require_map

    each = max(2, granted(selection.config, SHOTS + HELD_OUT, count, "pictures of each class", "five_shots"))
    require_map(selection.config, each * count, "looking at all pictures")
    found: list[Chosen] = []
    for place, column in enumerate(st.columns(count)):
        with column:
            found.append(_class(selection, place, each, [it.name for it in found]))
    return found


def seen(wanted: list[Chosen]) -> Iterator[list[ClassOf]]:
    """The classes with the pictures that were looked at, from when there are some of each: first those that teach."""
    turns = sorted((number, place) for place, it in enumerate(wanted) for number in range(len(it.looks)))
    asked = [wanted[place].looks[number] for number, place in turns]
    for found in pieces.growing(asked, "Looking at pictures", least=len(wanted)):
        looked: list[list[Seen]] = [[] for _ in wanted]
        for (_, place), it in zip(turns, found, strict=False):
            looked[place].append(it)
        yield [
            ClassOf(it.name, it.looks, it.shots, it.count, Seen(*map(np.concatenate, zip(*parts, strict=True))))
            for it, parts in zip(wanted, looked, strict=True)
        ]


def _class(selection: Selection, place: int, each: int, taken: list[str]) -> Chosen:
    key = f"shots_of_{place + 1}"
    check_choice(key, (*SCENES, OWN), f"{len(FAMILIES)} families and {len(CLASSES)} classes of scenes, and {OWN}")
    source = st.selectbox(f"Class {place + 1}", (*SCENES, OWN), place, key=key, bind="query-params")
    gone = {label for name in taken for label in members(name)}
    instead = next(name for name in SCENES if gone.isdisjoint(members(name)))
    if source == OWN:
        name = st.text_input(
            "What it is called", f"class {place + 1}", max_chars=40, key=f"name_of_{place + 1}"
        ).strip()
        brought = _brought(place, each)
        if name in taken:
            st.warning(f"There is a class “{quoted(name)}” already; call this one otherwise. Shown instead: {instead}.")
        elif not name:
            st.warning(f"A class needs a name of at least 1 letter, and this one has 0. Shown instead: {instead}.")
        elif not brought:
            st.warning(
                f"A class needs 1 picture at least, and this one has 0; upload up to 5. Shown instead: {instead}."
            )
        else:
            return _of_own(selection, name, brought)
        source = instead
    elif not gone.isdisjoint(members(source)):
        st.warning(f"Pictures of “{source}” are in another class, too; choose another. Shown instead: {instead}.")
        source = instead
    return _of_scenes(selection, source, each)


def _of_scenes(selection: Selection, name: str, each: int) -> Chosen:
    from vitviz.engine import Request

    model = results.load_request(selection.model)
    looks: list[Request[Seen]] = [
        Request(see_scenes, (model, name, first, min(first + AT_ONCE, each)), takes_long=True)
        for first in range(0, each, AT_ONCE)
    ]
    return Chosen(name, looks, max(1, min(SHOTS, each // 3)), each)


def _of_own(selection: Selection, name: str, pictures: list[Picture]) -> Chosen:
    from vitviz.engine import Request

    model = results.load_request(selection.model)
    looks: list[Request[Seen]] = [
        Request(see_picture, (model, results.decode_request(picture)), takes_long=True) for picture in pictures
    ]
    return Chosen(name, looks, min(SHOTS, len(pictures)), len(pictures))


def _brought(place: int, most: int) -> list[Picture]:
    """The pictures that were uploaded for a class and can be opened; a sentence for each other one."""
    files = st.file_uploader(
        f"Up to {SHOTS} pictures, and more to test it with",
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


def solved(found: list[ClassOf], shots: int, penalty: float) -> ReadOut:
    """The read-out from the first `shots` of each class."""
    vectors = [it.taught[:shots] for it in found]
    labels = np.repeat(np.arange(len(found)), [len(it) for it in vectors])
    return ridge(np.concatenate(vectors), labels.tolist(), len(found), penalty)


def pictures(found: list[ClassOf], shots: int, read_out: ReadOut) -> None:
    """Shots and held-out pictures of each class, the wrongly named ones crossed."""
    taught = [len(it.taught[:shots]) for it in found]
    rows = [
        np.concatenate([it.seen.small[:used], it.seen.small[it.shots :]])
        for it, used in zip(found, taught, strict=True)
    ]
    wrong = [
        np.flatnonzero(read_out.scores(it.held_out).argmax(axis=-1) != place).tolist() if len(it.held_out) else []
        for place, it in enumerate(found)
    ]
    tested, missed = sum(len(it.held_out) for it in found), sum(map(len, wrong))
    said = (
        f"{tested - missed} of {exact(tested)} held-out pictures classified correctly "
        f"({percent((tested - missed) / tested)}); by chance {percent(1 / len(found))}."
        if tested
        else f"No picture is held out: upload more than {SHOTS} of a class to test it."
        if all(len(it.seen.vectors) == it.count for it in found)
        else "The held-out pictures are on their way."
    )
    room = max(min(shots, it.shots) + it.count - it.shots for it in found)
    page.drawing(
        figures.pictures([it.name for it in found], rows, taught, wrong, room),
        f"{many(sum(taught), 'shot')} of {len(found)} classes, framed, and beside them held-out pictures, a cross "
        f"where the answer is wrong. {said}",
        own=any(st.session_state.get(f"shots_of_{place + 1}") == OWN for place in range(len(found))),
        alt="The pictures of each class.",
        title="The pictures of each class",
        key="shots_pictures",
    )


def on_screen(selection: Selection, found: list[ClassOf], read_out: ReadOut) -> None:
    """What the read-out says of the picture on screen."""
    values = read_out.scores(measure(selection, read_vector))
    names, best = [it.name for it in found], int(values.argmax())
    page.picture(
        selection,
        figures.scores(names, values),
        f"“{escaped(names[best])}” with {small(float(values[best]))} of {len(names)} scores. About 1 means yes, about "
        "−1 no; nothing makes them sum to 1.",
        heading="Scores of the picture on screen",
        alt="Scores of the picture on screen.",
        key="shots_scores",
    )


def by_shots(found: list[ClassOf], shots: int, penalty: float) -> None:
    """What more shots are worth on the held-out pictures."""
    if not sum(len(it.held_out) for it in found):
        st.caption("Without held-out pictures nothing tells what more shots are worth.")
        return
    most = max(it.shots for it in found)
    made = tried([it.taught for it in found], [it.held_out for it in found], most, penalty)
    means = made.right.mean(axis=1) / made.tested
    page.drawing(
        figures.by_shots(made.right, made.tested, 1 / len(found), shots),
        f"{'1 shot' if most == 1 else f'1–{most} shots'}, {made.right.shape[1]} draws each, on {exact(made.tested)} "
        "held-out pictures: "
        f"{percent(float(means[0]))} with 1, {percent(float(means[-1]))} with {most}; dashed, chance.",
        heading="What more shots are worth",
        alt="Share of held-out pictures classified correctly by number of shots.",
        key="shots_worth",
    )
    rows = [
        (str(number), *(f"{count:.0f}" for count in right), percent(float(right.mean()) / made.tested))
        for number, right in enumerate(made.right, start=1)
    ]
    draws = [f"draw {draw}" for draw in range(1, made.right.shape[1] + 1)]
    table(f"Classified correctly of {made.tested}", ("shots", *draws, "on average"), rows, marked=shots - 1)


def what_it_knew(selection: Selection, found: list[ClassOf]) -> None:
    """How new these classes are to a model that learned to name scenes."""
    if not (selection.model.name == "demo" or selection.model.name in SHELF):
        return
    names = [it.name for it in found]
    if families := [name for name in names if name in FAMILIES]:
        told = "; ".join(f"{name} are {', '.join(FAMILIES[name])}" for name in families)
        st.caption(f"New to it: {told}. It learned to name each, and nobody told it what they have in common.")
    elif all(name in CLASSES for name in names):
        st.caption("It was trained to name each of these classes: one shot may do. Choose families, or own pictures.")


def formulas(found: list[ClassOf], shots: int, penalty: float) -> None:
    """The closed form with the numbers of what was solved."""
    size, count = found[0].seen.vectors.shape[1], sum(min(shots, it.shots) for it in found)
    page.formula(
        r"\begin{aligned} W &= X^\top (X X^\top + \lambda I)^{-1} Y \\ &= (X^\top X + \lambda I)^{-1} X^\top Y \\ "
        r"\mathbf s &= \mathbf x^\top W + \mathbf b \\ \mathbf b &= \bar{\mathbf y} - \bar{\mathbf x}^\top W "
        r"\end{aligned}",
        rf"\begin{{gathered}} X: {exact(count)} \times {exact(size)}, \quad Y: {exact(count)} \times {len(found)} "
        rf"\text{{ of }} \pm 1 \\ \lambda = {penalty:g} \\ {exact(size)} \cdot {len(found)} + {len(found)} \\ "
        rf"= {exact((size + 1) * len(found))} \text{{ parameters}} \end{{gathered}}",
    )
