"""What a browser is given to run a model itself: the script and the parameters, each under an address of its own.

An address holds a digest of what it leads to: a browser that was here before asks for nothing, and whatever process of
the server is asked can tell whether it has the right one.
"""

import gzip
from collections import OrderedDict
from dataclasses import asdict
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from vitviz.config import ViTConfig
from vitviz.images import digest
from vitviz.ui import results
from vitviz.ui.board.parcels import Arrays, pack
from vitviz.ui.scripts.bundle import bundle
from vitviz.ui.scripts.lean import lean_script
from vitviz.ui.selection import FIRST_MODEL, ModelChoice
from vitviz.ui.server.client import engine

WORKER = Path(__file__).parent / "frontend" / "worker.js"
FOLDER = "forward"
MOST = 16  # models whose parameters are kept for browsers to fetch, some 4 MB each
TYPES = {"js": "text/javascript; charset=utf-8", "bin": "application/octet-stream"}
FOR_EVER = "public, max-age=31536000, immutable"

File = tuple[str, bytes]  # its name, which holds its digest, and its content, compressed

_kept: OrderedDict[str, File] = OrderedDict()  # by model; what was asked for last, last
_guard = Lock()


def told(model: ModelChoice) -> dict[str, Any]:
    """What a browser starts from: addresses, beside those of the pages, and the model's sizes.

    Raises `WeightsError` and `DeviceError` for a model that cannot be made.
    """
    file = _of(model) or _keep(model, results.parameters(model))
    return {"script": f"{FOLDER}/{_script()[0]}", "parameters": f"{FOLDER}/{file[0]}", "config": sizes(model.config)}


def sizes(config: ViTConfig) -> dict[str, Any]:
    """What a forward pass has to know of a model besides its parameters."""
    rows, columns = config.grid
    derived = {"tokens": config.tokens, "prefix": len(config.prefix_tokens), "patch_values": config.patch_values}
    return {**asdict(config), **derived, "rows": rows, "columns": columns}


async def give(request: Request) -> Response:
    """A file, to be kept for ever; 404 where this process has none of that name."""
    name = request.path_params["name"]
    content = _found(name) or await run_in_threadpool(_made_again, name)
    if content is None:
        return PlainTextResponse(f"there is no {name} here; load the page again\n", 404, {"Cache-Control": "no-store"})
    headers = {"Cache-Control": FOR_EVER, "ETag": f'"{name}"', "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    return Response(content, media_type=TYPES[name.rpartition(".")[2]], headers=headers)


ROUTES = [Route(f"/{{folder:path}}{FOLDER}/{{name}}", give)]


@cache
def _script() -> File:
    return _file("worker", "js", lean_script(bundle(WORKER)).encode())


def _keep(model: ModelChoice, arrays: Arrays) -> File:
    file = _file("parameters", "bin", pack("", "parameters", arrays))
    with _guard:
        _kept[model.key] = file
        while len(_kept) > MOST:
            _kept.popitem(last=False)
    return file


def _of(model: ModelChoice) -> File | None:
    with _guard:
        if model.key in _kept:
            _kept.move_to_end(model.key)
        return _kept.get(model.key)


def _found(name: str) -> bytes | None:
    with _guard:
        return dict([_script(), *_kept.values()]).get(name)


def _made_again(name: str) -> bytes | None:
    """What another process of this server offered: of the model that everybody meets, each of them has the same."""
    request = results.parameters_request(FIRST_MODEL)
    _keep(FIRST_MODEL, engine().submit(request).result().value)
    return _found(name)


def _file(kind: str, suffix: str, content: bytes) -> File:
    return f"{kind}-{digest(content)[:16]}.{suffix}", gzip.compress(content, 6, mtime=0)
