"""What is on screen: one model, one picture, and every number that follows from the two.

A `View` holds sizes, names and the bytes of the picture, never a tensor: models, traces and measures live in the
engine, under keys that are strings, shared by all visitors.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from PIL import Image

from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import total_macs
from vitviz.images import digest, open_image
from vitviz.numbers import short
from vitviz.ui.links import literal

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from vitviz.engine import Engine, Result
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

P = ParamSpec("P")
T = TypeVar("T")

MOST_MACS = 2_000_000_000_000  # of one forward: some twenty seconds on two cores
PATIENCE = 0.3  # seconds of silence before a spinner says what is going on


@dataclass(frozen=True)
class Picture:
    """A picture to look at; `alt` describes it to a screen reader, `drawn` marks a scene of the demo model's world."""

    id: str
    title: str
    alt: str
    data: bytes
    drawn: bool = False

    @cached_property
    def digest(self) -> str:
        """sha256 of the bytes; the picture's part of every cache key."""
        return digest(self.data)

    @property
    def image(self) -> Image.Image:
        """The decoded picture; raises `ImageError`."""
        return _decoded(self.digest, self.data)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file on the server's disk, and how it is read; `stamp` tells one version of it and its card from the next."""

    path: str
    stamp: tuple[int, ...]
    image_size: int | None = None
    heads: int | None = None
    preprocess: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A model to look at: its name and sizes, and how its parameters are drawn, or read from a checkpoint, and run."""

    name: str
    config: ViTConfig
    seed: int = 0
    device: str = "auto"
    precision: str = "fp32"
    checkpoint: Checkpoint | None = None

    @property
    def key(self) -> str:
        """The model's part of every cache key."""
        return f"{self.name};{self.config.key};seed={self.seed};{self.device};{self.precision};{self.checkpoint}"

    def load(self) -> "Loaded":
        """The model itself, built or read when first asked for."""
        return _wait(engine().submit(self._model_key, self._load), f"Building {literal(self.name)}").value

    def walk(self, picture: Picture) -> "Result":
        """The trace of `picture`, with the seconds that the forward took."""
        from vitviz.trace import record

        _require_room(self.config)
        loaded, image = self.load(), picture.image
        key, needs = self.trace_key(picture), (self._model_key,)
        pixels = _wait(engine().submit(f"input of {key}", lambda: _input(loaded, image), needs), "Reading").value
        return _wait(engine().submit(key, lambda: record(loaded.model, pixels), needs), "Running the model")

    def trace_key(self, picture: Picture) -> str:
        """The engine's key of the trace of `picture`."""
        return f"trace {self.key} {picture.digest}"

    @property
    def _model_key(self) -> str:
        return f"model {self.key}"

    def _load(self) -> "Loaded":
        from vitviz import weights

        if self.checkpoint:
            file = self.checkpoint
            return weights.load(
                file.path,
                device=self.device,
                precision=self.precision,
                name=self.name,
                image_size=file.image_size,
                heads=file.heads,
                preprocess=file.preprocess,
            )
        settings: dict[str, Any] = {"seed": self.seed, "device": self.device, "precision": self.precision}
        return weights.load(self.name, **settings) if self.name in PRESETS else weights.build(self.config, **settings)


FIRST_CHOICE = Choice("demo", PRESETS["demo"])


@dataclass(frozen=True, slots=True)
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
        return np.asarray(self.choice.load().preprocess.crop(self.picture.image))

    @property
    def trace(self) -> "Trace":
        """The walk of the picture through the model."""
        return self.choice.walk(self.picture).value

    def measure(self, function: Callable[Concatenate["Trace", P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`function(trace, ...)`, computed in the engine once for everybody who looks at the same."""
        trace, trace_key = self.trace, self.choice.trace_key(self.picture)
        key = f"{function.__module__}.{function.__qualname__} {args} {kwargs} of {trace_key}"
        return _wait(engine().submit(key, lambda: function(trace, *args, **kwargs), (trace_key,)), "Measuring").value


def ready(view: View, notice: "DeltaGenerator") -> View:
    """`view` with its trace made; where that fails, `notice` says why, and the last good model takes its place."""
    with notice:
        try:
            _ = view.trace
        except (RuntimeError, ValueError) as error:
            st.error(f"{_sentence(error)}. The last model stays.")
            view = View(st.session_state.get("good_choice", FIRST_CHOICE), view.picture)
            with explained():
                _ = view.trace
    st.session_state["good_choice"] = view.choice
    return view


@contextmanager
def explained() -> Iterator[None]:
    """Say in a sentence why a model cannot be shown, and end the run, where no other model can take its place."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        st.error(f"{_sentence(error)}.")
        st.stop()


def show(view: View) -> None:
    """Make `view` the one that pages ask for."""
    st.session_state["view"] = view


def current() -> View:
    """The view of this visitor."""
    return st.session_state["view"]


@st.cache_resource(show_spinner=False)
def engine() -> "Engine":
    """The worker that all visitors share."""
    from vitviz.engine import Engine

    return Engine()


@st.cache_resource(max_entries=16, show_spinner=False)
def _decoded(digest: str, _data: bytes) -> Image.Image:
    return open_image(_data)


def _require_room(config: ViTConfig) -> None:
    """Raise `DeviceError` for a model that one click should not start: too long a forward, too large an attention."""
    from vitviz import device

    if (macs := total_macs(config)) > MOST_MACS:
        raise device.DeviceError(
            f"one forward of this model takes {short(macs)} multiply-adds and the limit is {short(MOST_MACS)}; "
            "choose a smaller model or fewer, larger patches"
        )
    written_out = 4 * config.tokens**2 * (3 * config.heads + config.depth)  # a layer's scores and weights, the rollout
    device.require(written_out, "the attention of this model, written out,", device.pick())


def _sentence(error: Exception) -> str:
    """What a person can do about an error of the device or of a checkpoint; any other error is raised again."""
    from vitviz.device import DeviceError  # here, because pages that only count do without PyTorch
    from vitviz.weights import WeightsError

    if not isinstance(error, DeviceError | WeightsError):
        raise error
    return literal(str(error))


def _input(loaded: "Loaded", image: Image.Image) -> Any:
    parameter = loaded.model.pos_embed
    return loaded.preprocess(image).to(parameter.device, parameter.dtype)


def _wait(future: Any, saying: str) -> "Result":
    wait([future], timeout=PATIENCE)
    if not future.done():
        with st.spinner(f"{saying} …", show_time=True):
            wait([future])
    return future.result()
