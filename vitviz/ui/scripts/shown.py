"""Components that only show: what they are given goes to the browser, and nothing comes back.

Streamlit's own way to mount one keeps two widgets of it in the session for what may come back, and writes and hashes
its data twice: five of them took a third of a run.
"""

import json
from collections.abc import Callable
from functools import cache
from hashlib import md5
from typing import Any, NamedTuple

import streamlit as st
from streamlit.elements.lib.layout_utils import LayoutConfig
from streamlit.proto.BidiComponent_pb2 import BidiComponent

WIDE = LayoutConfig(width="stretch", height="content")


class Code(NamedTuple):
    """What a component is in the browser."""

    js: str
    html: str = ""
    css: str = ""


def component(name: str, code: Callable[[], Code]) -> Callable[..., None]:
    """What shows a component of this name; it is given a key, and `data`: bytes, or a list that JSON can say.

    `code` is asked once, when the component is first shown.
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

    def show(*, key: str, data: bytes | list[Any] | None = None) -> None:
        shown = BidiComponent(id=_id(key))
        shown.MergeFrom(empty())
        if isinstance(data, bytes):
            shown.bytes = data
        elif data is not None:
            shown.json = json.dumps(data)
        st._main._enqueue("bidi_component", shown, layout_config=WIDE)

    return show


@cache
def _id(key: str) -> str:
    """A name of the form that Streamlit's own script expects."""
    return f"$$ID-{md5(key.encode(), usedforsecurity=False).hexdigest()}-{key}"
