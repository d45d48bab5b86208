"""Checkpoint files written by hand from tensors that may be anything, and the good ones that others are broken from."""

import io
import json
import random
import re
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import torch
from torch import Tensor

from tests.checkpoints import google_arrays, shaken_state
from vitviz.config import ViTConfig
from vitviz.weights.naming.tables import (
    HUGGING_FACE_CLIP,
    HUGGING_FACE_DINOV2,
    HUGGING_FACE_SIGLIP,
    HUGGING_FACE_VIT,
    OPENAI_CLIP,
)

BITS = {
    "F32": 32,
    "F64": 64,
    "F16": 16,
    "BF16": 16,
    "I64": 64,
    "I32": 32,
    "I16": 16,
    "I8": 8,
    "U8": 8,
    "BOOL": 8,
    "F4": 4,
    "F6_E2M3": 6,
    "F6_E3M2": 6,
    "F8_E4M3": 8,
    "F8_E5M2": 8,
    "F8_E8M0": 8,
    "C64": 64,
    "F128": 128,
    "": 0,
}
NUMPY = {"F32": "<f4", "F64": "<f8", "F16": "<f2", "I64": "<i8", "I32": ">i4", "U8": "|u1", "BOOL": "|b1", "C64": "<c8"}
NUMPY |= {"F128": "<f16", "F4": "|V0", "I8": "|O", "I16": ">f4", "BF16": "<V2", "": "", "F8_E4M3": "f4,f4"}
TORCH = {"F32": torch.float32, "F64": torch.float64, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64}
TORCH |= {"C64": torch.complex64, "U8": torch.uint8, "BOOL": torch.bool}
LONGEST_BODY = 2_000_000  # bytes of a tensor whose shape was made longer


