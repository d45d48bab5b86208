"""Streamlit's HTML with our style in it, so that nothing moves when the first element of the app comes.

It begins with what this is, on the ground that the page will have: a browser draws that with the first bytes of two
megabytes, which take a phone ten seconds.

It names what every page needs as soon as its script has run: a browser fetches that with the rest, not after it.

An address that leads to no page leads to the first one, which says so: Streamlit's own dialogue names no way back. The
first page answers to its name, too.
"""

import asyncio
import gzip
import json
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vitviz.installed import FRONTEND
from vitviz.pages import FIRST, LEADS, PAGES
from vitviz.ui import styles
from vitviz.ui.links import UNKNOWN_PAGE
from vitviz.ui.sidebar import samples

# On the address of a page Streamlit asks that address first whether the server is there, and takes the 404 for
# "one folder up". All pages lie in the folder of the first one. Who is told which pages may speak to this one, none but
# its own, does not wait for that answer either before the line to the server is opened.
WHERE = """window.__streamlit = {BACKEND_BASE_URL: location.origin + location.pathname.replace(/[^/]*$/, ""),
  HOST_CONFIG: {allowedOrigins: [location.origin], useExternalAuthToken: false}}"""
# Where a lecture leads, there is room for its sentence from the first frame on.
LED = """if (/[?&](lesson|room)=/.test(location.search) && !location.pathname.endsWith("/{leads}"))
  document.documentElement.dataset.lecture = "led\""""
SECRET_SCRIPT = (FRONTEND / "doors/lecturer/secret.js").read_text(encoding="utf-8")
SCRIPT = f"{SECRET_SCRIPT}{WHERE}\n{LED}".replace("{leads}", LEADS.address)  # deploy/nginx.conf allows it by its digest
ADDRESSES = {entry.address for entry in PAGES.values()}
# The script waits for no style sheet. The style stands in the body: of equal rules Streamlit's, in the head, give way.
HEAD, BODY, END = b"<head>", b"<body>", b"</body>"
BEGINNING = b"""<style>
#beginning { position: fixed; inset: 0; z-index: 1; display: grid; place-content: center; text-align: center;
  padding: 1rem; font: 20px/1.4 sans-serif; background: #fff; color: #111; pointer-events: none }
#beginning b { font-size: 32px }
@media (prefers-color-scheme: dark) { #beginning { background: #171614; color: #f5f5f5 } }
body:has(.stApp :is([data-testid=stBidiComponentIsolated], [data-testid=stAlert], [data-testid=stException]))
  #beginning, body:has([role=dialog]) #beginning { display: none }
</style><div id="beginning"><b>vitviz</b>
<span>Every number of a Vision Transformer.<br>It is on its way.</span></div>"""
HEAD_END = b"</head>"
# Streamlit's modules of elements that stand on every page: the board and what is told to it, and the sidebar's.
ON_EVERY_PAGE = ("BidiComponent", "ButtonGroup", "Selectbox", "Metric")
LEFT_OUT = (b"if-none-match", b"if-modified-since", b"accept-encoding")  # the text is wanted, whole and as it is


class CompletePage:
    """Middleware that completes the HTML which every page of the app begins with."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._script = f"<script>{SCRIPT}</script>".encode()
        self._pages: tuple[bytes, bytes, bytes] = (b"", b"", b"")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        name = scope.get("path", "").rpartition("/")[2]
        if scope["type"] != "http" or scope["method"] != "GET" or "." in name:
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def complete(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_html(message):
                start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body", False) and name == FIRST.stem:
                    query = scope["query_string"].decode("latin-1")
                    await RedirectResponse(f"./?{query}" if query else "./")(scope, receive, send)
                elif not message.get("more_body", False) and name not in ADDRESSES:
                    await RedirectResponse(f"./?{urlencode({UNKNOWN_PAGE: name})}")(scope, receive, send)
                elif not message.get("more_body", False):
                    if self._pages[0] != body:
                        self._pages = await asyncio.to_thread(self._complete, body)
                    _, full, small = self._pages
                    headers = MutableHeaders(scope=start)
                    del headers["etag"], headers["last-modified"]
                    if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
                        full = small
                        headers["content-encoding"] = "gzip"
                    headers.add_vary_header("accept-encoding")
                    headers["content-length"] = str(len(full))
                    await send(start)
                    await send({"type": "http.response.body", "body": full})

        kept_headers = [(name, value) for name, value in scope["headers"] if name not in LEFT_OUT]
        await self._app({**scope, "headers": kept_headers}, receive, complete)

    def _complete(self, body: bytes) -> tuple[bytes, bytes, bytes]:
        """Streamlit's page, the same completed, and that compressed: once for all who come."""
        full = body.replace(HEAD, HEAD + self._script).replace(BODY, BODY + BEGINNING).replace(END, _style() + END)
        full = full.replace(HEAD_END, preloads(body.decode()).encode() + HEAD_END)
        return body, full, gzip.compress(full, mtime=0)


def preloads(page: str) -> str:
    """Links to the modules of `ON_EVERY_PAGE` that Streamlit's page does not name itself."""
    manifest = Path(st.__file__).with_name("static") / "manifest.json"
    modules = json.loads(manifest.read_text(encoding="utf-8"))
    needed: dict[str, str] = {}

    def need(name: str) -> None:
        if name not in needed:
            needed[name] = modules[name]["file"]
            for other in modules[name].get("imports", ()):
                need(other)

    for element in ON_EVERY_PAGE:
        for name, its in modules.items():
            if Path(name).stem == element and its.get("isDynamicEntry"):
                need(name)
    files = [file for file in needed.values() if file not in page]
    return "".join(f'<link rel="modulepreload" crossorigin href="./{file}">' for file in files)


def _style() -> bytes:
    """The style sheets, and small pictures of the samples."""
    return (styles.style() + samples.style()).encode()


def _is_html(message: Message) -> bool:
    return Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")
