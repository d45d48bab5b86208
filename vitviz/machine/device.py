"""Where the model runs: which device, in which precision, and how much memory is left there."""

from __future__ import annotations

import ctypes
import gc
import os
import platform
import re
from dataclasses import dataclass

from vitviz.machine.pytorch import torch
from vitviz.machine.wanted import make_room

M_ARENA_MAX, ARENAS = -8, 2  # what glibc calls it; and a heap for the main thread and one for all others
M_MMAP_THRESHOLD, ALONE = -3, 4 << 20  # bytes that are taken from the system by themselves, and go back as they came
M_TRIM_THRESHOLD, END = -1, 64 << 20  # bytes free at the end of a heap before they go back by themselves
PRECISIONS = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}  # as PyTorch calls them
CARD = re.compile(r"\b(?:GTX |RTX |RX )?[A-Z]*\d\w*")  # what tells one from another: "H100", "RTX 4090", "MI300X"


class DeviceError(RuntimeError):
    """The device cannot do what was asked, said in one sentence with a way out."""


class DeviceMemoryError(DeviceError):
    """The device has too little memory for what was asked; in a smaller precision, or elsewhere, it might fit."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device at one moment: its `kind` ("cpu", "cuda", "mps"), what a person would call it, the precisions that are
    worth using on it, and bytes of memory in use and in all, 0 where it does not say.
    """

    kind: str
    name: str
    precisions: tuple[str, ...]
    used: int
    total: int

    @property
    def short(self) -> str:
        """What fits beside a model's name: "CPU", "CUDA H100", "Apple GPU"; "" as long as no device has answered."""
        if not (self.used or self.total):
            return ""
        if self.kind == "cuda":
            found = CARD.search(self.name)
            return f"CUDA {found[0]}" if found else "CUDA"
        return "CPU" if self.kind == "cpu" else self.name


def describe(choice: str = "auto") -> Device:
    """The device that `pick` takes, as it is now."""
    device = pick(choice)
    return Device(device.type, name(device), tuple(precisions(device)), *memory(device))


def pick(name: str = "auto") -> torch.device:
    """The device called `name`; "auto" takes CUDA, then MPS, then the CPU. Raises `DeviceError`."""
    present = available()
    if name == "auto":
        return torch.device(present[0])
    if name not in present:
        raise DeviceError(f"device {name} is not here; this machine has {' and '.join(present)}")
    return torch.device(name)


def available() -> list[str]:
    """Devices of this machine, fastest first."""
    found = ["cpu"]
    if torch.backends.mps.is_available():
        found.insert(0, "mps")
    if torch.cuda.is_available():
        found.insert(0, "cuda")
    return found


def precisions(device: torch.device) -> list[str]:
    """Precisions that are worth using on `device`; fp32, the exact one, comes first."""
    if device.type == "cuda":
        return ["fp32", "bf16", "fp16"] if torch.cuda.is_bf16_supported() else ["fp32", "fp16"]
    if device.type == "mps":
        return ["fp32", "fp16"]
    return ["fp32", "bf16"] if torch.cpu._is_avx512_bf16_supported() else ["fp32"]


def dtype(precision: str) -> torch.dtype:
    """The type of numbers in a precision."""
    numbers: torch.dtype = getattr(torch, PRECISIONS[precision])
    return numbers


def name(device: torch.device) -> str:
    """What a person would call the device: "NVIDIA H200", "Apple GPU", "CPU, 2 cores"."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    if device.type == "mps":
        return "Apple GPU"
    return f"CPU ({platform.machine()}), {os.cpu_count()} cores"


def memory(device: torch.device) -> tuple[int, int]:
    """Bytes in use and bytes in all: of the GPU, or of the machine and this process where the model runs on the CPU."""
    if device.type == "cuda":
        free, total = torch.cuda.mem_get_info(device)
        return total - free, total
    if device.type == "mps":
        return torch.mps.current_allocated_memory(), torch.mps.recommended_max_memory()
    return resident(), _physical()


def require(needed: int, what: str, device: torch.device) -> None:
    """Raise `DeviceMemoryError` when `needed` bytes for `what` are more than the device has in all, or has free.

    Before that, results that can be made again give way.
    """
    make_room(needed)
    used, total = memory(device)
    free = total - used if device.type != "cpu" else _free(total)
    if needed > free:
        raise DeviceMemoryError(
            f"{what} needs {needed / 1e9:,.1f} GB, and {name(device)} has {free / 1e9:,.1f} GB free; "
            "choose a smaller model or fewer, larger patches"
        )


def synchronise() -> None:
    """Wait until a GPU has finished what it was given; it answers before it has."""
    if torch.accelerator.is_available():
        torch.accelerator.synchronize()


def release_memory() -> None:
    """Return memory that nothing uses any more: to the system, and to the device."""
    trim()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def trim() -> None:
    """Return memory that nothing uses any more to the system, for what C libraries hold back. Needs no PyTorch."""
    gc.collect()
    give_back()


def give_back() -> None:
    """Return what was freed to the system, between what is still in use as well: some 50 ms for a gigabyte."""
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)


def share_heaps() -> None:
    """Let all threads of this process take memory from two heaps: glibc makes up to eight for each core.

    Of each but the first it keeps the free end for itself, up to 64 MB: when a class had left, that was 150 MB. Large
    blocks stay out of them: by itself, glibc puts up to 32 MB there once such a block was freed, and models that come
    and go leave holes, three times what is in use after some minutes.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, ALONE)


def keep_ends_of_heaps() -> None:
    """Let one picture have the memory of the one before: else it is taken anew, a quarter of a picture's CPU time.

    glibc keeps nothing to speak of once it is told which blocks stay out of its heaps.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(M_TRIM_THRESHOLD, END)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether PyTorch ran out of memory; CUDA, MPS and the CPU each say it in their own way."""
    return isinstance(error, DeviceMemoryError | torch.OutOfMemoryError | MemoryError) or (
        isinstance(error, RuntimeError) and any(words in str(error) for words in ("out of memory", "allocate memory"))
    )


def _physical() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0  # Windows does not say; the allocator will


def _free(total: int) -> int:
    try:
        with open("/proc/meminfo") as lines:
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return total or 1 << 62


def resident() -> int:
    """Bytes of memory that this process has, 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as line:
            return int(line.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0  # only Linux says
