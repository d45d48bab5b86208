"""Each file that a view can be taken away as, made of a forward pass that was run before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from PIL import Image

from vitviz.takeaway.calculations import CALCULATIONS, calculation_of
from vitviz.takeaway.errors import NEEDS_TICK, TakeawayError
from vitviz.takeaway.explorer.page import EXPLORED
from vitviz.takeaway.file import MEDIA, File, file_name
from vitviz.view import View

if TYPE_CHECKING:
    from vitviz.forward import Forward
    from vitviz.takeaway.opening import Opened
    from vitviz.weights import Loaded

OWN_FILE, OWN_DONOR_FILE = "own.png", "own_second.png"  # what a notebook calls somebody's own pictures


@dataclass(frozen=True, slots=True)
class Wish:
    """What of a view is to be taken away: one of `MAKERS`.

    `views` is the view, or those of its chapter, `title` what its picture is called, `link` its address. Somebody's own
    picture is in the file with `with_picture` alone.
    """

    what: str
    views: tuple[View, ...]
    title: str
    link: str = ""
    with_picture: bool = False

    @property
    def view(self) -> View:
        """The view, or the first one of the chapter."""
        return self.views[0]

    @property
    def bare(self) -> bool:
        """Whether the file is to be without the pixels of a picture that is somebody's own."""
        return "" in (self.view.picture, self.view.donor) and not self.with_picture


def make(
    wish: Wish, loaded: Loaded, picture: Image.Image, plain: Forward, forward: Forward, donor: Forward | None
) -> File:
    """The file that is wished for; `forward` is the run of its model on its `picture`, `plain` the same without edits.

    `donor` is the run on the second picture, where edits need one. Raises `TakeawayError` for what cannot be taken
    away, and the way out.
    """
    from vitviz.takeaway.opening import Opened

    crop, other = Image.fromarray(plain.info.crop), Image.fromarray(donor.info.crop) if donor else None

    def opened(view: View) -> Opened | View:
        if not calculation_of(view).pictured:
            return view
        trace = forward.trace if view.edits else plain.trace
        return Opened(view, loaded, crop, trace, wish.title, other, picture)

    return MAKERS[wish.what](wish, tuple(map(opened, wish.views)))


def count(wish: Wish) -> File:
    """The same where no model has to run: of counts, and what to cite."""
    return MAKERS[wish.what](wish, wish.views)


def require_possible(wish: Wish) -> None:
    """Raise `TakeawayError` for what cannot be taken away, before anything is computed."""
    if wish.bare and MAKERS[wish.what] is _file:
        raise TakeawayError("an offline file holds the picture; tick “with my picture”")
    if wish.bare and wish.what != "cite" and any(CALCULATIONS[view.page].pixels for view in wish.views):
        raise TakeawayError(NEEDS_TICK)


def _drawn(wish: Wish, them: Sequence[Opened | View]) -> File:
    from vitviz.figures.printed.png import png
    from vitviz.figures.printed.svg import svg
    from vitviz.takeaway.figures.drawing import sheet

    drawn = sheet(them[0], photo=not wish.bare)
    if wish.what == "svg":
        return File(_name(wish, "svg"), MEDIA["svg"], svg(drawn).encode())
    return File(_name(wish, "png"), MEDIA["png"], png(drawn))


def _numbers(wish: Wish, them: Sequence[Opened | View]) -> File:
    from vitviz.takeaway.data import about, csv, named, npz

    it = them[0]
    arrays = named(it) if isinstance(it, View) else named(it.view, it.trace, it.loaded, it.picture)
    if wish.what == "csv":
        return File(_name(wish, "csv"), MEDIA["csv"], csv(arrays, about(it, wish.link)))
    return File(_name(wish, "npz"), MEDIA["npz"], npz(arrays, about(it, wish.link)))


def _notebook(wish: Wish, them: Sequence[Opened | View]) -> File:
    from vitviz.takeaway.notebook.notebook import notebook

    written = notebook(*them, file=OWN_FILE, donor=OWN_DONOR_FILE, embed=wish.with_picture)
    return File(_name(wish, "ipynb"), MEDIA["ipynb"], written.encode())


def _file(wish: Wish, them: Sequence[Opened | View]) -> File:
    from vitviz.takeaway.explorer.explorer import explore, layers_around

    it, weights = only(them), wish.what == "file_weights"
    view = it.view
    explorer = explore(
        it.trace,
        it.loaded,
        model=PurePath(view.model).name,
        picture=it.title,
        layers=layers_around(view.config, view.layer),
        layer=view.layer,
        head=view.head,
        query=view.query,
        weights=weights,
    )
    return File(_name(wish, "html"), MEDIA["html"], explorer.html.encode())


def _cite(wish: Wish, them: Sequence[Opened | View]) -> File:
    from vitviz.takeaway.cite import cite

    return File(_name(wish, "txt"), MEDIA["txt"], cite(wish.view).encode())


MAKERS: dict[str, Callable[[Wish, Sequence[Opened | View]], File]] = {
    "png": _drawn,
    "svg": _drawn,
    "npz": _numbers,
    "csv": _numbers,
    "notebook": _notebook,
    "chapter": _notebook,
    "file": _file,
    "file_weights": _file,
    "cite": _cite,
}
WITHOUT_A_RUN = ("cite",)
TOLD_APART = {"file_weights": ("with_model",), "cite": ("cite",)}  # by the end of their names


def only(them: Sequence[Opened | View]) -> Opened:
    """The view, which is of a picture. Raises `TakeawayError` where no model ran."""
    if isinstance(them[0], View):
        raise TakeawayError("no model ran on a picture for this view; take its data or its notebook")
    return them[0]


def _name(wish: Wish, ending: str) -> str:
    view = replace(wish.view, page=EXPLORED.stem) if MAKERS[wish.what] is _file else wish.view
    pictured = calculation_of(view).pictured
    page = view.page if len(wish.views) == 1 else f"{view.page}-{wish.views[-1].page}"
    words = [page, PurePath(view.model).name, *([wish.title] if pictured else [])]
    if calculation_of(view).uses("layer") and len(wish.views) == 1:
        words.append(f"layer{view.layer + 1}")
    if view.learned is not None and len(wish.views) == 1:
        words.append(f"after{view.learned}")
    return file_name(*words, *TOLD_APART.get(wish.what, ()), ending=ending)
