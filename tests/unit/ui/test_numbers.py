"""Numbers by a route: what a browser is given that has drawn them, and nobody else; how often they are computed."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import Any

import numpy as np
import pytest
import streamlit as st
from PIL import Image
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.engine_calls import GO, hold
from tests.unit.ui.test_board import unpack
from vitviz import selection as selections
from vitviz.edits import Edits
from vitviz.engine import Engine, Request
from vitviz.machine.device import DeviceError
from vitviz.measures import attention_weights
from vitviz.measures.quantised import dequantise
from vitviz.pages import PAGES
from vitviz.pretrained import PRETRAINED
from vitviz.results import crop, measure
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL, ModelChoice, Picture, Selection
from vitviz.ui.board import numbers
from vitviz.ui.board.numbers import ROUTES
from vitviz.ui.server import client as engines
from vitviz.ui.server.browser_cookie import COOKIE
from vitviz.ui.sidebar import uploads

ANN, BOB = ({"cookie": f"{COOKIE}={name}"} for name in ("ann", "bob"))
LEFT = Selection(FIRST_MODEL, samples()["left"])

pytestmark = pytest.mark.usefixtures("nothing_drawn")


@pytest.fixture
def nothing_drawn() -> Iterator[None]:
    """Nobody has drawn anything, and nothing is kept for the next who asks."""
    yield
    numbers._answers.clear()
    numbers._drawn.clear()


@pytest.fixture(name="get")
def route() -> Callable[..., Any]:
    """A function that asks for a name, for Ann unless it says otherwise."""
    client = TestClient(Starlette(routes=ROUTES))

    def get(selection: Selection, name: str = "", page: str = "heads", who: Any = ANN, **words: Any) -> Any:
        return client.get(f"/numbers/{selection.digest}/{name}", params={"page": page, **words}, headers=who)

    return get


def drawn(selection: Selection, browser: str = "ann") -> Selection:
    """As if a session of that browser showed it, as long as the test holds it."""
    numbers._drawn[browser, selection.digest] = selection
    return selection


def test_an_address_needs_these_numbers_and_each_is_the_models(get: Any) -> None:
    drawn(LEFT)
    names = get(LEFT, layer="3", query="40").json()
    assert names[:2] == ["opening", "maps-2"]
    assert {"exact-2-40", *(f"maps-{layer}" for layer in range(6))} <= set(names)
    answer = get(LEFT, "exact-2-40", layer="3", query="40")
    digest, name, arrays = unpack(answer.content)
    assert (digest, name) == (LEFT.digest, "exact-2-40")
    weights = measure(LEFT, attention_weights, 2)
    np.testing.assert_array_equal(arrays["row"], weights[:, 40])
    _, _, arrays = unpack(get(LEFT, "maps-4").content)
    assert np.abs(dequantise(arrays["code"]) - measure(LEFT, attention_weights, 4)).sum(axis=-1).max() < 0.02


def test_edits_of_the_address_are_made_beside_the_plain_run(get: Any) -> None:
    drawn(LEFT)
    name, words = "exact-2-40 h3.1*0", {"layer": "3", "query": "40", "edits": "h3.1*0"}
    assert {"exact-2-40", name} <= set(get(LEFT, **words).json())
    _, _, arrays = unpack(get(LEFT, name, **words).content)
    edited = Selection(FIRST_MODEL, LEFT.picture, edits=Edits.parse("h3.1*0", LEFT.config))
    np.testing.assert_array_equal(arrays["row"], measure(edited, attention_weights, 2)[:, 40])


def test_every_page_that_has_a_picture_is_answered(get: Any) -> None:
    drawn(LEFT)
    for page in PAGES.values():
        if page.forward:
            assert "opening" in get(LEFT, page=page.address).json(), page.stem
            assert get(LEFT, "opening", page=page.address).status_code == 200, page.stem


def test_a_digest_alone_opens_nothing(get: Any) -> None:
    drawn(LEFT)
    for who in (BOB, {}):
        for name in ("", "maps-3", "opening"):
            answer = get(LEFT, name, who=who)
            assert (answer.status_code, answer.headers["cache-control"]) == (410, "no-store")
            assert answer.text == "Nobody who uses this browser looks at that model and picture here any more."


def test_what_a_session_no_longer_shows_is_gone_with_it(get: Any) -> None:
    mine = drawn(Selection(FIRST_MODEL, samples()["right"]))
    assert get(mine, "maps-3").status_code == 200
    (digest,) = (it.digest for it in [mine])
    gone = Selection(FIRST_MODEL, samples()["right"])
    del mine
    assert get(gone, "maps-3").status_code == 410
    assert digest == gone.digest


@pytest.mark.parametrize(
    ("name", "words"),
    [("maps-6", {}), ("exact-9-9", {"layer": "3"}), ("maps", {}), ("../maps-1", {}), ("lens h3.1*0", {}), ("é\n", {})],
)
def test_of_a_name_that_the_address_does_not_need_there_is_nothing(get: Any, name: str, words: Any) -> None:
    drawn(LEFT)
    answer = get(LEFT, name.replace("/", "%2F").replace("\n", "%0A"), **words)
    assert (answer.status_code, answer.content, answer.headers["cache-control"]) == (204, b"", "no-store")


def test_a_page_without_numbers_has_none(get: Any) -> None:
    drawn(LEFT)
    for page in ("arithmetic", "nowhere"):
        assert get(LEFT, "opening", page=page).status_code == 204


def test_what_is_everybodys_is_kept_and_what_somebody_brought_is_not(get: Any) -> None:
    own = drawn(Selection(FIRST_MODEL, Picture("own", "mine", "Mine.", samples()["above"].data)))
    drawn(LEFT)
    for selection, kept in ((LEFT, "private, max-age=31536000, immutable"), (own, "no-store")):
        answer = get(selection, "maps-3")
        assert answer.headers["cache-control"] == kept
        assert "Cookie" in answer.headers["vary"]
    assert [key[0] for key in numbers._answers] == [LEFT.digest]


def test_of_a_published_model_without_a_commit_the_newest_may_come_under_the_same_address() -> None:
    for name, model in PRETRAINED.items():
        kept = numbers._kept_by(Selection(ModelChoice(name, model.config), LEFT.picture))["Cache-Control"]
        assert ("immutable" in kept) == bool(model.revision), name


def test_another_process_gives_the_same_bytes_under_the_same_address(get: Any) -> None:
    drawn(LEFT)
    names = ("opening", "maps-3", "exact-2-40")
    here = [sha256(get(LEFT, name, layer="3", query="40").content).hexdigest() for name in names]
    code = f"""
