"""Components that only show: what they are given goes to the browser, and nothing comes back.

Streamlit's own way to mount one keeps two widgets of it in the session for what may come back, and writes and hashes
its data twice: five of them took a third of a run. What is equal for everybody is written and hashed once.
"""

import json
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import md5
from typing import Any, NamedTuple

from google.protobuf.message import Message

from vitviz.scripts.bundle import script_of
from vitviz.ui.private import (
    BidiComponent,
    ForwardMsg,
    LayoutConfig,
    ThreadState,
    _main,
    enqueue_message,
    get_height_config,
    get_width_config,
    populate_hash_if_needed,
)

WIDE = LayoutConfig(width="stretch", height="content")
Data = str | list[Any] | None


def written(kind: str, element: Message, layout: LayoutConfig = WIDE) -> ForwardMsg:
    """What Streamlit sends for an element of this kind, wherever it stands."""
    message = ForwardMsg()
    getattr(message.delta.new_element, kind).CopyFrom(element)
    if layout.height is not None:
        message.delta.new_element.height_config.CopyFrom(get_height_config(layout.height))
    if layout.width is not None:
        message.delta.new_element.width_config.CopyFrom(get_width_config(layout.width))
    populate_hash_if_needed(message)
    return message


def place() -> tuple[int, ...]:
    """Where in the page this script is: the numbers of the parts that hold it, from the outermost on."""
    cursor = _main._active_dg._cursor
    return tuple(cursor.delta_path) if cursor else ()


def send(message: ForwardMsg) -> None:
    """Put it where this script is; in a fragment, whose name belongs to its elements, without the hash."""
    place = _main._active_dg
    if place._cursor is None:
        return
    copy = ForwardMsg()
    copy.CopyFrom(message)
    if ThreadState.get().fragment_id:
        copy.ClearField("hash")
    copy.metadata.delta_path[:] = place._cursor.delta_path
    enqueue_message(copy)
    place._cursor.lock_element()


class Code(NamedTuple):
    """What a component is in the browser."""

    js: str
    html: str = ""
    css: str = ""


def component(name: str, code: Callable[[], Code], cache_size: int = 0) -> Callable[..., None]:
    """What shows a component of this name; it is given a key, and `data`: a list, or its JSON.

    `code` is asked once, when it is first shown. `cache_size` messages are kept: their data are JSON, and the
    same for many runs.
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
        message = BidiComponent(id=_id(key))
        message.MergeFrom(empty())
        if data is not None:
            message.json = data if isinstance(data, str) else json.dumps(data)
        return written("bidi_component", message)

    cached: Callable[[str, Any], ForwardMsg] = lru_cache(cache_size)(filled) if cache_size else filled

    @cache
    def equal_for_all(key: str) -> ForwardMsg:
        return filled(key, None)

    def show(*, key: str, data: Data = None) -> None:
        send(equal_for_all(key) if data is None else cached(key, data))

    return show


@cache
def _id(key: str) -> str:
    """A name of the form that Streamlit's own script expects."""
    return f"$$ID-{md5(key.encode(), usedforsecurity=False).hexdigest()}-{key}"


@cache
def _carrier() -> Code:
    return Code(script_of("transport/carrier.js"))


tell = component("vitviz.data", _carrier)
