"""What the server imports and computes before it says that it is healthy."""

from contextlib import suppress

import plotly.graph_objects  # noqa: F401

import vitviz.measures  # noqa: F401
from vitviz.device import DeviceError
from vitviz.ui import samples
from vitviz.ui.asking import engine
from vitviz.ui.view import FIRST_CHOICE
from vitviz.weights import WeightsError


def warm_up() -> None:
    """Walk the picture that everybody sees first; where that fails, the page will say why."""
    with suppress(DeviceError, WeightsError):
        engine().submit(FIRST_CHOICE.seeing(samples.first())).result()
