"""All that the app takes of Streamlit beside what Streamlit documents; requirements.txt names the version that has it.

What breaks without each of these, and which of their own names are used, is said by tests/unit/ui/test_private.py.
"""

# ruff: noqa: F401
from streamlit import _main, delta_generator, net_util, runtime
from streamlit.elements.lib.layout_utils import LayoutConfig, get_height_config, get_width_config
from streamlit.elements.lib.streamlit_plotly_theme import BG_COLOR
from streamlit.navigation.page import StreamlitPage
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.PlotlyChart_pb2 import PlotlyChart
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import RerunException, get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState, enqueue_message
from streamlit.runtime.session_manager import SessionInfo, SessionStorage
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.util import calc_hash
from streamlit.web import cli
from streamlit.web.cache_storage_manager_config import create_default_cache_storage_manager
from streamlit.web.server.starlette import starlette_websocket
from streamlit.web.server.starlette.starlette_routes import BASE_ROUTE_MEDIA, BASE_ROUTE_UPLOAD_FILE
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed
