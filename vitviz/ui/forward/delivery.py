"""What a browser fetches when it needs it: scripts, parameters and means, each under an address of its own.

An address holds a digest of the script that it leads to, or of the model's key and the code: a browser that was here
before asks for nothing, and whatever process of the server is asked can tell whether it has the right thing.
"""

import gzip
import json
from collections import OrderedDict
from functools import cache
from threading import Lock
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from vitviz.board.switching import fits
from vitviz.counts import total_parameters
from vitviz.images import digest
from vitviz.installed import FRONTEND, code_digest
from vitviz.messages import ModelSpec
from vitviz.page import Page
from vitviz.pages import PAGES
from vitviz.results import requests
from vitviz.scripts.bundle import bundle, sheet_of
from vitviz.scripts.fitting import forward_sizes, small
from vitviz.scripts.lean import lean_script
from vitviz.scripts.parcels import pack
from vitviz.selection import FIRST_MODEL, PHOTO_MODEL, ModelChoice
from vitviz.ui.server.client import engine

SCRIPTS = {
    "worker": FRONTEND / "forward/worker.js",
    "folded": FRONTEND / "editing/folded.js",  # the switches beside other scenes
    "menu": FRONTEND / "doors/takeaway/menu.js",  # of a picture that is taken away
} | {f"{page.stem}/later": path for page in PAGES.values() if (path := page.folder / "later.js").is_file()}
STYLES = {"folded": (FRONTEND / "editing/editing.css",)}  # before those that lie beside the script
FOLDER = "forward"
MOST = 16  # models that are kept for browsers to fetch, of some 4 MB each
MOST_LARGE = 2  # of larger ones, of some 20 MB, those whose parameters are kept
TYPES = {"js": "text/javascript; charset=utf-8", "bin": "application/octet-stream"}
FOR_EVER = "public, max-age=31536000, immutable"


class Offer:
    """A model that browsers may fetch: its parameters and the means over reference scenes, packed once one asks.

    Their names follow from the model's, so that a process knows what another one has offered.
    """

    def __init__(self, model: ModelChoice) -> None:
        mark = digest(f"{model.key} {code_digest()}".encode())[:16]
        self.model = model
        self.lock = Lock()
        self.parameters = f"parameters-{mark}.bin"
        self.means = f"means-{mark}.bin"
        self.files: dict[str, bytes] = {}

    @property
    def description(self) -> ModelSpec:
        """What a browser starts from: addresses, beside those of the pages, and the model's sizes."""
        return {
            "parameters": f"{FOLDER}/{self.parameters}",
            "means": f"{FOLDER}/{self.means}",
            "script": script("worker"),
            "config": forward_sizes(self.model.config),
            "bytes": 0 if small(self.model.config) else self.bytes,
        }

    @property
    def bytes(self) -> int:
        """Of the parameters, about: in 8 bits where that is how they ship, else in 16."""
        return total_parameters(self.model.config) * (1 if self.model.name == PHOTO_MODEL.name else 2)

    def make(self, name: str) -> None:
        """Make a file that nobody has asked for before; of several who ask, one does."""
        with self.lock:
            if name not in self.files:
                self._make(name)

    def _make(self, name: str) -> None:
        if name == self.parameters:
            arrays = engine().submit(requests.parameters_request(self.model)).result().value
            few = small(self.model.config)
            self.files[name] = gzip.compress(pack("", "parameters", arrays), 6 if few else 1, mtime=0)
            if not few:
                _forget_others(self)
        if name == self.means:
            means = engine().submit(requests.described_means_request(self.model)).result().value
            used = {which: mean for which, mean in means.items() if not which.endswith("attn.out")}  # it follows from z
            self.files[name] = gzip.compress(pack("", "means", used), 6, mtime=0)


_offers: OrderedDict[str, Offer] = OrderedDict()  # by model; what was asked for last, last
_guard = Lock()


def describe(model: ModelChoice) -> ModelSpec:
    """What a browser needs to run a model, which is kept for browsers to fetch."""
    with _guard:
        found = _offers.setdefault(model.key, Offer(model))
        _offers.move_to_end(model.key)
        while len(_offers) > MOST:
            _offers.popitem(last=False)
    return found.description


def _forget_others(latest: Offer) -> None:
    """Of larger models keep the parameters that came last; who asks for others has them made again."""
    with _guard:
        large = [it for it in _offers.values() if not small(it.model.config) and it.parameters in it.files]
        for it in [it for it in large if it is not latest][: -(MOST_LARGE - 1)]:
            del it.files[it.parameters]


async def give(request: Request) -> Response:
    """A file, to be kept for ever; 404 where this process has none of that name."""
    name = request.path_params["name"]
    content = _found(name) or await run_in_threadpool(_file_of_an_offer, name)
    if content is None:
        return PlainTextResponse(f"there is no {name} here; load the page again\n", 404, {"Cache-Control": "no-store"})
    headers = {"Cache-Control": FOR_EVER, "ETag": f'"{name}"', "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    headers["X-Length"] = str(int.from_bytes(content[-4:], "little"))  # uncompressed
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    return Response(content, media_type=TYPES[name.rpartition(".")[2]], headers=headers)


ROUTES = [Route(f"/{{folder:path}}{FOLDER}/{{name}}", give)]


def switches(model: ModelChoice, opened: bool) -> dict[str, Any]:
    """Where the browser finds the switches, and once they are open, how it runs the model itself; null where not."""
    found = {"folded": script("folded")}
    return {**found, "forward": describe(model) if fits(model) else None} if opened else found


def script(name: str) -> str:
    """The address of one of `SCRIPTS`."""
    return f"{FOLDER}/{_script(name)[0]}"


def later(page: Page, model: ModelChoice) -> dict[str, Any]:
    """Where the browser finds `later.js` in the page's folder, and how it runs the model itself; null where not.

    Nothing where the page's scene is all that it has.
    """
    name = f"{page.stem}/later"
    return {"later": script(name), "forward": describe(model) if fits(model) else None} if name in SCRIPTS else {}


@cache
def _script(name: str) -> tuple[str, bytes]:
    code = bundle(SCRIPTS[name])
    sheet = SCRIPTS[name].with_suffix(".css")
    if sheets := [*STYLES.get(name, ()), *([sheet] if sheet.is_file() else [])]:
        code += f"\nexport const css = {json.dumps(sheet_of(*sheets))};\n"
    text = lean_script(code).encode()
    return f"{SCRIPTS[name].stem}-{digest(text)[:16]}.js", gzip.compress(text, 9, mtime=0)


def _found(name: str) -> bytes | None:
    with _guard:
        files = dict(file for offer in _offers.values() for file in offer.files.items())
    return files.get(name) or dict(map(_script, SCRIPTS)).get(name)


def _file_of_an_offer(name: str) -> bytes | None:
    """What has not been asked for before, or was offered by another process of this server.

    Of the models that everybody meets, each process can make the same.
    """
    for model in (FIRST_MODEL, PHOTO_MODEL):
        describe(model)
    for it in list(_offers.values()):
        it.make(name)
    return _found(name)