@dataclass
class Stored:
    """One tensor as it will stand in a file. `places` are its data offsets, where they are not the true ones."""

    name: str
    kind: str
    shape: list[Any]
    body: bytes
    places: list[Any] | None = None

    def fit(self) -> None:
        """Give it as many bytes as its shape and kind ask for, if that is possible and not too much."""
        sizes = [size for size in self.shape if type(size) is int and size >= 0]
        if len(sizes) == len(self.shape) and (wanted := prod(sizes) * BITS[self.kind] // 8) <= LONGEST_BODY:
            self.body = self.body[:wanted].ljust(wanted, b"\0")


SMALL = ViTConfig(image_size=8, patch_size=4, dim=12, depth=2, heads=3, mlp_dim=20, classes=7)
PLAIN = SMALL.with_(classes=0)
FAMILIES = {
    "ViT": SMALL,
    "DeiT": SMALL.with_(distilled=True),
    "DINOv2": PLAIN.with_(layer_scale=True, registers=2, prefix_positions=False),
    "SwiGLU": PLAIN.with_(layer_scale=True, activation="swiglu"),
    "CLIP": PLAIN.with_(input_norm=True, patch_bias=False),
    "SigLIP": PLAIN.with_(pool="attention"),
    "relative": SMALL.with_(positions="relative", norm="rms", pool="mean", keep_class_token=True),
    "fc_norm": SMALL.with_(pool="mean", norm_after_pooling=True),
}


LAYOUTS = {
    "safetensors Hugging Face ViT": ("ViT", HUGGING_FACE_VIT, ""),
    "safetensors Hugging Face DeiT": ("DeiT", HUGGING_FACE_VIT, "deit."),
    "safetensors Hugging Face DINOv2": ("DINOv2", HUGGING_FACE_DINOV2, "dinov2."),
    "safetensors Hugging Face CLIP": ("CLIP", HUGGING_FACE_CLIP, "vision_model."),
    "safetensors Hugging Face SigLIP": ("SigLIP", HUGGING_FACE_SIGLIP, "vision_model."),
    "safetensors OpenAI CLIP": ("CLIP", OPENAI_CLIP, "visual."),
    "pth Hugging Face ViT": ("ViT", HUGGING_FACE_VIT, "vit."),
}


@cache
def good() -> dict[str, list[Stored]]:
    """Small checkpoints by name: their format, whose names they have, and of what family they are."""
    states = {family: shaken_state(config) for family, config in FAMILIES.items()}
    files = {f"{form} timm {family}": states[family] for form in ("safetensors", "pth") for family in FAMILIES}
    files |= {name: _renamed(states[family], names, prefix) for name, (family, names, prefix) in LAYOUTS.items()}
    for age in ("old", "new"):
        arrays = google_arrays(states["ViT"], SMALL.heads, old=age == "old")
        files[f"npz Google {age}"] = {name: torch.from_numpy(array) for name, array in arrays.items()}
    files["npz big_vision"] = _stacked(files["npz Google new"])
    return {
        name: [Stored(key, "F32", list(tensor.shape), tensor.numpy().tobytes()) for key, tensor in state.items()]
        for name, state in files.items()
    }


def _renamed(state: Mapping[str, Tensor], names: Mapping[str, str], prefix: str) -> dict[str, Tensor]:
    """timm's tensors by the names of a table, with q, k and v apart or together as they are there."""
    theirs = {ours: name for name, ours in reversed(list(names.items()))}
    parts = dict(state)
    for name, tensor in state.items():
        if ".attn.qkv." in name and "blocks.{i}.attn.q" in theirs:
            parts |= {name.replace("qkv", part): third for part, third in zip("qkv", tensor.chunk(3), strict=True)}
            del parts[name]
        elif name.startswith("attn_pool.q."):
            parts[name.replace(".q.", ".qkv.")] = torch.cat([parts.pop(name), parts.pop(name.replace(".q.", ".kv."))])
    return {prefix + _their_name(name, theirs): tensor.contiguous() for name, tensor in parts.items()}


def _their_name(name: str, theirs: Mapping[str, str]) -> str:
    layer = next((part for part in name.split(".") if part.isdigit()), "")
    general = name.replace(f"blocks.{layer}.", "blocks.{i}.")
    module, _, leaf = general.rpartition(".")
    found = theirs.get(general) or f"{theirs[module]}.{leaf}"
    return found.replace("{i}", layer)


def _stacked(arrays: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Google's arrays with the blocks in one, as big_vision has them."""
    first = [name for name in arrays if "encoderblock_0/" in name]
    others = {name: array for name, array in arrays.items() if "encoderblock_" not in name}
    return others | {
        name.replace("_0/", "/", 1): torch.stack([arrays[name.replace("_0/", f"_{i}/", 1)] for i in range(SMALL.depth)])
        for name in first
    }


def safetensors(tensors: Iterable[Stored], metadata: object, chance: random.Random) -> bytes:
    """The bytes of a safetensors file; unlike the library, it writes whatever is asked of it."""
    entries, body = [f'"__metadata__":{json.dumps(metadata)}'] if metadata else [], bytearray()
    for tensor in tensors:
        places = tensor.places or [len(body), len(body) + len(tensor.body)]
        entry = {"dtype": tensor.kind, "shape": tensor.shape, "data_offsets": places}
        entries.append(f"{json.dumps(tensor.name)}:{json.dumps(entry)}")
        body += tensor.body
    header = ("{" + ",".join(entries) + "}").encode()
    odd = chance.random() < 0.02
    length = chance.choice((0, len(header) - 1, len(header) + 1, 2**20, 2**62)) if odd else len(header)
    return struct.pack("<Q", length) + header + bytes(body)


def npz(tensors: Iterable[Stored], chance: random.Random) -> bytes:
    """The bytes of a NumPy archive, packed or not."""
    file = io.BytesIO()
    packing = chance.choices((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA), (20, 10, 1))[0]
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(file, "w", packing) as archive:
        for tensor in tensors:
            order, shape = chance.random() < 0.01, tuple(tensor.shape)
            header = f"{{'descr': '{NUMPY.get(tensor.kind, 'u1')}', 'fortran_order': {order}, 'shape': {shape}, }}\n"
            version = chance.choice((1, 1, 1, 2, 3)) if chance.random() < 0.02 else 1
            length = len(header).to_bytes(2 if version == 1 else 4, "little")
            name = tensor.name.encode("utf-8", "replace").decode()[:20_000]  # of 65,535 bytes at most
            member = zipfile.ZipInfo(f"{name}.npy")  # of no date, so that the same file comes out every time
            member.compress_type = packing
            archive.writestr(member, b"\x93NUMPY" + bytes((version, 0)) + length + header.encode() + tensor.body)
    content = bytearray(file.getvalue())
    for _ in range(chance.choice((0, 0, 0, 0, 0, 0, 0, 0, 1, 3))):
        _forge(content, chance)
    return bytes(content)


def _forge(archive: bytearray, chance: random.Random) -> None:
    """Another number in the table of contents, in a member's own header, or at the end of a ZIP file."""
    fields = chance.choice(tuple(ZIP_NUMBERS))
    at = chance.choice([found.start() for found in re.finditer(re.escape(fields), archive)] or [0])
    offset, code = chance.choice(ZIP_NUMBERS[fields])
    if at + offset + struct.calcsize(code) <= len(archive):
        (old,) = struct.unpack_from(code, archive, at + offset)
        most = 1 << 8 * struct.calcsize(code)
        new = chance.choice((0, 1, old - 1, old + 1, 2 * old, most - 1, chance.randrange(most), len(archive)))
        struct.pack_into(code, archive, at + offset, new % most)


# Where a ZIP file keeps flags, packing, checksums, sizes, lengths, counts and places: offset and struct code.
ZIP_NUMBERS = {
    b"PK\1\2": (
        (8, "<H"),
        (10, "<H"),
        (16, "<L"),
        (20, "<L"),
        (24, "<L"),
        (28, "<H"),
        (30, "<H"),
        (32, "<H"),
        (42, "<L"),
    ),
    b"PK\3\4": ((6, "<H"), (8, "<H"), (14, "<L"), (18, "<L"), (22, "<L"), (26, "<H"), (28, "<H")),
    b"PK\5\6": ((4, "<H"), (6, "<H"), (8, "<H"), (10, "<H"), (12, "<L"), (16, "<L"), (20, "<H")),
}
ODD: tuple[Callable[[], object], ...] = (
    lambda: torch.eye(12).to_sparse(),
    lambda: torch.empty(12, device="meta"),
    lambda: torch.zeros(1).expand(10**6, 10**6),
    lambda: torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
    lambda: torch.zeros(12, dtype=torch.complex64),
    lambda: torch.nn.Parameter(torch.zeros(3)),
    lambda: torch.zeros(12)[::2],
    lambda: {"model": {"model": [1, 2]}},
    lambda: (),
)


WRAPPERS = ((), (), ("model",), ("state_dict", "model"), ("teacher", "model", "module", "x"))


def pth(tensors: Iterable[Stored], chance: random.Random) -> bytes:
    """The bytes of a PyTorch file, old or new; a tensor that cannot be is replaced by an odd one."""
    state: dict[object, object] = {}
    with warnings.catch_warnings(action="ignore"):
        for tensor in tensors:
            try:
                content = torch.frombuffer(bytearray(tensor.body), dtype=TORCH[tensor.kind]).reshape(tensor.shape)
                state[tensor.name] = content
            except Exception:
                state[tensor.name] = chance.choice(ODD)()
        for wrapper in chance.choice(WRAPPERS):
            state = {wrapper: state, "epoch": 3}
        if chance.random() < 0.05:
            state["model"] = state
        file = io.BytesIO()
        torch.save(state, file, _use_new_zipfile_serialization=chance.random() < 0.8)
    places = dict.fromkeys(re.findall(rb"\d{12,}", file.getvalue()))  # in memory, which old files name
    numbers = {place: b"%0*d" % (len(place), number) for number, place in enumerate(places)}
    return re.sub(rb"\d{12,}", lambda found: numbers[found[0]], file.getvalue())
