"""`vitviz.show`: the figures of the pages, from the same numbers."""

import numpy as np
import pytest

from tests.pages.app import array
from vitviz.measures.attention import attention_column, attention_row
from vitviz.takeaway.calculations import CALCULATIONS, PRINTED
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.opening import Opened
from vitviz.takeaway.show import show
from vitviz.trace import Trace


def test_every_kind_of_view_has_a_figure(cat: Opened) -> None:
    assert set(PRINTED) == {page for page, its in CALCULATIONS.items() if its.usual.printed}
    for page in PRINTED:
        assert len(show(page, cat.trace, cat.loaded, layer=3, query=60).data), page
        assert len(show(page, cat.trace, query=0).data), page


@pytest.mark.parametrize(("shows", "measure"), [("row", attention_row), ("column", attention_column)])
def test_the_wall_of_heads_holds_the_weights(trace: Trace, shows: str, measure) -> None:  # type: ignore[no-untyped-def]
    drawn = show("heads", trace, layer=3, head=1, query=60, shows=shows).data
    cells = np.stack([array(it.z) for it in drawn if it.type == "heatmap"])
    np.testing.assert_array_equal(cells, measure(trace, 3, 60)[:, 1:].reshape(cells.shape))


@pytest.mark.parametrize(
    ("page", "where", "says"),
    [
        ("parameters", {}, "there is no figure of “parameters”"),
        ("heads", {"layer": 6}, "no layer 6: they are 0 to 5"),
        ("heads", {"query": -1}, "no query -1"),
    ],
)
def test_what_there_is_not_is_said(trace: Trace, page: str, where: dict[str, int], says: str) -> None:
    with pytest.raises(TakeawayError, match=says):
        show(page, trace, **where)  # type: ignore[arg-type]
