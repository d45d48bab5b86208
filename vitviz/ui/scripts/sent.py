"""Elements of a page that are equal for everybody, as messages to the browser: each is written and hashed once."""

from google.protobuf.message import Message
from streamlit import _main
from streamlit.elements.lib.layout_utils import LayoutConfig, get_height_config, get_width_config
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState, enqueue_message

WIDE = LayoutConfig(width="stretch", height="content")


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
