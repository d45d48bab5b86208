"""What may cross between pages and an engine: requests that are not too large, and numbers or errors in answer."""

import pickle
import traceback
from typing import Any

from vitviz.engine.process.wire import Parts, pack, size, unpack
from vitviz.engine.request import Request
from vitviz.machine.device import DeviceError

MOST_ASKED = 1_000_000  # bytes of a request without its files
MOST_ANSWERED = 1_000_000_000  # bytes of one result


def pack_request(request: Request[Any]) -> tuple[Parts, dict[str, bytes]]:
    """A request as it is sent, and its files by digest. Raises `DeviceError` for one that cannot be."""
    try:
        parts, files = pack(request)
    except Exception as error:  # whatever the values that were given raise
        raise DeviceError(
            f"{request.name} cannot be asked of the engine: {error}; ask with plain values and functions of modules"
        ) from error
    if (many := size(parts)) > MOST_ASKED:
        raise DeviceError(
            f"{request.name} was asked with {many:,} bytes and the limit is {MOST_ASKED:,}; give it less, or a file"
        )
    return parts, files


def pack_answer(value: Any, error: BaseException | None) -> tuple[bool, Parts]:
    """Whether it failed, and the value or error as it is sent; where the value cannot be, the error that says so."""
    if not error:
        try:
            parts, _ = pack(value)
            if (many := size(parts)) <= MOST_ANSWERED:
                return False, parts
            error = DeviceError(f"this result has {many:,} bytes and the limit is {MOST_ANSWERED:,}; ask for less")
        except (pickle.PicklingError, TypeError, AttributeError) as why:
            error = DeviceError(f"this result cannot leave the engine: {why}; ask for numbers")
    return True, pack(_that_travels(error))[0]


def _that_travels(error: BaseException) -> BaseException:
    """The error with its type and words, and its traceback as a note; one of a library's own by its name alone."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        if not type(error).__module__.startswith("torch") and type(unpack(pack(error)[0], {})) is type(error):
            return error
    except Exception:  # it has no pickle, or one that does not open
        pass
    return RuntimeError(f"{type(error).__name__}: {error}")
