"""The engine as the web process sees it: a child process in which it runs, replaced whenever it is gone.

Nothing is queued or decided here: requests go to the child, what comes back is kept, and what was asked of a child that
died is asked again of the next.
"""

import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from threading import Event, Lock, Thread
from typing import Any, TypeVar

from vitviz.engine.lane import Place
from vitviz.engine.process.child import Child
from vitviz.engine.process.line import Connection, Line
from vitviz.engine.process.values import pack_request
from vitviz.engine.process.wire import Parts, end_with, unpack
from vitviz.engine.request import Request
from vitviz.engine.results import Result, Results
from vitviz.engine.status import EVENTS, Status
from vitviz.machine.device import Device, DeviceError, trim

T = TypeVar("T")

KEPT = 200_000_000  # bytes of results on this side
ATTEMPTS = 2  # for a request beside which the child died
STARTS = 3  # of children in a row that end before they are ready
PAUSE = 10.0  # seconds until that is tried again
ANSWER = 2.0  # seconds that a question to the engine may take, before what it said last time has to do
NEWS = 1.0  # seconds for which the state of a device is known
BEAT, SILENCE = 5.0, 60.0  # seconds between two looks at a child that works, and until one that says nothing is ended
STARTING = Device("cpu", "The engine is starting", ("fp32",), 0, 0)
NOTHING = Status(0, (), 0, 0, 1, {}, **dict.fromkeys(EVENTS, 0))


@dataclass(eq=False, slots=True)
class Asked:
    """A request on its way: what was sent, who waits for it, and how often a child died meanwhile."""

    key: str
    person: str
    parts: Parts
    files: dict[str, bytes]
    future: Future[Any]
    deaths: int = 0
    forgotten: bool = False


