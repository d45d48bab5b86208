"""Small models in the browser behind nginx: under our policy they run, under a stricter one nobody hears of it."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import watched
from tests.browser.forward.conftest import patches
from tests.browser.forward.running import BASE, bring_modules
from tests.browser.server import Server
from tests.browser.watch import context_of, open_page
from tests.server.several import Several, needs_nginx, proxied
from vitviz.weights import Loaded

pytestmark = needs_nginx

# In a task of its own: a policy does not hold for what a test evaluates.
ASK = "() => { setTimeout(() => { globalThis.can = client.canRun(); }); }"
RUN = """async ([told, patches, base]) => {
    const forward = await client.Forward.start(told, base);
    const { logits } = await forward.show(Float32Array.from(patches));
    return [...logits];
}"""


def behind(server: Server) -> Several:
    return Several(server.url, server.pid, server.log, (int(server.url.rpartition(":")[2]),))


def test_under_our_policy_the_model_runs(
    browser: Browser, server: Server, demo: Loaded, told: dict[str, Any], scenes: Any
) -> None:
    with proxied(behind(server)) as url, context_of(browser, url) as context, watched(context, url) as page:
        open_page(page, "/heads")
        bring_modules(page)
        page.evaluate(ASK)
        page.wait_for_function("() => globalThis.can")
        found = page.evaluate(RUN, [told, patches(scenes[:1]).flatten().tolist(), page.evaluate(BASE)])
    wanted = demo.model(scenes[:1])[0].tolist()
    assert found == pytest.approx(wanted, abs=1e-4)


def test_under_a_stricter_policy_it_says_that_it_cannot(browser: Browser, server: Server) -> None:
    with proxied(behind(server), without="'wasm-unsafe-eval'") as url, context_of(browser, url) as context:
        page = context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        open_page(page, "/heads")
        bring_modules(page)
        page.evaluate(ASK)
        page.wait_for_function("() => globalThis.can !== undefined")
        assert page.evaluate("() => globalThis.can") is False
        assert complaints == []
