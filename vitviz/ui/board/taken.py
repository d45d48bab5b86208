"""What is taken away of the board: the view of its first column, or of its second."""

from vitviz.lecture.chapters import Entry
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.taken import Taken
from vitviz.ui.board import address, editing
from vitviz.ui.board.scenes import SCENES
from vitviz.ui.board.second import Second
from vitviz.ui.selection import Selection
from vitviz.ui.takeaway.asking import asked, give
from vitviz.ui.takeaway.views import files, view_of

SECOND = ".b"  # behind the page's name in the key of the second column
LEARNED = (
    "the model is shown as it was in the middle of its training, and of that only this picture was kept; "
    "choose “trained” to take it away, or take the link"
)


def answer(entry: Entry, selection: Selection, second: Second | None) -> None:
    """Give the file that the address asks for of the board, if it does."""
    it = asked()
    if not it or it.key.removesuffix(SECOND) != entry.stem or entry.stem not in SCENES:
        return
    if SCENES[entry.stem].compares:
        selection = editing.edited(selection)
    place, column = address.read(selection.config), "first"
    if it.key.endswith(SECOND):
        if not (second and second.selection):
            return
        place, column = address.beside(place, selection.config, second.selection), "second"
        selection = second.selection
    view = view_of(entry.stem, selection, place, place.switches["shows"], column)

    def make() -> Taken:
        makers = files(view, selection)
        if place.learned != address.NONE:
            raise TakeawayError(LEARNED)
        if it.what not in makers:
            raise TakeawayError("this picture does not come in that form; open its menu again")
        return makers[it.what]()

    give(it, f"{selection.key} {view}", make)
