"""Published models from the Hugging Face Hub: fetched once, safetensors only, at a commit that is noted.

The variables of the Hub's own client hold: `HF_HOME`, `HF_HUB_OFFLINE`, `HF_TOKEN`, `HF_ENDPOINT` ...
"""

import errno
import hashlib
import json
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from vitviz.pretrained import PRETRAINED, Pretrained
from vitviz.weights.errors import WeightsError

if TYPE_CHECKING:
    from tqdm.std import tqdm

WEIGHTS, CARD = "model.safetensors", "config.json"
NOTES = "vitviz.json"  # in the Hub's cache: revision and sha256 of what was downloaded
EVENING = "Run `python -m vitviz weights download {name}` where there is a network"
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Download:
    """A download under way or finished: bytes so far and in all (0 until that is known), and the file to come."""

    path: "Future[Path]"
    done: int = 0
    total: int = 0


@dataclass(slots=True)
class _Downloads:
    """All downloads of this process: one at a time, and one for each model, whoever asks for it."""

    worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "download"))
    lock: Lock = field(default_factory=Lock)
    latest: dict[str, Download] = field(default_factory=dict)


_DOWNLOADS = _Downloads()


def local(name: str) -> Path | None:
    """The file of a published model if it is on this machine already; the network is not asked."""
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError:
        return None
    model = _model(name)
    found = try_to_load_from_cache(model.repository, WEIGHTS, revision=_revision(name, model))
    return Path(found) if isinstance(found, str) else None


def discard(name: str) -> None:
    """Delete the file of a published model from this machine, with what was noted about it."""
    if path := local(name):
        content = path.resolve()
        path.unlink()
        content.unlink(missing_ok=True)
    if noted := _noted():
        _notes_file().write_text(
            json.dumps({other: noted[other] for other in noted if other != name}, indent=1), encoding="utf-8"
        )


def latest(name: str) -> Download | None:
    """The download of a published model that is under way or ended last in this process, whoever asked for it."""
    with _DOWNLOADS.lock:
        return _DOWNLOADS.latest.get(name)


def start(name: str) -> Download:
    """The download of a published model: the one that is under way, or a new one."""
    _model(name)
    with _DOWNLOADS.lock:
        running = _DOWNLOADS.latest.get(name)
        if running and not running.path.done():
            return running
        download = Download(Future())
        _DOWNLOADS.latest[name] = download
    _DOWNLOADS.worker.submit(_run, name, download)
    return download


def fetch(name: str, progress: Progress) -> Path:
    """Download a published model, with its card, and say how far it is; what is there already is not fetched again.

    Raises `WeightsError` with one sentence for every way in which that can fail.
    """
    model = _model(name)
    try:
        from huggingface_hub import hf_hub_download
    except ImportError as error:
        raise WeightsError("downloads need huggingface_hub: pip install huggingface_hub") from error
    revision = _revision(name, model)
    try:
        hf_hub_download(model.repository, CARD, revision=revision)
        path = Path(hf_hub_download(model.repository, WEIGHTS, revision=revision, tqdm_class=_bar(progress)))
    except Exception as error:
        raise WeightsError(_sentence(name, model, error)) from error
    _note(name, path)
    return path


def _run(name: str, download: Download) -> None:
    def progress(done: int, total: int) -> None:
        download.done, download.total = done, total

    try:
        download.path.set_result(fetch(name, progress))
    except BaseException as error:  # whoever waits is told, whatever it is
        download.path.set_exception(error)


def _model(name: str) -> Pretrained:
    if name not in PRETRAINED:
        raise WeightsError(f"no published model is called {name}; there are {', '.join(PRETRAINED)}")
    return PRETRAINED[name]


def _bar(progress: Progress) -> "type[tqdm[Any]]":
    """A progress bar for the Hub's client that draws nothing and tells `progress`."""
    from tqdm.std import tqdm

    class Bar(tqdm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            kwargs.pop("name", None)
            super().__init__(*args, **(kwargs | {"disable": True}))
            self.total = kwargs.get("total") or 0
            self.seen = kwargs.get("initial") or 0

        def update(self, n: float | None = 1) -> None:
            self.seen += n or 0
            progress(int(self.seen), int(self.total or 0))

    return Bar


def _sentence(name: str, model: Pretrained, error: Exception) -> str:
    from huggingface_hub import errors

    there = f"{model.repository} on the Hugging Face Hub"
    if isinstance(error, errors.GatedRepoError):
        return f"{there} asks for an agreement first; accept it on its page and set HF_TOKEN"
    if isinstance(error, errors.RevisionNotFoundError):
        return f"{there} has no revision {model.revision}; it was withdrawn, so choose another model"
    if isinstance(error, errors.RepositoryNotFoundError | errors.RemoteEntryNotFoundError):
        return f"{there} was not found, or has no {WEIGHTS}; choose another model"
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return f"the disk is full: {name} takes {model.megabytes:,} MB; make room, or set HF_HOME to another disk"
    if isinstance(error, errors.OfflineModeIsEnabled | errors.LocalEntryNotFoundError | ConnectionError | TimeoutError):
        return f"{name} is not on this machine, and the Hugging Face Hub is out of reach. {EVENING.format(name=name)}"
    return f"{name} could not be downloaded ({type(error).__name__}). {EVENING.format(name=name)}"


def _revision(name: str, model: Pretrained) -> str | None:
    """The commit to take: the one in the list, or the one that the first download noted."""
    return model.revision or _noted().get(name, {}).get("revision")


def _notes_file() -> Path:
    from huggingface_hub.constants import HF_HUB_CACHE

    return Path(HF_HUB_CACHE) / NOTES


def _noted() -> dict[str, dict[str, str]]:
    try:
        noted = json.loads(_notes_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _note(name: str, path: Path) -> None:
    """Write down commit and sha256. Raises `WeightsError` where the same commit once held other bytes."""
    with open(path, "rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    now = {"revision": path.parent.name, "sha256": sha256}
    noted = _noted()
    before = noted.get(name, now)
    if before["revision"] == now["revision"] and before["sha256"] != sha256:
        raise WeightsError(
            f"the Hub's file of {name} has changed since it was downloaded; delete it and download {name} again"
        )
    _notes_file().write_text(json.dumps(noted | {name: now}, indent=1), encoding="utf-8")
