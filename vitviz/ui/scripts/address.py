"""The address that a script writes: one entry of the browser's history, however many of its parameters change."""

from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx


@contextmanager
def written_once() -> Iterator[None]:
    """Write the address when all of this is drawn.

    Streamlit writes it anew with each parameter that a script changes, and the browser keeps all of them: Back would
    lead through models with half of their sizes, which nobody has chosen.
    """
    script = get_script_run_ctx()
    if script is None:
        yield
        return
    enqueue, written = script._enqueue, ForwardMsg()

    def enqueue_all_else(message: ForwardMsg) -> None:
        if message.WhichOneof("type") == "page_info_changed":
            written.CopyFrom(message)
        else:
            enqueue(message)

    script._enqueue = enqueue_all_else
    try:
        yield
    finally:
        script._enqueue = enqueue
    if written.HasField("page_info_changed"):
        enqueue(written)
