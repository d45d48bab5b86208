"""Where published models lie on this machine, in the folder of the Hub's own client, and what is noted of them."""

import hashlib
import json
from pathlib import Path

from vitviz.pretrained import PRETRAINED, Pretrained
from vitviz.weights.errors import WeightsError

WEIGHTS = "model.safetensors"
NOTES = "vitviz.json"  # revision and sha256 of what was downloaded
BEGUN = ".vitviz.incomplete"  # the end of a file's name as long as it has not all come


def published(name: str) -> Pretrained:
    """The published model of that name; raises `WeightsError` where there is none."""
    if name not in PRETRAINED:
        raise WeightsError(f"no published model is called {name}; there are {', '.join(PRETRAINED)}")
    return PRETRAINED[name]


def local(name: str) -> Path | None:
    """The file of a published model if it is on this machine already; the network is not asked."""
    folder = folder_of(name)
    try:
        commit = revision(name) or (folder / "refs" / "main").read_text(encoding="utf-8").strip()
        path = folder / "snapshots" / commit / WEIGHTS
        return path if path.is_file() else None
    except (OSError, ValueError):
        return None


def begun(name: str) -> int:
    """Bytes that have come of a file of which the rest has not."""
    sizes = [path.stat().st_size for path in (folder_of(name) / "blobs").glob(f"*{BEGUN}")]
    return max(sizes, default=0)


def discard(name: str) -> None:
    """Delete the file of a published model from this machine, with what was noted about it."""
    if path := local(name):
        content = path.resolve()
        path.unlink()
        content.unlink(missing_ok=True)
    if noted := _noted():
        _write({other: noted[other] for other in noted if other != name})


def revision(name: str) -> str | None:
    """The commit to take: the one in the list, or the one that the first download noted."""
    return published(name).revision or _noted().get(name, {}).get("revision")


def note(name: str, path: Path) -> None:
    """Write down commit and sha256. Raises `WeightsError` where the same commit once held other bytes."""
    now = {"revision": path.parent.name, "sha256": checksum(path)}
    noted = _noted()
    before = noted.get(name, now)
    if before["revision"] == now["revision"] and before["sha256"] != now["sha256"]:
        title = published(name).title
        raise WeightsError(
            f"the Hub's file of {title} has changed since it was downloaded; delete it and download {title} again"
        )
    if noted.get(name) != now:
        _write(noted | {name: now})


def checksum(path: Path) -> str:
    """The sha256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder_of(name: str) -> Path:
    """The folder of a published model, with `blobs`, `refs` and `snapshots`; it need not be there."""
    return _cache() / f"models--{published(name).repository.replace('/', '--')}"


def _cache() -> Path:
    from huggingface_hub.constants import HF_HUB_CACHE

    return Path(HF_HUB_CACHE)


def _noted() -> dict[str, dict[str, str]]:
    try:
        noted = json.loads((_cache() / NOTES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _write(noted: dict[str, dict[str, str]]) -> None:
    (_cache() / NOTES).write_text(json.dumps(noted, indent=1), encoding="utf-8")
