"""PyTorch, imported when it is first used: a server of pages knows measures by their names and never runs one."""

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

if TYPE_CHECKING:
    import torch as torch
    from torch.nn import functional as F
else:

    class Later:
        """A module that is imported when something of it is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, attribute: str) -> Any:
            return getattr(import_module(self._name), attribute)

    torch, F = Later("torch"), Later("torch.nn.functional")


def no_grad(function: Callable[P, T]) -> Callable[P, T]:
    """`function` without a record of what would be needed for gradients."""

    @wraps(function)
    def without(*args: P.args, **kwargs: P.kwargs) -> T:
        with torch.no_grad():
            return function(*args, **kwargs)

    return without
