"""Open a checkpoint by the format that its first bytes tell; a suffix that tells another one is refused."""

from pathlib import Path

from vitviz.machine.disk import why
from vitviz.weights.errors import WeightsError
from vitviz.weights.files.npz import open_archive, open_npz
from vitviz.weights.files.pytorch import open_pickle
from vitviz.weights.files.safetensors import open_safetensors
from vitviz.weights.files.source import Source

SUFFIXES = {".safetensors": "safetensors", ".npz": "npz", ".pth": "pickle", ".pt": "pickle", ".bin": "pickle"}
KINDS = {"safetensors": "a safetensors file", "npz": "a NumPy archive", "pickle": "a PyTorch pickle"}
OTHER_FORMATS = (
    (b"<", "a web page, as a refused download leaves behind; download the file itself"),
    (b"version https://git-lfs", "a Git LFS pointer; fetch the file that it points to"),
    (b"{", "JSON text; the checkpoint is the file beside it"),
    (b"\x89HDF", "an HDF5 file; save it as safetensors"),
    (b"GGUF", "a GGUF file of a language model"),
    (b"\x89PNG", "a picture; choose it above, as the picture"),
    (b"\xff\xd8\xff", "a picture; choose it above, as the picture"),
)


def open_source(path: Path) -> Source:
    """Look into a checkpoint. Raises `WeightsError` for whatever is not one, without running or unpacking any of it."""
    try:
        with open(path, "rb") as file:
            start = file.read(512)
    except OSError as error:
        raise WeightsError(f"{path.name} cannot be read: {why(error)}") from error
    expected = SUFFIXES.get(path.suffix.lower())
    if expected is None:
        raise WeightsError(f"{path.name} has none of the suffixes of a checkpoint: {', '.join(SUFFIXES)}")
    found = _kind(path, start)
    if found is None:
        raise WeightsError(f"{path.name} is {_other_format(start, expected)}")
    if found != expected:
        raise WeightsError(
            f"{path.name} is not {KINDS[expected]} but {KINDS[found]}; "
            + ("pickles can run code, so save it as safetensors" if found == "pickle" else "give it its own suffix")
        )
    return {"safetensors": open_safetensors, "npz": open_npz, "pickle": open_pickle}[found](path)


def _kind(path: Path, start: bytes) -> str | None:
    if start[:2] == b"PK":
        with open_archive(path) as archive:
            return "pickle" if any(name.endswith(".pkl") for name in archive.namelist()) else "npz"
    if start[:1] == b"\x80" and start[1:2] <= b"\x05" and start[8:9] != b"{":
        return "pickle"
    return "safetensors" if start[8:9] == b"{" else None


def _other_format(start: bytes, expected: str) -> str:
    if not start:
        return "empty; copy or download it again"
    for magic, what in OTHER_FORMATS:
        if start.lstrip().startswith(magic):
            return what
    return f"not {KINDS[expected]}, or cut off; copy or download it again"
