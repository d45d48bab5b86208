"""What `streamlit run app.py` starts: PyTorch first, then the pages."""

import gc
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

import vitviz.ui
from vitviz.ui.browser import NameBrowsers
from vitviz.ui.mending import mend

SWITCH = 0.0002  # seconds until a busy thread lets others go on; PyTorch and the server ask for that at every step

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # waiting threads must not burn the cores that others share


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Import what the first visitor would wait for, and spare it the collections that follow every script run."""
    import vitviz.ui.preload

    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH)
    vitviz.ui.preload.warm_up()
    yield


mend()
app = st.App(Path(vitviz.ui.__file__).with_name("main.py"), lifespan=lifespan, middleware=[Middleware(NameBrowsers)])
