"""One engine of many: what a replica on Ray Serve does with requests. PyTorch is in its process, and its device."""

import asyncio
import os
import socket
from collections import OrderedDict, deque
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from ray import serve

from vitviz import __version__
from vitviz.engine.engine import Engine
from vitviz.engine.failures import Heritage
from vitviz.engine.lane import Place
from vitviz.engine.process.host import EXIT_CODE
from vitviz.engine.process.values import pack_answer
from vitviz.engine.process.wire import unpack
from vitviz.engine.ray.place import parts_of
from vitviz.engine.request import Request
from vitviz.engine.status import Status
from vitviz.machine.device import Device, DeviceError

FILES = 400_000_000  # bytes of files that a replica keeps for the next request
MODELS = 8  # of which a replica tells the others that it has them; its budget may hold fewer
EARLY = 1_000  # calls that were taken back before they arrived


class Reply(NamedTuple):
    """What became of a call: the digests of files that have to come along, or a value or an error as it is sent."""

    missing: tuple[str, ...] = ()
    failed: bool = False
    parts: tuple[NDArray[np.uint8], ...] = ()


class Loaded:
    """A model as Serve counts them: where Serve lets go of it, so does the engine."""

    def __init__(self, replica: "Replica", key: str) -> None:
        self._replica, self._key = replica, key

    def __del__(self) -> None:
        self._replica.engine.forget(self._key)


class Replica:
    """An engine on the device of this process. Calls have names that their callers gave them."""

    def __init__(self, device: str = "auto") -> None:
        from vitviz.engine.jobs import import_all

        import_all()
        self._device = device
        self._files: OrderedDict[str, bytes] = OrderedDict()
        self._calls: dict[str, tuple[Request[Any], Future[Any]]] = {}
        self._early: deque[str] = deque(maxlen=EARLY)
        self._taken_back = 0  # of those that arrived
        self.engine = Engine(ends=_end)

    def reconfigure(self, config: dict[str, Any]) -> None:
        """Begin anew, with these settings of the engine: what Serve calls the configuration of a user."""
        self.engine, self._taken_back = Engine(**config.get("engine", {}), ends=_end), 0

    def check_health(self) -> None:
        """Raise where the device does not answer any more; Serve then replaces this replica."""
        self.engine.device(self._device)
        self.engine.status()

    async def submit(
        self, call: str, version: str, parts: list[Any], alone: bool, digests: list[str], files: dict[str, bytes]
    ) -> Reply:
        """What becomes of a request, computed `alone` where one died in it. Of another version's nothing is read."""
        if version != __version__:
            return _answer(
                None,
                DeviceError(
                    f"the server of pages is vitviz {version} and the engine on Ray is vitviz {__version__}; "
                    "install the same version on both"
                ),
            )
        self._keep(files)
        if missing := tuple(digest for digest in digests if digest not in self._files):
            return Reply(missing=missing)
        try:
            request: Request[Any] = unpack([memoryview(part) for part in parts], self._files)
            request = request.alone() if alone else request
            if model := parts_of(serve.get_multiplexed_model_id())[0]:
                await self.hold(model)
            if call in self._early:
                self._taken_back += 1
                raise CancelledError
            future = self.engine.submit(request)
            self._calls[call] = request, future
            return _answer(await asyncio.wrap_future(future), None)
        except (Exception, CancelledError, asyncio.CancelledError) as error:
            return _answer(None, CancelledError() if isinstance(error, asyncio.CancelledError) else error)
        finally:
            self._calls.pop(call, None)

    async def leave(self, calls: list[str], even_running: bool) -> None:
        """Take calls out of the queue, but not those that run unless nobody waits for them any more."""
        for call in calls:
            request, future = self._calls.get(call, (None, None))
            if not (request and future):
                self._early.append(call)
            elif even_running or self.engine.place(request).ahead:
                future.cancel()

    async def places(self, calls: list[str]) -> dict[str, Place]:
        """Where calls stand, of those that are here."""
        return {call: self.engine.place(self._calls[call][0]) for call in calls if call in self._calls}

    async def forget(self, part: str) -> None:
        """Drop all results whose key contains `part`, and the file of that digest."""
        self._files.pop(part, None)
        self.engine.forget(part)

    async def count_hits(self, keys: list[str]) -> None:
        """Count runs of pages that found their forward pass kept, and let those here not be the next to go."""
        for key in keys:
            self.engine.count_hit(key)

    async def device(self, choice: str) -> Device:
        """The device of that name as it is now; "auto" is the one that this replica was given."""
        return self.engine.device(self._device if choice == "auto" else choice)

    async def status(self) -> Status:
        """Numbers for the server's operator."""
        status = self.engine.status()
        name = f"replica {serve.get_replica_context().replica_id.unique_id} ({socket.gethostname()})"
        members = tuple(replace(member, name=name) for member in status.members)
        return replace(status, dropped=status.dropped + self._taken_back, members=members)

    @serve.multiplexed(max_num_models_per_replica=MODELS)
    async def hold(self, model: str) -> Loaded:
        """Note that the model of this key is here, of which Serve tells all routers."""
        return Loaded(self, model)

    def _keep(self, files: dict[str, bytes]) -> None:
        self._files |= files
        while sum(map(len, self._files.values())) > FILES and len(self._files) > len(files):
            self._files.popitem(last=False)


def _end(heritage: Heritage) -> None:
    """End this process: Serve puts another in its place, and who asked asks that one. Nobody hands it the heritage."""
    os._exit(EXIT_CODE)


def _answer(value: Any, error: BaseException | None) -> Reply:
    failed, parts = pack_answer(value, error)
    return Reply((), failed, tuple(np.frombuffer(part, np.uint8) for part in parts))
