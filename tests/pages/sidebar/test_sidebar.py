"""The two choices behind everything: what is legal is taken, what is not is explained, and the last good stays."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import local_script_runner

from tests.pages.app import captions, healthy, html, shown, tell_of_device, visit
from vitviz import results
from vitviz.images import PHOTOS, Crop, open_image
from vitviz.selection import Selection
from vitviz.shelf.rows import ROWS
from vitviz.ui.widgets import predictions


def test_it_opens_on_the_trained_model_and_a_scene() -> None:
    selection = shown(visit())
    assert (selection.model.name, selection.picture.id, results.trained(selection)) == ("demo", "cat", True)


def test_a_link_chooses_model_seed_and_picture() -> None:
    selection = shown(visit("patch_grid", model="vit_tiny_patch16_224", seed="5", sample="tabby"))
    assert (selection.model.name, selection.model.seed, selection.picture.id) == ("vit_tiny_patch16_224", 5, "tabby")


def test_a_sibling_of_the_shelf_is_trained_asks_for_no_seed_and_knows_scenes_alone() -> None:
    app = visit("class_head", model="shelf_relative_0", sample="left", open="details")
    selection = shown(app)
    assert (selection.model.name, selection.config) == ("shelf_relative_0", ROWS["relative"].sizes)
    assert results.trained(selection)
    assert "seed" not in [it.key for it in app.number_input]
    assert results.labels(selection)[int(predictions.final(selection).probabilities.argmax())] == (
        "red ball left of blue ball"
    )
    app.selectbox(key="model").set_value("shelf_none_0").run()
    assert shown(app).config.positions == "none"
    assert predictions.caveat(shown(app)) == ""
    photo = shown(visit("class_head", model="shelf_none_0", sample="coffee"))
    assert predictions.caveat(photo).startswith("This photo is unlike anything this model was trained on")


def test_a_device_that_knows_more_than_one_precision_is_asked_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    tell_of_device(monkeypatch, "fp32", "bf16", kind="cuda")
    app = healthy(visit("class_head", precision="bf16"))
    control = app.segmented_control(key="precision")
    assert (control.options, shown(app).model.precision) == (["fp32", "bf16"], "bf16")
    app.segmented_control(key="precision").set_value("fp32").run()
    assert shown(app).model.precision == "fp32"
    told = visit("class_head", precision="fp16").toast[0].value
    assert told == (
        "The link asks for precision “fp16”, and there are only the precisions of this device (fp32, bf16); the usual "
        "one is shown."
    )


def test_a_device_that_knows_one_precision_has_no_control_and_says_so_to_a_link(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tell_of_device(monkeypatch, "fp32")
    assert "precision" not in [it.key for it in healthy(visit("class_head")).segmented_control]
    app = healthy(visit("class_head", precision="bf16"))
    assert shown(app).model.precision == "fp32"
    assert [it.value for it in app.toast] == [
        "The link asks for precision “bf16”, and there are only the precisions of this device (fp32); the usual one is "
        "shown."
    ]
    assert not app.run().toast


def test_the_count_follows_before_any_weight_exists() -> None:
    app = visit("tensor_shapes")
    app.selectbox(key="model").set_value("vit_huge_patch14_224").run()
    assert [metric.value for metric in app.metric if metric.label == "Parameters"] == ["632 M"]


def test_an_impossible_model_of_a_link_is_explained_and_the_last_one_stays() -> None:
    app = visit("patch_grid", model="build-your-own", image_size="96", patch_size="7", dim="64", heads="4", depth="2")
    assert [error.value for error in app.error] == [
        "image size 96 is not divisible by patch size 7; 96 divides by 6 or 8. The previous model is still shown."
    ]
    assert shown(app).model.name == "demo"
    assert app.warning[0].value == (
        "The model chosen in the sidebar cannot be used: image size 96 is not divisible by patch size 7; 96 divides by "
        "6 or 8. You still see **demo**."
    )
    app.text_input(key="patch_size").set_value("6").run()
    assert not app.error
    assert (shown(app).config.patch_size, shown(app).config.dim) == (6, 64)


def test_a_model_too_large_to_be_drawn_is_counted_explained_and_the_last_one_stays() -> None:
    app = visit("patch_grid", model="demo")
    app.selectbox(key="model").set_value("build-your-own").run()
    for size in ("image_size", "patch_size"):
        app.text_input(key=size).set_value("16").run()
    for name, value in [("depth", 32), ("heads", 1), ("dim", 32_768), ("heads", 512)]:
        app.number_input(key=name).set_value(value).run()
    assert [error.value for error in app.exception] == []
    assert app.error[0].value == (
        "this model has 139,117,159,400 parameters, and at most 1,000,000,000 are drawn at random; "
        "choose a smaller model. The previous model is still shown."
    )
    assert [metric.value for metric in app.metric if metric.label == "Parameters"] == ["139 G"]
    assert shown(app).config.dim < 32_768


def test_an_upload_is_shown_and_a_bad_one_leaves_it() -> None:
    app = visit("patch_grid")
    app.segmented_control(key="source").set_value("Upload").run()
    app.file_uploader(key="upload").upload("photo.jpg", PHOTOS[1].read()).run()
    first = shown(app).picture.digest
    assert shown(app).picture.id == "own"
    app.file_uploader(key="upload").upload("photo.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic").run()
    assert "This is a HEIC picture; export it as JPEG and upload that." in app.warning[0].value
    assert "You still see **your picture**." in app.warning[0].value
    app.file_uploader(key="upload").upload("photo.png", b"<html>not a picture</html>").run()
    assert app.error[0].value.endswith("You still see the previous picture.")
    assert "The picture that you brought cannot be used: This is a web page" in app.warning[0].value
    assert [error.value for error in app.exception] == []
    assert shown(app).picture.digest == first


def said(app: Any) -> list[str]:
    """The captions of the sidebar."""
    return [caption.value for caption in app.sidebar.caption]


def test_an_empty_uploader_says_what_is_on_screen() -> None:
    app = visit("patch_grid")
    app.segmented_control(key="source").set_value("Upload").run()
    assert "You see Cat; another picture takes its place when it has arrived." in said(app)
    app.file_uploader(key="upload").upload("photo.jpg", PHOTOS[1].read()).run()
    app.segmented_control(key="source").set_value("Camera").run()  # as after a reload: it is shown, and no file is here
    assert "You see your picture; another picture takes its place when it has arrived." in said(app)


def test_a_link_chooses_the_part_of_the_picture_and_another_picture_is_seen_whole_again() -> None:
    app = visit("patch_grid", sample="coffee", crop="250-100-500", open="details")
    selection = shown(app)
    assert selection.crop == Crop(250, 100, 500)
    expected = results.model_info(selection.model).preprocess.crop(open_image(selection.picture.data), selection.crop)
    assert np.array_equal(results.crop(selection), np.asarray(expected))
    assert not np.array_equal(results.crop(selection), results.crop(replace(selection, crop=None)))
    assert "600 × 400 pixels; 200 × 200 of them, from column 101 and row 41 on, were chosen" in captions(app)
    app.pills(key="sample").set_value("left").run()
    assert shown(app).crop is None
    assert "crop" not in app.query_params


@pytest.mark.parametrize("text", ["1-2", "a-b-c", "0-0-1001", "0-0-19", "-1-0-500", "١-٢-٣٣٣", "0-0-500-1"])
def test_what_is_no_square_is_said_and_the_usual_one_is_shown(text: str) -> None:
    app = healthy(visit("patch_grid", crop=text))
    assert shown(app).crop is None
    assert "there are only squares" in app.toast[0].value


def test_no_tensor_lives_in_the_session() -> None:
    def inside(value: object) -> list[object]:
        fields = getattr(value, "__dataclass_fields__", None) or {}  # a component's state has every attribute, as None
        return [value, *(part for name in fields for part in inside(getattr(value, name)))]

    app = visit("patch_grid", model="vit_tiny_patch16_224")
    held = [part for value in app.session_state.values() for part in inside(value)]
    assert any(isinstance(part, Selection) for part in held)
    assert not [part for part in held if isinstance(part, torch.Tensor | torch.nn.Module)]


def test_a_forward_that_would_take_minutes_is_refused_and_a_new_picture_still_comes() -> None:
    app = visit("patch_grid", model="demo")
    app.selectbox(key="model").set_value("build-your-own").run()
    for name, value in {"image_size": "4096", "patch_size": "4"}.items():
        app.text_input(key=name).set_value(value)
    app.pills(key="sample").set_value("left")
    app.run()
    assert [error.value for error in app.exception] == []
    assert "choose a smaller model or fewer, larger patches. The previous model is still shown." in app.error[0].value
    assert (shown(app).config.image_size, shown(app).picture.id) == (224, "left")
    assert "1,048,576" not in html(app)


def test_a_picture_clicked_before_the_browser_has_heard_of_a_chosen_model_takes_neither_away() -> None:
    app = visit("heads")
    app.selectbox(key="model_shown").set_value("shelf_none_0").run()
    assert app.query_params == {"model": "shelf_none_0"}
    app.query_params.clear()
    app.query_params["sample"] = "left"
    app.selectbox(key="model").set_value("demo")  # what the browser still holds when it sends the click
    app.pills(key="sample").set_value("left").run()
    assert app.query_params == {"model": "shelf_none_0", "sample": "left"}
    assert (shown(app).model.name, shown(app).picture.id) == ("shelf_none_0", "left")
    app.run()  # now it has
    app.selectbox(key="model").set_value("demo").run()
    assert shown(app).model.name == "demo"


def test_a_link_to_a_third_model_is_newer_than_the_one_that_was_chosen() -> None:
    app = visit("heads")
    app.selectbox(key="model_shown").set_value("shelf_none_0").run()
    app.query_params["model"] = "shelf_gap_0"
    app.selectbox(key="model").set_value("shelf_gap_0").run()
    assert shown(app).model.name == "shelf_gap_0"


def test_back_leads_from_a_chosen_model_to_that_of_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit("heads", sample="left")
    app.selectbox(key="model_shown").set_value("shelf_none_0").run()
    del app.query_params["model"]
    monkeypatch.setattr(local_script_runner, "RerunData", partial(RerunData, is_history_navigation=True))
    assert shown(app.run()).model.name == "demo"
    assert app.query_params == {"sample": "left"}


def test_a_chosen_picture_comes_back_into_an_address_that_was_written_without_it() -> None:
    app = visit("heads")
    app.pills(key="sample").set_value("left").run()
    app.query_params.clear()
    app.query_params["layer"] = "2"
    assert shown(app.run()).picture.id == "left"
    assert app.query_params == {"layer": "2", "sample": "left"}
