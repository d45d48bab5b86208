"""Broken checkpoints, on the whole way of an upload: its card, what it is, and the model with all its parameters.

A file is a good one from benchmarks/fuzz/stored.py whose tensors are changed (sizes, kinds, places, names, depth) or
whose bytes are; some have a card beside them, that may be broken, too.
"""

import random
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from torch import Tensor

from benchmarks.fuzz import stored
from benchmarks.fuzz.cards import card
from benchmarks.fuzz.damage import change_bytes
from benchmarks.fuzz.frame import Subject
from benchmarks.fuzz.stored import good
from benchmarks.fuzz.tampering import tampered
from vitviz.weights import Blueprint, Loaded, WeightsError, inspect, load
from vitviz.weights.files.pytorch import WRAPPERS

TITLES = ("x", "model", "vit_base_patch16_clip_quickgelu_224", "deit_small", "dino")
METADATA: tuple[object, ...] = ({"a": "b" * 10_000}, {"a": 1}, {"a": {"b": {}}}, [1], [[]] * 10_000)
LONGEST_SENTENCE = 800  # letters; four names of a hundred, and what is said about them


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as somebody brings it, and the card beside it, if there is one."""

    name: str
    content: bytes
    card: bytes | None


@dataclass(frozen=True, slots=True)
class Opened:
    """What became of it, and where it lies until the next one is opened."""

    path: Path
    plan: Blueprint
    loaded: Loaded


def broken(seed: int, number: int) -> tuple[str, Upload]:
    """The name of a good file, and the file broken in a way that `seed` and `number` decide."""
    chance = random.Random(f"{seed} {number}")
    form = chance.choices(("safetensors", "npz", "pth"), (6, 3, 1))[0]
    name = chance.choice([name for name in good() if name.startswith(form)])
    data = bytearray(_written(form, name, chance))
    for _ in range(chance.choice((0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 8))):
        change_bytes(data, chance, lambda: _written(form, chance.choice(list(good())), chance))
    suffix = form if chance.random() < 0.98 else chance.choice(("safetensors", "npz", "pth", "onnx"))
    beside = card(chance) if chance.random() < 0.4 else None
    return name, Upload(f"{chance.choice(TITLES)}.{suffix}", bytes(data), beside)


def _written(form: str, name: str, chance: random.Random) -> bytes:
    tensors = tampered(good()[name], chance)
    if form == "safetensors":
        metadata = chance.choice(METADATA) if chance.random() < 0.05 else {"format": "pt"}
        return stored.safetensors(tensors, metadata, chance)
    return stored.npz(tensors, chance) if form == "npz" else stored.pth(tensors, chance)


@cache
def _folder() -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="vitviz-fuzz-")


def opened(upload: Upload) -> Opened:
    """The upload on the disk, looked into, and then read as it was understood: what the app does."""
    folder = Path(_folder().name)
    for old in folder.iterdir():
        old.unlink()
    path = folder / upload.name
    path.write_bytes(upload.content)
    if upload.card is not None:
        (folder / "config.json").write_bytes(upload.card)
    plan = inspect(path, name=upload.name)
    size, heads = plan.config.image_size, plan.config.heads
    return Opened(path, plan, load(path, name=upload.name, image_size=size, heads=heads, device="cpu"))


def kind(sentence: str) -> str:
    """The sentence up to the way out, without names and numbers."""
    return re.sub(r"[^\s,]*[._/…\d(][^\s,]*(,? (and )?\S*[._/…\d)]\S*)*", "N", sentence.split(";")[0])


def fault_of_sentence(sentence: str) -> str:
    """What is wrong with what was said, if anything is."""
    fine = 20 <= len(sentence) <= LONGEST_SENTENCE and sentence.isprintable() and _folder().name not in sentence
    return "" if fine else f"no sentence for people: {sentence[:2000]!r}"


def fault_of_model(found: Opened) -> str:
    """What is wrong with a model, if anything is: its numbers are compared with what another reader finds."""
    plan, loaded = found.plan, found.loaded
    state, there = loaded.model.state_dict(), _read_otherwise(found.path)
    for name, recipe in plan.recipes.items():
        if name in ("cls_token", "pos_embed") and plan.fold:
            continue
        if not torch.equal(state[name], recipe.make(lambda part: there(part).float(), name)):
            return f"{name} is not that of the file"
    if loaded.config != plan.config or set(state) != set(plan.recipes):
        return "it was read otherwise than it was understood"
    if not all(tensor.dtype == torch.float32 and bool(tensor.isfinite().all()) for tensor in state.values()):
        return "a parameter is no finite number"
    words = (*loaded.labels, *loaded.notes)
    if not all(word.isprintable() and len(word) <= LONGEST_SENTENCE for word in words):
        return f"no words for people: {[word[:200] for word in words]}"
    if len(loaded.labels) != loaded.config.classes:
        return f"{len(loaded.labels)} labels for {loaded.config.classes} classes"
    for rule in loaded.preprocesses.values():
        if not all(isfinite(value) for value in (*rule.mean, *rule.std, *(1 / value for value in rule.std))):
            return f"pictures cannot be prepared with {rule}"
    return ""


def _read_otherwise(path: Path) -> Callable[[str], Tensor]:
    """A reader of tensors by name that shares nothing with ours but its name for one layer of a stack."""
    if path.suffix == ".safetensors":
        file = safe_open(path, "pt")
        names, read = set(file.keys()), file.get_tensor
    elif path.suffix == ".npz":
        arrays = np.load(path)
        names, read = set(arrays.files), lambda name: torch.from_numpy(arrays[name])
    else:
        with warnings.catch_warnings(action="ignore"):
            state = _state(torch.load(path, weights_only=True))
        names, read = set(state), state.__getitem__

    def one(name: str) -> Tensor:
        if name in names:
            return read(name)
        found = re.search(r"(?<=/encoderblock)_(\d+)(?=/)", name)
        return read(name[: found.start()] + name[found.end() :])[int(found[1])] if found else read(name)

    return one


def _state(content: Any) -> dict[str, Tensor]:
    """The first dictionary of tensors in what was saved, whatever is around it."""
    while not any(isinstance(value, Tensor) for value in content.values()):
        content = next(content[name] for name in WRAPPERS if isinstance(content.get(name), dict))
    return content


CHECKPOINTS = Subject("checkpoints", broken, opened, WeightsError, fault_of_model, fault_of_sentence, kind)
