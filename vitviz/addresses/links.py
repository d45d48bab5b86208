"""The address of what is seen, for other people: what files say where their numbers come from."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from vitviz.addresses.words import OF_A_VISIT

OWN = "own"  # what a link says in place of somebody's own picture
SHARED_PICTURE = re.compile("([0-9a-f]{64})-([A-Za-z0-9_-]{32})")  # whoever has the second part may see it
OWN_PICTURE = re.compile(f"[0-9a-f]{{64}}|{SHARED_PICTURE.pattern}")


def link_of(page: str, words: Mapping[str, str]) -> str:
    """The link to what a page shows, without what belongs to a visit, and without what leads to somebody's picture."""
    public = {name: OWN if OWN_PICTURE.fullmatch(text) else text for name, text in words.items()}
    query = urlencode({name: text for name, text in public.items() if name not in OF_A_VISIT})
    return f"{page}?{query}" if query else page


def as_seen(link: str) -> str:
    """The same of a link that somebody gave."""
    page, _, query = link.partition("#")[0].partition("?")
    return link_of(page, dict(parse_qsl(query)))
