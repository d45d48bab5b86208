"""Messages between two processes of our own: what pickles make of values, and arrays beside it, copied once at most.

A pipe or a private socket (`private_socket.py`) is the only place that pickles are read from: never a file, never the
network.
"""

import pickle
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from io import BytesIO
from itertools import accumulate
from struct import Struct
from threading import Lock
from typing import IO, Any

from vitviz import __version__
from vitviz.engine.request import File

if sys.platform == "linux":
    import fcntl

VALUE, ERROR, BEGINS, OVER = "value", "error", "begins", "over"  # what is told of requests
ENDS = "ends"  # and last, of a process that wants to be replaced, with what the next one should know
COUNT, LENGTH = Struct("!I"), Struct("!Q")  # of the parts of a message, and of each
ALIGNED = 64  # bytes, of which every part begins at a multiple
LONGEST_GREETING = 80  # bytes
MOST_PARTS, LONGEST = 10_000, 2_000_000_000  # of a message: more of them, and more bytes, come from no vitviz
SIZE_OF_PIPE = 1 << 20  # bytes; every read beside busy threads waits for Python's lock once more, so few must do

Parts = Sequence[bytes | memoryview]  # a pickle, and the buffers of the arrays in it


class OtherVersionError(ValueError):
    """What is at the other end is no vitviz of this version; its words are what it calls itself."""


class _Pickler(pickle.Pickler):
    """Puts arrays beside the pickle, and the digest of a file in its place."""

    def __init__(self, pickled: BytesIO, buffers: list[pickle.PickleBuffer]) -> None:
        super().__init__(pickled, protocol=5, buffer_callback=buffers.append)
        self.files: dict[str, bytes] = {}

    def persistent_id(self, value: object) -> str | None:
        if not isinstance(value, File):
            return None
        self.files[value.digest] = value.data
        return value.digest

    def reducer_override(self, value: Any) -> Any:
        if type(value).__module__.partition(".")[0] == "torch":
            raise pickle.PicklingError(f"a {type(value).__name__} stays where it was made")
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def __init__(self, parts: Parts, files: Mapping[str, bytes]) -> None:
        super().__init__(BytesIO(parts[0]), buffers=parts[1:])
        self._files = files

    def persistent_load(self, digest: str) -> File:
        return File(digest, self._files[digest])


def pack(value: object) -> tuple[Parts, dict[str, bytes]]:
    """`value` as it goes over a wire, and the files that it names. Raises whatever a value without a pickle raises."""
    pickled, buffers = BytesIO(), list[pickle.PickleBuffer]()
    pickler = _Pickler(pickled, buffers)
    pickler.dump(value)
    return [pickled.getvalue(), *(buffer.raw() for buffer in buffers)], pickler.files


def unpack(parts: Parts, files: Mapping[str, bytes]) -> Any:
    """What was packed. Its arrays lie in `parts` themselves, where nobody can write."""
    return _Unpickler(parts, files).load()


def size(parts: Parts) -> int:
    """Bytes of all parts."""
    return sum(len(part) for part in parts)


def end_with(future: "Future[Any]", value: Any, failed: bool) -> None:
    """Give a future its value, or its error, unless whoever waited has left."""
    with suppress(InvalidStateError):
        if failed and isinstance(value, CancelledError):
            future.cancel()
        elif failed:
            future.set_exception(value)
        else:
            future.set_result(value)


class Wire:
    """Both ends of a pipe, or a socket, to another process; one thread may receive, any may send."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self.incoming, self.outgoing = incoming, outgoing
        if sys.platform == "linux":
            with suppress(OSError):  # the system's limit for all pipes of a person
                fcntl.fcntl(outgoing, fcntl.F_SETPIPE_SZ, SIZE_OF_PIPE)
        self._sending = Lock()

    def greet(self) -> None:
        """Tell each other's version, as text: before that no pickle is read. Raises `OtherVersionError`, `EOFError`."""
        ours = f"vitviz {__version__}"
        self.outgoing.write(f"{ours}\n".encode())
        self.outgoing.flush()
        theirs = self.incoming.readline(LONGEST_GREETING).decode(errors="replace")
        if not theirs:
            raise EOFError
        if theirs != f"{ours}\n":
            raise OtherVersionError(theirs.strip())

    def send(self, head: tuple[Any, ...], parts: Parts = ()) -> None:
        """Send a message: a few words, and what was packed. Raises `OSError` where nobody listens any more."""
        parts = [pickle.dumps(head), *parts]
        lengths = b"".join(LENGTH.pack(len(part)) for part in parts)
        with self._sending:
            self.outgoing.write(COUNT.pack(len(parts)) + lengths)
            for part in parts:
                self.outgoing.write(part)
                self.outgoing.write(bytes(-len(part) % ALIGNED))
            self.outgoing.flush()

    def receive(self) -> tuple[tuple[Any, ...], list[memoryview]]:
        """Wait for the next message. Raises `EOFError` where there will be none, and `ValueError` for what is none."""
        (many,) = COUNT.unpack(self._read(COUNT.size))
        if not 0 < many <= MOST_PARTS:
            raise ValueError(f"a message has {many:,} parts and the limit is {MOST_PARTS:,}")
        lengths = [length for (length,) in LENGTH.iter_unpack(self._read(many * LENGTH.size))]
        places = [0, *accumulate(length + -length % ALIGNED for length in lengths)]
        if places[-1] > LONGEST:
            raise ValueError(f"a message has {places[-1]:,} bytes and the limit is {LONGEST:,}")
        message = memoryview(self._read(places[-1]))
        head, *parts = [message[place : place + length] for place, length in zip(places, lengths, strict=False)]
        return pickle.loads(head), parts

    def close(self) -> None:
        """Hang up."""
        for end in (self.outgoing, self.incoming):
            with suppress(OSError):  # what was still to be sent has nobody to read it
                end.close()

    def _read(self, length: int) -> bytes:
        read = self.incoming.read(length)
        if len(read) < length:
            raise EOFError
        return read
