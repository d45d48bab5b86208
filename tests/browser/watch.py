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
TIMEOUT_MS = 60_000  # ms until what must come is given up: a busy machine takes long, and what comes is not waited for
OFFLINE = "net::ERR_INTERNET_DISCONNECTED"  # what a browser complains of that a test has cut off
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
COLOURS = ("color-contrast", "link-in-text-block")  # the rules of these tags that hang on light or dark

# When the page last asked for a run, and when the server last began one, finished one and said anything; how much the
# page sent, and how often it asked; where it is `cut`, Python does not hear of it, and what it says comes some ms
# `late`. Streamlit's protocol buffers say what they are with the number of a field, after a hash and metadata. A run
# that ends early has another one coming.
CLOCK_WEBSOCKETS = """
    const RERUN_SCRIPT = 11, HASH = 1, METADATA = 2, NEW_SESSION = 4, SCRIPT_FINISHED = 6, EARLY = 2;
    const times = { asked: 0, begun: 0, finished: 0, received: 0 };
    const traffic = window.__traffic = { ...times, messages: 0, runs: 0, cut: false, late: 0 };
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
        return [bytes[at] >> 3, bytes[at + 1]];
    };
    window.WebSocket = class extends WebSocket {
        constructor(...args) {
            super(...args);
            for (const [kind, Kind] of [["message", MessageEvent], ["close", CloseEvent]]) {
                this.addEventListener(kind, (event) => {
                    if (!traffic.late || !event.isTrusted) return;
                    event.stopImmediatePropagation();
                    setTimeout(() => this.dispatchEvent(new Kind(kind, event)), traffic.late);
                });
            }
            this.addEventListener("message", ({ data }) => {
                traffic.received = performance.now();
                const [field, how] = told(new Uint8Array(data));
                if (field === NEW_SESSION) traffic.begun = traffic.received;
                if (field === SCRIPT_FINISHED && how !== EARLY) traffic.finished = traffic.received;
                window.__hands.happens();
            });
        }
        send(data) {
            const asks = data[0] >> 3 === RERUN_SCRIPT;
            if (asks && traffic.cut) return;
            traffic.messages++;
            traffic.runs += asks;
            if (asks) traffic.asked = performance.now();
            super.send(data);
        }
    };
"""

# What is due on the page within half a second, as where a hand is waited for to rest or numbers are on their way, and
# what later, with its ms; when it was last touched; how many frames have been drawn since a hand or the server did
# anything, up to two; and the addresses that it has written.
CLOCK_HANDS = """
    const SOON = 500;
    const hands = window.__hands = {
        due: new Set(),
        later: new Map(),
        touched: 0,
        frames: 2,
        been: [],
        happens() {
            const waits = hands.frames < 2;
            hands.frames = 0;
            if (!waits) requestAnimationFrame(frame);
        },
    };
    const frame = () => { if (++hands.frames < 2) requestAnimationFrame(frame); };
    for (const kind of ["keydown", "pointerup", "click", "input", "change", "popstate"]) {
        const touch = () => {
            hands.touched = performance.now();
            hands.happens();
        };
        addEventListener(kind, touch, { capture: true });
    }
    for (const name of ["pushState", "replaceState"]) {
        const write = history[name];
        history[name] = (...args) => {
            write.apply(history, args);
            hands.been.push(location.pathname + location.search);
        };
    }
    const { setTimeout: set, clearTimeout: clear } = window;
    window.setTimeout = (call, after = 0, ...args) => {
        const waits = after <= SOON ? hands.due : hands.later;
        const timer = set(() => { waits.delete(timer); call(...args); }, after);
        if (after <= SOON) waits.add(timer);
        else waits.set(timer, after);
        return timer;
    };
    window.clearTimeout = (timer) => {
        hands.due.delete(timer);
        hands.later.delete(timer);
        clear(timer);
    };
    const { fetch } = window;
    window.fetch = (url, how) => {
        const answer = fetch(url, how);
        if (!/\\/numbers\\//.test(url)) return answer;
        const over = () => set(() => { hands.due.delete(answer); hands.happens(); }, 20);
        hands.due.add(answer);
        answer.then((it) => it.clone().arrayBuffer()).then(over, over);
        return answer;
    };
"""

# A run is done when it began after the last request and has finished, the server is quiet, nothing is due on the page,
# and nothing is left to draw; the board, where there is one, hears keys then.
SETTLED = """() => {
    const { due, touched, frames } = window.__hands;
    if (due.size || performance.now() - touched < 100 || frames < 2) return false;
    const app = document.querySelector("[data-testid=stApp]");
    if (!app || app.dataset.testScriptState !== "notRunning" || app.dataset.testConnectionState !== "CONNECTED") {
        return false;
    }
    const { asked, begun, finished, received } = window.__traffic;
    const charts = [...document.querySelectorAll("[data-testid=stPlotlyChart]")];
    return begun > asked && finished > begun && performance.now() - received > 150
        && Boolean(globalThis.__vitviz_drawn || !document.querySelector(".st-key-board-place"))
        && !document.querySelector("[data-stale=true], [data-testid=stSkeleton], [data-testid=stSpinner]")
        && charts.every((chart) => chart.querySelector(".main-svg"))
        && [...document.images].every((image) => image.complete)
        && document.fonts.status === "loaded";
}"""

