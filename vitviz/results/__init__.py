"""What follows from a selection and has to be waited for: functions that may queue, build, spin and raise.

Everything is computed in the engine, under keys that are strings, once for all visitors who ask for the same.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from vitviz.results import pace, requests
from vitviz.results.asking import ask, begin_all, engine
from vitviz.results.requests import (
    decode_request,
    describe_request,
    forward_request,
    info_request,
    measure_request,
    model_request,
)
from vitviz.selection import ModelChoice, Picture, Selection

if TYPE_CHECKING:
    from vitviz.engine import Request
    from vitviz.forward import ForwardInfo, ModelInfo, ModelInput, Photo
    from vitviz.measures.quantised import Quantised
    from vitviz.trace import Trace

P = ParamSpec("P")
T = TypeVar("T")

RUN = "a forward pass"  # the kind of runs that most are


def photo(picture: Picture) -> "Photo":
    """The picture's size, and what is to be told of it. Raises `ImageError`."""
    from vitviz.forward import describe_photo

    return ask(describe_request(describe_photo, decode_request(picture)), "Opening the picture").value


def photo_copy(picture: Picture) -> NDArray[np.uint8]:
    """The whole picture, no larger than a screen shows: `h w c`. Raises `ImageError`."""
    from vitviz.forward import copy_photo

    return ask(describe_request(copy_photo, decode_request(picture)), "Opening the picture").value


def model_info(model: ModelChoice) -> "ModelInfo":
    """What is known of a model, built or read when first asked for. Raises `WeightsError`, `DeviceError`."""
    return ask(model_request(model), f"Building {model.title}").value


def trained(selection: Selection) -> bool:
    """Whether the parameters were learned."""
    return model_info(selection.model).trained


def labels(selection: Selection) -> Sequence[str]:
    """Class names, in order."""
    return model_info(selection.model).labels


def patches(selection: Selection) -> NDArray[np.float32]:
    """The picture as the model reads it without edits, patch by patch, normalised: `n (c ph pw)`."""
    from vitviz.measures.tokens import embedded

    return measure_embedding(selection.plain, embedded, "patches")


def model_input(selection: Selection) -> "ModelInput":
    """What the model sees, there before a forward pass that takes a while. Raises `DeviceError` as `forward_info`."""
    if not requests.waits(selection):
        return forward_info(selection)
    _require_legal(selection.model)
    return ask(requests.input_request(selection), f"Running {selection.model.title}").value


def forward_info(selection: Selection) -> "ForwardInfo":
    """What the forward pass left for pages. Raises `DeviceError` for a model that one click should not start."""
    _require_legal(selection.model)
    return ask(info_request(selection), f"Running {selection.model.title}").value


def begin(*selections: Selection) -> None:
    """Let the engine begin with the forward passes of all of these at once; who is to wait asks for one of them."""
    from vitviz.machine.device import DeviceError

    legal = []
    for selection in selections:
        with suppress(DeviceError):  # whoever asks for this one is told
            _require_legal(selection.model)
            legal.append(info_request(selection))
    begin_all(*legal)


def crop(selection: Selection) -> NDArray[np.uint8]:
    """Exactly the pixels that the model sees: `h w c`."""
    return model_input(selection).crop


def crop_file(selection: Selection) -> bytes:
    """The same as a PNG file, written once for all pages and visitors."""
    _require_legal(selection.model)
    return ask(requests.input_file_request(selection), f"Running {selection.model.title}").value


def screen_photo(selection: Selection) -> NDArray[np.uint8]:
    """What the model sees, as pages draw it: `h w c`, no larger than a screen shows."""
    return model_input(selection).shown


def quantised_attention(selection: Selection, layer: int) -> "Quantised":
    """All attention weights of one layer, one byte each: `head q k`."""
    from vitviz.measures.quantised import quantised_layer

    maps = forward_info(selection).maps
    return maps[layer] if maps else measure(selection, quantised_layer, layer)