class ProcessEngine:
    """An engine behind a pipe; `settings` are those of the `Engine` that runs there."""

    def __init__(
        self, settings: dict[str, Any] | None = None, connect: Callable[[dict[str, Any]], Connection] = Child
    ) -> None:
        self._settings, self._connect = settings or {}, connect
        self._untidy = Event()  # something was forgotten
        self._lock = Lock()  # guards all that follows
        self._results = Results(KEPT)
        self._numbers = count(1)
        self._asked: dict[int, Asked] = {}
        self._questions: dict[int, Future[Any]] = {}
        self._devices: dict[str, tuple[float, Device]] = {}  # when each was told
        self._line: Line | None = None
        self._ready = self._closed = False
        self._restarts = self._failures = 0
        self._why, self._again = "", 0.0  # there is no child, and when the next one may be started
        with self._lock:
            self._start()
        Thread(target=self._watch, name="engine's clock", daemon=True).start()

    def submit(self, request: Request[T], person: str = "") -> "Future[Result[T]]":
        """The future result; see `Door`. Raises `DeviceError` for a request that cannot be sent."""
        future: Future[Result[T]] = Future()
        if result := self.kept(request):
            future.set_result(result)
            return future
        parts, files = pack_request(request)
        with self._lock:
            if not self._line and time.monotonic() >= self._again:
                self._start()
            if not self._line:
                raise DeviceError(self._why)
            number = next(self._numbers)
            self._asked[number] = Asked(request.key, person, parts, files, future)
            self._line.submit(number, person, parts, files)
        future.add_done_callback(partial(self._left, number))
        return future

    def kept(self, request: Request[T]) -> Result[T] | None:
        """The result of `request` if it is on this side."""
        with self._lock:
            return self._results.get(request.key)

    def count_hit(self) -> None:
        """Count a run of a page that found its forward pass kept."""
        self._say("count_hit")

    def forget(self, part: str) -> None:
        """Drop all results whose key contains `part`, on both sides."""
        with self._lock:
            self._results.forget(part)
            for asked in self._asked.values():
                asked.forgotten |= part in asked.key
            if self._line:
                self._line.forget(part)
        self._untidy.set()

    def place(self, request: Request[Any]) -> Place:
        """Where `request` stands; nothing is ahead of one that runs or is done."""
        with self._lock:
            number = next((number for number, asked in self._asked.items() if asked.key == request.key), 0)
        place: Place = self._question("place", number, otherwise=Place(0, 0.0, starting=not self._ready))
        return place

    def status(self) -> Status:
        """Numbers for the server's operator; but for the restarts, those of the child that there is now."""
        status: Status = self._question("status", otherwise=NOTHING)
        return replace(status, restarts=status.restarts + self._restarts)

    def device(self, choice: str = "auto") -> Device:
        """The device of that name as it was a moment ago, or the one that is taken where none is named."""
        told, device = self._devices.get(choice, (0.0, STARTING))
        if time.monotonic() - told > NEWS:
            device = self._question("device", choice, otherwise=device)
            if device is not STARTING:
                self._devices[choice] = time.monotonic(), device
        return device

    def close(self) -> None:
        """End the child; what is still asked of it is cancelled."""
        with self._lock:
            self._closed, line, self._line = True, self._line, None
            asked, self._asked = self._asked, {}
        if line:
            line.leave()
        for each in asked.values():
            each.future.cancel()

    def _say(self, word: str, *rest: Any) -> None:
        with self._lock:
            if self._line:
                self._line.say((word, *rest))

    def _left(self, number: int, future: "Future[Any]") -> None:
        """Tell the child where somebody leaves the queue."""
        if future.cancelled():
            with self._lock:
                left = self._asked.pop(number, None)
            if left:
                self._say("cancel", number)

    def _question(self, method: str, *args: Any, otherwise: Any) -> Any:
        """What the engine says at once; `otherwise` while it starts, or where it is too busy to answer."""
        with self._lock:
            if not (self._line and self._ready):
                return otherwise
            number, answer = next(self._numbers), Future[Any]()
            self._questions[number] = answer
            self._line.say(("answer", number, method, *args))
        try:
            return answer.result(ANSWER)
        except (TimeoutError, CancelledError):
            return otherwise
        finally:
            with self._lock:
                self._questions.pop(number, None)

    # The child.

    def _start(self) -> None:
        try:
            self._ready, self._line = False, Line(self._connect(self._settings), self._told, self._ended)
        except OSError as error:
            self._failures = STARTS
            self._give_up(str(error))

    def _give_up(self, how: str) -> None:
        self._line, self._failures = None, 0
        self._again = time.monotonic() + PAUSE
        self._why = (
            f"the engine cannot be used: {how}; that was tried {STARTS} times and will be again in {PAUSE:.0f} s, "
            "so press again then, or tell who runs this server"
        )

    def _told(self, numbers: list[int], failed: bool, parts: list[memoryview]) -> None:
        """Give an answer to all who asked for it, and keep a result."""
        try:
            value = unpack(parts, {})
        except Exception as error:
            failed, value = True, DeviceError(f"the answer of the engine cannot be read: {error}")
        with self._lock:
            if not numbers:
                self._ready, self._failures = True, 0
            asked = [self._asked.pop(number) for number in numbers if number in self._asked]
            questions = [self._questions[number] for number in numbers if number in self._questions]
            if asked and not failed and not any(it.forgotten for it in asked):
                self._results.keep(asked[0].key, value)
        for future in (*(it.future for it in asked), *questions):
            end_with(future, value, failed)

    def _ended(self, line: Line, how: str) -> None:
        """Start another child in place of one that is gone, and ask it what that one was asked."""
        with self._lock:
            if line is not self._line or self._closed:
                return
            questions, lost = list(self._questions.values()), list[Asked]()
            self._restarts += self._ready
            self._failures += not self._ready
            for number, asked in list(self._asked.items()):
                asked.deaths += self._ready
                if asked.deaths >= ATTEMPTS:
                    lost.append(self._asked.pop(number))
            died = f"the engine ended {ATTEMPTS} times in the middle of this; choose another picture or a smaller model"
            if self._failures < STARTS:
                self._start()
            else:
                self._give_up(how)
            if not self._line:
                died, lost, self._asked = self._why, [*lost, *self._asked.values()], {}
            for number, asked in self._asked.items():
                self._line.submit(number, asked.person, asked.parts, asked.files)
        for question in questions:
            question.cancel()
        for asked in lost:
            end_with(asked.future, DeviceError(died), True)

    def _watch(self) -> None:
        """Give back memory of what was forgotten, and end a child that says nothing though it was asked something."""
        while not self._closed:
            if self._untidy.wait(BEAT):
                self._untidy.clear()
                trim()
            with self._lock:
                line = self._line if self._asked else None
                if line:
                    line.say(("answer", 0, "status"))
            if line and time.monotonic() - line.heard > SILENCE:
                line.kill()
