"""What pages ask the engine for of a selection, as values: under keys that are strings, equal for all visitors."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from numpy.typing import NDArray

from vitviz.config import TRAINED
from vitviz.images import open_image
from vitviz.pretrained import SIZES
from vitviz.selection import ModelChoice, Picture, Selection
from vitviz.shelf.rows import SHELF

if TYPE_CHECKING:
    from PIL.Image import Image

    from vitviz.engine import Request
    from vitviz.forward import Embedding, Forward, ForwardInfo, ModelInfo, ModelInput
    from vitviz.measures.arrays import Array
    from vitviz.measures.interventions import Means
    from vitviz.weights import Loaded

T = TypeVar("T")
Of = TypeVar("Of")


def once(make: Callable[[Of], T]) -> Callable[[Of], T]:
    """`make` once for each selection: a page asks for its forward pass ten times in a run, and keys are long texts."""

    @wraps(make)
    def cached(of: Of) -> T:
        attributes: dict[str, T] = vars(of)
        return attributes[name] if name in attributes else attributes.setdefault(name, make(of))

    name = f"_{make.__name__}"
    return cached


@once
def info_request(selection: Selection) -> "Request[ForwardInfo]":
    """What runs the model on the picture and leaves what pages are told of that."""
    from vitviz.forward import describe_forward

    return describe_request(describe_forward, forward_request(selection))


@once
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
            (plain, model, str(selection.edits), *donor_and_means(selection)),
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
        (model, _begun(selection), with_maps, selection.crop),
        keeps_alive=(model,),
        takes_a_while=takes_a_while_to_run(config),
        takes_long=takes_long_to_run(config),
        together=Together(1, run_forwards, pictures_at_once),
    )


def _begun(selection: Selection) -> "Request[Any]":
    """What a forward pass goes on from: what stands before the first block, where that is made apart from it."""
    return embedding_request(selection) if waits(selection) else decode_request(selection.picture)


def waits(selection: Selection) -> bool:
    """Whether the whole forward pass takes so long that what stands before the first block is made apart from it."""
    from vitviz.machine.price import takes_a_while_to_embed, takes_a_while_to_run, takes_long_to_run

    config = selection.config
    if selection.edits or takes_a_while_to_embed(config):
        return False
    return takes_a_while_to_run(config) or takes_long_to_run(config)


@once
def embedding_request(selection: Selection) -> "Request[Embedding] | Request[Forward]":
    """What runs the model up to its first block where the forward pass `waits`, else all of it."""
    from vitviz.engine import Request
    from vitviz.forward import run_embedding

    if not waits(selection):
        return forward_request(selection)
    model = load_request(selection.model)
    return Request(run_embedding, (model, decode_request(selection.picture), selection.crop), keeps_alive=(model,))


@once
def input_request(selection: Selection) -> "Request[ModelInput]":
    """What leaves the pixels that the model sees."""
    from vitviz.forward import describe_embedding

    return describe_request(describe_embedding, embedding_request(selection))


@once
def input_file_request(selection: Selection) -> "Request[bytes]":
    """What leaves the same as a PNG file."""
    from vitviz.forward import write_input

    return describe_request(write_input, embedding_request(selection))


def measure_request(
    passed: "Request[Any]", function: Callable[..., T], args: tuple[Any, ...], options: dict[str, Any]
) -> "Request[T]":
    """What computes `function(trace, ...)` of a forward pass, or of its beginning."""
    from vitviz import forward
    from vitviz.engine import Request

    return Request(
        forward.measure,
        (passed, function, *args),
        tuple(options.items()),
        keeps_alive=(passed,),
        takes_long=passed.takes_long,
    )


def model_measure_request(model: ModelChoice, function: Callable[..., T], args: tuple[Any, ...]) -> "Request[T]":
    """What computes `function(model, ...)` of a model alone, whatever picture it is shown with."""
    from vitviz.engine import Request
    from vitviz.forward import measure_model

    loaded = load_request(model)
    return Request(measure_model, (loaded, function, *args), keeps_alive=(loaded,))


def donor_and_means(selection: Selection) -> "tuple[Request[Forward] | None, Request[Means] | None]":
    """What the edits refer to: the plain run of the second picture, and the means over the reference set."""
    edits, donor = selection.edits, selection.donor
    return (
        forward_request(Selection(selection.model, donor)) if donor and edits.needs_donor else None,
        means_request(selection.model) if edits.needs_means else None,
    )


def means_request(model: ModelChoice) -> "Request[Means]":
    """What takes means over the reference set."""
    from vitviz.edits.edit import REFERENCE_SCENES
    from vitviz.edits.running import reference_means
    from vitviz.engine import Request
    from vitviz.machine.price import require_map

    require_map(model.config, REFERENCE_SCENES, f"the mean over {REFERENCE_SCENES} scenes")
    loaded = load_request(model)
    return Request(reference_means, (loaded,), takes_long=True)


def described_means_request(model: ModelChoice) -> "Request[Mapping[str, Array]]":
    """What leaves the same by name, `head t dh` and `t d` of each layer, for a forward pass in a browser."""
    from vitviz.edits.running import describe_means

    return describe_request(describe_means, means_request(model))


def parameters_request(model: ModelChoice) -> "Request[Mapping[str, NDArray[Any]]]":
    """What leaves a model's parameters as arrays."""
    from vitviz.forward import model_parameters

    return describe_request(model_parameters, load_request(model))


@once
def model_request(model: ModelChoice) -> "Request[ModelInfo]":
    from vitviz.forward import describe_model

    return describe_request(describe_model, load_request(model))


@once
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
        settings |= {"image_size": model.config.image_size} if model.name in SIZES else {}
        return Request(load_model, (model.name,), tuple(settings.items()))
    return Request(build_model, (model.config,), (("seed", model.seed), *settings.items()), takes_long=long)


def decode_request(picture: Picture) -> "Request[Image]":
    """What opens the picture."""
    from vitviz.engine import File, Request

    return Request(open_image, (File(picture.digest, picture.data),))


def describe_request(function: Callable[[Any], T], of: "Request[Any]") -> "Request[T]":
    """What leaves of a result what `function` tells of it."""
    from vitviz.engine import Request

    return Request(function, (of,), keeps_alive=(of,))
