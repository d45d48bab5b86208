"""Models from files: published ones, which are fetched once, and a file of one's own.

What cannot be used is explained here, and None is returned: the last model stays.
"""

import hashlib
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import TYPE_CHECKING, Any

import streamlit as st

from vitviz import numbers
from vitviz.config import ViTConfig
from vitviz.pretrained import PRETRAINED
from vitviz.ui.links import literal, plain
from vitviz.ui.view import Checkpoint, Choice

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

FILE = "your own file"
FOLDER = "VITVIZ_CHECKPOINTS"  # names a folder on the server whose files may be chosen
UPLOADED = (".safetensors", ".npz")
ON_THE_SERVER = (*UPLOADED, ".pth", ".pt")
KEPT = 8  # uploads on the disk, the newest
LOOK = 0.2  # seconds between two looks at a download


def published(name: str, forward: bool) -> Choice | None:
    """A published model; a page with a forward has it fetched, others need only its sizes."""
    model = PRETRAINED[name]
    st.caption(f"{model.about[0].upper()}{model.about[1:]}. {model.licence}.")
    if not forward:
        return Choice(name, model.config)
    path = _fetched(name)
    return _choice(name, path, model.config.image_size, None) if path else None


def own_file() -> Choice | None:
    """A checkpoint that was uploaded, or that lies in the folder which the server names."""
    found = _on_the_server() if os.environ.get(FOLDER) else None
    if found is None:
        found = _uploaded()
    if found is None:
        st.caption("Until then, the last model stays.")
        return None
    path, name = found
    st.caption(f"{plain(name)}, {numbers.bytes_(path.stat().st_size)}")
    usual = _understood(name, path)
    if usual is None:
        return None
    config, *_ = usual
    left, right = st.columns(2)
    # The keys name the file: another one has other usual values.
    image_size = left.number_input("Image size", 1, 4096, config.image_size, config.patch_size, key=f"size {path}")
    heads = right.number_input("Heads", 1, 1024, config.heads, key=f"heads {path}", help="Most files do not tell.")
    return _choice(name, path, image_size, heads)


def _choice(name: str, path: Path, image_size: int | None, heads: int | None) -> Choice | None:
    """The choice of a file, with the preprocessing that is wanted, and what was left out or assumed."""
    understood = _understood(name, path, image_size, heads)
    if understood is None:
        return None
    config, houses, notes = understood
    house = st.segmented_control(
        "Prepare pictures as",
        sorted(houses),
        default=houses[0],
        required=True,
        key="preprocess",
        bind="query-params",
        help="Published parameters have two official ways of resizing and cropping; Patch grid shows what they do.",
    )
    for note in notes:
        st.caption(literal(note))
    checkpoint = Checkpoint(str(path), path.stat().st_mtime_ns, image_size, heads, house)
    return Choice(name, config, checkpoint=checkpoint)


def _understood(
    name: str, path: Path, image_size: int | None = None, heads: int | None = None
) -> tuple[ViTConfig, list[str], tuple[str, ...]] | None:
    from vitviz.weights import WeightsError

    try:
        return _inspected(str(path), path.stat().st_mtime_ns, name, image_size, heads)
    except WeightsError as error:
        _explain(error)
        return None


@st.cache_data(max_entries=64, show_spinner=False)
def _inspected(
    path: str, stamp: int, name: str, image_size: int | None, heads: int | None
) -> tuple[ViTConfig, list[str], tuple[str, ...]]:
    """Sizes, preprocessings and notes of a file, from its names and shapes alone."""
    from vitviz.weights import inspect

    plan = inspect(path, name=name, image_size=image_size, heads=heads)
    return plan.config, list(plan.preprocesses), plan.notes


def _fetched(name: str) -> Path | None:
    """The file of a published model; where it is not here yet, its download, byte by byte."""
    from vitviz.weights import WeightsError, hub

    path = hub.local(name)
    if path:
        return path
    failures: dict[str, str] = st.session_state.setdefault("failed_downloads", {})
    if name in failures:
        st.error(f"{literal(failures[name])}. The last model stays.")
        if not st.button("Try again", key="download_again"):
            return None
    download = hub.start(name)
    bar = st.progress(0.0)
    while not download.path.done():
        share = min(download.done / download.total, 1.0) if download.total else 0.0
        known = f"{numbers.bytes_(download.done)} of {numbers.bytes_(download.total)}" if download.total else "…"
        bar.progress(share, text=f"Downloading {known}")
        sleep(LOOK)
    bar.empty()
    try:
        path = download.path.result()
    except WeightsError as error:
        failures[name] = str(error)
        _explain(error)
        return None
    failures.pop(name, None)
    return path


def _on_the_server() -> tuple[Path, str] | None:
    """A file of the server's folder, found by the name that was chosen from its list."""
    files = {
        path.name: path
        for path in sorted(Path(os.environ[FOLDER]).expanduser().glob("*"))
        if path.suffix.lower() in ON_THE_SERVER and path.is_file()
    }
    chosen = st.selectbox("On the server", list(files), index=None, placeholder="or upload one", key="server_file")
    return (files[chosen], chosen) if chosen else None


def _uploaded() -> tuple[Path, str] | None:
    """What was uploaded last. It is kept on the disk, and Streamlit forgets its copy at the next run."""
    turn = st.session_state.setdefault("checkpoint_turn", 0)
    files = st.file_uploader(
        f"Upload a checkpoint, up to {st.get_option('server.maxUploadSize')} MB, and its config.json if there is one",
        [*UPLOADED, ".json"],
        accept_multiple_files=True,
        key=f"checkpoint_{turn}",
    )
    checkpoint = next((file for file in files if Path(file.name).suffix.lower() in UPLOADED), None)
    if checkpoint:
        card = next((file for file in files if Path(file.name).suffix.lower() == ".json"), None)
        st.session_state["own_checkpoint"] = _kept(checkpoint, card)
        st.session_state["checkpoint_turn"] = turn + 1
    found: tuple[Path, str] | None = st.session_state.get("own_checkpoint")
    return found if found and found[0].is_file() else None


def _kept(checkpoint: "UploadedFile", card: "UploadedFile | None") -> tuple[Path, str]:
    """The upload as a file that bears the digest of its bytes, with its card beside it; the oldest make room."""
    content, told = checkpoint.getbuffer(), card.getvalue() if card else b""
    digest = hashlib.sha256(hashlib.sha256(content).digest() + told).hexdigest()
    folder = Path(_uploads().name) / digest
    path = folder / f"model{Path(checkpoint.name).suffix.lower()}"
    if not path.is_file():
        folder.mkdir(exist_ok=True)
        if card:
            (folder / "config.json").write_bytes(told)
        path.write_bytes(content)
    for old in sorted(folder.parent.iterdir(), key=lambda it: it.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old)
    return path, checkpoint.name


@st.cache_resource(show_spinner=False)
def _uploads() -> "TemporaryDirectory[Any]":
    """A folder that goes when the server ends."""
    return TemporaryDirectory(prefix="vitviz-")


def _explain(error: Exception) -> None:
    st.error(f"{literal(str(error))}. The last model stays.")
