"""What follows from a selection and has to be waited for: functions that may queue, build, spin and raise.

Everything is computed in the engine, under keys that are strings, once for all visitors who ask for the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from vitviz.config import TRAINED
from vitviz.images import open_image
from vitviz.shelf.rows import SHELF
from vitviz.ui.links import escaped
from vitviz.ui.selection import ModelChoice, Picture, Selection
from vitviz.ui.server.client import ask, begin_all, engine

if TYPE_CHECKING:
    from PIL.Image import Image

    from vitviz.engine import Request
    from vitviz.forward import Forward, ForwardInfo, ModelInfo, Photo
    from vitviz.measures.arrays import Array
    from vitviz.measures.quantised import Quantised
    from vitviz.measures.reference import Means
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

P = ParamSpec("P")
T = TypeVar("T")
Of = TypeVar("Of")


def _once(make: Callable[[Of], T]) -> Callable[[Of], T]:
    """`make` once for each selection: a page asks for its forward pass ten times in a run, and keys are long texts."""

    @wraps(make)
    def made(of: Of) -> T:
        kept: dict[str, T] = vars(of)
        return kept[name] if name in kept else kept.setdefault(name, make(of))

    name = f"_{make.__name__}"
    return made


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
    return ask(_model_request(model), f"Building {escaped(model.title)}").value


def trained(selection: Selection) -> bool:
    """Whether the parameters were learned."""
    return model_info(selection.model).trained


def labels(selection: Selection) -> Sequence[str]:
    """Class names, in order."""
    return model_info(selection.model).labels


def parameters(model: ModelChoice) -> Mapping[str, NDArray[Any]]:
    """All parameters of a model by their names. Raises `WeightsError`, `DeviceError`."""
    return ask(parameters_request(model), f"Building {escaped(model.title)}").value


def patches(selection: Selection) -> NDArray[np.float32]:
    """The picture as the model reads it without edits, patch by patch, normalised: `n (c ph pw)`."""
    from vitviz.measures.tokens import embedded

    return measure(selection.plain, embedded, "patches")


def forward_info(selection: Selection) -> "ForwardInfo":
    """What the forward pass left for pages. Raises `DeviceError` for a model that one click should not start."""
    _require_legal(selection.model)
    return ask(info_request(selection), f"Running {escaped(selection.model.title)}").value


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
    return forward_info(selection).crop


def shown(selection: Selection) -> NDArray[np.uint8]:
    """What the model sees, as pages draw it: `h w c`, no larger than a screen shows."""
    return forward_info(selection).shown


def quantised_attention(selection: Selection, layer: int) -> "Quantised":
    """All attention weights of one layer, one byte each: `head q k`."""
    from vitviz.measures.quantised import quantised_layer

    maps = forward_info(selection).maps
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
    return ask(measurement(selection, function, *args, **kwargs), "Measuring").value


def measurement(
    selection: Selection, function: Callable[Concatenate["Trace", P], T], *args: P.args, **kwargs: P.kwargs
) -> "Request[T]":
    """What `measure_long` asks for."""
    return replace(_measure(selection, function, args, kwargs), takes_long=True)


def parameters_request(model: ModelChoice) -> "Request[Mapping[str, NDArray[Any]]]":
    """What leaves a model's parameters as arrays."""
    from vitviz.forward import model_parameters

    return describe_request(model_parameters, load_request(model))


@_once
def info_request(selection: Selection) -> "Request[ForwardInfo]":
    """What runs the model on the picture and leaves what pages are told of that."""
    from vitviz.forward import describe_forward

    return describe_request(describe_forward, forward_request(selection))


