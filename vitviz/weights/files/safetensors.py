"""safetensors (https://github.com/huggingface/safetensors): a header in JSON, then the numbers of all tensors."""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from vitviz.shown import quoted
from vitviz.weights.errors import WeightsError
from vitviz.weights.files.source import MOST_TENSORS, Source, require_count, require_unique

LONGEST_HEADER = 1_000_000  # bytes; the header of a Vision Transformer of a billion parameters takes 90,000
METADATA = "__metadata__"
DTYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I8": torch.int8}


def open_safetensors(path: Path) -> Source:
    """The library checks the header; the numbers are then read one tensor at a time, so that none is held twice."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > LONGEST_HEADER:
            raise WeightsError(
                f"{path.name} announces a header of {length:,} bytes; that of a Vision Transformer has fewer than "
                f"{LONGEST_HEADER:,}, so it is none or was cut off"
            )
        text = file.read(length)
    try:
        entries = _parsed(path.name, text)
        with safe_open(path, "pt"):  # each tensor fits its place, and they stand side by side up to the end
            entries.pop(METADATA, None)
    except (SafetensorError, ValueError, RecursionError) as error:
        if isinstance(error, WeightsError):
            raise
        raise WeightsError(f"{path.name} is not a whole safetensors file; save it again or download it anew") from error

    def read(name: str) -> Tensor:
        kind, (start, end) = entries[name]["dtype"], entries[name]["data_offsets"]
        if kind not in DTYPES:
            raise WeightsError(f"{quoted(name)} holds {kind} numbers; parameters are {', '.join(DTYPES)} with a scale")
        raw = torch.empty(end - start, dtype=torch.uint8)
        try:
            with open(path, "rb", buffering=0) as file:
                file.seek(8 + length + start)
                whole = file.readinto(raw.numpy().data) == len(raw)
        except OSError:  # an upload makes room for others
            whole = False
        if not whole:
            raise WeightsError(f"{path.name} became shorter, or went away, while it was read; load it again")
        return raw.view(DTYPES[kind]).reshape(entries[name]["shape"])

    return Source(path.name, {name: tuple(entry["shape"]) for name, entry in entries.items()}, read)


def _parsed(title: str, text: bytes) -> dict[str, Any]:
    """The header; refuses names that stand twice, and an object too many as soon as it is met."""
    objects = 0

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal objects
        objects += 1
        if objects > MOST_TENSORS + 2:  # the header itself and its metadata
            require_count(title, objects)
        if len(content := dict(pairs)) < len(pairs):
            require_unique(title, (name for name, _ in pairs))
        return content

    header = json.loads(str(text, "utf-8"), object_pairs_hook=once)
    return header if isinstance(header, dict) else {}
