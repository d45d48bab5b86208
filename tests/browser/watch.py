"""A page under observation: when it has settled, and what it did that it should not."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

from tests.browser.server import ROOT

SCREENSHOTS = ROOT / "build" / "screenshots"
PATIENCE = 60_000  # ms until what must come is given up: a busy machine takes long, and what comes is not waited for
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]

# When the page last asked for a run, and when the server last began one, finished one and said anything; how much the
# page sent. Streamlit's protocol buffers say what they are with the number of a field, after a hash and metadata.
CLOCK_WEBSOCKETS = """
    const RERUN_SCRIPT = 11, HASH = 1, METADATA = 2, NEW_SESSION = 4, SCRIPT_FINISHED = 6;
    const traffic = window.__traffic = { asked: 0, begun: 0, finished: 0, received: 0, messages: 0 };
    const told = (bytes) => {
        let at = 0;
        while ([HASH, METADATA].includes(bytes[at] >> 3)) {
            let length = 0;
            for (let shift = 0, more = true; more; shift += 7) {
                more = bytes[++at] > 127;
                length += (bytes[at] & 127) << shift;
            }
            at += 1 + length;
        }
        return bytes[at] >> 3;
    };
    window.WebSocket = class extends WebSocket {
        constructor(...args) {
            super(...args);
            this.addEventListener("message", ({ data }) => {
                traffic.received = performance.now();
                const field = told(new Uint8Array(data));
                if (field === NEW_SESSION) traffic.begun = traffic.received;
                if (field === SCRIPT_FINISHED) traffic.finished = traffic.received;
            });
        }
        send(data) {
            traffic.messages++;
            if (data[0] >> 3 === RERUN_SCRIPT) traffic.asked = performance.now();
            super.send(data);
        }
    };
"""

# What is due on the page within half a second, as where a hand is waited for to rest, and when it was last touched.
CLOCK_HANDS = """
    const SOON = 500;
    const hands = window.__hands = { due: new Set(), touched: 0 };
    for (const kind of ["keydown", "click", "popstate"]) {
        addEventListener(kind, () => { hands.touched = performance.now(); }, { capture: true });
    }
    const { setTimeout: set, clearTimeout: clear } = window;
    window.setTimeout = (call, after = 0, ...args) => {
        const timer = set(() => { hands.due.delete(timer); call(...args); }, after);
        if (after <= SOON) hands.due.add(timer);
        return timer;
    };
    window.clearTimeout = (timer) => { hands.due.delete(timer); clear(timer); };
"""

# A run is done when it began after the last request and has finished, the server is quiet, and nothing is left to draw.
SETTLED = """() => {
    const app = document.querySelector("[data-testid=stApp]");
    if (!app || app.dataset.testScriptState !== "notRunning" || app.dataset.testConnectionState !== "CONNECTED") {
        return false;
    }
    const { asked, begun, finished, received } = window.__traffic;
    const charts = [...document.querySelectorAll("[data-testid=stPlotlyChart]")];
    return begun > asked && finished > begun && performance.now() - received > 150
        && !document.querySelector("[data-stale=true], [data-testid=stSkeleton], [data-testid=stSpinner]")
        && charts.every((chart) => chart.querySelector(".main-svg"))
        && [...document.images].every((image) => image.complete)
        && document.fonts.status === "loaded";
}"""

RESTED = f"""() => {{
    const {{ due, touched }} = window.__hands;
    return due.size === 0 && performance.now() - touched > 100 && ({SETTLED})();
}}"""

# On a phone Streamlit moves its menu into the sidebar and puts a div between its ul and li: not ours to mend.
RUN_AXE = """async (tags) => {
    const { violations } = await axe.run({ runOnly: { type: "tag", values: tags } });
    const inMenu = (node) => document.querySelector(node.target[0])?.closest("[data-testid=stSidebarNavItems]");
    const ours = (rule) => rule.nodes.filter((node) => !(["list", "listitem"].includes(rule.id) && inMenu(node)));
    return violations.map((rule) => ({ ...rule, nodes: ours(rule) }));
}"""


@dataclass
class Watch:
    """What a page asked of other hosts and complained about; both stay empty in a good app."""

    url: str
    foreign: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def observe(self, page: Page) -> None:
        """Write down every foreign request, console error and exception of `page`."""
        page.on("request", self._on_request)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"exception: {error}"))

    def _on_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(self.url).netloc:
            self.foreign.append(request.url)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"console: {message.text} ({message.location['url']})")


@contextmanager
def context_of(browser: Browser, url: str, **options: Any) -> Iterator[BrowserContext]:
    """A visitor's browser, with `options` of Playwright's contexts; its pages know when they have settled."""
    with closing(browser.new_context(base_url=url, **options)) as context:
        context.set_default_timeout(PATIENCE)
        context.add_init_script(CLOCK_WEBSOCKETS)
        context.add_init_script(CLOCK_HANDS)
        yield context


def open_page(page: Page, path: str = "/") -> None:
    """Go to `path` of the server and wait until the page has settled."""
    page.goto(path, wait_until="domcontentloaded")
    settled(page)


def settled(page: Page, *, patience: float = PATIENCE) -> None:
    """Wait until the last run is done and drawn; `patience` in ms."""
    page.wait_for_function(SETTLED, polling=50, timeout=patience)


@contextmanager
def answered(page: Page, messages: int = 1) -> Iterator[None]:
    """Do something that makes the page send `messages`, and wait until they are answered and drawn."""
    before = page.evaluate("window.__traffic.messages")
    yield
    page.wait_for_function("(count) => window.__traffic.messages >= count", arg=before + messages)
    settled(page)


def violations(page: Page) -> list[str]:
    """WCAG A and AA violations that axe finds on the page, one line each."""
    page.evaluate(AXE_SCRIPT)
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}\n    {node['html'][:300]}\n    {node['failureSummary']}"
        for rule in page.evaluate(RUN_AXE, AXE_TAGS)
        for node in rule["nodes"]
    ]


def screenshot(page: Page, name: str) -> Path:
    """Write what the page shows to build/screenshots/<name>.png."""
    path = SCREENSHOTS / f"{name}.png"
    page.screenshot(path=path, animations="disabled")
    return path