def measure(
    selection: Selection, function: Callable[Concatenate["Trace", P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """`function(trace, ...)` of the selection's forward pass."""
    return ask(measure_request(forward_request(selection), function, args, kwargs), "Measuring").value


def measure_together(
    selections: Sequence[Selection],
    function: "Callable[..., Any]",
    args: tuple[Any, ...],
    together: Callable[..., T],
    *before: Any,
) -> T:
    """`together(*before, *measures)` of what `function(trace, *args)` measures of each selection, in their order.

    It takes long whatever the model, as `measure_long`.
    """
    from vitviz.engine import Request

    begin(*selections)
    measures = [measure_request(forward_request(it), function, args, {}) for it in selections]
    return ask(Request(together, (*before, *measures), takes_long=True), "Measuring").value


def measure_embedding(
    selection: Selection, function: Callable[Concatenate["Trace", P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """`measure` of what reads nothing behind the embedding: it waits for no forward pass that takes a while."""
    return ask(measure_request(requests.embedding_request(selection), function, args, kwargs), "Measuring").value


def measure_model(model: ModelChoice, function: "Callable[..., T]", *args: Any) -> T:
    """`function(model, ...)` of what depends on no picture: computed once for all that are shown with the model."""
    return ask(requests.model_measure_request(model, function, args), "Measuring").value


def measure_long(
    selection: Selection, function: Callable[Concatenate["Trace", P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """`measure`, where that takes long for the smallest model, too: what clocks runs the forward pass many times."""
    return ask(measurement(selection, function, *args, **kwargs), "Measuring").value


def measurement(
    selection: Selection, function: Callable[Concatenate["Trace", P], T], *args: P.args, **kwargs: P.kwargs
) -> "Request[T]":
    """What `measure_long` asks for."""
    return replace(measure_request(forward_request(selection), function, args, kwargs), takes_long=True)


def clocked(selection: Selection, what: str, runs: int, function: "Callable[..., T]", *args: Any) -> T:
    """`measure_beside` of so many runs of the model, which says how long the next of that kind take."""
    found = ask(measurement_beside(selection, function, *args), "Measuring")
    pace.note(selection.model.key, what, found.seconds / runs)
    return found.value


def usual_seconds(selection: Selection, what: str) -> float | None:
    """What a run of a kind took last of the model of a selection; None where it has not run yet."""
    return pace.noted(selection.model.key, what)


def run_seconds(selection: Selection) -> float:
    """Of a forward pass beside others: as it took last, else as that of the selection itself did, else a guess."""
    from vitviz.machine.price import seconds

    its_own = engine().cached(info_request(selection))
    return usual_seconds(selection, RUN) or (its_own.value.seconds if its_own else seconds(selection.config))


def measure_beside(selection: Selection, function: "Callable[..., T]", *args: Any) -> T:
    """`measure_long` of what reads results of other requests, among `args`, beside the trace."""
    return ask(measurement_beside(selection, function, *args), "Measuring").value


def measurement_beside(selection: Selection, function: "Callable[..., T]", *args: Any) -> "Request[T]":
    """What `measure_beside` asks for."""
    return replace(measure_request(forward_request(selection), function, args, {}), takes_long=True)


def untrained(model: ModelChoice, initial: str, seed: int) -> "Request[Any]":
    """What draws an untrained model of the same sizes, once for all measures beside it."""
    from vitviz.machine.price import takes_long_to_make
    from vitviz.measures.laboratory import gradients

    drawn = requests.model_measure_request(model, gradients.untrained, (initial, seed))
    return replace(drawn, takes_long=takes_long_to_make(model.config))


def lighter(model: ModelChoice) -> Iterator[ModelChoice]:
    """The same model where it needs less of the device: in a smaller precision, then on the CPU."""
    here = engine().device(model.device)
    if model.precision == "fp32":
        yield from (replace(model, precision=precision) for precision in here.precisions[1:])
    if here.kind != "cpu":
        yield replace(model, device="cpu", precision="fp32")


def _require_legal(model: ModelChoice) -> None:
    """Raise `DeviceError` for a model that one link should not start, before it waits for its turn in the queue."""
    from vitviz.machine.price import require_drawable, require_forward

    if not model.checkpoint:
        require_drawable(model.config)
    require_forward(model.config)
