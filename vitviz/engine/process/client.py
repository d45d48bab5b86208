"""The engine as the web process sees it: a child process in which it runs, replaced whenever it is gone.

Nothing is queued or decided here: requests go to the child, what comes back is kept, and what was asked of a child that
died is asked again of the next. Where there is none, requests wait until there is.
"""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from functools import partial
from itertools import count
from threading import Event, Lock, Thread
from typing import Any, TypeVar

from vitviz.engine.failures import Heritage
from vitviz.engine.lane import Place
from vitviz.engine.process.channel import Channel, Connection
from vitviz.engine.process.child import Child
from vitviz.engine.process.pending import ATTEMPTS, Outstanding, PendingRequest
from vitviz.engine.process.values import pack_request
from vitviz.engine.process.wire import BEGINS, ENDS, ERROR, OVER, end_with, unpack
from vitviz.engine.request import Request
from vitviz.engine.results import Result, Results
from vitviz.engine.status import Status
from vitviz.machine.device import Device, DeviceError, give_back, trim

T = TypeVar("T")

CACHE_BYTES = 200_000_000  # bytes of results on this side
SLACK_BYTES = 20_000_000  # bytes of them that were let go, and are given back to the system together
MAX_STARTS = 3  # of children in a row that end before they are ready
RETRY_S = 10.0  # until that is tried again
ANSWER_TIMEOUT_S = 2.0  # that a question to the engine may take, before what it said last time has to do
FRESH_S = 1.0  # for which the state of a device is known, and the places in the queue
HEARTBEAT_S = 5.0  # between two looks at the child
SILENCE_WARNING_S, SILENCE_LIMIT_S = 15.0, 60.0  # until one that says nothing is complained of, and is ended
START_WARNING_S, START_LIMIT_S = 60.0, 600.0  # the same for one that starts: a slow disk has much of PyTorch to read
STARTING = Device("cpu", "The engine is starting", ("fp32",), 0, 0)
NOTHING = Status(0, (), 0, 0, 1, {})


