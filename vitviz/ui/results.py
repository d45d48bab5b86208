"""What follows from a selection and has to be waited for: functions that may queue, build, spin and raise.

Everything is computed in the engine, under keys that are strings, once for all visitors who ask for the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz.images import open_image
from vitviz.ui.links import escaped
from vitviz.ui.selection import ModelChoice, Picture, Selection
from vitviz.ui.server.client import ask

if TYPE_CHECKING:
    from vitviz.engine import Request
    from vitviz.forward import Forward
    from vitviz.measures.quantised import Quantised
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

P = ParamSpec("P")
T = TypeVar("T")


def decoded(picture: Picture) -> Image.Image:
    """The picture as RGB. Raises `ImageError`."""
    return ask(_decode(picture), "Opening the picture").value


def loaded(model: ModelChoice) -> "Loaded":
    """The model itself, built or read when first asked for. Raises `WeightsError`, `DeviceError`."""
    return ask(_load(model), f"Building {escaped(model.name)}").value


def trained(selection: Selection) -> bool:
    """Whether the parameters were learned."""
    return loaded(selection.model).trained


def labels(selection: Selection) -> Sequence[str]:
    """Class names, in order."""
    return loaded(selection.model).labels


def forward(selection: Selection) -> "Forward":
    """The forward pass and all that it left. Raises `DeviceError` for a model that one click should not start."""
    _require_legal(selection.model)
    return ask(forward_request(selection), f"Running {escaped(selection.model.name)}").value


def crop(selection: Selection) -> NDArray[np.uint8]:
    """Exactly the pixels that the model sees: `h w c`."""
    return forward(selection).crop


def shown(selection: Selection) -> NDArray[np.uint8]:
    """What the model sees, as pages draw it: `h w c`, no larger than a screen shows."""
    return forward(selection).shown


def quantised_attention(selection: Selection, layer: int) -> "Quantised":
    """All attention weights of one layer, one byte each: `head q k`."""
    from vitviz.measures.quantised import quantised_layer

    maps = forward(selection).maps
    return maps[layer] if maps else measure(selection, quantised_layer, layer)


def measure(
    selection: Selection, function: Callable[Concatenate["Trace", P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """`function(trace, ...)` of the selection's forward pass."""
    return ask(_measure(selection, function, args, kwargs), "Measuring").value


def measure_long(
    selection: Selection, function: Callable[Concatenate["Trace", P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """`measure`, where that takes long for the smallest model, too: what clocks runs the forward pass many times."""
    return ask(replace(_measure(selection, function, args, kwargs), takes_long=True), "Measuring").value


def forward_request(selection: Selection) -> "Request[Forward]":
    """What runs the model on the picture; with all quantised attention where a browser gets all of it."""
    from vitviz.engine import Request
    from vitviz.forward import run_forward
    from vitviz.machine.price import takes_long_to_run
    from vitviz.measures.quantised import AT_ONCE, quantised_bytes

    model, config = _load(selection.model), selection.config
    with_maps = config.depth * quantised_bytes(config) <= AT_ONCE
    return Request(
        run_forward,
        (model, _decode(selection.picture), with_maps, selection.crop),
        keeps_alive=(model,),
        takes_long=takes_long_to_run(config),
    )


def _measure(
    selection: Selection, function: Callable[..., T], args: tuple[Any, ...], options: dict[str, Any]
) -> "Request[T]":
    from vitviz import forward
    from vitviz.engine import Request

    passed = forward_request(selection)
    return Request(
        forward.measure,
        (passed, function, *args),
        tuple(options.items()),
        keeps_alive=(passed,),
        takes_long=passed.takes_long,
    )


def lighter(model: ModelChoice) -> Iterator[ModelChoice]:
    """The same model where it needs less of the device: in a smaller precision, then on the CPU."""
    from vitviz.machine import device

    here = device.pick(model.device)
    if model.precision == "fp32":
        yield from (replace(model, precision=precision) for precision in device.precisions(here)[1:])
    if here.type != "cpu":
        yield replace(model, device="cpu", precision="fp32")


def _decode(picture: Picture) -> "Request[Image.Image]":
    from vitviz.engine import File, Request

    return Request(open_image, (File(picture.digest, picture.data),))


def _load(model: ModelChoice) -> "Request[Loaded]":
    from vitviz import weights
    from vitviz.engine import Request
    from vitviz.machine.price import takes_long_to_make

    long = takes_long_to_make(model.config)
    settings: dict[str, Any] = {"device": model.device, "precision": model.precision}
    if file := model.checkpoint:
        settings |= {"name": model.name, "image_size": file.image_size, "preprocess": file.preprocess}
        settings |= {"heads": file.heads, "activation": file.activation, "epsilon": file.epsilon}
        options = tuple(settings.items())
        return Request(weights.load, (file.path,), options, version=str(file.stamp), takes_long=long)
    if model.name == "demo":
        return Request(weights.load, ("demo",), tuple(settings.items()))
    return Request(weights.build, (model.config,), (("seed", model.seed), *settings.items()), takes_long=long)


def _require_legal(model: ModelChoice) -> None:
    """Raise `DeviceError` for a model that one link should not start, before it waits for its turn in the queue."""
    from vitviz.machine.price import require_drawable, require_forward

    if not model.checkpoint:
        require_drawable(model.config)
    require_forward(model.config)
