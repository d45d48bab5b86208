"""The four kinds of questions: a guess by keys or clicks, and the sums as the server made them."""

import base64
from collections.abc import Callable

import numpy as np
from playwright.sync_api import Page, expect

from tests.browser.board import point
from tests.browser.frame import open_board
from tests.browser.lecture.leading import Leader, attending, bar, leading
from tests.browser.server import Server
from tests.browser.watch import settled
from vitviz.lecture.payloads import map_payload

PLACE = "heads?layer=6&query=40"
ELSEWHERE = "heads?layer=4&head=2&query=40"
NUMBER = {"kind": "number", "asks": "How many?", "low": 1e3, "high": 1e9, "unit": "parameters"}


def asked(leader: Leader, page: Page, step: int, question: dict[str, object]) -> None:
    leader.move(step, PLACE, "Guess.", question)
    leader.say(ask=1)
    expect(page.locator(".asks")).to_have_text(str(question["asks"]))
    expect(page.locator(".asked .phase")).to_contain_text("Click")  # open
    bar(page, f"Following · step {step} of 9")


def picture(page: Page) -> str:
    """What the photo's canvas shows."""
    data: str = page.locator(".photo canvas").evaluate("it => it.toDataURL()")
    return data


def shown(leader: Leader, page: Page, step: int, truth: dict[str, object]) -> dict[str, object]:
    """The sums of the only round, as the server tells them with the answer, once the page shows it."""
    votes = leader.hear("votes")
    while votes["voted"] < 2:
        votes = leader.hear("votes")
    leader.reveal(step, truth)
    expect(page.locator(".truth")).to_have_text(f"✓ {truth['text']}")
    state = leader.hear("state")
    while not state["result"]:
        state = leader.hear("state")
    sums: dict[str, object] = state["result"]["rounds"][0]
    return sums


