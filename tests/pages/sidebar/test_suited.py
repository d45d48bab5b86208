"""A photograph meets the model that learned from photographs, a scene the demo, and nobody's own choice is changed."""

from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import AppTest, local_script_runner

from tests.pages.app import healthy, inline_only, problems, shown, visit
from vitviz.engine import Engine
from vitviz.images import PHOTOS
from vitviz.samples import samples
from vitviz.selection import Picture
from vitviz.ui.server import client
from vitviz.ui.suited import kind_of, match
from vitviz.weights import loading

TO_PHOTOGRAPHS, TO_SCENES = "Show it with the photograph model", "Show it with the demo model"


def pick(app: AppTest, sample: str) -> str:
    """The model after a sample was picked."""
    return shown(healthy(app.pills(key="sample").set_value(sample).run())).model.name


def bring(app: AppTest, data: bytes) -> AppTest:
    """The app after a file was dropped."""
    app.segmented_control(key="source").set_value("Upload").run()
    app.file_uploader(key="upload").upload("mine", data)
    return app.run()


def drawing() -> bytes:
    picture, held = Image.new("RGB", (300, 200), "white"), BytesIO()
    ImageDraw.Draw(picture).ellipse((40, 40, 160, 160), fill="red", outline="black")
    picture.save(held, "PNG")
    return held.getvalue()


def offered(app: AppTest) -> tuple[str, str]:
    """The label of the button for the other model, and why this one is shown."""
    button = app.button(key="other-model")
    return button.label, button.proto.help


def test_a_photograph_that_is_picked_meets_the_model_of_photographs_and_a_scene_leads_back() -> None:
    app = visit()
    assert "other-model" not in [it.key for it in app.button]
    assert pick(app, "tabby") == "photo"
    assert app.query_params["model"] == "photo"
    assert offered(app) == (TO_SCENES, "A photograph, shown with the model that learned from photographs.")
    assert pick(app, "coffee") == "photo"
    assert pick(app, "left") == "demo"
    assert "model" not in app.query_params


def test_whoever_wants_the_demo_model_keeps_it() -> None:
    app = visit()
    pick(app, "tabby")
    app.button(key="other-model").click().run()
    assert shown(healthy(app)).model.name == "demo"
    assert offered(app) == (TO_PHOTOGRAPHS, "A photograph, shown with the demo model that learned from drawn scenes.")
    assert pick(app, "coffee") == "demo"
    app.button(key="other-model").click().run()
    assert pick(app, "left") == "photo"


def test_a_model_that_was_chosen_by_hand_or_by_link_is_never_changed() -> None:
    for app in (visit(model="shelf_none_0"), visit(model="vit_tiny_patch16_224"), visit(model="photo")):
        model = shown(app).model.name
        assert [pick(app, name) for name in ("tabby", "left")] == [model, model]
    app = visit()
    app.selectbox(key="model_shown").set_value("shelf_none_0").run()
    app.selectbox(key="model_shown").set_value("demo").run()
    assert pick(app, "tabby") == "demo"


def test_links_open_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit(sample="tabby")
    assert shown(app).model.name == "demo"
    monkeypatch.setattr(local_script_runner, "RerunData", partial(RerunData, is_history_navigation=True))
    app.query_params["sample"] = "coffee"
    app.run()
    assert (shown(app).model.name, shown(app).picture.id) == ("demo", "coffee")


def test_a_photograph_that_is_brought_is_told_from_a_drawing() -> None:
    app = healthy(bring(visit("heads"), PHOTOS[0].read()))
    assert (shown(app).model.name, app.query_params["model"]) == ("photo", "photo")
    assert offered(app) == (
        TO_SCENES,
        "Taken for a photograph (0.9 % of it is flat colour; a drawing has over 25 %), shown with the model that "
        "learned from photographs.",
    )
    app.file_uploader(key="upload").upload("other", drawing())
    assert shown(healthy(app.run())).model.name == "demo"
    label, why = offered(app)
    assert label == TO_PHOTOGRAPHS
    assert why.startswith("Taken for a drawing (")
    told = match(shown(app))
    assert told is not None
    assert told["says"] == "photograph model instead", "a drawing is not unlike what the demo learned from"


def test_a_picture_that_cannot_be_opened_changes_no_model() -> None:
    app = bring(visit(), b"no picture")
    assert len(problems(app)) == 1
    assert (shown(app).model.name, shown(app).picture.id) == ("demo", "cat")


def test_every_sample_is_told_apart_without_its_name() -> None:
    for id, sample in samples().items():
        assert kind_of(Picture("own", "", "", sample.data)).photograph != sample.drawn, id


@inline_only
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (loading.PHOTO_FILE.read_bytes()[:1_000_000], "photo.safetensors is not a whole safetensors file"),
        (b"<html>" + bytes(1000), "photo.safetensors is a web page"),
        (loading.DEMO_FILE.read_bytes(), "the sizes in photo.safetensors do not fit together"),
    ],
    ids=["half", "a web page", "another model"],
)
def test_where_the_file_of_the_model_is_broken_one_sentence_says_so_and_the_demo_stays(
    content: bytes, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "photo.safetensors").write_bytes(content)
    (tmp_path / "config.json").write_bytes(loading.PHOTO_FILE.with_name("config.json").read_bytes())
    monkeypatch.setattr(loading, "PHOTO_FILE", tmp_path / "photo.safetensors")
    one = Engine()
    monkeypatch.setattr(client, "engine", lambda: one)
    app = visit()
    app.pills(key="sample").set_value("coffee").run()
    assert not app.exception
    (said,) = problems(app)
    assert said.startswith(sentence)
    assert said.endswith("The previous model is still shown.")
    assert (shown(app).model.name, shown(app).picture.id) == ("demo", "coffee")
