"""What `streamlit run app.py` starts: the engine first, then the pages."""

# ruff: noqa: E402
import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

gc.disable()  # of what is imported here nothing ever goes

import streamlit as st
from starlette.middleware import Middleware

import vitviz.ui
from vitviz.ui.board import numbers
from vitviz.ui.forward import delivery
from vitviz.ui.lecture.redirect import LessonLinks
from vitviz.ui.server import local
from vitviz.ui.server.browser_cookie import NameBrowsers
from vitviz.ui.server.client import engine
from vitviz.ui.server.first_page import CompletePage
from vitviz.ui.server.gate import log
from vitviz.ui.server.gate.compressed import CompressFiles
from vitviz.ui.server.gate.hosts import KnownHosts
from vitviz.ui.server.health import TellHealth
from vitviz.ui.server.lecture import invitation, secret, socket
from vitviz.ui.server.old_links import OldLinks
from vitviz.ui.server.streamlit_app import App
from vitviz.ui.server.uploads import LimitUploads

gc.freeze()
gc.enable()
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # waiting threads must not burn the cores that others share


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Start the engine, and what takes long beside it, before anybody is let in."""
    secret.announce()
    engine()
    from vitviz.ui.server import startup
    from vitviz.ui.sidebar import own_folder

    startup.prepare()
    log.limit()
    local.open_in_a_browser()
    yield
    own_folder.clear()


secret.require_long()  # here, because from the lifespan a traceback comes before the sentence
MAIN = Path(vitviz.ui.__file__).with_name("main.py")
# In this order.
LAYERS = (KnownHosts, TellHealth, OldLinks, LessonLinks, NameBrowsers, LimitUploads, CompressFiles, CompletePage)
MIDDLEWARE = [Middleware(it) for it in LAYERS]
ROUTES = [*delivery.ROUTES, *numbers.ROUTES, *socket.ROUTES, *invitation.ROUTES]
# `streamlit run` looks in this file for a call of st.App, and would take one of our own class for a plain script.
app = st.App(MAIN, lifespan=lifespan, middleware=MIDDLEWARE, routes=ROUTES)
app.__class__ = App