from hashlib import sha256
from vitviz.widget.chosen import Board
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL, Selection
board = Board("demo", "left")
print(Selection(FIRST_MODEL, samples()["left"]).digest)
for name in {names}:
    print(sha256(board.numbers_of(name, "page=heads&layer=3&query=40")).hexdigest())
"""
    there = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert there == [LEFT.digest, *here]


def test_what_computes_is_part_of_the_address(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(LEFT)
    monkeypatch.setattr(selections, "code_digest", lambda: "another")
    newer = drawn(Selection(FIRST_MODEL, samples()["left"]))
    assert newer.digest != LEFT.digest
    assert newer.key == LEFT.key, "what the engine keeps is of this process"
    assert get(newer, "opening").status_code == 200


def test_bytes_are_compressed_where_somebody_takes_them_so_and_floats_never(get: Any) -> None:
    drawn(LEFT)
    small, large = (get(LEFT, "maps-3", who={**ANN, "accept-encoding": it}) for it in ("gzip", "identity"))
    assert small.content == large.content
    assert int(small.headers["content-length"]) < 0.4 * int(large.headers["content-length"])
    assert "content-encoding" not in get(LEFT, "exact-0-0", who={**ANN, "accept-encoding": "gzip"}).headers


def test_a_second_picture_is_a_sample_or_this_browsers_own(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(LEFT)
    own = Picture("own", "mine", "Mine.", samples()["above"].data)
    monkeypatch.setattr(uploads, "brought", lambda who, name: own if (who, name) == ("bob", own.digest) else None)
    words = {"edits": "r2.all", "layer": "3"}
    name = f"exact-2-0 {Edits.parse('r2.all', LEFT.config)}"
    assert name in get(LEFT, donor="right", **words).json()
    assert name not in get(LEFT, donor=own.digest, **words).json(), "it is Bob's"
    drawn(LEFT, "bob")
    assert name in get(LEFT, who=BOB, donor=own.digest, **words).json()


class Visitor:
    """One who asks by ASGI, and may hang up."""

    def __init__(self, name: str, who: str = "ann", **words: str) -> None:
        self.hangs_up = asyncio.Event()
        self.status, self.headers, self.body = 0, dict[str, str](), b""
        query = "&".join(f"{key}={value}" for key, value in {"page": "heads", **words}.items())
        self.scope = {
            "type": "http",
            "method": "GET",
            "path": f"/numbers/{LEFT.digest}/{name}",
            "query_string": query.encode(),
            "headers": [(b"cookie", f"{COOKIE}={who}".encode())],
        }

    async def ask(self) -> "Visitor":
        await Starlette(routes=ROUTES)(self.scope, self._receive, self._send)
        return self

    async def _receive(self) -> dict[str, Any]:
        await self.hangs_up.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.status = message.get("status", self.status)
        self.headers |= {key.decode(): value.decode() for key, value in message.get("headers", [])}
        self.body += message.get("body", b"")


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch, fresh_calls: None) -> Iterator[Engine]:
    """An engine of which every lane waits until the test says go, and that has room for two requests."""
    engine = Engine(most_waiting=2)
    monkeypatch.setattr(engines, "_engine", cache(lambda: engine))
    kinds: list[dict[str, bool]] = [{}, {"takes_a_while": True}, {"takes_long": True}]
    held = []
    for kind in kinds:
        held.append(engine.submit(Request(hold, (str(kind),), **kind)))  # type: ignore[arg-type]
        while len(engine.status().running) < len(held):
            time.sleep(0.01)
    yield engine
    GO.set()
    wait(held, 20)


def test_the_picture_is_written_as_a_file_once_for_all_pages(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine()
    monkeypatch.setattr(engines, "_engine", cache(lambda: engine))
    own = drawn(Selection(FIRST_MODEL, Picture("own", "mine", "Mine.", samples()["above"].data)))
    files = {unpack(get(own, "opening", page=page).content)[2]["picture"].tobytes() for page in ("heads", "depth")}
    (file,) = files
    np.testing.assert_array_equal(np.asarray(Image.open(BytesIO(file))), crop(own))
    assert engine.status().computed["write_input"] == 1


def test_one_browser_leaves_places_to_the_others(busy: Engine) -> None:
    drawn(LEFT)
    drawn(LEFT, "bob")

    async def ask() -> list[Visitor]:
        many = [asyncio.ensure_future(Visitor("exact-0-5", query="5", at=f"{at}").ask()) for at in range(numbers.SHARE)]
        await asyncio.sleep(0.1)
        more, other = Visitor("exact-0-5", query="5"), Visitor("exact-0-5", who="bob", query="5")
        refused = await more.ask()
        asked = asyncio.ensure_future(other.ask())
        await asyncio.sleep(0.1)
        GO.set()
        return [refused, await asked, *await asyncio.gather(*many), await Visitor("exact-0-5", query="5").ask()]

    refused, *others = asyncio.run(ask())
    assert (refused.status, refused.headers["retry-after"]) == (503, "2")
    many = f"This browser waits for {numbers.SHARE} answers, and {numbers.SHARE} are the most at once"
    assert refused.body.decode() == f"{many}; what comes frees a place."
    assert {it.status for it in others} == {200}
    assert not numbers._waits


def test_equal_numbers_are_computed_once_for_a_hall(busy: Engine) -> None:
    async def ask() -> list[Visitor]:
        hall = [f"browser {number}" for number in range(200)]
        for browser in hall:
            drawn(LEFT, browser)
        asked = [asyncio.ensure_future(Visitor("exact-0-5", browser, query="5").ask()) for browser in hall]
        await asyncio.sleep(0.1)
        GO.set()
        return await asyncio.gather(*asked)

    answers = asyncio.run(ask())
    assert {it.status for it in answers} == {200}
    assert len({it.body for it in answers}) == 1
    assert busy.status().computed["measure"] == busy.status().computed["run_forward"] == 1
    assert not numbers._making


def test_what_nobody_waits_for_leaves_the_queue_and_what_somebody_does_stays(busy: Engine) -> None:
    drawn(LEFT)

    async def leave() -> Visitor:
        stays, *leaving = visitors = [Visitor("exact-0-5", query="5") for _ in range(4)]
        other = Visitor("exact-0-6", query="6")
        asked = [asyncio.ensure_future(it.ask()) for it in (*visitors, other)]
        await asyncio.sleep(0.2)
        assert busy.status().waiting == 2
        for it in (*leaving, other):
            it.hangs_up.set()
        await asyncio.sleep(0.2)
        assert busy.status().waiting == 1
        GO.set()
        await asyncio.gather(*asked)
        return stays

    assert asyncio.run(leave()).status == 200
    assert busy.status().computed["measure"] == 1


def test_who_asks_wrongly_keeps_no_number_from_others(busy: Engine) -> None:
    drawn(LEFT)

    async def both() -> list[Visitor]:
        asked = [asyncio.ensure_future(Visitor("exact-0-5", query=query).ask()) for query in ("6", "5")]
        GO.set()
        return await asyncio.gather(*asked)

    assert [it.status for it in asyncio.run(both())] == [204, 200]


def test_a_full_queue_says_when_to_come_again(busy: Engine) -> None:
    drawn(LEFT)
    waiting = [busy.submit(Request(hold, (f"waits {number}",))) for number in range(2)]
    answer = asyncio.run(Visitor("exact-0-7", query="7").ask())
    assert (answer.status, answer.headers["retry-after"]) == (503, "2")
    assert answer.body.decode().startswith("2 requests are waiting and the limit is 2; try again in about ")
    GO.set()
    wait(waiting, 20)


def test_what_cannot_be_computed_is_said_in_a_sentence(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Any:
        raise DeviceError("the map needs 200 T multiply-adds, and 100 T are the most; choose a smaller model")

    drawn(LEFT)
    monkeypatch.setattr("vitviz.board.numbers.parcels", lambda *_: iter([("map", refuse)]))
    answer = get(LEFT, "map")
    assert (answer.status_code, answer.headers["cache-control"]) == (422, "no-store")
    assert answer.text == "the map needs 200 T multiply-adds, and 100 T are the most; choose a smaller model."


def test_two_tabs_of_one_browser_that_show_the_same_do_not_disturb_each_other(
    get: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tabs: list[dict[str, Any]] = [{}, {}]
    keys = []
    monkeypatch.setattr(uploads, "browser", lambda: "ann")
    for tab in tabs:
        monkeypatch.setattr(st, "session_state", tab)
        numbers.register(Selection(FIRST_MODEL, samples()["right"]))
        keys.append({**ANN, numbers.HEADER: numbers.key()})
    tabs[1].clear()  # it goes to another model
    same = Selection(FIRST_MODEL, samples()["right"])
    assert [get(same, "opening", who=key).status_code for key in keys] == [200, 410]
    tabs[0].clear()
    assert get(same, "opening", who=keys[0]).status_code == 410


def test_a_session_without_cookies_has_a_key_of_its_own(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a frame on another site's page."""
    session: dict[str, Any] = {}
    monkeypatch.setattr(uploads, "browser", lambda: "")
    monkeypatch.setattr(st, "session_state", session)
    numbers.register(LEFT)
    assert len(numbers.key()) >= 16
    assert get(LEFT, "opening", who={numbers.HEADER: numbers.key()}).status_code == 200
    for stranger in ({}, {numbers.HEADER: ""}, {numbers.HEADER: "x" * 16}):
        assert get(LEFT, "opening", who=stranger).status_code == 410
    session.clear()
    assert get(LEFT, "opening", who=ANN).status_code == 410
