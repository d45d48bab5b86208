"""One worker for the device: equal requests are computed once, and results are kept within a budget of bytes.

Streamlit runs every visitor's script in a thread of its own. PyTorch would make a pool of threads for each of them, and
two forwards at once are slower than one after the other, so all of PyTorch runs in this worker.
"""

import gc
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields, is_dataclass
from threading import Lock
from typing import Any

import torch

from vitviz.device import DeviceError, is_out_of_memory, synchronise

BUDGET = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Result:
    """A finished request: its value, the bytes it holds, the seconds it took, and the keys of what it was made from."""

    value: Any
    nbytes: int
    seconds: float
    needs: tuple[str, ...]


class Engine:
    """`submit(key, work)` runs `work()` in the worker, once per key, and keeps the result while the budget allows.

    A key must name everything that decides the result: picture, model and question. Results are shared between
    visitors and must not be changed. A result that was made from others (a measure from a trace, a trace from a model)
    names their keys in `needs`: they are kept as long as it is in use, and when they go, it goes.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        self._lock = Lock()
        self._under_way: dict[str, Future[Result]] = {}
        self._results: OrderedDict[str, Result] = OrderedDict()

    def submit(self, key: str, work: Callable[[], Any], needs: tuple[str, ...] = ()) -> "Future[Result]":
        """The future `Result` for `key`: kept, under way, or new. A failure is raised to all who wait, and not kept."""
        with self._lock:
            if key in self._results:
                self._use(key)
                done: Future[Result] = Future()
                done.set_result(self._results[key])
                return done
            if key not in self._under_way:
                self._under_way[key] = self._worker.submit(self._run, key, work, needs)
            return self._under_way[key]

    @property
    def held(self) -> int:
        """Bytes of all results that are kept."""
        return sum(result.nbytes for result in self._results.values())

    def clear(self) -> None:
        """Forget all results and give their memory back."""
        with self._lock:
            self._results.clear()
        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _run(self, key: str, work: Callable[[], Any], needs: tuple[str, ...]) -> Result:
        try:
            started = time.perf_counter()
            value = self._attempt(work)
            synchronise()
            result = Result(value, nbytes(value), time.perf_counter() - started, needs)
            self._keep(key, result)
            return result
        finally:
            with self._lock:
                del self._under_way[key]

    def _attempt(self, work: Callable[[], Any]) -> Any:
        """Run `work`; where memory runs out, forget what is kept and try once more.

        The second attempt stands outside the `except`, whose traceback would keep the failed tensors alive.
        """
        try:
            return work()
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        self.clear()
        try:
            return work()
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        self.clear()
        raise DeviceError("the device is out of memory for this model and picture; choose a smaller model")

    def _keep(self, key: str, result: Result) -> None:
        """Keep `result`, and let go of what was not used longest until the budget holds; `key` and its needs stay."""
        with self._lock:
            self._results[key] = result
            in_use = self._use(key)
            for old in list(self._results):
                if self.held <= self.budget:
                    break
                if old not in in_use:
                    self._drop(old)

    def _use(self, key: str) -> set[str]:
        """Make `key`, what it needs, and what that needs the last in line to go; these are returned."""
        if key not in self._results:
            return set()
        self._results.move_to_end(key)
        return {key}.union(*map(self._use, self._results[key].needs))

    def _drop(self, key: str) -> None:
        if self._results.pop(key, None):
            for other in [other for other, result in self._results.items() if key in result.needs]:
                self._drop(other)


def nbytes(value: Any) -> int:
    """Bytes of the arrays and tensors in `value`, looking into mappings, sequences and dataclasses."""
    if isinstance(getattr(value, "nbytes", None), int):
        return value.nbytes
    if isinstance(value, torch.nn.Module):
        return sum(parameter.nbytes for parameter in value.parameters())
    if isinstance(value, Mapping):
        return sum(nbytes(item) for item in value.values())
    if isinstance(value, list | tuple):
        return sum(nbytes(item) for item in value)
    if is_dataclass(value):
        return sum(nbytes(getattr(value, field.name)) for field in fields(value))
    return 0
