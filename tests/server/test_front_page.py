"""What the first page costs: how many messages, and which; each is work for Python, the network and the browser."""

import json
from collections.abc import Iterator

import pytest

from benchmarks.load.visitors import Page, visitors
from benchmarks.serving import visitor
from tests.browser.server import Server, serve
from tests.server.test_class import run as run_until_done

MOST, BYTES = 27, 160_000


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as server:
        yield server


def test_the_first_page_is_a_few_messages(server: Server) -> None:
    with visitor(server) as run:
        run("overview")  # whoever comes first is told that the engine starts
    with visitor(server) as run:
        first, again = run("overview"), run("overview")
    assert len(first) <= MOST
    assert len(again) <= MOST
    assert sum(it.ByteSize() for it in first) <= BYTES
    assert [it.hash for it in first if it.WhichOneof("type") == "ref_hash"] == []
    kinds = [it.delta.new_element.WhichOneof("type") for it in first if it.WhichOneof("type") == "delta"]
    assert not {"plotly_chart", "arrow_data_frame", "imgs"} & set(kinds)
    large = [it for it in again if it.WhichOneof("type") == "delta" and it.ByteSize() > 2000]
    assert large == [], "what is as it was is named, not sent"


def test_the_board_is_told_what_is_said_ahead_of_the_first_forward_pass(server: Server) -> None:
    """A browser may hear it last: it does not keep the order of what comes while it fetches a component's code."""
    first, counting = run_until_done(two_pages(server))
    assert told(first) == [(True, False), (False, True)]
    assert told(counting) == [(False, False)]


async def two_pages(server: Server) -> tuple[Page, Page]:
    """The first page that somebody sees, of a model that is made then, and one without a forward pass."""
    async with visitors(server.url, 1) as (person,):
        return await person.come("heads", "model=vit_tiny_patch16_224"), await person.run("growth")


def told(page: Page) -> list[tuple[bool, bool]]:
    """Of all that the board was told: whether it is said ahead, and whether there is a model with a picture."""
    said = [json.loads(it.json)[0] for it in page.of("bidi_component") if it.component_name == "vitviz.data"]
    return [(it["ahead"], it["meta"] is not None) for it in said]
