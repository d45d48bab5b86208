"""The scripts, styles and the page of a site, and the form in which its files come.

Every file but the page, its style and its icon is a script that says what it holds: so it comes from any server, into a
frame that may ask for nothing, and from a disk, where a browser lets no page read a file.
"""

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape

from vitviz import __version__
from vitviz.board import scripts
from vitviz.images import digest
from vitviz.installed import FRONTEND
from vitviz.samples import thumbnails
from vitviz.scripts.bundle import offering, script_of, sheet_of
from vitviz.scripts.lean import lean_script
from vitviz.site.models import SHOWN, pictures

DOOR, WORKER = FRONTEND / "doors/site/site.js", FRONTEND / "doors/site/worker.js"
SHEETS = ("doors/board/board.css", "editing/editing.css", "editing/folded.css")
ENDS = ("doors/offline/theme.css", "doors/site/site.css")
# Nothing of another host; WebAssembly, a worker made of what has come, and pictures that the page makes itself.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "worker-src 'self' blob:; connect-src 'self' blob: data:; base-uri 'self'; form-action 'none'"
)
ALONE = (
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:; worker-src blob:; connect-src blob: data:; form-action 'none'"
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


def manifest(models: Mapping[str, str], files: Mapping[str, str], alone: bool = False) -> bytes:
    """What the page is told first: models with their titles, pictures, where each file lies, or that it is `alone`."""
    listed = {"models": models, "pictures": pictures(), "files": files, "alone": alone}
    return f"globalThis.__vitviz_manifest = {json.dumps(listed)};\n".encode()


def page(title: str, root: str, style: str, files: Sequence[str]) -> bytes:
    """A page of the folder; `root` leads from its own to that of the site, `files` are scripts in their order."""
    head = [f'<base href="{root}">', f'<link rel="stylesheet" href="{style}">']
    return _page(title, POLICY, [*head, *(f'<script src="{name}" defer></script>' for name in files)])


def whole_page(title: str, style: bytes, codes: Iterable[bytes]) -> bytes:
    """A page that has everything in it."""
    return _page(
        title, ALONE, [f"<style>{style.decode()}</style>"], [f"<script>{it.decode()}</script>" for it in codes]
    )


def _page(title: str, policy: str, head: Iterable[str], end: Iterable[str] = ()) -> bytes:
    frame = (FRONTEND / "frame/frame.html").read_text(encoding="utf-8")
    body = (FRONTEND / "doors/site/site.html").read_text(encoding="utf-8").replace("{frame}", frame)
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta name="generator" content="vitviz {__version__}">',
            f"<title>{escape(title)}</title>",
            '<link rel="icon" href="data:,">',
            *head,
            "</head>",
            "<body>",
            body,
            *end,
            "</body>",
            "</html>\n",
        ]
    ).encode()
