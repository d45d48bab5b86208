"""What is on screen: one model, one picture, and every number that follows from the two.

A `View` holds sizes, names and the bytes of the picture, never a tensor: models, traces and measures live in the
engine, under keys that are strings, shared by all visitors.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from PIL import Image

from vitviz.config import PRESETS, ViTConfig
from vitviz.images import digest, open_image
from vitviz.ui.asking import ask
from vitviz.ui.links import literal

if TYPE_CHECKING:
    from vitviz.engine import Request
    from vitviz.measures.coding import Code
    from vitviz.seeing import Seen
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Picture:
    """A picture to look at.

    `alt` describes it to a screen reader, `drawn` marks a scene of the demo model's world, `notes` tell what of the
    file is not shown.
    """

    id: str
    title: str
    alt: str
    data: bytes
    drawn: bool = False
    notes: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """sha256 of the bytes; the picture's part of every cache key."""
        return digest(self.data)

    @property
    def request(self) -> "Request[Image.Image]":
        """What decodes the picture."""
        from vitviz.engine import File, Request

        return Request(open_image, (File(self.digest, self.data),))

    @property
    def image(self) -> Image.Image:
        """The decoded picture; raises `ImageError`."""
        return ask(self.request, "Opening the picture").value


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file on the server's disk, and how it is read; `stamp` tells one version of it and its card from the next."""

    path: str
    stamp: tuple[int, ...]
    image_size: int | None = None
    heads: int | None = None
    preprocess: str = ""


@dataclass(frozen=True)
class Choice:
    """A model to look at: its name and sizes, and how its parameters are drawn, or read from a checkpoint, and run."""

    name: str
    config: ViTConfig
    seed: int = 0
    device: str = "auto"
    precision: str = "fp32"
    checkpoint: Checkpoint | None = None

    @cached_property
    def key(self) -> str:
        """The model's part of every cache key."""
        return f"{self.name};{self.config.key};seed={self.seed};{self.device};{self.precision};{self.checkpoint}"

    @cached_property
    def request(self) -> "Request[Loaded]":
        """What builds or reads the model."""
        from vitviz import weights
        from vitviz.engine import Request

        settings: dict[str, Any] = {"device": self.device, "precision": self.precision}
        if file := self.checkpoint:
            settings |= {"name": self.name, "image_size": file.image_size, "heads": file.heads}
            settings |= {"preprocess": file.preprocess}
            return Request(weights.load, (file.path,), tuple(settings.items()), version=str(file.stamp))
        if self.name == "demo":
            return Request(weights.load, ("demo",), tuple(settings.items()))
        return Request(weights.build, (self.config,), (("seed", self.seed), *settings.items()))

    def load(self) -> "Loaded":
        """The model itself, built or read when first asked for."""
        return ask(self.request, f"Building {literal(self.name)}").value

    def require_legal(self) -> None:
        """Raise `DeviceError` for a model that one link should not start, before it waits for its turn in the queue."""
        from vitviz.price import require_drawable, require_forward

        if not self.checkpoint:
            require_drawable(self.config)
        require_forward(self.config)

    def seeing(self, picture: Picture) -> "Request[Seen]":
        """What runs the model on `picture`; with all coded attention where a browser gets all of it."""
        from vitviz.engine import Request
        from vitviz.measures.coding import AT_ONCE, coded_bytes
        from vitviz.seeing import see

        with_maps = self.config.depth * coded_bytes(self.config) <= AT_ONCE
        return Request(see, (self.request, picture.request, with_maps), holds=(self.request,))

    def lighter(self) -> "Iterator[Choice]":
        """The same model where it needs less of the device: in a smaller precision, then on the CPU."""
        from vitviz import device

        here = device.pick(self.device)
        if self.precision == "fp32":
            yield from (replace(self, precision=precision) for precision in device.precisions(here)[1:])
        if here.type != "cpu":
            yield replace(self, device="cpu", precision="fp32")


FIRST_CHOICE = Choice("demo", PRESETS["demo"])


@dataclass(frozen=True)
class View:
    """One model and one picture."""

    choice: Choice
    picture: Picture

    @property
    def config(self) -> ViTConfig:
        """The model's sizes; known before any parameter exists."""
        return self.choice.config

    @property
    def trained(self) -> bool:
        """Whether the parameters were learned."""
        return self.choice.load().trained

    @property
    def labels(self) -> tuple[str, ...]:
        """Class names."""
        return self.choice.load().labels

    @property
    def crop(self) -> NDArray[np.uint8]:
        """Exactly the pixels that the model sees: `h w c`."""
        return self.seen.crop

    @property
    def trace(self) -> "Trace":
        """The walk of the picture through the model."""
        return self.seen.trace

    @property
    def seen(self) -> "Seen":
        """The forward and all that it left; made when first asked for."""
        self.choice.require_legal()
        return ask(self.seeing, f"Running {literal(self.choice.name)}").value

    def code(self, layer: int) -> "Code":
        """All attention weights of one layer, one byte each: `head q k`."""
        from vitviz.measures.coding import coded_layer

        maps = self.seen.maps
        return maps[layer] if maps else self.measure(coded_layer, layer)

    def measure(self, function: Callable[Concatenate["Trace", P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`function(trace, ...)`, computed in the engine once for everybody who looks at the same."""
        from vitviz import seeing
        from vitviz.engine import Request

        seen, options = self.seeing, tuple(kwargs.items())
        request: Request[T] = Request(seeing.measure, (seen, function, *args), options, holds=(seen,))
        return ask(request, "Measuring").value

    @cached_property
    def seeing(self) -> "Request[Seen]":
        """What makes the forward."""
        return self.choice.seeing(self.picture)


def show(view: View) -> None:
    """Make `view` the one that pages ask for."""
    st.session_state["view"] = view


def current() -> View:
    """The view of this visitor."""
    return st.session_state["view"]
