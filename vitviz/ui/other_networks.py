"""What stands beside the selection, on the same picture: the shelf's CNN, the same model at another picture size."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from vitviz.config import ViTConfig
from vitviz.results import requests
from vitviz.selection import Selection

if TYPE_CHECKING:
    from vitviz.engine import Request
    from vitviz.forward import Forward, ForwardInfo
    from vitviz.shelf.cnn import CNN
    from vitviz.trace import Trace

P = ParamSpec("P")
T = TypeVar("T")


def of_cnn(selection: Selection, function: "Callable[[CNN, Any], T]") -> "Request[T]":
    """What makes `function(cnn, image)` of the shelf's network and the same picture, as that one reads it."""
    from vitviz.engine import Request
    from vitviz.laboratory.network import load_network, of_network

    cnn = Request(load_network)
    arguments = (cnn, requests.decode_request(selection.picture), selection.crop, function)
    return Request(of_network, arguments, keeps_alive=(cnn,))


@dataclass(frozen=True, slots=True)
class Resized:
    """A selection whose model reads pictures of the size of `config`; `uncut`, the whole picture."""

    selection: Selection
    config: ViTConfig
    uncut: bool = False

    def measurement(
        self, function: Callable[Concatenate["Trace", P], T], *args: P.args, **kwargs: P.kwargs
    ) -> "Request[T]":
        """What computes `function(trace, ...)` of the forward pass. Raises `DeviceError`."""
        from vitviz import forward
        from vitviz.engine import Request

        passed = self._forward()
        arguments = (passed, function, *args)
        return Request(forward.measure, arguments, tuple(kwargs.items()), keeps_alive=(passed,), takes_long=True)

    def info(self) -> "Request[ForwardInfo]":
        """What leaves what pages are told of the forward pass. Raises `DeviceError`."""
        from vitviz.forward import describe_forward

        return requests.describe_request(describe_forward, self._forward())

    def _forward(self) -> "Request[Forward]":
        from vitviz.engine import Request
        from vitviz.forward import run_forward
        from vitviz.laboratory.resizing import at_size
        from vitviz.machine.price import require_forward, takes_a_while_to_run, takes_long_to_run

        require_forward(self.config)
        plain = requests.load_request(self.selection.model)
        model = Request(at_size, (plain, self.config, self.uncut), keeps_alive=(plain,))
        crop = None if self.uncut else self.selection.crop
        arguments = (model, requests.decode_request(self.selection.picture), False, crop)
        return Request(
            run_forward,
            arguments,
            keeps_alive=(model,),
            takes_a_while=takes_a_while_to_run(self.config),
            takes_long=takes_long_to_run(self.config),
        )