# A link within the page, which the browser takes as it takes Back; nothing has the focus then.
GO = """(path) => {
    let held = document.activeElement;
    while (held?.shadowRoot?.activeElement) held = held.shadowRoot.activeElement;
    held?.blur();
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
}"""

PICTURED = """() => {
    const { digest, photo } = globalThis.__vitviz_drawn ?? {};
    return Boolean(digest) && photo.startsWith(digest);
}"""

# On a phone Streamlit moves its menu into the sidebar and puts a div between its ul and li: not ours to mend.
RUN_AXE = """async ([type, values]) => {
    const { violations } = await axe.run({
        runOnly: { type, values }, resultTypes: ["violations"], elementRef: true,
    });
    const inMenu = ({ element }) => element?.closest("[data-testid=stSidebarNavItems]");
    return violations.flatMap(({ id, impact, help, nodes }) => nodes
        .filter((node) => !(["list", "listitem"].includes(id) && inMenu(node)))
        .map(({ html, failureSummary }) =>
            `${id} (${impact}): ${help}\\n    ${html.slice(0, 300)}\\n    ${failureSummary}`));
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
        if message.type == "error" and OFFLINE not in message.text:
            self.complaints.append(f"console: {message.text} ({message.location['url']})")


@contextmanager
def context_of(browser: Browser, url: str, **options: Any) -> Iterator[BrowserContext]:
    """A visitor's browser, with `options` of Playwright's contexts; its pages know when they have settled."""
    with closing(browser.new_context(base_url=url, **options)) as context:
        context.set_default_timeout(TIMEOUT_MS)
        context.add_init_script(CLOCK_WEBSOCKETS)
        context.add_init_script(CLOCK_HANDS)
        yield context


def forget(context: BrowserContext, url: str) -> None:
    """Empty the second page of a context, if it has its size still, and close those after it.

    Nothing that they kept of the server stays; the first page is always empty, so that the context never closes.
    """
    blank, *others = context.pages
    for page in others:
        if page is others[0] and page.viewport_size == blank.viewport_size:
            page.evaluate("() => { if (location.protocol !== 'about:') sessionStorage.clear(); }")
            page.mouse.move(-1, -1)
            page.goto("about:blank")
        else:
            page.close()
    context.new_cdp_session(blank).send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})


def open_page(page: Page, path: str = "/") -> None:
    """Go to `path` of the server and wait until the page has settled."""
    page.goto(path, wait_until="domcontentloaded")
    settled(page)


def go(page: Page, path: str) -> None:
    """Go to `path` from where the page is, which loads nothing anew, and wait until it has settled."""
    page.mouse.move(-1, -1)
    page.evaluate(GO, path)
    settled(page)


def reach(page: Page, path: str) -> None:
    """Go to `path` from where the page is, or open it where the page is not at the app yet."""
    (go if page.url.startswith("http") else open_page)(page, path)


def settled(page: Page, *, timeout_ms: float = TIMEOUT_MS) -> None:
    """Wait until the page has followed the hand, and the last run is done and drawn; `timeout_ms` at most."""
    page.wait_for_function(SETTLED, polling=50, timeout=timeout_ms)


def pictured(page: Page) -> None:
    """Wait until the board has drawn its scene and the photo, which is opened beside all else."""
    page.wait_for_function(PICTURED)


@contextmanager
def been(page: Page, words: str) -> Iterator[None]:
    """Do something that makes the page write an address with these words, and wait until it has; it may go on."""
    page.evaluate("() => { __hands.been = []; }")
    yield
    page.wait_for_function("(words) => __hands.been.some((it) => it.includes(words))", arg=words)


@contextmanager
def answered(page: Page, messages: int = 1) -> Iterator[None]:
    """Do something that makes the page send `messages`, and wait until they are answered and drawn."""
    before = page.evaluate("window.__traffic.messages")
    yield
    page.wait_for_function("(count) => window.__traffic.messages >= count", arg=before + messages)
    settled(page)


def violations(page: Page, *rules: str) -> list[str]:
    """WCAG A and AA violations that axe finds on the page, one line each; of these rules alone, where some are said."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(RUN_AXE, ["rule", rules] if rules else ["tag", AXE_TAGS])
    return found


def screenshot(page: Page, name: str) -> Path:
    """Write what the page shows to build/screenshots/<name>.png."""
    path = SCREENSHOTS / f"{name}.png"
    page.screenshot(path=path, animations="disabled")
    return path
