"""What is taken away of the board: the view of its first column, or of its second."""

from dataclasses import replace
from typing import TYPE_CHECKING

from vitviz.lecture.chapters import Entry
from vitviz.takeaway import making
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.kinds import KINDS
from vitviz.takeaway.taken import Taken
from vitviz.takeaway.view import SHOWS, View
from vitviz.ui import results
from vitviz.ui.board import address
from vitviz.ui.board.address import Address
from vitviz.ui.board.second import Second
from vitviz.ui.selection import Selection
from vitviz.ui.server.client import ask
from vitviz.ui.takeaway.asking import Asked, asked, give
from vitviz.ui.takeaway.offered import chapter_of, is_exact

if TYPE_CHECKING:
    from vitviz.engine import Request

SECOND = ".b"  # behind the page's name in the key of the second column
LEARNED = (
    "the model is shown as it was in the middle of its training, and of that only this picture was kept; "
    "choose “trained” to take it away, or take the link"
)


def answer(entry: Entry, selection: Selection, second: Second | None) -> None:
    """Give the file that the address asks for of the board, if it does."""
    it = asked()
    if not it or it.key.removesuffix(SECOND) != entry.stem or not entry.forward:
        return
    place = address.read(selection.config)
    if it.key.endswith(SECOND) and second and second.selection:
        place = address.beside(place, selection.config, second.selection)
        selection = second.selection
    view = view_of(entry.stem, selection, place)
    give(it, f"{selection.key} {view}", lambda: _made(it, view, selection, place))


def view_of(stem: str, selection: Selection, place: Address) -> View:
    """The view that a page shows of a selection; that of a rollout is the one of the page Depth."""
    model, shows = selection.model, place.switches["shows"]
    return View(
        page="depth" if stem == "heads" and shows == "rollout" else stem,
        model=model.name,
        config=selection.config,
        seed=model.seed,
        picture="" if selection.picture.id == "own" else selection.picture.id,
        crop=selection.crop,
        edits=selection.edits,
        layer=place.layer,
        head=place.head,
        query=place.query,
        key=place.key,
        component=place.component,
        after=place.after,
        shows=shows if shows in SHOWS else SHOWS[0],
    )


def _made(it: Asked, view: View, selection: Selection, place: Address) -> Taken:
    if it.what not in making.MAKERS or view.page not in KINDS:
        raise TakeawayError("this picture does not come in that form; open its menu again")
    if place.learned != address.NONE:
        raise TakeawayError(LEARNED)
    views = making.chapter(view, chapter_of(view.page)) if it.what == "chapter" else (view,)
    title = selection.picture.title
    wish = making.Wish(it.what, views, title, it.with_picture)
    making.require_possible(wish)
    return ask(_request(wish, selection), "Making the file").value


def _request(wish: making.Wish, selection: Selection) -> "Request[Taken]":
    """What makes the file, of numbers that the CPU makes in float32: a notebook repeats those."""
    from vitviz.engine import Request

    if not is_exact(selection.model):
        selection = replace(selection, model=replace(selection.model, device="cpu", precision="fp32"))
    model = results.load_request(selection.model)
    plain, forward = results.forward_request(selection.plain), results.forward_request(selection)
    return Request(making.make, (wish, model, plain, forward), takes_long=True)
