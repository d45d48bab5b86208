"""How much code a page of the walk brings to the browser."""

import pytest

from tests.pages.app import healthy, visit
from vitviz.pages import ON_BOARD

MOST = 120_000  # bytes, as the browser reads them


@pytest.mark.parametrize("stem", ON_BOARD)
def test_the_code_of_a_page_is_small(stem: str) -> None:
    app = healthy(visit(stem))
    sent = {it.proto.component_name: it.proto for it in app.get("bidi_component")}
    code = [part for it in sent.values() for part in (it.js_content, it.css_content, it.html_content)]
    assert {"vitviz.board", "vitviz.data", f"vitviz.{stem}"} <= set(sent)
    assert sum(len(part.encode()) for part in code) <= MOST
