"""Models from files: one's own, uploaded or in the folder that the server names.

What cannot be used is explained here, and None is returned: the last model stays.
"""

import hashlib
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import streamlit as st

from vitviz import numbers
from vitviz.config.sides import Size, read, written
from vitviz.images import digest
from vitviz.pretrained import PRETRAINED
from vitviz.selection import Assumed, Checkpoint, ModelChoice, titled
from vitviz.ui.links import escaped, quoted
from vitviz.ui.server.client import ask
from vitviz.ui.server.turns import turn_of_others
from vitviz.ui.server.uploads import forget
from vitviz.ui.sidebar import assumptions, own_folder, refusals, uploads
from vitviz.ui.sidebar.models import linked

if TYPE_CHECKING:
    from vitviz.forward import FileInfo
    from vitviz.ui.private import UploadedFile


FILE = "your own file"
FOLDER = "VITVIZ_CHECKPOINTS"  # names a folder on the server whose files may be chosen
UPLOADED = (".safetensors", ".npz")
ON_THE_SERVER = (*UPLOADED, ".pth", ".pt")
LONGEST_STEM = 60  # letters of up to 4 bytes; disks take names of 255 bytes
CHECKPOINTS = "checkpoints"  # of the folder of what visitors bring
MAX_UPLOADS = 8  # uploads on the disk, the newest
KEEPING = Lock()  # two visitors may upload at once; those of other servers write files of their own


def own_file() -> ModelChoice | None:
    """A checkpoint that was uploaded, or that lies in the folder which the server names."""
    found = _on_the_server() if os.environ.get(FOLDER) else None
    if found is None:
        found = _uploaded()
    if found is None:
        lost = st.query_params.get(linked.FILE, "")
        refusals.on_the_page(
            "model",
            f"The file {quoted(lost)} of this link is not here, or not yours: the sidebar (S) takes another."
            if lost
            else "A model of your own was chosen, and its file has not come: the sidebar (S) takes it.",
        )
        return None
    path, name = found
    st.caption(f"{quoted(name)}, {numbers.bytes_(path.stat().st_size)}")
    usual = _understood(name, path)
    if usual is None:
        return None
    file, config = _hidden(path), usual.config  # another file has another usual size, so the key names it
    linked.size(f"size {file}", written(config.image_size))
    text = st.text_input("Image size", max_chars=9, key=f"size {file}", help="Pixels of a side, or 96x128.")
    size = read(text) or config.image_size
    linked.say(_in_link(path, name), written(size) if size != config.image_size else "")
    return choice_of(name, path, size)


def choice_of(name: str, path: Path, image_size: Size | None) -> ModelChoice | None:
    """The choice of a file, with the preprocessing that is wanted, what was left out, and what was assumed."""
    usual = _understood(name, path, image_size)
    if usual is None:
        return None
    assumed = Assumed(_hidden(path), usual.config, usual.assumptions)
    chosen = assumptions.chosen(assumed)
    understood = _understood(name, path, image_size, **chosen)
    if understood is None:
        return None
    config, libraries, notes, _ = understood
    library = st.segmented_control(
        "Prepare pictures as",
        sorted(libraries),
        default=libraries[0],
        required=True,
        key="preprocess",
        bind="query-params",
        help="Published parameters have two official ways of resizing and cropping; Patch grid shows what they do.",
    )
    for note in notes:
        st.caption(escaped(note))
    checkpoint = Checkpoint(str(path), _stamp(path), image_size, preprocess=library, **chosen)
    return ModelChoice(name, config, checkpoint=checkpoint, assumed=assumed)


def as_it_is(name: str, image_size: Size | None) -> ModelChoice:
    """A model from a file with all that its file says, and no control; raises `DeviceError`, `WeightsError`."""
    from vitviz.weights import WeightsError, hub

    path, called = (hub.local(name), name) if name in PRETRAINED else _file()
    if path is None:
        raise WeightsError(f"{titled(name)} is not on this server yet; choose it in the sidebar (S) first")
    config, libraries, _, assumed = _inferred(called, path, image_size)
    checkpoint = Checkpoint(str(path), _stamp(path), image_size, preprocess=libraries[0])
    return ModelChoice(called, config, checkpoint=checkpoint, assumed=Assumed(_hidden(path), config, assumed))


def _file() -> tuple[Path | None, str]:
    """The file that this visitor uploaded or chose last, and its name."""
    if chosen := st.session_state.get("server_file"):
        return Path(os.environ[FOLDER]).expanduser() / chosen, chosen
    return st.session_state.get("own_checkpoint", (None, FILE))


