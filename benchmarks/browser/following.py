"""From the message of a room to the painted frame at who follows, and what it makes the browser ask of Python."""

from itertools import cycle, islice

from playwright.sync_api import Browser

from benchmarks.browser.times import at_rest, say
from benchmarks.report import Report
from tests.browser.lecture.leading import Leader, bar, leading, runs
from tests.browser.probe import answered, tab
from tests.browser.server import Server
from tests.browser.watch import open_page

CODE = "FGHJ"
MODELS = ("demo", "vit_base_patch16_224")
PAGES = ("patch_grid", "query_key_value", "heads", "depth", "encoder_block", "class_head")
ROUNDS = 12  # steps inside a page
SPREAD = 2000  # ms over which a hall asks Python for another page
HEARD = """() => {
    globalThis.WebSocket = class extends WebSocket {
        constructor(url, ...rest) {
            super(url, ...rest);
            if (String(url).includes("/lecture/socket/"))
                this.addEventListener("message", () => dispatchEvent(new Event("heard")));
        }
    };
}"""


def measure(report: Report, browser: Browser, server: Server) -> None:
    """Steps of a lesson inside one page after another, with a sentence and another place each."""
    report.section(
        f"A room's message to painted frame at who follows; {ROUNDS} steps inside each of {len(PAGES)} pages"
    )
    for model in MODELS:
        with tab(browser, server) as page, leading(server, CODE) as leader:
            page.add_init_script(f"({HEARD})()")
            open_page(page, f"/?model={model}&room={CODE}")
            page.wait_for_function("() => globalThis.__vitviz_drawn?.digest", timeout=120_000)
            found, asked = [], 0
            for stem in PAGES:
                leader.move(1, f"{stem}?model={model}", "Here we begin.")
                page.wait_for_function("(stem) => location.pathname.endsWith(stem)", arg=stem)
                bar(page, "Following · step 1 of 9")
                page.wait_for_timeout(SPREAD)
                at_rest(page)
                before = runs(page)
                for place in islice(cycle(range(1, 9)), ROUNDS):
                    view = f"{stem}?model={model}&query={10 * place}&head={place % 3 + 1}"
                    found.append(answered(page, "heard", lambda view=view, place=place: _step(leader, view, place)))  # type: ignore[misc]
                    page.wait_for_timeout(50)
                asked += runs(page) - before
        say(report, f"{model}, all pages", [time for time in found if time is not None], 33)
        if model == "demo":
            report.at_most("runs of Python that steps inside a page asked for", asked, 0, "demo, all pages")


def _step(leader: Leader, view: str, place: int) -> None:
    leader.move(place, view, f"Look at patch {10 * place} now.")
