"""Work to bytes: the most that its results take at once, on any device, counted as they come and go."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from vitviz.machine.pytorch import no_grad, torch


@no_grad
def most_held(work: Callable[[], Any]) -> int:
    """The most bytes of tensors that `work` made and still held at one time; not what libraries take in between."""
    from torch.utils._python_dispatch import TorchDispatchMode

    sizes: dict[int, int] = {}
    most = 0

    class Counting(TorchDispatchMode):
        @classmethod
        def _should_skip_dynamo(cls) -> bool:
            return False  # else PyTorch imports its compiler, for nothing: a second or two

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            nonlocal most
            result = func(*args, **(kwargs or {}))
            storages = {id(it.untyped_storage()) for it in _tensors(args)}
            for it in _tensors(result if isinstance(result, tuple | list) else [result]):
                storage = it.untyped_storage()
                if id(storage) not in sizes and id(storage) not in storages:
                    sizes[id(storage)] = storage.nbytes()
                    weakref.finalize(storage, sizes.pop, id(storage))
            most = max(most, sum(sizes.values()))
            return result

    with Counting():
        work()
    return most


def _tensors(values: Any) -> list[Any]:
    return [it for it in values if isinstance(it, torch.Tensor)]
