"""What is on screen: one model, one picture, and every number that follows from the two.

A `View` holds sizes, names and the bytes of the picture, never a tensor: models, traces and measures live in the
engine, under keys that are strings, shared by all visitors.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from PIL import Image

from vitviz.config import PRESETS, ViTConfig
from vitviz.images import digest, open_image
from vitviz.ui.links import literal

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from vitviz.engine import Engine, Result
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE = 0.3  # seconds of silence before a spinner says what is going on


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to look at; `alt` describes it to a screen reader, `drawn` marks a scene of the demo model's world."""

    id: str
    title: str
    alt: str
    data: bytes
    drawn: bool = False

    @property
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
        return _wait(engine().submit(self._model_key, self._load), f"Building {self.name}").value

    def walk(self, picture: Picture) -> "Result":
        """The trace of `picture`, with the seconds that the forward took."""
        from vitviz.trace import record

        loaded, image = self.load(), picture.image
        key = f"trace {self.key} {picture.digest}"
        work = engine().submit(key, lambda: record(loaded.model, _input(loaded, image)), needs=(self._model_key,))
        return _wait(work, "Running the model")

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
        trace = self.trace
        question = f"{function.__module__}.{function.__qualname__} {args} {kwargs}"
        key = f"measure {self.choice.key} {self.picture.digest} {question}"
        return _wait(engine().submit(key, lambda: function(trace, *args, **kwargs)), "Measuring").value


def ready(view: View, notice: "DeltaGenerator") -> View:
    """`view` with its trace made; where that fails, `notice` says why and the last good view is returned."""
    from vitviz.device import DeviceError
    from vitviz.weights import WeightsError

    with notice:
        try:
            _ = view.trace
        except (DeviceError, WeightsError) as error:
            st.error(f"{literal(str(error))}. The last model stays.")
            return st.session_state.get("good_view", View(FIRST_CHOICE, view.picture))
    st.session_state["good_view"] = view
    return view


@contextmanager
def explained() -> Iterator[None]:
    """Say in a sentence what the device cannot do, where a page asks for more than it has memory for."""
    try:
        yield
    except RuntimeError as error:
        from vitviz.device import DeviceError  # here, because pages that only count do without PyTorch

        if not isinstance(error, DeviceError):
            raise
        st.error(f"{error}.")


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


@st.cache_resource(max_entries=64, show_spinner=False)
def _decoded(digest: str, _data: bytes) -> Image.Image:
    return open_image(_data)


def _input(loaded: "Loaded", image: Image.Image) -> Any:
    parameter = loaded.model.pos_embed
    return loaded.preprocess(image).to(parameter.device, parameter.dtype)


def _wait(future: Any, saying: str) -> "Result":
    wait([future], timeout=PATIENCE)
    if not future.done():
        with st.spinner(f"{saying} …", show_time=True):
            wait([future])
    return future.result()
