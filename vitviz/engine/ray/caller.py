"""What is said to replicas and what they say: waited for in one thread, in which nothing else runs."""

import asyncio
import time
from collections.abc import Awaitable, Coroutine
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from vitviz import __version__
from vitviz.engine.ray.call import Call
from vitviz.engine.ray.cluster import Cluster
from vitviz.machine.device import DeviceError

if TYPE_CHECKING:
    from vitviz.engine.ray.replica import Reply

T = TypeVar("T")

ANSWER_TIMEOUT_S = 3.0  # seconds that a question may take, before what was said last time has to do


class Caller:
    """Calls what is deployed on `cluster`. `last_message_time`: by the monotonic clock.

    Nothing that Ray was asked is cancelled here: its client ends the connection over an answer that nobody awaits.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.last_message_time = 0.0
        self.ready = False  # a replica has answered
        self._loop = asyncio.new_event_loop()
        Thread(target=self._run, name="engine's caller", daemon=True).start()

    def later(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """What comes of `work` at last."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def now(self, work: Coroutine[Any, Any, T], otherwise: T) -> T:
        """What comes of `work` soon; `otherwise` where it takes too long or fails, but for a `DeviceError` there."""
        try:
            return self.later(work).result(ANSWER_TIMEOUT_S)
        except Exception as error:
            if isinstance(cause := getattr(error, "cause", None), DeviceError):
                raise cause from None
            return otherwise

    def stop(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def send(self, call: Call, files: dict[str, bytes]) -> "Reply":
        """What becomes of a call in the replica that it belongs to. Raises what Ray raises."""
        handle = self._cluster.handle(call.device).options(multiplexed_model_id=call.place)
        alone, digests = call.deaths > 0, list(call.files)
        return await self._answer(handle.submit.remote(call.name, __version__, call.parts, alone, digests, files))

    async def ask(self, device: str, method: str, *args: Any) -> Any:
        """What any replica on that kind of device says to a question."""
        return await self._answer(getattr(self._cluster.handle(device), method).remote(*args))

    async def tell_all(self, method: str, *args: Any) -> list[Any]:
        """What all replicas say to a message; those that die meanwhile say nothing."""
        answers: list[Any] = []
        for handle in list(self._cluster.handles.values()):
            answers += await handle.broadcast(method, *args).results_async(return_exceptions=True)
        answers = [it for it in answers if not isinstance(it, BaseException)]
        if answers:
            self._note()
        return answers

    def _run(self) -> None:
        self._loop.run_forever()
        self._loop.close()

    async def _answer(self, reply: Awaitable[T]) -> T:
        answer = await reply
        self._note()
        return answer

    def _note(self) -> None:
        self.last_message_time, self.ready = time.monotonic(), True
