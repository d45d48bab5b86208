"""One file of the Hub, byte by byte: it goes on where it broke off, and is used when its checksum is right."""

import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vitviz import numbers
from vitviz.weights.errors import WeightsError
from vitviz.weights.hub import sentences
from vitviz.weights.hub.cache import BEGUN, WEIGHTS, checksum, folder_of, local, note, published, revision

CARD = "config.json"
SHA256 = re.compile("[0-9a-f]{64}")
ATTEMPTS, PAUSE = 4, 1.0  # in a row that bring nothing; seconds between two
LOOK = 0.5  # seconds between two looks at what another process fetches
Progress = Callable[[int, int], None]


class BrokenOffError(Exception):
    """The connection ended before the file."""


def fetch(name: str, progress: Progress) -> Path:
    """Download a published model, with its card, and say how far it is; what is there already is not fetched again.

    `progress` is told bytes and total, and ends the download where it raises; what has come is kept for the next time.
    Of several processes one fetches. Raises `WeightsError` with one sentence for every way in which that can fail.
    """
    published(name)
    try:
        path = local(name) or _fetched(name, progress)
        note(name, path)
    except WeightsError:
        raise
    except Exception as error:
        raise WeightsError(sentences.why_not(name, error)) from error
    return path


def _fetched(name: str, progress: Progress) -> Path:
    """The file, from the Hub, in the place where the Hub's client keeps it."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url

    repository, commit_or_branch = published(name).repository, revision(name)
    there = get_hf_file_metadata(hf_hub_url(repository, WEIGHTS, revision=commit_or_branch))
    etag, total = there.etag, there.size
    if not there.commit_hash or not etag or not total:
        raise WeightsError(sentences.no_hub(name))
    progress(0, total)
    commit = Path(hf_hub_download(repository, CARD, revision=commit_or_branch)).parent.name
    blobs = folder_of(name) / "blobs"
    part = blobs / f"{etag}{BEGUN}"
    with _alone(part.with_suffix(".lock"), lambda: progress(_size(part), total)):
        if not (blobs / etag).is_file():
            _require_room(name, blobs, total - _size(part))
            _complete(name, hf_hub_url(repository, WEIGHTS, revision=commit), part, total, progress)
            if SHA256.fullmatch(etag) and checksum(part) != etag:
                part.unlink()
                raise WeightsError(sentences.damaged(name))
            part.replace(blobs / etag)
        return Path(hf_hub_download(repository, WEIGHTS, revision=commit))


def _alone(lock: Path, look: Callable[[], None]) -> Any:
    """Of all processes that share the folder, one at a time; `look` is called while another one fetches."""
    from filelock import FileLock, Timeout

    alone = FileLock(lock)
    while True:
        try:
            return alone.acquire(timeout=LOOK)
        except Timeout:
            look()


def _complete(name: str, url: str, part: Path, total: int, progress: Progress) -> None:
    """Fetch what `part` lacks; a connection that breaks off is taken up again."""
    if _size(part) > total:
        part.unlink()
    fruitless = 0
    while (before := _size(part)) < total:
        try:
            _append(name, url, part, total, progress)
        except BrokenOffError as error:
            now = _size(part)
            fruitless = 0 if now > before else fruitless + 1
            if fruitless == ATTEMPTS:
                raise WeightsError(sentences.broken_off(name, now, total)) from error
            progress(now, total)
            time.sleep(PAUSE)
    progress(total, total)


def _append(name: str, url: str, part: Path, total: int, progress: Progress) -> None:
    """Ask for the rest once, and write down what comes. Raises `BrokenOffError` where that is not all."""
    import httpx2
    from huggingface_hub.constants import HF_HUB_DOWNLOAD_TIMEOUT
    from huggingface_hub.utils import build_hf_headers, get_session, hf_raise_for_status

    had = _size(part)
    headers = build_hf_headers() | {"Accept-Encoding": "identity"} | ({"Range": f"bytes={had}-"} if had else {})
    try:
        with get_session().stream("GET", url, headers=headers, timeout=HF_HUB_DOWNLOAD_TIMEOUT) as answer:
            hf_raise_for_status(answer)
            if answer.headers.get("content-type", "").startswith("text/html"):
                raise WeightsError(sentences.no_hub(name))
            goes_on = answer.status_code == 206
            size = had if goes_on else 0
            with open(part, "ab" if goes_on else "wb") as file:
                for chunk in answer.iter_bytes():
                    size += len(chunk)
                    if size > total:
                        break
                    file.write(chunk)
                    progress(size, total)
    except (httpx2.ConnectError, httpx2.ProxyError) as error:
        if had:
            raise BrokenOffError from error
        raise
    except httpx2.TransportError as error:
        raise BrokenOffError from error
    except OSError as error:
        if error.errno in sentences.FULL:
            part.unlink(missing_ok=True)  # others need the room
        raise
    if size > total:
        part.unlink()
        raise WeightsError(sentences.too_long(name, total))
    if size < total:
        raise BrokenOffError


def _require_room(name: str, folder: Path, nbytes: int) -> None:
    if (free := shutil.disk_usage(folder).free) < nbytes:
        title, left = published(name).title, numbers.bytes_(free)
        raise WeightsError(
            f"the disk has {left} left, and {title} takes {numbers.bytes_(nbytes)} more; make room, or set HF_HOME to "
            "a folder on another disk"
        )


def _size(path: Path) -> int:
    return os.path.getsize(path) if path.is_file() else 0
