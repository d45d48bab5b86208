"""Components that only show: what they are given goes to the browser, and nothing comes back.

Streamlit's own way to mount one keeps two widgets of it in the session for what may come back, and writes and hashes
its data twice: five of them took a third of a run.
"""

import json
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import md5
from typing import Any, NamedTuple

from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from vitviz.ui.scripts.sent import send, written

Data = bytes | str | list[Any] | None


class Code(NamedTuple):
    """What a component is in the browser."""

    js: str
    html: str = ""
    css: str = ""


def component(name: str, code: Callable[[], Code], kept: int = 0) -> Callable[..., None]:
    """What shows a component of this name; it is given a key, and `data`: bytes, a list, or its JSON.

    `code` is asked once, when the component is first shown. So many messages are `kept`: their data are bytes or JSON,
    and the same for many runs.
    """

    @cache
    def empty() -> BidiComponent:
        js, html, css = code()
        return BidiComponent(
            component_name=name,
            isolate_styles=True,
            js_content=js,
            js_source_path="",
            html_content=html,
            css_content=css,
            css_source_path="",
        )

    def filled(key: str, data: Data) -> ForwardMsg:
        shown = BidiComponent(id=_id(key))
        shown.MergeFrom(empty())
        if isinstance(data, bytes):
            shown.bytes = data
        elif data is not None:
            shown.json = data if isinstance(data, str) else json.dumps(data)
        return written("bidi_component", shown)

    made: Callable[[str, Any], ForwardMsg] = lru_cache(kept)(filled) if kept else filled

    @cache
    def equal_for_all(key: str) -> ForwardMsg:
        return filled(key, None)

    def show(*, key: str, data: Data = None) -> None:
        send(equal_for_all(key) if data is None else made(key, data))

    return show


@cache
def _id(key: str) -> str:
    """A name of the form that Streamlit's own script expects."""
    return f"$$ID-{md5(key.encode(), usedforsecurity=False).hexdigest()}-{key}"