class ProcessEngine:
    """An engine behind a pipe; `settings` are those of the `Engine` that runs there, `kind` says where that is."""

    def __init__(
        self,
        settings: dict[str, Any] | None = None,
        connect: Callable[[dict[str, Any]], Connection] = Child,
        kind: str = "in a process of its own",
    ) -> None:
        self._settings, self._connect, self._kind = settings or {}, connect, kind
        self._untidy = Event()  # something was forgotten
        self._lock = Lock()  # guards all that follows
        self._results = Results(CACHE_BYTES)
        self._hits: Counter[str] = Counter()
        self._numbers = count(1)
        self._outstanding = Outstanding()
        self._questions: dict[int, Future[Any]] = {}
        self._devices: dict[str, tuple[float, Device]] = {}  # when each was told
        self._places: tuple[float, dict[int, Place]] = 0.0, {}  # when they were told
        self._status = NOTHING  # that this child told last
        self._heritage = Heritage()  # what the last child that had itself replaced left to the next
        self._in_order = False  # this one does
        self._channel: Channel | None = None
        self._ready = self._closed = False
        self._unanswered = 0.0  # when a question last was
        self._restarts = self._failures = 0
        self._why, self._again = "", 0.0  # there is no child, and when the next one may be started
        with self._lock:
            self._start()
        Thread(target=self._watch, name="engine's clock", daemon=True).start()

    def submit(self, request: Request[T], person: str = "") -> "Future[Result[T]]":
        """The future result; see `Door`. Raises `DeviceError` for a request that cannot be sent.

        Where there is no child it comes when there is one again; `trouble` says why it takes so long.
        """
        future: Future[Result[T]] = Future()
        if result := self.cached(request):
            future.set_result(result)
            return future
        parts, files = pack_request(request)
        with self._lock:
            number = next(self._numbers)
            self._outstanding.add(number, PendingRequest(request.key, person, parts, files, future))
            if self._channel:
                self._tell_hits(self._channel)
                self._channel.submit(number, person, parts, files)
        future.add_done_callback(partial(self._left, number))
        return future

    def cached(self, request: Request[T]) -> Result[T] | None:
        """The result of `request` if it is on this side."""
        with self._lock:
            return self._results.get(request.key)

    def count_hit(self, key: str) -> None:
        """Count a run of a page that found its forward pass kept; the child learns of it before it is asked again."""
        with self._lock:
            self._hits[key] += 1

    def forget(self, part: str) -> None:
        """Drop all results whose key contains `part`, on both sides."""
        with self._lock:
            self._results.forget(part)
            self._outstanding.forget(part)
            if self._channel:
                self._channel.forget(part)
        self._untidy.set()

    def place(self, request: Request[Any]) -> Place:
        """Where `request` stands; nothing is ahead of one that runs or is done. All are asked about at once."""
        with self._lock:
            number, ready = self._outstanding.number_of(request.key), self._ready
            time_known, places = self._places
        if not ready:
            return Place(0, 0.0, starting=True)
        if number and (number not in places or time.monotonic() - time_known > FRESH_S):
            places = self._question("places", otherwise={})
            self._places = time.monotonic(), places
        return places.get(number, Place(0, 0.0))

    def status(self) -> Status:
        """Numbers for the server's operator: what the child of now says, or said last, and how many it had before."""
        self._status = self._question("status", otherwise=None) or self._status
        return replace(self._status, replaced=self._restarts, kind=self._kind)

    def trouble(self) -> str:
        """What is wrong with the engine, in a sentence, or nothing."""
        with self._lock:
            if not self._channel:
                return self._why
            silent = time.monotonic() - self._channel.last_message_time
            if not self._ready and silent > START_WARNING_S:
                return f"the engine has been starting for {silent:.0f} s; look into the log of this server"
            if self._ready and silent > SILENCE_WARNING_S:
                limit = f"another takes its place after {SILENCE_LIMIT_S:.0f} s"
                return f"the engine has said nothing for {silent:.0f} s; {limit}"
        return ""

    def device(self, choice: str = "auto") -> Device:
        """The device of that name as it was a moment ago, or the one that is taken where none is named."""
        time_known, device = self._devices.get(choice, (0.0, STARTING))
        if device is STARTING:
            device = self._question("device", choice, otherwise=STARTING)
            self._devices[choice] = time.monotonic(), device
        elif time.monotonic() - time_known > FRESH_S:
            self._devices[choice] = time.monotonic(), device
            if answer := self._ask("device", choice):  # a script that waited for the news would hold up all others
                answer.add_done_callback(partial(self._learn, choice))
        return device

    def close(self) -> None:
        """End the child; what is still asked of it is cancelled."""
        with self._lock:
            self._closed, channel, self._channel = True, self._channel, None
            outstanding, self._outstanding = self._outstanding, Outstanding()
        if channel:
            channel.leave()
        for _, each in outstanding:
            each.future.cancel()

    def _learn(self, choice: str, news: "Future[Device]") -> None:
        if not news.cancelled() and not news.exception():
            self._devices[choice] = time.monotonic(), news.result()

    def _tell_hits(self, channel: Channel) -> None:
        """Say what is in use before anything new may push it out: what pages find here, the child does not see."""
        if self._hits:
            channel.say(("count_hits", dict(self._hits)))
            self._hits.clear()

    def _left(self, number: int, future: "Future[Any]") -> None:
        """Tell the child where somebody leaves the queue."""
        if future.cancelled():
            with self._lock:
                if self._outstanding.leave(number) and self._channel:
                    self._channel.say(("cancel", number))

    def _question(self, method: str, *args: Any, otherwise: Any) -> Any:
        """What the engine says at once; `otherwise` while it starts, or where it is too busy to answer."""
        answer = self._ask(method, *args)
        try:
            return answer.result(ANSWER_TIMEOUT_S) if answer else otherwise
        except CancelledError:
            return otherwise
        except TimeoutError:
            self._unanswered = time.monotonic()
            return otherwise

    def _ask(self, method: str, *args: Any) -> "Future[Any] | None":
        """The answer that will come; none while the engine starts, or as long as it has not answered the last one."""
        with self._lock:
            if not (self._channel and self._ready) or self._unanswered > self._channel.last_message_time:
                return None
            self._tell_hits(self._channel)
            number, answer = next(self._numbers), Future[Any]()
            self._questions[number] = answer
            self._channel.say(("answer", number, method, *args))
        answer.add_done_callback(lambda _: self._questions.pop(number, None))
        return answer

    # The child.

    def _start(self) -> None:
        """Start one, and ask it what nobody has answered yet."""
        self._status = NOTHING
        try:
            self._ready = self._in_order = False
            self._channel = Channel(self._connect(self._settings), self._receive, self._ended)
        except OSError as error:
            self._give_up(str(error))
            return
        self._channel.say(("inherit", self._heritage))
        for number, pending in self._outstanding:
            self._channel.submit(number, pending.person, pending.parts, pending.files, alone=True)

    def _give_up(self, how: str) -> None:
        self._channel, self._failures = None, 0
        self._again = time.monotonic() + RETRY_S
        self._why = (
            f"the engine cannot be used: {how}; that was tried {MAX_STARTS} times and is tried again every "
            f"{RETRY_S:.0f} s, so wait, or tell who runs this server"
        )

    def _receive(self, numbers: list[int], what: str, parts: list[memoryview]) -> None:
        """Give an answer to all who asked for it, and keep a result; or note that a request begins or is over."""
        failed = what == ERROR
        try:
            value: Any = unpack(parts, {}) if parts else None
        except Exception as error:
            failed, value = True, DeviceError(f"the answer of the engine cannot be read: {error}")
        with self._lock:
            if what == BEGINS:
                self._outstanding.begin(numbers)
                return
            if what == OVER:
                self._outstanding.over(numbers)
                return
            if what == ENDS:
                self._in_order, self._heritage = True, value
                return
            if not numbers:
                self._ready, self._failures = True, 0
            requests = self._outstanding.end(numbers)
            questions = [self._questions[number] for number in numbers if number in self._questions]
            if requests and not failed and not any(it.forgotten for it in requests):
                self._results.keep(requests[0].key, value)
        for future in (*(it.future for it in requests), *questions):
            end_with(future, value, failed)

    def _ended(self, channel: Channel, how: str) -> None:
        """Start another child in place of one that is gone, and ask it what that one was asked."""
        with self._lock:
            if channel is not self._channel or self._closed:
                return
            blameless = self._in_order or not self._ready
            questions, lost = list(self._questions.values()), self._outstanding.lost(channel.shared, blameless)
            self._restarts += self._ready
            self._failures += not self._ready
            if self._failures < MAX_STARTS:
                self._start()
            else:
                self._give_up(how)
        for question in questions:
            question.cancel()
        died = f"the engine ended {ATTEMPTS} times in the middle of this; choose another picture or a smaller model"
        for pending in lost:
            end_with(pending.future, DeviceError(died), True)

    def _watch(self) -> None:
        """Give back memory of what was let go or forgotten, end a child that says nothing, look for one where none is.

        A child is asked something in every beat, so that one that works is never silent.
        """
        while not self._closed:
            if self._untidy.wait(HEARTBEAT_S):
                self._untidy.clear()
                trim()
            with self._lock:
                much = self._results.much_let_go(SLACK_BYTES)
                if not self._channel and not self._closed and time.monotonic() >= self._again:
                    self._start()
                channel, longest = self._channel, SILENCE_LIMIT_S if self._ready else START_LIMIT_S
                if channel:
                    self._tell_hits(channel)
                    channel.say(("answer", 0, "status"))
            if much:
                give_back()
            if channel and time.monotonic() - channel.last_message_time > longest:
                channel.kill()
