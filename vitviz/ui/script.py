"""What Streamlit runs of a page: it goes at once when another comes; what the main script draws waits for that."""

from vitviz.page import Page
from vitviz.pages import shown_of
from vitviz.ui import page
from vitviz.ui.board.address import read
from vitviz.ui.selection import current


def draw(entry: Page) -> None:
    """The page with its head and foot; of one with a scene what its drawers show."""
    selection = current()
    if not entry.on_board:
        page.head(entry, selection, read(selection.config).layer, "shown")
    if shown := shown_of(entry):
        shown.show(selection.plain if entry.unedited else selection)
    if not entry.on_board:
        page.foot(entry, selection.config)
