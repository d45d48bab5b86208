"""Finished requests, kept within a budget of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar

from PIL import Image

from vitviz.machine.pytorch import torch

T = TypeVar("T")

MAX_RESULTS = 10_000  # results, however small: their keys are texts of some 2 kB
OBJECT = 1_400  # bytes around the numbers of a tensor, or of a module: Python's and PyTorch's own, measured


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """What a request led to: the value, the bytes in it, and the keys of what it refers to, which it keeps alive.

    `seconds` passed while it was computed, once all was there that it needs.
    """

    value: T
    nbytes: int
    keeps_alive: tuple[str, ...] = ()
    seconds: float = 0.0


class Results:
    """Results by key. The one that was not used for longest goes first, and with it what refers to it.

    Not safe for several threads; the engine has the lock.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.nbytes = 0
        self.let_go = 0  # bytes since somebody last gave them back
        self._results: OrderedDict[str, Result[Any]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._results)

    def get(self, key: str) -> Result[Any] | None:
        """The result under `key`, which is now the last to go, together with what it keeps alive."""
        self._use(key)
        return self._results.get(key)

    def __contains__(self, key: str) -> bool:
        return key in self._results

    def keep(self, key: str, result: Result[Any], pinned: Collection[str] = (), needs: int = 0) -> None:
        """Keep `result`, and let go of others until the budget holds, less what is computed beside them `needs`.

        It, what is `pinned`, and what these keep alive stay in any case.
        """
        self._drop(key)
        self._results[key] = result
        self.nbytes += result.nbytes
        self.shrink(needs, (key, *pinned))

    def shrink(self, needs: int, pinned: Collection[str] = ()) -> None:
        """Let go of results until they and what is computed beside them, `needs` bytes, hold the budget."""
        in_use = set[str]().union(*map(self._use, pinned))
        for other in list(self._results):
            if self.nbytes + needs <= self.budget and len(self) <= MAX_RESULTS:
                break
            if other not in in_use:
                self._drop(other)

    def forget(self, part: str) -> None:
        """Drop everything whose key contains `part`."""
        for key in [key for key in self._results if part in key]:
            self._drop(key)

    def clear(self) -> None:
        """Drop everything."""
        self._results.clear()
        self.let_go += self.nbytes
        self.nbytes = 0

    def much_let_go(self, slack: int) -> bool:
        """Whether more than `slack` bytes were let go since this last was so: whoever asks gives them back."""
        if self.let_go <= slack:
            return False
        self.let_go = 0
        return True

    def _use(self, key: str) -> set[str]:
        if key not in self._results:
            return set()
        self._results.move_to_end(key)
        return {key}.union(*map(self._use, self._results[key].keeps_alive))

    def _drop(self, key: str) -> None:
        if result := self._results.pop(key, None):
            self.nbytes -= result.nbytes
            self.let_go += result.nbytes
            for other in [other for other, it in self._results.items() if key in it.keeps_alive]:
                self._drop(other)


def nbytes(value: Any) -> int:
    """Bytes of the arrays, tensors and pictures in `value`, looking into mappings, sequences and dataclasses.

    Tensors and modules count with the objects that they are: a model of a thousand tiny blocks holds 30 MB.
    """
    if isinstance(value, torch.Tensor):
        return OBJECT + value.nbytes
    if isinstance(value, torch.nn.Module):
        return sum(map(nbytes, (*value.parameters(), *value.buffers()))) + OBJECT * sum(1 for _ in value.modules())
    if isinstance(value, Mapping):
        return sum(map(nbytes, value.values()))
    if isinstance(getattr(value, "nbytes", None), int):
        return value.nbytes
    if isinstance(value, bytes):
        return len(value)
    if isinstance(value, Image.Image):
        return value.width * value.height * len(value.getbands())
    if isinstance(value, list | tuple):
        return sum(map(nbytes, value))
    if is_dataclass(value):
        return sum(nbytes(getattr(value, field.name)) for field in fields(value))
    return 0
