"""What the first page costs: how many messages, and which; each is work for Python, the network and the browser."""

from benchmarks.serving import visitor
from tests.browser.server import serve

MOST, BYTES = 27, 160_000


def test_the_first_page_is_a_few_messages() -> None:
    with serve() as server:
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
