"""Where a connection comes from: the client's own address, as a proxy that is trusted tells it, and its browser.

uvicorn believes `X-Forwarded-For` of a proxy on this machine alone, or of those that `FORWARDED_ALLOW_IPS` names;
`deploy/nginx.conf` writes it anew, so that nobody makes an address up.
"""

from ipaddress import IPv6Address, IPv6Network, ip_address

from starlette.requests import HTTPConnection
from starlette.types import Scope

from vitviz.lecture.rooms.places import Origin
from vitviz.ui.server.browser_cookie import COOKIE

OF_ONE = 48  # bits of an IPv6 address that are given to one site, which makes up the others
LONGEST = 64  # letters


def origin(scope: Scope) -> Origin:
    """The origin of a connection; no cookie is one browser for all who have none."""
    connection = HTTPConnection(scope)
    host = connection.client.host if connection.client else ""
    return Origin(network(host), connection.cookies.get(COOKIE, "")[:LONGEST])


def network(host: str) -> str:
    """What of an address somebody cannot change at will."""
    try:
        address = ip_address(host)
    except ValueError:
        return host[:LONGEST]
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or IPv6Network((int(address), OF_ONE), strict=False))
