"""The site as a visitor meets it: from a plain server below a path, in a frame, from a disk, with the server gone."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.site.conftest import BELOW, SIBLING, Plain
from vitviz.board.meta import strip
from vitviz.config import PRESETS
from vitviz.installed import APP
from vitviz.site.models import SHOWN

OWN = APP / "vitviz/samples/coffee.jpg"
DRAWN = """() => {
    const { digest, photo, page } = globalThis.__vitviz_drawn ?? {};
    return digest && photo.startsWith(digest) ? { digest, page } : null;
}"""


def opened(page: Page, address: str) -> dict[str, str]:
    page.goto(address)
    return drawn(page)


def drawn(page: Any) -> dict[str, str]:
    found: dict[str, str] = page.wait_for_function(DRAWN).json_value()
    return found


@pytest.mark.long
def test_every_moment_has_the_apps_headline_and_is_complete(at_site: Page, files: Plain) -> None:
    shown = {page.address for page in SHOWN}
    switched = {page.address for page in SHOWN if page.switched}
    stages = [it for it in strip(PRESETS["demo"], untrained=False)["stages"] if it["stem"] in shown]
    opened(at_site, f"{files.url}/{BELOW}/")
    for stage in stages:
        for place, moment in enumerate(stage["moments"]):
            assert at_site.evaluate("() => [__vitviz_drawn.page, __vitviz_drawn.moment]") == [
                stage["stem"],
                moment["name"],
            ]
            expect(at_site.locator(".cannot")).to_be_hidden()
            expect(at_site.locator(".headline .sentence")).to_have_text(re.sub("[{}]", "", moment["sentence"]))
            at_site.wait_for_function(DRAWN)
            switches = at_site.locator(".drawers").get_by_role("button", name="switches")
            expect(switches).to_have_count(int(stage["stem"] in switched))
            if stage is not stages[-1] or place < len(stage["moments"]) - 1:
                before = at_site.evaluate("() => __vitviz_drawn.page + __vitviz_drawn.moment")
                at_site.keyboard.press("PageDown")
                at_site.wait_for_function("it => __vitviz_drawn.page + __vitviz_drawn.moment !== it", arg=before)
    last = stages[-1]["stem"], stages[-1]["moments"][-1]["name"]
    expect(at_site).to_have_url("{}/{}/{}?moment={}".format(files.url, BELOW, *last))


def test_an_address_of_the_app_leads_to_the_same_view(at_site: Page, files: Plain) -> None:
    address = f"{files.url}/{BELOW}/heads?model={SIBLING}&sample=left&layer=3&head=2&query=40"
    assert opened(at_site, address) == {"digest": f"{SIBLING} left", "page": "heads"}
    assert at_site.url == address, "not that of the folder to which a server of files sends it"
    expect(at_site.locator(".readout")).to_contain_text("layer 3 · head 2")
    at_site.reload()
    assert drawn(at_site)["digest"] == f"{SIBLING} left"
    at_site.locator('.strip a[data-stem="depth"]').click()
    at_site.wait_for_url(f"{files.url}/{BELOW}/depth?*")
    at_site.go_back()
    at_site.wait_for_function("() => __vitviz_drawn.page === 'heads'")
    assert at_site.url == address


def test_ones_own_photo_is_shown_and_never_leaves_the_browser(at_site: Page, files: Plain) -> None:
    requests: list[tuple[str, str, str | None]] = []
    opened(at_site, f"{files.url}/{BELOW}/heads")
    at_site.on("request", lambda it: requests.append((it.method, it.url, it.post_data)))
    at_site.keyboard.press("s")
    with at_site.expect_file_chooser() as chosen:
        at_site.get_by_role("button", name="Your own photo").click()
    chosen.value.set_files(OWN)
    at_site.wait_for_function("() => __vitviz_drawn.photo.startsWith('demo own1')")
    expect(at_site.locator(".strip .choose")).to_contain_text("coffee")
    at_site.keyboard.press("s")
    at_site.get_by_role("dialog").get_by_role("button", name="seed").click()
    at_site.wait_for_function(f"() => __vitviz_drawn.photo.startsWith('{SIBLING} own1')")
    at_site.go_back()
    at_site.wait_for_function("() => __vitviz_drawn.photo.startsWith('demo own1')")
    sent = [it for it in requests if not it[1].startswith(("blob:", "data:"))]
    assert {(method, body) for method, _, body in sent} <= {("GET", None)}
    assert all(url.startswith(f"{files.url}/{BELOW}/files/") and "?" not in url for _, url, _ in sent)


def test_of_several_choices_the_last_one_counts(at_site: Page, files: Plain) -> None:
    opened(at_site, f"{files.url}/{BELOW}/heads")
    choose = """words => {
        const all = [...document.querySelectorAll(".chooser button")];
        for (const word of words) all.find(({ textContent }) => textContent.includes(word)).click();
    }"""
    at_site.evaluate(choose, ["seed", "Sailboat", "Tabby"])  # the first has the longest way
    at_site.wait_for_function("() => __vitviz_drawn.photo.startsWith('demo tabby')")
    at_site.wait_for_load_state("networkidle")
    expect(at_site).to_have_url(f"{files.url}/{BELOW}/heads?sample=tabby")
    assert drawn(at_site)["digest"] == "demo tabby"


def test_what_is_no_picture_gets_the_apps_sentence_and_leaves_what_stands(
    at_site: Page, files: Plain, tmp_path: Path
) -> None:
    opened(at_site, f"{files.url}/{BELOW}/heads")
    wrong = tmp_path / "cat.png"
    wrong.write_text("no picture")
    at_site.keyboard.press("s")
    with at_site.expect_file_chooser() as chosen:
        at_site.get_by_role("button", name="Your own photo").click()
    chosen.value.set_files(wrong)
    expect(at_site.locator(".wait")).to_contain_text("is not an image this app can read")
    assert drawn(at_site)["digest"] == "demo cat"


def test_with_the_server_gone_everything_that_has_come_goes_on(browser: Browser, files: Plain) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        opened(page, f"{files.url}/{BELOW}/heads")
        files.stop()
        for _ in range(4):
            page.keyboard.press("PageDown")
        page.wait_for_function("() => __vitviz_drawn.page === 'depth'")
        drawn(page)
        expect(page.locator(".cannot")).to_be_hidden()
        page.keyboard.press("s")
        page.get_by_role("dialog").get_by_role("button", name="seed").click()  # that has not come
        expect(page.locator(".wait")).to_contain_text("did not come")
        assert page.evaluate("() => __vitviz_drawn.digest") == "demo cat"


def test_without_a_network_it_opens_again(browser: Browser, files: Plain) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        opened(page, f"{files.url}/{BELOW}/heads")
        page.evaluate("() => navigator.serviceWorker.ready")
        page.wait_for_function("async () => (await navigator.serviceWorker.ready).active.state === 'activated'")
        files.stop()
        assert opened(page, f"{files.url}/{BELOW}/depth?layer=3") == {"digest": "demo cat", "page": "depth"}


def test_in_a_frame_that_may_only_run_scripts(browser: Browser, files: Plain, folder: Path) -> None:
    frame = f'<iframe sandbox="allow-scripts" src="{BELOW}/heads/?layer=3" width="1200" height="600"></iframe>'
    (folder / "frame.html").write_text(f"<!doctype html>{frame}")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{files.url}/frame.html")
        assert drawn(page.frames[1])["digest"] == "demo cat"


@pytest.mark.parametrize("form", ["folder", "one file"])
def test_from_a_disk(form: str, browser: Browser, folder: Path, one_file: Path) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        opened(page, (folder / BELOW / "heads/index.html" if form == "folder" else one_file).as_uri())
        page.locator('.strip a[data-stem="depth"]').click()
        page.wait_for_function("() => __vitviz_drawn.page === 'depth'")
        drawn(page)
        assert wrong == []


def test_a_folder_that_is_no_site_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from vitviz.__main__ import main

    (tmp_path / "thesis.txt").write_text("mine")
    assert main(["site", "--out", str(tmp_path)]) == 1
    assert "is there and is no site; choose another folder" in capsys.readouterr().err
    assert [it.name for it in tmp_path.iterdir()] == ["thesis.txt"]
