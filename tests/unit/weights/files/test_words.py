"""A file's own words in a sentence: short, in one line, and such that they can be sent."""

from pathlib import Path

import pytest
import torch

from tests.checkpoints import TIMM, save, shaken_state
from tests.hostile_files import npy, npz, safetensors
from vitviz.shown import quoted
from vitviz.weights import WeightsError, inspect

LONGEST = 600  # letters of a sentence; four names of a hundred, and what is said about them


def sentence(path: Path) -> str:
    with pytest.raises(WeightsError) as error:
        inspect(path)
    said = str(error.value)
    assert said.isprintable()
    assert len(said) <= LONGEST
    said.encode()
    return said


@pytest.mark.parametrize(
    "name", ["x" * 1000, "\n\n# A heading\n* item one\n* item two", "\0\x1b[31m\u202e\u2028", "é" * 400]
)
def test_a_name_is_short_and_in_one_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    assert "which no Vision Transformer" in sentence(save(shaken_state(TIMM) | {name: torch.zeros(2)}, path))
    assert "names are known here" in sentence(save({name: torch.zeros(2)}, path))
    assert "a parameter has at most" in sentence(save({name: torch.zeros(0)}, path))


def test_a_name_of_900_000_letters(tmp_path: Path) -> None:
    path = save(shaken_state(TIMM) | {"x" * 900_000: torch.zeros(2)}, tmp_path / "x.safetensors")
    assert "x, a name of 900,000 letters; that of a parameter has at most 1,000" in sentence(path)


@pytest.mark.parametrize("name", ["y" * 900, "a\nb"])
def test_a_member_of_an_archive_is_short_and_in_one_line(name: str, tmp_path: Path) -> None:
    assert "names are known here" in sentence(npz(tmp_path / "x.npz", {name: npy("(2,)", body=bytes(8))}))
    assert "announces (3,) and holds" in sentence(npz(tmp_path / "x.npz", {name: npy("(3,)", body=bytes(8))}))


@pytest.mark.parametrize("name", [rb"\ud800", rb"\udfff\ud800"])
def test_half_a_letter_in_a_name(name: bytes, tmp_path: Path) -> None:
    entry = b'"' + name + b'":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}'
    for header in (b"{" + entry + b"}", b"{" + entry + b"," + entry + b"}"):
        (tmp_path / "x.safetensors").write_bytes(safetensors(header, bytes(4)))
        assert sentence(tmp_path / "x.safetensors")


def test_a_wrapper_is_short_in_the_notes(tmp_path: Path) -> None:
    state = {f"{'model.' * 100}{name}": tensor for name, tensor in shaken_state(TIMM).items()}
    plan = inspect(save(state | {"blocks.0.attn.qkv.weight": torch.zeros(2)}, tmp_path / "x.safetensors"), heads=3)
    (note,) = plan.notes
    assert len(note) < 200


def test_what_is_quoted() -> None:
    assert quoted("blocks.0.attn.qkv.weight") == "blocks.0.attn.qkv.weight"
    assert quoted((1, 17, 24)) == "(1, 17, 24)"
    assert quoted("a\r\n\tb\u2029c") == "a b c"
    assert quoted("a" * 500 + "b" * 500) == "a" * 50 + "…" + "b" * 50
    assert quoted((16**6000, 0)) == "a number of thousands of digits"
