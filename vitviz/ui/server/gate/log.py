"""What strangers may make the server print: of each kind one message a minute, and how many more there were.

A frame that is no text, a broken request, a name that is not ours: each makes uvicorn or Streamlit print a line or a
traceback, and whoever sends them by the thousand would fill the disk, and hide what matters.
"""

import logging
import time
from collections.abc import Callable

MINUTE = 60.0  # seconds

Kind = tuple[object, ...]


class OnceAMinute(logging.Filter):
    """Lets the first message of a kind through, and after a minute the next one, with the number of those between."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._said: dict[Kind, tuple[float, int]] = {}  # when it was said last, and how often it was not since

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is printed."""
        kind = _kind(record)
        since, held_back = self._said.get(kind, (-MINUTE, 0))
        if self._now() - since < MINUTE:
            self._said[kind] = since, held_back + 1
            return False
        self._said[kind] = self._now(), 0
        if held_back:
            record.msg, record.args = f"{record.getMessage()} (and {held_back:,} more like it before)", ()
        return True


def limit() -> None:
    """Print one message a minute of each kind at most, whoever logs it; to be called when all that logs is there."""
    once = OnceAMinute()
    for logger in (logging.root, *logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            logger.addFilter(once)


def _kind(record: logging.LogRecord) -> Kind:
    """Where in the code a message and its error come from; not its words, of which strangers make ever new ones."""
    error, _, trace = record.exc_info or (None, None, None)
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = (trace.tb_frame.f_code.co_filename, trace.tb_lineno) if trace else ()
    return record.name, record.pathname, record.lineno, error, *where
