"""Imports and computations before the health check passes, so that the first visitor does not wait for them."""

import gc
import sys
from concurrent.futures import wait
from contextlib import suppress
from threading import Timer
from typing import cast

from vitviz.engine import Engine
from vitviz.installed import code_digest
from vitviz.machine.device import DeviceError, share_heaps
from vitviz.pages import PAGES, shown_of
from vitviz.results import requests
from vitviz.results.asking import Asks, ask_by
from vitviz.samples import first as first_sample
from vitviz.selection import FIRST_MODEL, Selection
from vitviz.ui.private import delta_generator
from vitviz.ui.server import client
from vitviz.ui.sidebar import samples

# Seconds until a busy thread lets others go on. Beside three busy scripts an answer of the engine takes 26 ms with it
# and 90 with Python's own 0.005: whoever reads it waits for their lock (benchmarks/engine.py).
SWITCH = 0.0002
LATER = 5.0  # seconds until what single pages need is made ready, where none has asked for it before


def prepare() -> None:
    """Start the engine, freeze the imports for the garbage collector, and run the first model on the first picture.

    Nobody waits for an engine in a process of its own: the page says that it starts. Where the first picture fails, the
    page will say why.
    """
    share_heaps()  # 45 MB less when twenty-five people with large pictures have left
    door = client.engine()
    ask_by(cast(Asks, client))
    gc.freeze()  # the slowest of 250 reruns takes 27 ms instead of 160
    sys.setswitchinterval(SWITCH)
    spare_look_for_repl()
    later = Timer(LATER, prepare_pages)
    later.daemon = True
    later.start()
    with suppress(DeviceError):
        first = door.submit(requests.info_request(Selection(FIRST_MODEL, first_sample())))
        code_digest()  # in every address of numbers; it reads 45 MB
        if isinstance(door, Engine):
            wait([first])


def prepare_pages() -> None:
    """Make the small pictures of the samples, and import what stands on pages: 0.2 s of who opens them first."""
    samples.style()
    for page in PAGES.values():
        shown_of(page)


def spare_look_for_repl() -> None:
    """No look through all modules at the first element, for whether this is a REPL, where Streamlit warns: 40 ms."""
    delta_generator._use_warning_has_been_displayed = True
