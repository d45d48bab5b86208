"""The engines on Ray as the web process sees them.

Equal requests of this process go as one call, to the replica that holds their picture. What comes back is kept here;
what was asked of a replica that died is asked once more of the next.
"""

import time
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import count
from secrets import token_hex
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from vitviz.engine.lane import BusyError, Place
from vitviz.engine.process.client import (
    CACHE_BYTES,
    FRESH_S,
    HEARTBEAT_S,
    RETRY_S,
    SILENCE_LIMIT_S,
    SLACK_BYTES,
    STARTING,
)
from vitviz.engine.process.pending import ATTEMPTS
from vitviz.engine.process.values import pack_request
from vitviz.engine.process.wire import end_with
from vitviz.engine.ray.call import Call, opened
from vitviz.engine.ray.caller import Caller
from vitviz.engine.ray.cluster import Cluster
from vitviz.engine.ray.place import device_of, place_of
from vitviz.engine.ray.summary import summary
from vitviz.engine.request import Request
from vitviz.engine.results import Result, Results
from vitviz.engine.status import Status
from vitviz.machine.device import Device, DeviceError, give_back, trim

if TYPE_CHECKING:
    pass

T = TypeVar("T")

ANSWER_TIMEOUT_S = 3.0  # seconds that a question may take, before what was said last time has to do


