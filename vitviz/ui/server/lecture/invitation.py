"""What a class scans or types to come into a room: an address, and its QR code."""

from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

import segno
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from streamlit import config

from vitviz.ui.private import net_util
from vitviz.ui.server.lecture.socket import CODE

SCHEMES = ("http", "https")  # the browser says which: behind a proxy the server does not know
MARGIN = 4  # modules of white around it; scanners need them on a dark page, too


async def invite(request: Request) -> Response:
    """Address and code of a room, for the lecturer's window."""
    code, scheme = request.path_params["code"], request.query_params.get("scheme", "")
    host = request.headers.get("host", "")
    if not CODE.fullmatch(code) or scheme not in SCHEMES or not host:
        return PlainTextResponse("there is no such room\n", 404)
    address = f"{scheme}://{seen_by_others(host)}/{request.path_params['folder']}?room={code}"
    return JSONResponse({"address": address, "qr": qr(address)}, headers={"Cache-Control": "no-store"})


@lru_cache  # the whole hall asks at once for the same
def qr(address: str) -> str:
    """The QR code of an address as a data URI, black on white in every theme."""
    drawn: str = segno.make(address, micro=False, error="m").svg_data_uri(scale=8, border=MARGIN, light="#fff")
    return drawn


def seen_by_others(host: str) -> str:
    """What others in the same network call a host: this machine's address there, where it calls itself localhost."""
    named = urlsplit(f"//{host}")
    if config.get_option("server.address") or not _is_here(named.hostname or ""):
        return host
    there = net_util.get_internal_ip()
    return host if there is None or _is_here(there) else f"{there}:{named.port or 80}"


def _is_here(name: str) -> bool:
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


ROUTES = [Route("/{folder:path}lecture/invitation/{code}", invite)]