def _understood(name: str, path: Path, image_size: Size | None = None, **chosen: Any) -> "FileInfo | None":
    """What a file's model is like; where that cannot be told, why."""
    from vitviz.machine.device import DeviceError
    from vitviz.weights import WeightsError

    try:
        return _inferred(name, path, image_size, **chosen)
    except (DeviceError, WeightsError) as error:
        _explain(error)
        return None


def _inferred(name: str, path: Path, image_size: Size | None, **chosen: Any) -> "FileInfo":
    """Infer a model from the names and shapes in a file, in the engine's worker, because PyTorch reads some files."""
    from vitviz.engine import Request
    from vitviz.forward import look_into

    arguments = (("name", name), ("image_size", image_size), *chosen.items())
    request = Request(look_into, (str(path),), arguments, version=str(_stamp(path)))
    return ask(request, "Reading the file").value


def _hidden(path: Path) -> str:
    """A name for a file in keys, which the browser sees; it tells nobody where the file lies."""
    return digest(str(path).encode())


def _stamp(path: Path) -> tuple[int, ...]:
    """When a checkpoint and the card beside it were last written, and their sizes."""
    states = [file.stat() for file in (path, path.with_name("config.json")) if file.is_file()]
    return tuple(number for state in states for number in (state.st_mtime_ns, state.st_size))


def _on_the_server() -> tuple[Path, str] | None:
    """A file of the server's folder, found by the name that was chosen from its list."""
    files = {
        path.name: path
        for path in sorted(Path(os.environ[FOLDER]).expanduser().glob("*"))
        if path.suffix.lower() in ON_THE_SERVER and path.is_file()
    }
    if (name := linked.from_link("server_file")) in files:
        st.session_state["server_file"] = name
    chosen = st.selectbox("On the server", list(files), index=None, placeholder="or upload one", key="server_file")
    return (files[chosen], chosen) if chosen else None


def _uploaded() -> tuple[Path, str] | None:
    """What was uploaded last, or what the link names, if this browser brought it. It is kept on the disk alone."""
    if content := uploads.look_at_checkpoint(key) if (key := linked.from_link("own_checkpoint")) else b"":
        name = content.decode()
        st.session_state["own_checkpoint"] = own_folder.part(CHECKPOINTS) / key / _name_on_disk(name), name
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
        with turn_of_others():
            path, name = st.session_state["own_checkpoint"] = _write(checkpoint, card)
            uploads.keep_checkpoint(path.parent.name, name.encode())
        for file in files:
            forget(file)
        st.session_state["checkpoint_turn"] = turn + 1
    found: tuple[Path, str] | None = st.session_state.get("own_checkpoint")
    return found if found and found[0].is_file() else None


def _write(checkpoint: "UploadedFile", card: "UploadedFile | None") -> tuple[Path, str]:
    """The upload as a file of its own name, in a folder that bears the digest of it all; the oldest make room."""
    content, config, name = checkpoint.getbuffer(), card.getvalue() if card else b"", _name_on_disk(checkpoint.name)
    digest = hashlib.sha256(hashlib.sha256(content).digest() + name.encode() + b"\0" + config).hexdigest()
    folder = own_folder.part(CHECKPOINTS) / digest
    path, unfinished = folder / name, folder / f"{os.getpid()}.unfinished"
    with KEEPING:
        if not path.is_file():
            folder.mkdir(exist_ok=True)
            if card:
                (folder / "config.json").write_bytes(config)
            unfinished.write_bytes(content)
            unfinished.rename(path)
        with suppress(FileNotFoundError):  # another server was quicker
            for old in sorted(folder.parent.iterdir(), key=lambda it: it.stat().st_mtime)[:-MAX_UPLOADS]:
                shutil.rmtree(old, ignore_errors=True)
    return path, checkpoint.name


def _in_link(path: Path, name: str) -> str:
    """What the address calls a file: its name on the server, or the digest of an upload."""
    return path.parent.name if path.parent.parent == own_folder.part(CHECKPOINTS) else name


def _name_on_disk(name: str) -> str:
    """An upload's name as far as every disk takes it; what is wrong with the file is said of this name."""
    stem = "".join(letter for letter in Path(name).stem if letter.isalnum() or letter in " -_.+()")
    letters = sys.getfilesystemencoding()  # of names: in some places not all that there are
    stem = stem.encode(letters, "ignore").decode(letters)
    return (stem[:LONGEST_STEM].strip(" .") or "model") + Path(name).suffix.lower()


def _explain(error: Exception) -> None:
    refusals.refuse("model", escaped(str(error)))