@_once
def forward_request(selection: Selection) -> "Request[Forward]":
    """What runs the model on the picture; with all quantised attention where a browser gets all of it.

    With edits, they are made after the plain run, which is kept as long.
    """
    from vitviz.engine import Request, Together

    if selection.edits:
        from vitviz.edits.running import run_edited

        plain, model = forward_request(selection.plain), load_request(selection.model)
        return Request(
            run_edited,
            (plain, model, str(selection.edits), *beside(selection)),
            keeps_alive=(model, plain),
            takes_a_while=plain.takes_a_while,
            takes_long=plain.takes_long,
        )
    from vitviz.forward import pictures_at_once, run_forward, run_forwards
    from vitviz.machine.price import takes_a_while_to_run, takes_long_to_run
    from vitviz.measures.quantised import AT_ONCE, quantised_bytes

    model, config = load_request(selection.model), selection.config
    with_maps = config.depth * quantised_bytes(config) <= AT_ONCE
    return Request(
        run_forward,
        (model, decode_request(selection.picture), with_maps, selection.crop),
        keeps_alive=(model,),
        takes_a_while=takes_a_while_to_run(config),
        takes_long=takes_long_to_run(config),
        together=Together(1, run_forwards, pictures_at_once),
    )


def beside(selection: Selection) -> "tuple[Request[Forward] | None, Request[Means] | None]":
    """What the edits refer to: the plain run of the second picture, and the means over the reference set."""
    edits, donor = selection.edits, selection.donor
    return (
        forward_request(Selection(selection.model, donor)) if donor and edits.needs_donor else None,
        means_request(selection.model) if edits.needs_means else None,
    )


def means_request(model: ModelChoice) -> "Request[Means]":
    """What takes means over the reference set."""
    from vitviz.edits.running import reference_means
    from vitviz.edits.words import REFERENCE_SCENES
    from vitviz.engine import Request
    from vitviz.machine.price import require_map

    require_map(model.config, REFERENCE_SCENES, f"the mean over {REFERENCE_SCENES} scenes")
    loaded = load_request(model)
    return Request(reference_means, (loaded,), takes_long=True)


def described_means_request(model: ModelChoice) -> "Request[Mapping[str, Array]]":
    """What leaves the same by name, `head t dh` and `t d` of each layer, for a forward pass in a browser."""
    from vitviz.edits.running import describe_means

    return describe_request(describe_means, means_request(model))


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
    here = engine().device(model.device)
    if model.precision == "fp32":
        yield from (replace(model, precision=precision) for precision in here.precisions[1:])
    if here.kind != "cpu":
        yield replace(model, device="cpu", precision="fp32")


def describe_request(function: Callable[[Any], T], of: "Request[Any]") -> "Request[T]":
    """What leaves of a result what `function` tells of it."""
    from vitviz.engine import Request

    return Request(function, (of,), keeps_alive=(of,))


@_once
def _model_request(model: ModelChoice) -> "Request[ModelInfo]":
    from vitviz.forward import describe_model

    return describe_request(describe_model, load_request(model))


def decode_request(picture: Picture) -> "Request[Image]":
    """What opens the picture."""
    from vitviz.engine import File, Request

    return Request(open_image, (File(picture.digest, picture.data),))


@_once
def load_request(model: ModelChoice) -> "Request[Loaded]":
    """What builds or reads a model."""
    from vitviz.engine import Request
    from vitviz.forward import build_model, load_model
    from vitviz.machine.price import takes_long_to_make

    long = takes_long_to_make(model.config)
    settings: dict[str, Any] = {"device": model.device, "precision": model.precision}
    if file := model.checkpoint:
        settings |= {"name": model.name, "image_size": file.image_size, "preprocess": file.preprocess}
        settings |= {"heads": file.heads, "activation": file.activation, "epsilon": file.epsilon}
        options = tuple(settings.items())
        return Request(load_model, (file.path,), options, version=str(file.stamp), takes_long=long)
    if model.name in TRAINED or model.name in SHELF:
        return Request(load_model, (model.name,), tuple(settings.items()))
    return Request(build_model, (model.config,), (("seed", model.seed), *settings.items()), takes_long=long)


def _require_legal(model: ModelChoice) -> None:
    """Raise `DeviceError` for a model that one link should not start, before it waits for its turn in the queue."""
    from vitviz.machine.price import require_drawable, require_forward

    if not model.checkpoint:
        require_drawable(model.config)
    require_forward(model.config)
