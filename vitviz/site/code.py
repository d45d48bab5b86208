"""The scripts, styles and the page of a site, and the form in which its files come.

Every file but the page, its style and its icon is a script that says what it holds: so it comes from any server, into a
frame that may ask for nothing, and from a disk, where a browser lets no page read a file.
"""

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape

from vitviz import __version__
from vitviz.board import scripts
from vitviz.images import digest
from vitviz.installed import FRONTEND
from vitviz.samples import thumbnails
from vitviz.scripts.bundle import offering, script_of, sheet_of
from vitviz.scripts.lean import lean_script
from vitviz.site.models import SHOWN

DOOR, WORKER = FRONTEND / "doors/site/site.js", FRONTEND / "doors/site/worker.js"
SHEETS = ("doors/board/board.css", "editing/editing.css", "editing/folded.css")
ENDS = ("doors/offline/theme.css", "doors/site/site.css")
# Nothing of another host; WebAssembly, a worker made of what has come, and pictures that the page makes itself.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "worker-src 'self' blob:; connect-src 'self' blob: data:; base-uri 'self'; form-action 'none'"
)


def file(name: str, data: bytes) -> bytes:
    """A script that says what a file of this name holds: gzip in base64."""
    packed = b64encode(gzip.compress(data, 9, mtime=0)).decode()
    return f"(globalThis.__vitviz_files ??= {{}})[{json.dumps(name)}] = {json.dumps(packed)};\n".encode()


@cache
def script() -> bytes:
    """The board, its door, and what makes the scene of every page."""
    scenes = [scripts.scene(page, DOOR) for page in SHOWN]
    later = [scripts.later(page, DOOR) for page in SHOWN if (page.folder / "later.js").is_file()]
    return _script(offering(DOOR), scenes + later)


@cache
def worker() -> bytes:
    """What runs in the worker that makes the numbers: `numbers.js` of every page."""
    made = [
        scripts.handed(page.folder / "numbers.js", WORKER, "parcels", f"{{ stem: {json.dumps(page.address)}, load }}")
        for page in SHOWN
    ]
    return _script(offering(WORKER), made)


@cache
def runner() -> bytes:
    """What runs in the worker of a forward pass with edits."""
    return script_of("forward/worker.js").encode()


@cache
def opener() -> bytes:
    """What runs in the worker that opens pictures."""
    return script_of("picture/worker.js").encode()


def service_worker(first: Sequence[str], files: Sequence[str]) -> bytes:
    """What keeps the site for when there is no network: `first` at once, of all `files` the others once they are shown.

    Names of files hold their digests, so that the digest of all names is that of the build.
    """
    build = {"version": digest(" ".join(files).encode())[:12], "first": first, "later": files}
    script = script_of("doors/site/service_worker.js")
    return f"globalThis.__vitviz_build = {json.dumps(build)};\n{script}".encode()


def _script(first: str, others: Iterable[tuple[str, str]]) -> bytes:
    """A classic script and what others hand to it, each in a block of its own."""
    code = "\n".join([first, *(f"{{\n{make}\n{hand_over}\n}}" for make, hand_over in others)])
    return lean_script(f"(() => {{\n{code}\n}})();\n").encode()


def sheet() -> bytes:
    """All styles."""
    scenes = (path for page in SHOWN for path in sorted(page.folder.rglob("*.css")))
    return f":root{{{thumbnails()}}}{sheet_of(*SHEETS, *scenes, *ENDS)}".encode()


def page(title: str, root: str, style: str, files: list[str]) -> bytes:
    """The page; `root` leads from its folder to that of the site, `files` are scripts in their order."""
    frame = (FRONTEND / "frame/frame.html").read_text(encoding="utf-8")
    body = (FRONTEND / "doors/site/site.html").read_text(encoding="utf-8").replace("{frame}", frame)
    heads = "\n".join(f'<script src="{name}" defer></script>' for name in files)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="vitviz {__version__}">
<base href="{root}">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{style}">
{heads}
</head>
<body>
{body}</body>
</html>
""".encode()
