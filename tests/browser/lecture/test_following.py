"""Who follows a room sees what its lecturer shows, goes on alone with a touch, and comes back with a key."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.board import headline, point
from tests.browser.frame import drawn, open_board, rest
from tests.browser.lecture.leading import bar, leading, runs
from tests.browser.server import Server
from tests.browser.watch import settled

ASKED = {"kind": "patch", "asks": "Where does it look?"}


def stands(page: Page, words: str) -> None:
    """Wait until the board's address says so."""
    page.wait_for_function("(words) => (location.pathname + location.search).includes(words)", arg=words)


def test_a_step_inside_a_page_comes_without_a_run(page: Page, server: Server) -> None:
    with leading(server, "BCDF") as leader:
        open_board(page, "/heads?room=BCDF")
        bar(page, "Following")  # nothing is shown yet
        settled(page)
        page.evaluate(
            "() => { __traffic.cut = true; }"
        )  # Python, who is asked for exact numbers at rest, hears nothing
        leader.move(2, "heads?layer=5&head=2&query=40", "One {query} looks at all {key}s.")
        bar(page, "Following · step 2 of 9")
        stands(page, "layer=5&head=2&query=40")
        leader.move(3, "heads?layer=2&head=3&moment=matrix", "A lower layer looks elsewhere.")
        bar(page, "Following · step 3 of 9")
        assert headline(page) == "A lower layer looks elsewhere."
        stands(page, "layer=2&head=3")
        assert "query" not in page.url
        leader.say(view="heads?layer=4&head=1")
        stands(page, "layer=4")
        assert drawn(page)["moment"] == "wall"
        rest(page)
        assert "room=BCDF" in page.url


def test_a_step_to_another_page_and_picture_takes_one_run(page: Page, server: Server) -> None:
    with leading(server, "BCDG") as leader:
        leader.move(1, "overview", "A picture goes in.")
        open_board(page, "/?room=BCDG")
        bar(page, "Following · step 1 of 9")
        rest(page)
        before = runs(page)
        leader.move(2, "class_head?sample=tabby&moment=scores", "Another picture.")
        expect(page.locator(".strip .words b")).to_have_text("Tabby cat")
        settled(page)
        assert runs(page) == before + 1
        stands(page, "/class_head?sample=tabby&moment=scores")
        assert headline(page) == "Another picture."
        leader.move(3, "growth", "And on a page without a scene.")
        expect(page.get_by_role("heading", name="Growth")).to_be_visible()
        expect(page.locator(".lecture-said")).to_have_text("And on a page without a scene.")


def test_hovering_follows_on_and_a_choice_goes_on_alone_until_g(page: Page, server: Server) -> None:
    with leading(server, "BCDH") as leader:
        leader.move(1, "heads?layer=5", "Look.")
        open_board(page, "/heads?room=BCDH")
        stands(page, "layer=5")
        point(page, 100)
        bar(page, "Following · step 1 of 9")
        point(page, 100, click=True)
        bar(page, "On your own")
        assert headline(page) != "Look."
        leader.move(2, "heads?layer=2", "Look again.")
        leader.move(3, "depth?through=3", "And on.")
        rest(page)
        stands(page, "query=100")
        assert "/heads" in page.url
        page.keyboard.press("g")
        stands(page, "/depth?through=3")
        bar(page, "Following · step 3 of 9")
        assert headline(page) == "And on."


def test_who_comes_late_or_loses_the_line_sees_what_is_on_now(visit: Callable[..., Page], server: Server) -> None:
    with leading(server, "BCDJ") as leader:
        leader.move(1, "heads?layer=5", "Look.")
        leader.say(view="heads?layer=3")
        late = visit()
        open_board(late, "/heads?room=bcdj")
        stands(late, "layer=3")
        late.context.set_offline(True)
        bar(late, "Connecting to the lecture …")
        leader.move(2, "heads?layer=6", "While you were gone.")
        late.context.set_offline(False)
        stands(late, "layer=6")
        bar(late, "Following · step 2 of 9")
        assert headline(late) == "While you were gone."
    expect(late.locator(".lecture-bar")).to_be_hidden()  # the room is closed
    late.wait_for_function("() => !location.search.includes('room')")
    assert late.evaluate("() => Object.keys(localStorage).filter((it) => it.startsWith('vitviz_room'))") == []


def test_the_scene_stays_hidden_until_the_answer_is_shown(page: Page, server: Server) -> None:
    with leading(server, "BCDK") as leader:
        leader.move(4, "heads?layer=6&query=40", "Guess first.", ASKED)
        open_board(page, "/heads?room=BCDK")
        bar(page, "Following · step 4 of 9")
        expect(page.locator(".scene")).to_be_hidden()
        expect(page.locator(".readout")).to_be_hidden()
        leader.say(ask=1)
        expect(page.locator(".asked")).to_contain_text("Click the patch on the photo")
        point(page, 7, click=True)
        votes = leader.hear("votes")
        while not votes["voted"]:
            votes = leader.hear("votes")
        bar(page, "Following · step 4 of 9")  # a guess is no touch
        leader.say(lock=True)
        expect(page.locator(".scene")).to_be_hidden()
        shares = {"map": "AAA=" * 0 + "//8=", "most": 0.5, "patch": 0}
        leader.reveal(4, {**shares, "text": "Patch 1."})
        expect(page.locator(".scene")).to_be_visible()
        assert headline(page) == "Because it is so."


def test_the_ring_and_the_black_sheet_are_seen_by_all(page: Page, server: Server) -> None:
    with leading(server, "BCDL") as leader:
        leader.move(1, "heads?layer=5", "Look.")
        open_board(page, "/heads?room=BCDL")
        bar(page, "Following · step 1 of 9")
        ring, photo = page.locator(".lecture-ring"), page.locator(".photo canvas").bounding_box()
        assert photo
        leader.say(pointer=["photo", 0.25, 0.5])
        expect(ring).to_be_visible()
        box = ring.bounding_box()
        assert box
        assert abs(box["x"] + box["width"] / 2 - photo["x"] - photo["width"] / 4) < 2
        assert abs(box["y"] + box["height"] / 2 - photo["y"] - photo["height"] / 2) < 2
        assert box["width"] >= 64
        leader.say(pointer=None)
        expect(ring).to_be_hidden()
        leader.say(blank=True)
        expect(page.locator(".lecture-sheet")).to_be_visible()
        page.keyboard.press("Escape")  # one's own screen comes back
        expect(page.locator(".lecture-sheet")).to_be_hidden()
        bar(page, "Following · step 1 of 9")
