"""Streamlit's app with a runtime of our own: limits and turns that no setting of Streamlit's gives."""

import streamlit as st
from starlette.types import Receive, Scope, Send

from vitviz.ui.private import BASE_ROUTE_UPLOAD_FILE, Runtime, RuntimeConfig, create_default_cache_storage_manager
from vitviz.ui.server.gate.frames import count_frames
from vitviz.ui.server.gate.undelayed import send_undelayed
from vitviz.ui.server.sessions import CutOffSessions, SessionManager
from vitviz.ui.server.turns import take_turns
from vitviz.ui.server.uploads import LARGEST, Uploads, in_all, largest
from vitviz.ui.takeaway.media import MEDIA


class App(st.App):
    """`st.App` whose scripts take turns, and whose lines, sessions, uploads and files are kept within limits."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, or the lifespan of the server."""
        if scope["type"] == "lifespan":
            count_frames(receive)
            send_undelayed(receive)
        await super().__call__(scope, receive, send)

    def _create_runtime(self) -> Runtime:
        take_turns()
        return Runtime(
            RuntimeConfig(
                script_path=str(self._resolve_script_path()),
                media_file_storage=MEDIA,
                uploaded_file_manager=Uploads(f"/{BASE_ROUTE_UPLOAD_FILE}", LARGEST * largest(), in_all()),
                cache_storage_manager=create_default_cache_storage_manager(),
                session_manager_class=SessionManager,
                session_storage=CutOffSessions(st.get_option("server.disconnectedSessionTTL")),
                on_script_error=self._on_script_error,
            )
        )
