"""What of Streamlit is used that it does not document: each name is still there, and what breaks where it is not."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

import streamlit as st

from tests.cases import each
from tests.unit.project.test_borders import FILES, ROOT, imported
from vitviz.ui import private

# By name: which of its own names are used, and what an app lacks whose Streamlit has not got it.
USED = {
    "_main": ("_active_dg", "what is written once cannot be put where a script is: no board, no charts, no menus"),
    "ThreadState": (
        "get",
        "a message inside a fragment keeps its hash, and the browser drops what it has seen elsewhere",
    ),
    "enqueue_message": ("", "no message of ours reaches the browser: no board"),
    "populate_hash_if_needed": ("", "code and numbers are sent again in every run, instead of their hash"),
    "ForwardMsg": ("delta metadata hash", "no message of ours can be written: no board"),
    "BidiComponent": (
        "component_name isolate_styles js_content html_content css_content json bytes id",
        "the board, what it is told and all that only shows cannot be mounted",
    ),
    "PlotlyChart": ("spec config", "drawers draw no chart by Plotly"),
    "LayoutConfig": ("width height", "components and charts have no width, and stand in a corner"),
    "get_height_config": ("", "components and charts have no height of their own"),
    "get_width_config": ("", "components and charts have no width of their own"),
    "BG_COLOR": ("", "the ground of a chart is not the theme's: white in a dark page"),
    "calc_hash": ("", "a chart by Plotly has no name, and flickers in every run"),
    "StreamlitPage": ("title", "the menu of pages cannot be typed; it works"),
    "RerunException": ("", "a move of the hand is lost where the next run was asked for in the middle of this one"),
    "get_script_run_ctx": (
        "",
        "no word is taken out of an address, Back is not known, no download knows who waits for it",
    ),
    "runtime": ("get_instance", "no upload has a limit, and no file can be taken away"),
    "Runtime": ("is_active_session uploaded_file_mgr media_file_mgr", "the server has no limits and takes no turns"),
    "RuntimeConfig": (
        "script_path media_file_storage uploaded_file_manager session_manager_class session_storage",
        "the server has no limits of ours",
    ),
    "create_default_cache_storage_manager": ("", "`st.cache_data` keeps nothing"),
    "WebsocketSessionManager": (
        "connect_session get_active_session_info",
        "a crowd that is cut off finds no session again",
    ),
    "SessionStorage": ("get save delete list", "what the last visitors uploaded stays for ever"),
    "SessionInfo": ("session", "sessions that were cut off cannot be kept"),
    "AppSession": (
        "_call_soon_on_event_loop _event_loop register_file_watchers shutdown id",
        "the server wakes for every element of a page, and watches all files of PyTorch",
    ),
    "ScriptRunner": (
        "_run_script_thread request_rerun request_stop _session_id _uploaded_file_mgr",
        "a hundred scripts run at once, and the server's own answers wait behind them",
    ),
    "MemoryUploadedFileManager": (
        "add_file get_files remove_file remove_session_files",
        "uploads have no limit, and fill the memory",
    ),
    "UploadedFile": ("file_id", "an upload that was kept elsewhere is not forgotten"),
    "UploadedFileRec": ("file_id data", "uploads cannot be counted"),
    "MemoryMediaFileStorage": ("_files_by_id delete_file", "files that were taken away fill the memory"),
    "BASE_ROUTE_MEDIA": ("", "a file that is taken away has an address at which nothing is"),
    "BASE_ROUTE_UPLOAD_FILE": ("", "an upload has an address at which nothing listens"),
    "starlette_websocket": ("is_host_allowed", "pages at an address wait for ever where names are listed"),
    "is_host_allowed": ("", "the names that a server is known under, of the settings, are not read"),
    "net_util": (
        "get_internal_ip",
        "the address of a room on the lecturer's own machine is localhost for the hall, too",
    ),
    "delta_generator": ("_use_warning_has_been_displayed", "the first element of a server costs 40 ms more"),
    "cli": ("main", "`vitviz` starts no app; `streamlit run app.py` does"),
}
DOCUMENTED = ("streamlit.config", "streamlit.delta_generator.DeltaGenerator", "streamlit.errors.")


def origins() -> dict[str, str]:
    """Where each private name comes from."""
    tree = ast.parse(Path(private.__file__).read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in nodes for alias in node.names}


def test_every_private_name_is_used_and_says_what_breaks_without_it() -> None:
    names = {name for path in FILES for _, name in imported(path.read_text(encoding="utf-8"))}
    used = {name.removeprefix("vitviz.ui.private.") for name in names if name.startswith("vitviz.ui.private.")}
    assert origins().keys() == USED.keys() == used


@each(USED)
def test_streamlit_still_has(name: str) -> None:
    words, breaks = USED[name]
    module = import_module(origins()[name])
    without = f"Streamlit {st.__version__} has no {module.__name__}.{name}"
    assert hasattr(module, name) or import_module(f"{module.__name__}.{name}"), f"{without}: {breaks}"
    thing = getattr(module, name)
    for word in words.split():
        fields = getattr(thing, "DESCRIPTOR", None)
        known = hasattr(thing, word) or (fields and word in fields.fields_by_name)
        assert known or word in inspect.getsource(thing), f"{without}.{word}: {breaks}"


def test_the_context_of_a_script_says_who_and_what() -> None:
    source = inspect.getsource(inspect.getmodule(private.get_script_run_ctx))  # type: ignore[arg-type]
    for word in ("session_id", "session_state", "uploaded_file_mgr", "is_history_navigation", "fragment_id"):
        assert f"{word}:" in source or f"def {word}" in source, (
            f"without context.{word}: {USED['get_script_run_ctx'][1]}"
        )


def test_streamlits_router_hears_of_the_history() -> None:
    """`vitviz/frontend/streamlit/router.js` dispatches what it listens to; nothing documented does the same."""
    scripts = (Path(st.__file__).parent / "static").rglob("index.*.js")
    heard = any("`popstate`,this.onHistoryChange" in path.read_text(encoding="utf-8") for path in scripts)
    assert heard, f"Streamlit {st.__version__} hears no address: no page but the first comes, and no drawer opens"


def test_nothing_else_reaches_into_streamlit() -> None:
    own = Path(private.__file__)
    for path in FILES:
        package = ".".join(path.relative_to(ROOT).parent.parts)
        names = [name for _, name in imported(path.read_text(encoding="utf-8"), package) if path != own]
        inside = [name for name in names if name.startswith("streamlit.") and not name.startswith(DOCUMENTED)]
        assert inside == [], f"{path.relative_to(ROOT)} takes it from vitviz/ui/private.py"
