"""The files of a view that a page shows: what there are, and the engine's requests that make them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from vitviz.addresses.links import link_of
from vitviz.addresses.old import moment_said
from vitviz.addresses.place import Place, read_place, same_place
from vitviz.choices import choices_of
from vitviz.edits import NO_EDITS
from vitviz.messages import Takes
from vitviz.numbers import many
from vitviz.pages import CHAPTERS, GATHERS, PAGES
from vitviz.results import requests
from vitviz.scripts.fitting import small
from vitviz.selection import ModelChoice, Picture, Selection
from vitviz.takeaway import making
from vitviz.takeaway.calculations import (
    CALCULATIONS,
    PRINTED,
    calculation_of,
    lacks_head,
)
from vitviz.takeaway.data import outlines, size_of
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import MOST_BYTES, File
from vitviz.takeaway.notebook.scroll import cells
from vitviz.takeaway.training import moment_of_training
from vitviz.takeaway.view import SHOWS, placed
from vitviz.ui.navigation import here
from vitviz.ui.selection import current
from vitviz.ui.server.client import ask, engine
from vitviz.ui.takeaway.file_requests import current_request
from vitviz.view import View

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.engine import Request

OF_PAGE = ("notebook", "chapter", "cite")
OWN = "own"  # the id of a picture that somebody brought


def offer_of(stem: str, selection: Selection, column: str) -> Takes:
    """What the menu of a page's picture offers, and what it says before."""
    from vitviz.takeaway.explorer.explorer import layers_around

    if stem not in CALCULATIONS:
        return {"key": stem, "files": []}
    config, name = selection.config, selection.model.name
    words = st.query_params.to_dict()
    view = view_of(stem, selection, read_place(words, config)[0], words.get("shows", ""))
    files, here = _whats(view, selection), PAGES[stem].moment_names(config) if view.page == stem else ()
    moments = {it: _whats(replace(view, choices={**view.choices, "moment": it}), selection) for it in here}
    found: Takes = {"key": stem, "files": list(files), "cell": cell_of(stem)}
    if others := {it: list(whats) for it, whats in moments.items() if whats != files}:
        found["files_at"] = others
    if is_own(selection):
        found["own"] = True
    if not is_exact(selection.model):
        found["remade"] = True
    if (some := len(layers_around(config, 0))) < config.depth:
        found["layers"] = f"{some} of {many(config.depth, 'layer')}"
    if moment := moment_of_training(stem, column, name):
        found["learns"] = moment
    return found


def cell_of(stem: str) -> str:
    """Where in the notebook the cells of a page are; "" for a page without any."""
    chapter = PAGES[stem].folder.parent.name
    return f"{GATHERS.address}?chapter={chapter}&cell={stem}" if stem in CALCULATIONS else ""


def files(view: View, selection: Selection) -> Mapping[str, Callable[[], File]]:
    """What makes each file that a view of a selection can be taken away as."""
    return {what: partial(_file, what, view, selection) for what in _whats(view, selection)}


def view_of(
    stem: str,
    selection: Selection,
    place: Place,
    shows: str = "row",
    column: str = "first",
    learned: int | None = None,
) -> View:
    """The view of a selection that a page shows at a place, or has from elsewhere.

    `learned` are steps of training, where the page shows what was kept of the model then.
    """
    model, donor = selection.model, selection.donor
    edits = NO_EDITS if PAGES[stem].unedited else selection.edits
    page = stem if learned is not None else PAGES[stem].elsewhere.get(shows, stem)
    return View(
        page=page,
        model=model.name,
        config=selection.config,
        seed=model.seed,
        picture=_named(selection.picture),
        crop=selection.crop,
        edits=edits,
        **placed(place, stem),
        shows=shows if shows in SHOWS else SHOWS[0],
        donor=_named(donor) if donor and edits.needs_donor else None,
        column=column,
        choices=_chosen(page, selection),
        learned=learned,
    )


def _chosen(page: str, selection: Selection) -> dict[str, Any]:
    """What the address chooses on a page that shows a selection."""
    config = selection.config
    return choices_of(page, _words(page, config), config, selection.model.name)[0]


def _words(page: str, config: "ViTConfig") -> dict[str, str]:
    """The words of the address, its moment as a page has it with such a model, be it that of the second column."""
    words = st.query_params.to_dict()
    if "moment" not in words:
        return words
    first = current().config
    moment = moment_said(words["moment"], page, PAGES[page].moment_names(first))
    return words | ({"moment": PAGES[page].same_moment(moment, first, config)} if moment else {})


@cache
def of_page(stem: str, config: "ViTConfig") -> tuple[str, ...]:
    """The files of a whole page, which the menus of its pictures have, too."""
    conditions = {"notebook": not lacks_head(stem, config), "chapter": len(_chapter(stem)) > 1}
    return tuple(what for what in OF_PAGE if conditions.get(what, True))


@cache
def of_numbers(stem: str, config: "ViTConfig") -> tuple[str, ...]:
    """The files of a page that has no picture: those of its numbers too, where it has any."""
    if stem not in CALCULATIONS:
        return ()
    numbers = () if lacks_head(stem, config) else ("npz", "csv")
    return (*numbers, *of_page(stem, config))


def is_own(selection: Selection) -> bool:
    """Whether one of its pictures is somebody's own."""
    donor = selection.donor if selection.edits.needs_donor else None
    return OWN in (selection.picture.id, donor and donor.id)


def _named(picture: Picture) -> str:
    """A picture as views call it."""
    return "" if picture.id == OWN else picture.id


def _whats(view: View, selection: Selection) -> tuple[str, ...]:
    alone = len(_chapter(view.page)) < 2
    some = not lacks_head(view.page, view.config)
    explored, drawn = view.page in PRINTED, bool(calculation_of(view).printed)
    runs = explored and not selection.edits and small(view.config)
    listed = size_of(outlines(view)) <= MOST_BYTES  # in a spreadsheet
    conditions = {"chapter": not alone, "file": explored, "file_weights": runs, "npz": some, "notebook": some}
    conditions |= {"png": drawn and some, "svg": drawn and some, "csv": listed and some}
    return tuple(what for what in making.MAKERS if conditions.get(what, True))


def _chapter(stem: str) -> tuple[str, ...]:
    """The pages of the same chapter that can be taken away, in order."""
    chapter = next(them for them in CHAPTERS.values() if any(entry.stem == stem for entry in them))
    return tuple(entry.stem for entry in chapter if entry.stem in CALCULATIONS)


def _file(what: str, view: View, selection: Selection) -> File:
    return file_of(what, cells_of(_chapter(view.page), view) if what == "chapter" else (view,), selection)


def file_of(what: str, views: tuple[View, ...], selection: Selection) -> File:
    """What there is to take away of views of a selection, or of cells. Raises `TakeawayError`."""
    if what not in making.WITHOUT_A_RUN:
        for view in views:
            _require_said(view, selection)
    it = current_request()
    wish = making.Wish(what, views, selection.picture.title, link(views[0].page), bool(it and it.with_picture))
    making.require_possible(wish)
    if what in making.WITHOUT_A_RUN or not any(calculation_of(each).pictured for each in views):
        return making.count(wish)
    return ask(_request(wish, selection), "Making the file").value


def cells_of(stems: Sequence[str], view: View) -> tuple[View, ...]:
    """The cells of pages, of the model, picture and place of a view."""
    words = st.query_params.to_dict()
    first = current().config
    place, _ = read_place(words, first)
    if view.column == "second":
        place = same_place(place, first, view.config)
    return cells((PAGES[stem] for stem in stems), view, place, words)


def _require_said(view: View, selection: Selection) -> None:
    """Raise `TakeawayError` where an address says what a page cannot show, or the page shows what no address says.

    A file of what is usual would pass for what is on screen.
    """
    page = view.page
    _, refused = choices_of(page, _words(page, view.config), view.config, view.model)
    if refused:
        raise TakeawayError(refused[0])
    if page == here().stem and st.session_state.get(switch_of_all(page)):
        raise TakeawayError("a file holds as much as the page shows unasked; switch “All …” off")
    if page == here().stem and (why := st.session_state.get(unsaid(page, selection.plain))):
        raise TakeawayError(why)


def link(page: str) -> str:
    """The address of what this run shows, the same whichever word was chosen first."""
    return link_of(page, dict(sorted(st.query_params.to_dict().items())))


def _request(wish: making.Wish, selection: Selection) -> "Request[File]":
    """What makes the file, of numbers that the CPU makes in float32: a notebook repeats those."""
    from vitviz.engine import Request

    selection = repeatable(selection)
    model, picture = requests.load_request(selection.model), requests.decode_request(selection.picture)
    donor, _ = requests.donor_and_means(selection)
    plain, forward = requests.forward_request(selection.plain), requests.forward_request(selection)
    return Request(making.make, (wish, model, picture, plain, forward, donor), takes_long=True)


def switch_of_all(page: str) -> str:
    """The key of the switch with which a page shows more than its files hold."""
    return f"every {page}"


def unsaid(page: str, selection: Selection) -> str:
    """The key under which a page keeps why no file holds what it shows of a selection."""
    return f"unsaid {page} {selection.digest}"


def repeatable(selection: Selection) -> Selection:
    """The same in float32 on the CPU: numbers that anybody can repeat."""
    if is_exact(selection.model):
        return selection
    return replace(selection, model=replace(selection.model, device="cpu", precision="fp32"))


def is_exact(model: ModelChoice) -> bool:
    """Whether it runs on the CPU in float32, as notebooks do."""
    return model.precision == "fp32" and engine().device(model.device).kind == "cpu"
