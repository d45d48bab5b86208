"""NumPy archives that are no whole ones of plain arrays: one sentence, and nothing in them is run or unpacked."""

import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.checkpoints import TIMM, google_arrays, shaken_state
from tests.hostile_files import Bomb, npy, npz, refused
from vitviz.weights import WeightsError, load


def good() -> dict[str, Any]:
    return google_arrays(shaken_state(TIMM), heads=3)


@pytest.mark.parametrize(
    ("place", "sentence"), [(0, "is a damaged archive"), (8, "is no whole archive .* password required")]
)
def test_a_damaged_or_locked_archive(tmp_path: Path, place: int, sentence: str) -> None:
    np.savez(tmp_path / "x.npz", cls=np.zeros(4, np.float32))
    content = bytearray((tmp_path / "x.npz").read_bytes())
    content[content.index(b"PK\1\2") + place] ^= 1  # byte 0 of the directory's entry is its mark, bit 0 of 8 the lock
    refused(tmp_path / "x.npz", bytes(content), sentence)


def test_an_array_whose_header_never_ends(tmp_path: Path) -> None:
    header = b"{'descr': '<f4', 'shape': (3,"
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("cls.npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header)
    with pytest.raises(WeightsError, match="is no whole archive of plain arrays"):
        load(tmp_path / "x.npz")


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "x.npz", cls=np.zeros(20_000_000, np.float32))
    assert (tmp_path / "x.npz").stat().st_size < 100_000
    with pytest.raises(
        WeightsError, match=r"would unpack 77,\d{3} bytes to 80,000,128 in 1 arrays; trained parameters"
    ):
        load(tmp_path / "x.npz")


def test_an_array_that_announces_more_than_it_holds(tmp_path: Path) -> None:
    npz(tmp_path / "x.npz", {"cls": npy("(100000, 100000)")})
    with pytest.raises(WeightsError, match=r"cls\.npy announces \(100000, 100000\) and holds 0 bytes"):
        load(tmp_path / "x.npz")


def test_an_archive_of_python_objects(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", cls=np.array([Bomb(tmp_path / "mark")], dtype=object))
    with pytest.raises(WeightsError, match=r"cls\.npy holds Python objects, which can run code"):
        load(tmp_path / "x.npz")
    assert not (tmp_path / "mark").exists()


def test_a_damaged_archive(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, **good())
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(WeightsError, match=r"cannot be read|no whole archive"):
        load(path)


def test_an_archive_of_text(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(WeightsError, match="no whole archive of plain arrays"):
        load(tmp_path / "x.npz")


def test_an_archive_that_spans_disks(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", **good())
    whole = (tmp_path / "x.npz").read_bytes()
    place = whole.rindex(b"PK\5\6")
    locator = b"PK\6\7" + struct.pack("<LQL", 0, place, 2)
    for name in ("x.npz", "x.pth", "x.safetensors"):
        refused(tmp_path / name, whole[:place] + locator + whole[place:], "is a damaged archive; copy or download")


def test_an_array_that_stands_twice(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("cls.npy", npy("(2,)", body=bytes(8)))
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("cls.npy", npy("(2,)", body=bytes([1] * 8)))
    with pytest.raises(WeightsError, match=r"x\.npz names cls twice; which of the two is meant cannot be told"):
        load(tmp_path / "x.npz")


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_array_packed_as_numpy_does_not(packing: int, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.npz", "w", packing) as archive:
        archive.writestr("cls.npy", npy("(2,)", body=bytes(8)))
    with pytest.raises(WeightsError, match=r"cls\.npy is packed as NumPy does not pack"):
        load(tmp_path / "x.npz")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (npy("(True, 4)", body=bytes(99)), "begins as no plain array does"),
        (npy("(-4, -4)", body=bytes(99)), "begins as no plain array does"),
        (npy(f"(0x{'f' * 600}, 0)"), "begins as no plain array does"),
        (npy("(4,)" + " " * 2000, body=bytes(99)), "begins as no plain array does"),
        (npy(f"({10**30},)", body=bytes(99)), "announces"),
        (npy("(1,)", "f4,f4"), "announces"),
    ],
)
def test_the_header_of_an_array(line: bytes, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=rf"x\.npz is no whole archive of plain arrays: cls\.npy {sentence}"):
        load(npz(tmp_path / "x.npz", {"cls": line}))


@pytest.mark.parametrize("kind", [">f4", "<f16", "<c8", "<i4", "|V4", "<U1", "|b1"])
def test_numbers_that_are_no_parameters(kind: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", **good() | {"Transformer/encoder_norm/scale": np.zeros(24, kind)})
    with pytest.raises(
        WeightsError, match=r"encoder_norm/scale holds .* numbers; parameters are float64, float32, float16"
    ):
        load(tmp_path / "x.npz")


@pytest.mark.parametrize("kind", ["<f8", "<f4", "<f2"])
def test_numbers_that_are_parameters(kind: str, tmp_path: Path) -> None:
    scale = np.arange(24).astype(kind)
    np.savez(tmp_path / "x.npz", **good() | {"Transformer/encoder_norm/scale": scale})
    assert load(tmp_path / "x.npz", device="cpu").model.get_parameter("norm.weight").tolist() == scale.tolist()
