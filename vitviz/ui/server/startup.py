"""What the server imports and computes before it says that it is well: what the first visitor would wait for."""

import gc
import sys
from contextlib import suppress

import plotly.graph_objects  # noqa: F401

import vitviz.measures  # noqa: F401
from vitviz.device import DeviceError
from vitviz.ui import results, samples
from vitviz.ui.asking import engine
from vitviz.ui.selection import FIRST_MODEL, Selection
from vitviz.weights import WeightsError

SWITCH = 0.0002  # seconds until a busy thread lets others go on; PyTorch and the server ask for that at every step


def prepare() -> None:
    """Spare the collector what was imported, and walk the picture that everybody sees first.

    Where that walk fails, the page will say why.
    """
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH)
    with suppress(DeviceError, WeightsError):
        engine().submit(results.forward_request(Selection(FIRST_MODEL, samples.first()))).result()
