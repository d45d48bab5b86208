"""One HTML file with everything in it: the explorer, what it is told, and its numbers. It asks nobody for anything."""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from vitviz.page import Moment
from vitviz.pages import PAGES
from vitviz.scripts.bundle import markup_of, script_of, sheet_of
from vitviz.scripts.parcels import bundle as bundle_parcels

THEME = "doors/offline/theme.css"
STYLES = ("doors/board/board.css", "editing/editing.css", "editing/folded.css")
EXPLORED = replace(  # whose scene it shows, and what it says over it
    next(page for page in PAGES.values() if (page.folder / "explorer.js").is_file()),
    all_moments=(
        Moment(
            "wall",
            {
                "heads=1": "What does the head look at from one {query}?",
                "": "What does each head look at from one {query}?",
            },
        ),
        Moment("matrix", "All weights of one head: a row for each {query}, a column for each {key}."),
        Moment("pair", "Two heads beside each other, the same {query}.", when="heads!=1"),
    ),
)
# No address but those that the file makes itself: a browser holds it to that.
POLICY = "default-src 'none'; script-src 'unsafe-inline'{}; style-src 'unsafe-inline'; img-src data: blob:{}"
RUNNING = " 'wasm-unsafe-eval' blob:", "; worker-src blob:; connect-src data:"  # what a forward pass needs beside that


def page(
    title: str,
    message: dict[str, Any],
    parcels: Sequence[bytes],
    caption: str,
    source: str,
    model: Mapping[str, bytes] | None = None,
) -> str:
    """The file: `message` and `parcels` are for the explorer, `caption` and `source` stand under it.

    `model` are the parcels "parameters" and "means" of one that runs in the browser. Equal arguments make equal bytes.
    """
    policy = POLICY.format(*(RUNNING if model else ("", "")))
    parts = {"numbers": bundle_parcels(parcels), **(model or {})} | ({"worker": _worker()} if model else {})
    blocks = "\n".join(f'<script type="text/plain" id="{name}">{packed(data)}</script>' for name, data in parts.items())
    body = f"""{markup()}<footer class="made">
<p><b>{escape(caption)}</b></p>
<p>{escape(source)}</p>
</footer>
<script type="application/json" id="said">{as_json(message)}</script>
{blocks}"""
    return document(title, policy, styles(EXPLORED.folder / "scene.css"), body, _script())


def document(title: str, policy: str, styles: str, body: str, script: str) -> str:
    """An HTML file that holds its styles and its one module; a browser holds it to `policy`."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{styles}</style>
</head>
<body>
{body}
<script type="module">{script}</script>
</body>
</html>
"""


def packed(data: bytes) -> str:
    """A gzip file in base64."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def as_json(message: dict[str, Any]) -> str:
    """JSON in which no text ends the element that it stands in."""
    return json.dumps(message).replace("<", "\\u003c")


@cache
def markup() -> str:
    """Of a board that no script of Streamlit draws."""
    return markup_of("doors/offline/explorer.html")


@cache
def styles(*scenes: Path) -> str:
    """The style sheets of such a board, and of `scenes`."""
    return sheet_of(*STYLES, *scenes, THEME, "doors/offline/explorer.css")


@cache
def _script() -> str:
    return script_of(EXPLORED.folder / "explorer.js")


@cache
def _worker() -> bytes:
    return script_of("forward/worker.js").encode()