class RayEngine:
    """The engines on the Ray of this machine, or at an address ("ray://host:port")."""

    def __init__(self, address: str = "") -> None:
        self._cluster = Cluster(address)
        self._web, self._numbers = token_hex(4), count(1)
        self._wake = Event()  # for the thread that looks after the cluster
        self._lock = Lock()  # guards all that follows
        self._results = Results(CACHE_BYTES)
        self._calls: dict[str, Call] = {}
        self._connected = self._connecting = self._untidy = self._closed = False
        self._why, self._again = "", 0.0  # there is no cluster, and when it may be tried again
        self._dead: set[str] = set()  # replicas that died in the middle of a call
        self._joined = 0
        self._hits: list[str] = []  # that the replicas have not been told of
        self._devices: dict[str, tuple[float, Device]] = {}  # when each was told
        self._places: tuple[float, dict[str, Place]] = 0.0, {}
        self._caller = Caller(self._cluster)
        with self._lock:
            self._start()
        # In this one thread: on Linux, what Ray starts ends with the thread that started it.
        Thread(target=self._look_after, name="engine's clock", daemon=True).start()

    def submit(self, request: Request[T], person: str = "") -> "Future[Result[T]]":
        """The future result; see `Door`. Raises `DeviceError` for a request that cannot be sent, or without a cluster.

        That the queue is full, a replica says later: the future raises `BusyError`.
        """
        future: Future[Result[T]] = Future()
        if result := self.cached(request):
            future.set_result(result)
            return future
        parts, files = pack_request(request)
        with self._lock:
            if not self._connected:
                self._start()
            step_back = self._older(person, request.key)
            call = next((it for it in self._calls.values() if it.key == request.key and not it.left), None)
            if call:
                self._joined += 1
            else:
                name = f"{self._web}-{next(self._numbers)}"
                arrays = [np.frombuffer(part, np.uint8) for part in parts]
                call = self._calls[name] = Call(name, request.key, place_of(request), device_of(request), arrays, files)
            call.waiting.append((person, future))
            self._ask_all()
        if step_back:
            self._caller.later(self._caller.tell_all("leave", step_back, False))
        future.add_done_callback(partial(self._left, call))
        return future

    def cached(self, request: Request[T]) -> Result[T] | None:
        """The result of `request` if it is on this side."""
        with self._lock:
            return self._results.get(request.key)

    def count_hit(self, key: str) -> None:
        """Count a run of a page that found its forward pass kept; the replicas learn of it together with the next."""
        with self._lock:
            self._hits.append(key)

    def trouble(self) -> str:
        """What is wrong with the engine, in a sentence, or nothing."""
        with self._lock:
            return "" if self._connected or self._connecting else self._why

    def forget(self, part: str) -> None:
        """Drop all results whose key contains `part`, here and in all replicas."""
        with self._lock:
            self._results.forget(part)
            for call in self._calls.values():
                call.forgotten |= part in call.key
            self._untidy = True
        self._wake.set()
        self._caller.now(self._caller.tell_all("forget", part), None)

    def place(self, request: Request[Any]) -> Place:
        """Where `request` stands; nothing is ahead of one that runs or is done. All are asked about at once."""
        with self._lock:
            names = [call.name for call in self._calls.values() if call.sent]
            name = next((call.name for call in self._calls.values() if call.key == request.key), "")
            time_known, places = self._places
        if not self._caller.ready:
            return Place(0, 0.0, starting=True)
        if name and (name not in places or time.monotonic() - time_known > FRESH_S):
            answers: list[dict[str, Place]] = self._caller.now(self._caller.tell_all("places", names), [])
            places = {call: place for each in answers for call, place in each.items()}
            with self._lock:
                self._places = time.monotonic(), places
        return places.get(name, Place(0, 0.0))

    def status(self) -> Status:
        """Numbers for the server's operator: those of all replicas that there are now, and of each."""
        self._caller.now(self._tell_hits(), None)
        replicas: list[Status] = self._caller.now(self._caller.tell_all("status"), [])
        with self._lock:
            return summary(replicas, self._joined, len(self._dead))

    def device(self, choice: str = "auto") -> Device:
        """The device of that name as it was a moment ago, or the one that is taken where none is named."""
        time_known, device = self._devices.get(choice, (0.0, STARTING))
        if time.monotonic() - time_known > FRESH_S and self._connected:
            device = self._caller.now(self._caller.ask(choice, "device", choice), device)
            if device is not STARTING:
                self._devices[choice] = time.monotonic(), device
        return device

    def close(self) -> None:
        """Leave the cluster; what is still asked of it is cancelled."""
        with self._lock:
            self._closed = True
            calls, self._calls = self._calls, {}
        for call in calls.values():
            for _, future in call.waiting:
                future.cancel()
        self._wake.set()

    # Who waits for what.

    def _older(self, person: str, key: str) -> list[str]:
        """What `person` alone waits for beside `key`: that is taken out of the queue unless it runs already."""
        older = [
            call
            for call in self._calls.values()
            if person and call.key != key and not call.left and all(who == person for who, _ in call.waiting)
        ]
        for call in older:
            call.left = True
        return [call.name for call in older]

    def _left(self, call: Call, future: "Future[Any]") -> None:
        """Take a call back that nobody waits for any more."""
        if not future.cancelled():
            return
        with self._lock:
            nobody = call.name in self._calls and not call.wanted
            if nobody:
                del self._calls[call.name]
                self._places = 0.0, {}
        if nobody:
            self._caller.later(self._caller.tell_all("leave", [call.name], True))

    def _end(self, call: Call, value: Any, failed: bool) -> None:
        with self._lock:
            self._calls.pop(call.name, None)
            if not failed and not call.forgotten:
                self._results.keep(call.key, value)
        for _, future in call.waiting:
            end_with(future, value, failed)

    # The calls themselves; all of this runs in the thread of the loop.

    def _ask_all(self) -> None:
        for call in self._calls.values() if self._connected else ():
            if not call.sent:
                call.sent = True
                self._caller.later(self._ask(call))

    async def _ask(self, call: Call) -> None:
        from ray.exceptions import RayActorError, RayTaskError
        from ray.serve.exceptions import BackPressureError

        files: dict[str, bytes] = {}
        await self._tell_hits()
        try:
            while (answer := await self._caller.send(call, files)).missing:
                files = call.files
        except RayActorError as error:
            self._died(call, str(error.actor_id))
        except BackPressureError:
            self._end(call, BusyError("the queues of all replicas are full; try again in a moment"), True)
        except RayTaskError as error:
            self._end(call, error.cause or error, True)
        except Exception as error:
            self._lose(f"{type(error).__name__}: {error}")
        else:
            self._end(call, *opened(answer))

    def _died(self, call: Call, replica: str) -> None:
        """Ask the next replica for what one died of, or beside; but not for ever."""
        with self._lock:
            self._dead.add(replica)
        call.deaths += 1
        if call.deaths < ATTEMPTS:
            self._caller.later(self._ask(call))
            return
        died = f"the engine ended {ATTEMPTS} times in the middle of this; choose another picture or a smaller model"
        self._end(call, DeviceError(died), True)

    async def _tell_hits(self) -> None:
        """Tell what is in use before anything new may push it out; where nobody can be told, that is no fault."""
        with self._lock:
            hits, self._hits = self._hits, []
        if hits:
            with suppress(Exception):
                await self._caller.tell_all("count_hits", hits)

    # The cluster.

    def _start(self) -> None:
        """Have the cluster looked for. Raises `DeviceError` where that failed a moment ago."""
        if not self._connecting and time.monotonic() < self._again:
            raise DeviceError(self._why)
        self._connecting = True
        self._wake.set()

    def _look_after(self) -> None:
        """Connect, give back memory of what was let go or forgotten, notice a cluster that says nothing."""
        while not self._closed:
            self._wake.wait(HEARTBEAT_S)
            self._wake.clear()
            if self._connecting:
                self._connect()
            elif self._connected:
                self._caller.now(self._caller.tell_all("status"), [])
                if time.monotonic() - self._caller.last_message_time > SILENCE_LIMIT_S:
                    self._lose(f"it has said nothing for {SILENCE_LIMIT_S:.0f} s")
            self._caller.now(self._tell_hits(), None)
            if self._untidy:
                self._untidy = False
                trim()
            with self._lock:
                much = self._results.much_let_go(SLACK_BYTES)
            if much:
                give_back()
        self._cluster.leave()
        self._caller.stop()

    def _connect(self) -> None:
        try:
            self._cluster.leave()
            self._cluster.connect()
        except Exception as error:
            self._give_up(str(error))
            return
        with self._lock:
            self._connecting, self._connected, self._caller.last_message_time = False, True, time.monotonic()
            self._ask_all()
        self._caller.now(self._caller.tell_all("status"), [])

    def _lose(self, how: str) -> None:
        """Let go of a cluster that is gone; the next request looks for it again."""
        if self._connected:
            self._give_up(f"the engine on Ray is gone: {how}")

    def _give_up(self, why: str) -> None:
        with self._lock:
            self._connecting = self._connected = self._caller.ready = False
            self._again = time.monotonic() + RETRY_S
            self._why = (
                f"{why}; it is tried again in {RETRY_S:.0f} s, so press again then, or tell who runs this server"
            )
            calls, error = list(self._calls.values()), DeviceError(self._why)
        for call in calls:
            self._end(call, error, True)
