"""Views of a model in a file: read as it was on screen, and a notebook that says where the file belongs."""

from pathlib import Path

import nbformat
import pytest
from safetensors.torch import save_file

import vitviz
from tests.unit.takeaway.calculations.test_notebook import cells_of, run
from vitviz.config import ViTConfig
from vitviz.model import ViT
from vitviz.pretrained import PRETRAINED, Pretrained
from vitviz.pretrained import SIZES as KNOWN
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.notebook.notebook import notebook
from vitviz.takeaway.opening import Opened, opened
from vitviz.takeaway.view import from_link
from vitviz.weights import Loaded, hub, load

SIZES = ViTConfig(image_size=32, patch_size=8, dim=32, depth=2, heads=1, mlp_dim=64, classes=5)
SHOWN = SIZES.with_(image_size=48)  # another size than it was trained at


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.safetensors"
    save_file(ViT(SIZES, seed=4).state_dict(), path)
    return path


def words_of(text: str) -> str:
    """What a notebook says, without its code."""
    return "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells if cell.cell_type == "markdown")


def view_with(loaded: Loaded, name: str) -> Opened:
    return opened(from_link("heads?sample=fish&layer=2", CALCULATIONS, name, loaded.config), loaded=loaded)


def test_what_was_chosen_for_a_file_is_chosen_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = load(file, device="cpu")
    library = list(usual.preprocesses)[-1]
    chosen = load(file, device="cpu", image_size=48, heads=4, activation="relu", epsilon=1e-5, preprocess=library)
    assert (chosen.config, chosen.preprocess) != (usual.config, usual.preprocess)
    monkeypatch.chdir(file.parent)
    text = notebook(view_with(chosen, file.name))
    known = run(cells_of(text))
    assert known["loaded"].config == chosen.config
    assert known["loaded"].preprocess == chosen.preprocess
    assert "Put the model's file `mine.safetensors` beside this notebook" in words_of(text)
    assert "heads=" not in "".join(cells_of(notebook(view_with(usual, file.name))))


def test_a_card_that_was_read_is_asked_for(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = words_of(notebook(view_with(load(file, device="cpu"), file.name)))
    file.with_name("config.json").write_text('{"num_attention_heads": 4, "hidden_act": "relu"}', encoding="utf-8")
    told = notebook(view_with(load(file, device="cpu"), file.name))
    assert "config.json" not in alone
    assert "`config.json`" in words_of(told)
    monkeypatch.chdir(file.parent)
    assert run(cells_of(told))["loaded"].config.heads == 4


def test_a_published_model_has_the_size_that_is_shown(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRETRAINED, "tiny", Pretrained("Tiny", "somebody/tiny", "CC0-1.0", 1, SHOWN, "tiny"))
    monkeypatch.setitem(KNOWN, "tiny", SHOWN)
    monkeypatch.setattr(hub, "local", lambda name: file)
    monkeypatch.setattr(hub, "fetch", lambda name, progress: file)
    it = opened(from_link("heads?model=tiny&layer=2", CALCULATIONS))
    assert it.loaded.config == it.view.config == SHOWN
    text = notebook(it)
    assert run(cells_of(text))["loaded"].config == SHOWN
    assert "somebody/tiny" in words_of(text)
    assert "CC0-1.0" in words_of(text)


@pytest.mark.parametrize("embed", [False, True])
def test_it_says_where_somebody_s_picture_belongs(embed: bool, demo: Loaded) -> None:
    view = from_link("heads?picture=own", CALCULATIONS)
    picture = (Path(vitviz.__file__).parent / "samples" / "coffee.jpg").read_bytes()
    said = words_of(notebook(opened(view, picture, demo), file="../`my` cat.jpg", embed=embed))
    assert ("Put the picture beside this notebook as ` my  cat.jpg`" in said) == (not embed)
