"""A site opens again without a network, and never mixes the files of two builds."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.picture.serving import served
from vitviz.installed import FRONTEND

PAGE = """<!doctype html><title>{build}</title><script src="{root}files/site.{build}.js"></script>"""
READY = """() => navigator.serviceWorker.register(new URL("service_worker.js", location))
    .then(() => navigator.serviceWorker.ready).then(({ active }) => new Promise((done) => {
        if (active.state === "activated") return done();
        active.onstatechange = () => active.state === "activated" && done();
    }))"""
MADE = {"old": 1_000_000_000, "new": 1_100_000_000}  # seconds are all that a file server says
NAMES = "() => caches.keys()"
UPDATED = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    const { installing } = registration;
    if (installing) await new Promise((done) => { installing.onstatechange = () => registration.waiting && done(); });
}"""
ALONE = """async () => {
    while ((await caches.keys()).length > 1) await new Promise((done) => setTimeout(done, 20));
}"""


def build(folder: Path, name: str) -> None:
    """A site of two pages and a file that comes later, in place of what is there."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "files").mkdir(parents=True)
    (folder / "heads").mkdir()
    (folder / "index.html").write_text(PAGE.format(build=name, root=""))
    (folder / "heads/index.html").write_text(PAGE.format(build=name, root="../"))
    (folder / f"files/site.{name}.js").write_text(f"globalThis.built = {name!r};")
    (folder / f"files/large.{name}.js").write_text(f"globalThis.large = {name!r};")
    first, later = ["", "heads/", f"files/site.{name}.js"], [f"files/large.{name}.js"]
    told = f"globalThis.__vitviz_build = {json.dumps({'version': name, 'first': first, 'later': later})};\n"
    script = (FRONTEND / "doors/site/service_worker.js").read_text(encoding="utf-8")
    (folder / "service_worker.js").write_text(told + script)
    for path in folder.rglob("*"):
        os.utime(path, (MADE[name], MADE[name]))


@pytest.fixture
def root(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """The folder of the site, below another one, and its address."""
    folder = tmp_path / "of/a/school"
    build(folder, "old")
    (tmp_path / "of/a/other.html").write_text("<!doctype html><title>other</title>")
    with served(tmp_path) as url:
        yield folder, f"{url}of/a/school/"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that keeps what it is given."""
    with browser.new_context() as context:
        yield context.new_page()


def large(page: Page) -> str:
    """What the file says that comes later, asked for as a page asks for it."""
    page.add_script_tag(url=page.evaluate("() => document.scripts[0].src.replace('site', 'large')"))
    said: str = page.evaluate("() => large")
    return said


def test_without_a_network_all_pages_open_and_what_was_asked_for(root: tuple[Path, str], page: Page) -> None:
    _, url = root
    page.goto(url)
    page.evaluate(READY)
    page.goto(f"{url}heads/?layer=5")
    assert large(page) == "old"
    page.context.set_offline(True)
    for path in ("", "index.html", "heads/?layer=2&head=3", "heads"):
        page.goto(url + path)
        assert page.evaluate("() => built") == "old", path
    assert large(page) == "old"


def test_an_open_page_keeps_its_build_and_the_next_visit_has_the_new_one(
    root: tuple[Path, str], browser: Browser, page: Page
) -> None:
    folder, url = root
    page.goto(url)
    page.evaluate(READY)
    page.reload()
    build(folder, "new")
    page.evaluate(UPDATED)
    page.goto(f"{url}heads/")
    assert page.evaluate("() => built") == "old"
    assert len(page.evaluate(NAMES)) == 2
    fresh = page.context.new_page()
    fresh.goto(f"{url}../other.html")  # of the same host, and no page of the site
    page.close()
    fresh.evaluate(ALONE)
    fresh.goto(f"{url}heads/")
    assert fresh.evaluate("() => built") == "new"
    assert large(fresh) == "new"
    assert [name.endswith(" new") for name in fresh.evaluate(NAMES)] == [True]


def test_what_is_not_of_the_site_is_left_alone(root: tuple[Path, str], page: Page) -> None:
    folder, url = root
    page.goto(url)
    page.evaluate(READY)
    page.reload()
    (folder / "other.txt").write_text("one")
    ask = "() => fetch('other.txt', { cache: 'no-store' }).then((it) => it.text())"
    assert page.evaluate(ask) == "one"
    (folder / "other.txt").write_text("two")
    assert page.evaluate(ask) == "two"
