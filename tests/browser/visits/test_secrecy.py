"""The app as deploy/ serves it to strangers: under the proxy's policy, and with names that are markup."""

import json
import re
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.frame import open_board, open_sidebar, rest, stem, turn
from tests.browser.pages import STEMS
from tests.browser.server import Server, serve
from tests.browser.watch import answered, open_page
from tests.checkpoints import TIMM, save, shaken_state
from tests.deployment import HEADERS, PRODUCTION, ROOT
from vitviz.pages import ON_BOARD

POLICY = "Content-Security-Policy"
DOCUMENT = re.compile(r"^http://localhost:\d+/\w*(\?.*)?$")
NAME = (
    "![x](http://h.invalid/a.png) <img src=x> <script>document.title='x'</script> $x$ :material/home: :smile: "
    "[a](javascript:1) www.h.invalid a@h.invalid a -> b &lt; {query} %{x} <b>b</b>"
)
FILE = "$x$ *a* :smile: [a](b) <img src=x> www.h.invalid.safetensors"
LABELS = [NAME, "<a href='http://h.invalid'>cat</a>", "</li></ol>", "`code` **bold**", "&amp;"]
SUSPECT = """() => [...document.querySelectorAll("[src], a, iframe, object")]
    .map((it) => it.getAttribute("src") ?? it.getAttribute("href") ?? it.getAttribute("xlink:href") ?? "")
    .filter((address) => /invalid|javascript|mailto|^x$/.test(address))"""
TELLING = (str(ROOT), str(Path(tempfile.gettempdir()) / "vitviz-"), "Traceback")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app with the profile of deploy/serve, and a folder of checkpoints."""
    folder = tmp_path_factory.mktemp("checkpoints")
    save(shaken_state(TIMM), folder / FILE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VITVIZ_CHECKPOINTS", str(folder))
        with serve(**PRODUCTION) as server:
            yield server


@pytest.fixture
def page(visit: Callable[..., Page]) -> Page:
    """A newcomer's page under the proxy's policy; the watch hears of what it blocks."""

    def with_policy(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, headers=response.headers | {POLICY: HEADERS[POLICY].replace("$host", "none")})

    page = visit(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page.context.grant_permissions(["local-network-access"])  # Chromium knows no longer where the page came from
    page.route(DOCUMENT, with_policy)
    return page


def shown(page: Page) -> str:
    """What a person reads on the page and its board; the spaces of no width between letters are not seen."""
    texts = page.get_by_test_id("stMain").inner_text(), page.locator(".board").inner_text()
    return "\n".join(texts).replace("\u2060", "")


@pytest.mark.long
def test_names_that_are_markup_are_shown_to_the_letter_on_every_page(page: Page, tmp_path: Path) -> None:
    state = shaken_state(TIMM)
    state["head.weight"].zero_()
    state["head.bias"].copy_(state["head.bias"].sort(descending=True).values)
    checkpoint, card = save(state, tmp_path / FILE), tmp_path / "config.json"
    card.write_text(json.dumps({"num_attention_heads": 3, "id2label": dict(enumerate(LABELS))}))
    open_board(page, "/?model=your+own+file")
    open_sidebar(page)
    with answered(page):
        page.locator("[class*=st-key-checkpoint_] input[type=file]").set_input_files([checkpoint, card])
    rest(page)
    page.keyboard.press("s")
    page.locator(".sentence").click()
    seen: dict[str, str] = {}
    before = ""
    while page.url != before:
        place = stem(page) or STEMS[0]
        if place in ON_BOARD and place not in seen:
            with answered(page):
                page.keyboard.press("d")
            seen[place] = looked_at(page, place)
            with answered(page):
                page.keyboard.press("Escape")
        seen[place] = seen.get(place, "") + looked_at(page, place)
        before = page.url
        turn(page)
    assert set(seen) == set(STEMS)
    assert f"“{NAME}” has the probability" in seen["class_head"]
    assert NAME in seen["overview"]


def looked_at(page: Page, place: str) -> str:
    """What stands on a page, after a look at its links and at what it tells."""
    assert page.evaluate(SUSPECT) == [], place
    assert [words for words in TELLING if words in page.content()] == [], place
    assert page.title().endswith("· vitviz")
    if place == "class_head" and page.get_by_test_id("stPlotlyChart").count():
        drawn = page.locator("[data-testid=stPlotlyChart] text").all_text_contents()
        assert set(LABELS) <= set(drawn)
        page.locator(".nsewdrag").last.hover()
        expect(page.locator(".hoverlayer text").first).to_contain_text(re.compile("after layer"))
        hover = "".join(page.locator(".hoverlayer text").all_text_contents())
        assert any(label in hover for label in LABELS)
    return shown(page)


def test_a_file_of_the_server_is_offered_by_its_very_name(page: Page) -> None:
    open_board(page, "/?model=your+own+file")
    open_sidebar(page)
    page.get_by_role("combobox", name="On the server").click()
    option = page.get_by_role("option")
    expect(option).to_have_text(FILE)
    with answered(page):
        option.click()
    rest(page)
    expect(page.get_by_role("combobox", name="On the server")).to_have_value(FILE)
    expect(page.locator(".strip a.box").nth(1)).to_contain_text(str(TIMM.patches))
    assert page.evaluate(SUSPECT) == []
    assert [words for words in TELLING if words in page.content()] == []


def test_a_camera_and_a_download_work_under_the_policy(page: Page) -> None:
    open_page(page, "/class_head?open=details")
    page.get_by_role("button", name="Take away: Logits").click()
    with page.expect_download() as saved:
        page.get_by_role("dialog").get_by_role("button", name="PNG").click()
    assert saved.value.suggested_filename == "class_head-Logits.png"
    open_page(page, "/layer_table")
    with page.expect_download() as saved:
        page.get_by_text("Download as CSV").click()
    assert saved.value.suggested_filename == "demo-layers.csv"
    assert page.evaluate("(async () => (await fetch('data:text/plain,picture')).text())()") == "picture"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/media/nothing.png", 404),
        ("GET", "/media/..%2f..%2f..%2fetc/passwd", 400),
        ("GET", "/static/..%2f..%2f..%2fconfig.py", 400),
        ("GET", "/component/x/../../config.py", 400),
        ("PUT", "/_stcore/upload_file/nobody/nothing", 403),
        ("POST", "/_stcore/agent/interact", 403),
        ("GET", "/_stcore/bidi-components/x/y.js", 404),
    ],
)
def test_a_refused_request_learns_nothing(server: Server, method: str, path: str, status: int) -> None:
    request = urllib.request.Request(server.url + path, method=method, data=b"{}" if method != "GET" else None)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=60)
    with refused.value as answer:
        said = answer.read().decode()
    assert answer.status == status
    assert len(said) < 200
    assert not [words for words in (*TELLING, "site-packages", "Error") if words in said]
