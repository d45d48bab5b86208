"""Links that others are given: they say what is seen, and nothing that leads to somebody or to their picture."""

import pytest

from vitviz.addresses.links import as_seen, link_of
from vitviz.addresses.words import OF_A_VISIT
from vitviz.takeaway.view import words_of

DIGEST, SECRET = "0123456789abcdef" * 4, "Ab-_" * 8


@pytest.mark.parametrize("name", ["picture", "b.picture", "donor"])
@pytest.mark.parametrize("picture", [DIGEST, f"{DIGEST}-{SECRET}"])
def test_nobody_s_picture_is_found_by_it(name: str, picture: str) -> None:
    assert link_of("heads", {"layer": "3", name: picture}) == link_of("heads", {"layer": "3", name: "own"})
    for link in (
        link_of("heads", {name: picture}),
        as_seen(f"http://localhost:8501/heads?{name}={picture}&layer=3#top"),
    ):
        assert DIGEST[:8] not in link
        assert SECRET[:4] not in link


def test_what_belongs_to_a_visit_is_not_in_it() -> None:
    visit = dict.fromkeys(OF_A_VISIT, "QRST")
    assert link_of("heads", visit) == "heads"
    assert link_of("heads", {**visit, "query": "40", "open": "formula"}) == "heads?query=40&open=formula"


def test_whatever_a_model_is_called_it_is_read_back() -> None:
    words = {"model": "my model & x=1#2+3 é", "edits": "h3.1*0 t=2", "b.model": "a/b?c"}
    assert words_of(link_of("heads", words))[1] == words
    assert words_of(as_seen(link_of("heads", words)))[1] == words
