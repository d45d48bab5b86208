"""The engine's side of a wire: it reads requests and writes what they led to. As a process, of one web process alone.

    python -m vitviz.engine.process.host '{"budget": 2000000000}'

Such a process speaks over its standard input and output, and ends with the process that started it, whichever way that
ends: then nobody holds the other end of the pipe.
"""

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError, Future
from functools import partial
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from vitviz.engine.failures import Heritage, last_words
from vitviz.engine.lane import Place
from vitviz.engine.process.values import pack_answer
from vitviz.engine.process.wire import BEGINS, ENDS, ERROR, OVER, VALUE, Parts, Wire, unpack
from vitviz.machine.device import keep_ends_of_heaps, share_heaps

if TYPE_CHECKING:
    from vitviz.engine import Engine, Request

BEGIN_TIMEOUT_S = 0.1  # seconds that a request waits at most until it is said that it begins: who asked may read slowly
LAST_WORDS_TIMEOUT_S = 1.0  # seconds that a process which ends itself waits at most for each who is told so
EXIT_CODE = 3  # of a process that ends itself
Message = tuple[tuple[Any, ...], list[memoryview]]


class Host:
    """Hands an engine what comes over a wire, and sends back what becomes of it: once to all who asked for the same."""

    def __init__(self, wire: Wire, engine: "Callable[[], Engine]", hung_up: Callable[[], None]) -> None:
        self._wire, self._started_engine, self._hung_up = wire, engine, hung_up
        self._messages: SimpleQueue[Message | None] = SimpleQueue()
        self._replies: SimpleQueue[tuple[list[int], Any, BaseException | None] | None] = SimpleQueue()
        self._files: dict[str, bytes] = {}
        self._requests: dict[int, tuple[Request[Any], Future[Any]]] = {}
        self._lock = Lock()  # guards the last
        self._reads = True  # the other end, what it is sent
        self._mouth = Thread(target=self._tell, name="mouth", daemon=True)

    def serve(self) -> None:
        """Answer until the other end hangs up. The wire is read while PyTorch is still imported."""
        Thread(target=self._listen, name="ear", daemon=True).start()
        self._engine = self._started_engine()
        self._mouth.start()
        self._replies.put(([], None, None))  # ready
        try:
            while message := self._messages.get():
                (word, *rest), parts = message
                WORDS[word](self, *rest, *([parts] if parts else []))
        except Exception:
            traceback.print_exc()
        self._end()

    def say_last(self, heritage: Heritage) -> None:
        """Tell the other side that this process ends and should be replaced: what it was asked is asked again."""
        self._replies.put(([], heritage, None))
        self._replies.put(None)
        if self._mouth.is_alive():  # or this other end comes at this very moment, and hears the line break
            self._mouth.join(LAST_WORDS_TIMEOUT_S)

    def _listen(self) -> None:
        try:
            self._wire.greet()
            while True:
                self._messages.put(self._wire.receive())
        except (EOFError, OSError):
            pass
        except Exception as error:  # whatever comes of reading what is no message of ours
            print(f"the engine hangs up: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        self._messages.put(None)
        self._hung_up()

    def _end(self) -> None:
        """Take what is still asked out of the queue."""
        self._hung_up()
        with self._lock:
            futures = [future for _, future in self._requests.values()]
        for future in futures:
            future.cancel()
        self._replies.put(None)

    # What the other side says.

    def _file(self, digest: str, parts: Parts) -> None:
        self._files[digest] = bytes(parts[0])

    def _drop(self, digest: str) -> None:
        self._files.pop(digest, None)

    def _forget(self, part: str) -> None:
        self._files.pop(part, None)
        self._engine.forget(part)

    def _inherit(self, heritage: Heritage) -> None:
        self._engine.inherit(heritage)

    def _count_hits(self, times: dict[str, int]) -> None:
        for key, many in times.items():
            for _ in range(many):
                self._engine.count_hit(key)

    def _submit(self, number: int, person: str, alone: bool, parts: Parts) -> None:
        try:
            request = unpack(parts, self._files)
            request = request.alone() if alone else request
            future = self._engine.submit(request, person, partial(self._begins, number), partial(self._is_over, number))
        except Exception as error:
            self._replies.put(([number], None, error))
            return
        with self._lock:
            self._requests[number] = request, future
        future.add_done_callback(partial(self._done, number))

    def _cancel(self, number: int) -> None:
        with self._lock:
            _, future = self._requests.get(number, (None, None))
        if future:
            future.cancel()

    def _answer(self, number: int, method: str, *args: Any) -> None:
        """Answer a question to the engine at once."""
        try:
            question = self._places if method == "places" else getattr(self._engine, method)
            self._replies.put(([number], question(*args), None))
        except Exception as error:
            self._replies.put(([number], None, error))

    def _places(self) -> dict[int, Place]:
        places = self._engine.places()
        with self._lock:
            return {number: places[it.key] for number, (it, _) in self._requests.items() if it.key in places}

    # What becomes of it.

    def _begins(self, number: int) -> None:
        """Say that a request begins, before it does: if it ends this process, the other side knows which one did."""
        delivery = Event()
        self._replies.put(([number], delivery, None))
        if self._reads:  # or everybody would wait each time for one that does not
            self._reads = delivery.wait(BEGIN_TIMEOUT_S)

    def _is_over(self, number: int) -> None:
        """Say that the thread which ran a request has come to its end with it, also if nobody waited any more."""
        self._replies.put(([number], OVER, None))

    def _done(self, number: int, future: "Future[Any]") -> None:
        """Have everybody told who asked for the same; those whose own futures end a moment later are told by then."""
        with self._lock:
            if number not in self._requests:
                return
            request, _ = self._requests[number]
            same = [other for other, (it, _) in self._requests.items() if it.key == request.key]
            numbers = [number] if future.cancelled() else same
            for other in numbers:
                del self._requests[other]
        if future.cancelled():
            self._replies.put((numbers, None, CancelledError()))
        else:
            error = future.exception()
            self._replies.put((numbers, None if error else future.result(), error))

    def _tell(self) -> None:
        try:
            while reply := self._replies.get():
                numbers, value, error = reply
                if isinstance(value, Event):
                    self._wire.send((numbers, BEGINS))
                    value.set()
                    self._reads = True
                elif value is OVER:
                    self._wire.send((numbers, OVER))
                else:
                    failed, parts = pack_answer(value, error)
                    what = ENDS if isinstance(value, Heritage) else ERROR if failed else VALUE
                    self._wire.send((numbers, what), parts)
        except (OSError, ValueError):
            self._hung_up()
        self._wire.close()


# What the other side may say.
WORDS: dict[str, Callable[..., None]] = {
    "file": Host._file,
    "drop": Host._drop,
    "forget": Host._forget,
    "inherit": Host._inherit,
    "count_hits": Host._count_hits,
    "submit": Host._submit,
    "cancel": Host._cancel,
    "answer": Host._answer,
}


def start_engine(settings: dict[str, Any], ends: Callable[[Heritage], None]) -> "Engine":
    """The engine, after all that its requests need was imported; `ends` has its process replaced."""
    from vitviz.engine import Engine
    from vitviz.engine.jobs import import_all

    import_all()
    return Engine(**settings, ends=ends)


def end_process(hosts: Collection[Host], heritage: Heritage) -> None:
    """End this process, and tell all whom `hosts` serve."""
    last_words("vitviz: the engine's process ends itself, and is replaced")
    try:
        for host in list(hosts):
            host.say_last(heritage)
    finally:
        os._exit(EXIT_CODE)


def main(settings: str) -> None:
    """Serve the process at the other end of the standard input and output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, with which this ends
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what anything prints goes to the log
    share_heaps()
    keep_ends_of_heaps()
    hosts: list[Host] = []
    engine = partial(start_engine, json.loads(settings), partial(end_process, hosts))
    hosts.append(Host(Wire(incoming, outgoing), engine, lambda: os._exit(0)))
    hosts[0].serve()


if __name__ == "__main__":
    main(sys.argv[1])
