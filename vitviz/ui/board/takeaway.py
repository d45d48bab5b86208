"""What is taken away of the board: the view of its first column, or of its second; and the files of any page."""

from dataclasses import replace

from vitviz.board.address import of_second
from vitviz.board.pictures import second_run
from vitviz.demo.snapshots import snapshots
from vitviz.page import Page
from vitviz.selection import Selection
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import File
from vitviz.takeaway.training import shows_training
from vitviz.ui.board import address
from vitviz.ui.board.second import Second
from vitviz.ui.takeaway.figure import begin
from vitviz.ui.takeaway.file_requests import current_request, give, promise
from vitviz.ui.takeaway.views import OF_PAGE, files, view_of

SECOND = ".b"  # behind the page's name in the key of the second column


def answer(entry: Page, selection: Selection, second: Second | None) -> None:
    """Give the file that the address asks for, if it is of the board, or of the whole page, which draws after this."""
    begin()
    it = current_request()
    if not it or entry.stem not in CALCULATIONS:
        return
    if it.key.removesuffix(SECOND) != entry.stem and it.what not in OF_PAGE:
        return
    place, column = address.read(selection.config, entry.stem), "first"
    if entry.compares:  # the edits stand beside the model as it is
        selection = replace(selection, edits=place.edits, donor=second_run(selection).picture)
    if it.key == f"{entry.stem}{SECOND}":
        if not (second and second.selection):
            return
        place, column = of_second(place, entry.stem, selection.config, second.selection), "second"
        selection = second.selection
    then = shows_training(entry.stem, column, place.moment, selection.model.name)
    learned = place.learned if then and place.learned in snapshots().steps else None
    view = view_of(entry.stem, selection, place, place.switches["shows"], column, learned)

    def make() -> File:
        makers = files(view, selection)
        if it.what not in makers:
            raise TakeawayError("this picture does not come in that form; open its menu again")
        return makers[it.what]()

    (give if entry.on_board else promise)(it, f"{selection.key} {view}", make)
