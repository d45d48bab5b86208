"""A file of one's own stands in the address: a reload, or a link to layer 12, finds it and its image size again."""

from pathlib import Path
from urllib.parse import parse_qs

import pytest
from safetensors.torch import save as as_bytes
from streamlit.testing.v1 import AppTest

from tests.checkpoints import TIMM, save, shaken_state
from tests.pages.app import healthy, shown, visit
from vitviz.addresses.links import as_seen
from vitviz.ui.sidebar import checkpoints, uploads

DEEP = TIMM.with_(dim=64, heads=1, depth=12)
OWN = {"model": checkpoints.FILE}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The server's, with two files."""
    save(shaken_state(DEEP), tmp_path / "deep & wide.safetensors")
    save(shaken_state(DEEP.with_(depth=2)), tmp_path / "flat.safetensors")
    monkeypatch.setenv(checkpoints.FOLDER, str(tmp_path))
    return tmp_path


def again(app: AppTest) -> AppTest:
    """The app for somebody new who opens the address of this one."""
    return visit("heads", **{name: str(text) for name, text in app.query_params.items()})


def sized(app: AppTest, size: str) -> AppTest:
    """The app after another image size was typed."""
    return next(it for it in app.text_input if it.label == "Image size").set_value(size).run()


def test_a_file_of_the_server_has_its_name_in_the_address_with_its_size(folder: Path) -> None:
    app = visit("heads", layer="12", **OWN)
    app.selectbox(key="server_file").set_value("deep & wide.safetensors").run()
    assert app.query_params == OWN | {"layer": "12", "file": "deep & wide.safetensors"}
    sized(app, "48")
    assert app.query_params == OWN | {"layer": "12", "file": "deep & wide.safetensors", "file_size": "48"}
    other = healthy(again(app))
    assert shown(other).config == DEEP.with_(image_size=48)
    assert other.query_params == app.query_params
    assert "file_size" not in sized(app, str(DEEP.image_size)).query_params
    app.selectbox(key="server_file").set_value("flat.safetensors").run()
    assert app.query_params["file"] == "flat.safetensors"
    assert shown(app).config.depth == 2
    app.selectbox(key="model_shown").set_value("demo").run()
    assert app.query_params == {"layer": "12"} or "file" not in app.query_params


def test_a_link_to_a_file_that_is_not_there_names_it(folder: Path) -> None:
    app = visit("heads", file="gone.safetensors", **OWN)
    assert shown(app).model.name == "demo"
    assert "The file gone.safetensors of this link is not here, or not yours" in app.warning[0].value


def test_a_size_that_is_none_is_said_and_the_usual_one_stays(folder: Path) -> None:
    app = visit("heads", file="flat.safetensors", file_size="0x9", **OWN)
    assert shown(healthy(app)).config == DEEP.with_(depth=2)
    assert any("file size" in toast.value for toast in app.toast)


def test_an_uploaded_checkpoint_is_found_again_by_the_browser_that_brought_it(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit("heads", **OWN)
    app.file_uploader(key="checkpoint_0").upload("mine.safetensors", as_bytes(shaken_state(DEEP)))
    app.run()
    sized(app, "48")
    digest = app.query_params["file"]
    assert len(digest) == 64
    reloaded = healthy(again(app))
    assert shown(reloaded).config == DEEP.with_(image_size=48)
    assert any(caption.value.startswith("mine.safetensors, ") for caption in reloaded.sidebar.caption)
    monkeypatch.setattr(uploads, "browser", lambda: "somebody else")
    stranger = again(app)
    assert shown(stranger).model.name == "demo"
    assert "is not here, or not yours" in stranger.warning[0].value
    monkeypatch.setattr(uploads, "browser", lambda: "")
    assert shown(again(app)).model.name == "demo"


def test_what_is_taken_away_does_not_name_an_upload() -> None:
    _, _, query = as_seen(f"heads?model=your+own+file&file={'0' * 64}&file_size=48").partition("?")
    assert parse_qs(query)["file"] == ["own"]
