"""A lecture behind nginx: the server that holds the room dies, and both browsers come back to the present step."""

import sys

import pytest
from playwright.sync_api import Browser

from tests.browser.frame import open_board
from tests.browser.lecture.leading import bar, lead
from tests.browser.lecture.test_alone import LESSON, MANY, STEPS
from tests.browser.lecture.test_leading import room
from tests.browser.watch import context_of, open_page
from tests.server.several import Several, needs_nginx, proxied
from tests.server.test_class import run
from tests.server.test_rooms import at

pytestmark = [needs_nginx, pytest.mark.skipif(sys.platform != "linux", reason="the deployment is for Linux")]


def test_a_lecture_goes_on_when_the_server_of_its_room_dies(browser: Browser, servers: Several) -> None:
    with proxied(servers) as url, context_of(browser, url) as lecturers, context_of(browser, url) as students:
        leads, follows = lecturers.new_page(), students.new_page()
        lead(leads, "BCDF")
        open_page(leads, f"{STEPS[1].view.address}&lesson={LESSON}&step=2&room=BCDF")
        open_board(follows, "/?room=BCDF")
        bar(follows, f"Following · step 2 of {MANY}")
        bar(leads, room("BCDF", 2, 1))
        before = run(at(servers))
        servers.kill(before)
        assert run(at(servers)) != before, "while the first one was away, the lecturer has taken the room to the other"
        bar(leads, room("BCDF", 2, 1))
        leads.keyboard.press("PageDown")
        bar(follows, f"Following · step 3 of {MANY}")
