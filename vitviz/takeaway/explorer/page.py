"""One HTML file with everything in it: the explorer, what it is told, and its numbers. It asks nobody for anything."""

import base64
import gzip
import json
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from vitviz.scripts.bundle import bundle
from vitviz.scripts.lean import lean_script, lean_sheet
from vitviz.scripts.parcels import bundle as bundle_parcels

FRONTEND = Path(__file__).parent / "frontend"
BOARD = Path(__file__).parents[2] / "ui" / "board" / "frontend"
SHEETS = (BOARD / "board.css", FRONTEND / "explorer.css")
# No address but those that the file makes itself: a browser holds it to that.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


def page(title: str, said: dict[str, Any], parcels: Sequence[bytes], caption: str, source: str) -> str:
    """The file: `said` and `parcels` are for the explorer, `caption` and `source` stand under it.

    Equal arguments make equal bytes.
    """
    numbers = base64.b64encode(gzip.compress(bundle_parcels(parcels), 9, mtime=0)).decode()
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_styles()}</style>
</head>
<body>
{(FRONTEND / "explorer.html").read_text(encoding="utf-8")}<footer>
<p><b>{escape(caption)}</b></p>
<p>{escape(source)}</p>
</footer>
<script type="application/json" id="said">{_json(said)}</script>
<script type="text/plain" id="numbers">{numbers}</script>
<script type="module">{_script()}</script>
</body>
</html>
"""


def _json(said: dict[str, Any]) -> str:
    """JSON in which no text ends the element that it stands in."""
    return json.dumps(said).replace("<", "\\u003c")


@cache
def _styles() -> str:
    return "".join(lean_sheet(path.read_text(encoding="utf-8")) for path in SHEETS)


@cache
def _script() -> str:
    return lean_script(bundle(FRONTEND / "explorer.js"))