def test_every_kind_is_guessed_and_shown_with_the_servers_sums(visit: Callable[..., Page], server: Server) -> None:
    with leading(server, "KNDS") as leader, attending(server, "KNDS") as other:
        page = visit(viewport={"width": 1280, "height": 720})
        leader.move(1, PLACE, "Look.")
        open_board(page, "/heads?room=KNDS")

        asked(leader, page, 2, {"kind": "choose", "asks": "Which part?", "options": ["MLP", "attention"]})
        page.keyboard.press("2")
        expect(page.locator(".own")).to_have_text("Your guess: attention")
        page.keyboard.press("1")  # a guess can be changed
        expect(page.locator(".own")).to_have_text("Your guess: MLP")
        other.say(vote=0)
        sums = shown(leader, page, 2, {"option": 0, "text": "The MLPs."})
        assert (sums["choose"], sums["right"]) == ([2, 0], 2)
        assert page.locator(".guesses b").all_inner_texts() == ["2", "0"]
        assert page.locator(".guesses tr.right").inner_text().split() == ["✓", "MLP", "2", "you"]

        asked(leader, page, 3, NUMBER)
        expect(page.locator(".scale-guess output")).to_have_text("No guess yet")  # no number to begin with
        expect(page.locator(".scale-guess .send")).to_be_disabled()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(".own")).to_contain_text("Your guess: ")
        own = page.locator(".scale-guess output").inner_text()
        assert page.locator(".own").inner_text() == f"Your guess: {own}"
        expect(page.locator(".scale-guess .send")).to_have_text("Change my guess")
        other.say(vote=2e4)
        while leader.hear("votes")["voted"] < 2:
            pass
        leader.say(lock=True)
        expect(page.locator(".phase")).to_contain_text("Locked")
        expect(page.locator(".scale-guess .send")).to_be_hidden()
        other.say(vote=2e4)  # too late, and the room counts once more
        sums = shown(leader, page, 3, {"value": 1_235_344, "text": "1,235,344 parameters"})
        bars = page.locator(".histogram b").all_inner_texts()
        assert [int(text or 0) for text in bars] == sums["number"]
        assert sums["right"] == 1
        expect(page.locator(".histogram figcaption")).to_have_text("2 guesses; 1 within a factor of 2")
        assert page.locator(".histogram .line").inner_text() == "✓ 1.24 million"

        asked(leader, page, 4, {"kind": "pair", "asks": "Which two?"})
        point(page, 14, click=True)
        expect(page.locator(".at")).to_contain_text("First: patch 14")
        point(page, 60, click=True)
        expect(page.locator(".own")).to_contain_text("patch 14 (row 2, column 2) and patch 60 (row 5, column 12)")
        other.say(vote=[13, 15])
        sums = shown(leader, page, 4, {"pair": [13, 59], "text": "patches 14 and 60"})
        assert np.flatnonzero(np.frombuffer(base64.b64decode(str(sums["pair"])), np.uint8)).tolist() == [13, 15, 59]
        assert page.locator(".guesses tbody").inner_text().split("\t") == ["2 guesses", "1 right."]
        expect(page.locator(".result .own")).to_contain_text("right.")

        shares = np.linspace(0, 1 / 72, 144, dtype=np.float32)
        asked(leader, page, 5, {"kind": "patch", "asks": "Where?"})
        page.keyboard.press("ArrowRight")  # from the query, patch 40
        page.keyboard.press("Enter")
        expect(page.locator(".own")).to_contain_text("patch 41 ")
        other.say(vote=143)
        truth = {"patch": 143, **map_payload(shares), "text": "patch 144"}
        sums = shown(leader, page, 5, truth)
        caught, best = (f"{100 * shares[which].sum():.1f} %" for which in ([40, 143], [142, 143]))
        held = f"the 2 guessed patches get {caught} of the light; the best 2 would get {best}."
        assert page.locator(".guesses tbody").inner_text().split("\t") == [
            "2 guesses",
            f"{sums['right']} right: {held}",
        ]
        one_line = "(it) => it.getBoundingClientRect().height < 1.9 * parseFloat(getComputedStyle(it).fontSize)"
        assert page.locator(".result .own").evaluate(one_line)
        page.get_by_role("button", name="Put away").click()
        expect(page.locator(".guesses")).to_be_hidden()
        expect(page.locator(".truth")).to_be_visible()

        page.get_by_role("button", name="Show the guesses").click()
        expect(page.locator(".legend")).to_be_visible()
        settled(page)
        over = picture(page)
        leader.say(view=ELSEWHERE)
        expect(page.locator(".legend")).to_be_hidden()
        settled(page)
        without = picture(page)
        assert without != over
        leader.say(view=PLACE)
        expect(page.locator(".legend")).to_be_visible()
        settled(page)
        assert picture(page) == over
        leader.move(6, ELSEWHERE, "Look elsewhere.")
        expect(page.locator(".truth")).to_be_hidden()
        settled(page)
        assert picture(page) == without, "of the answer nothing is left on another layer's photo"

        leader.move(7, PLACE, "Guess.", NUMBER)
        leader.say(ask=1)
        leader.reveal(7, {"value": 2e6, "text": "two million"})
        expect(page.locator(".result .own")).to_have_text("No guess this time.")
        assert page.locator(".histogram .line").inner_text() == "✓ 2 million"


def test_what_others_write_is_shown_as_it_is(page: Page, server: Server) -> None:
    markup = "<img src=x onerror=document.title='x'> {query} **b**"
    with leading(server, "MRKP") as leader:
        leader.move(1, PLACE, markup, {"kind": "choose", "asks": markup, "options": [markup, "two"]})
        leader.say(ask=1)
        open_board(page, "/heads?room=MRKP")
        expect(page.locator(".asks")).to_have_text(markup)
        expect(page.locator(".options button").first).to_have_text(f"1{markup}")
        page.keyboard.press("1")
        expect(page.locator(".own")).to_have_text(f"Your guess: {markup}")
        leader.reveal(1, {"option": 0, "text": markup})
        expect(page.locator(".truth")).to_have_text(f"✓ {markup}")
        assert page.locator(".asked img, .headline img").count() == 0
