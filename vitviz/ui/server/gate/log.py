"""What strangers may make the server print: of each kind one message a minute, and how many more there were.

A frame that is no text, a broken request, a name that is not ours: each makes uvicorn or Streamlit print a line or a
traceback, and whoever sends them by the thousand would fill the disk, and hide what matters. Where a message of a
browser's could not be read, a sentence says all: the way there is always the same.
"""

import logging
import time
from collections.abc import Callable
from types import TracebackType

MINUTE = 60.0  # seconds
READERS = (  # the modules that read what browsers send
    *("uvicorn.protocols.websockets.websockets_sansio_impl", "starlette.websockets"),
    "streamlit.web.server.starlette.starlette_websocket",
)

Kind = tuple[object, ...]


class OnceAMinute(logging.Filter):
    """Lets the first message of a kind through, and after a minute the next one, with the number of those between."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._records: dict[Kind, tuple[float, int]] = {}  # when it was said last, and how often it was not since

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is printed."""
        kind = _kind(record)
        since, held_back = self._records.get(kind, (-MINUTE, 0))
        if self._now() - since < MINUTE:
            self._records[kind] = since, held_back + 1
            return False
        self._records[kind] = self._now(), 0
        _shorten(record)
        if held_back:
            record.msg, record.args = f"{record.getMessage()} (and {held_back:,} more like it before)", ()
        return True


def limit() -> None:
    """Print one message a minute of each kind at most, whoever logs it; to be called when all that logs is there."""
    once = OnceAMinute()
    for logger in (logging.root, *logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            logger.addFilter(once)


def _shorten(record: logging.LogRecord) -> None:
    """Name the error in the message, and leave the traceback out, where it comes from what a browser has sent."""
    error, raised = (record.exc_info or (None, None, None))[1], _raised(record)
    if raised and raised.tb_frame.f_globals.get("__name__") in READERS:
        record.msg = f"{record.getMessage().strip()}: {type(error).__name__}: {error} (line {raised.tb_lineno})"
        record.args, record.exc_info = (), None


def _kind(record: logging.LogRecord) -> Kind:
    """Where in the code a message and its error come from; not its words, of which strangers make ever new ones."""
    raised = _raised(record)
    where = (raised.tb_frame.f_code.co_filename, raised.tb_lineno) if raised else ()
    return record.name, record.pathname, record.lineno, (record.exc_info or (None,))[0], *where


def _raised(record: logging.LogRecord) -> TracebackType | None:
    """The place at which a message's error was raised."""
    trace = record.exc_info[2] if record.exc_info else None
    while trace and trace.tb_next:
        trace = trace.tb_next
    return trace
