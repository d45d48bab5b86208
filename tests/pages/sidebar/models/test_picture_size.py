"""The size of the pictures that a model of photographs reads: one control, one word, and the same everywhere."""

import pytest

from tests.pages.app import healthy, shown, told, turn_to, visit
from vitviz.config import PRESETS
from vitviz.lecture.views import ViewError, read_view
from vitviz.pages import PAGES
from vitviz.pretrained import SIZES
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.notebook.notebook import notebook
from vitviz.takeaway.opening import opened
from vitviz.takeaway.view import from_link

PHOTO = {"model": "photo", "sample": "tabby"}
FINE = PRESETS["photo"].with_(image_size=448)
ATTENTION, BYTES = 12 * 6 * 1025**2, 4  # weights of twelve layers of six heads, of 32 x 32 patches and the class token


def test_a_hand_chooses_a_finer_grid_and_reads_before_what_it_costs() -> None:
    app = healthy(visit("heads", **PHOTO))
    assert shown(app).config == PRESETS["photo"]
    (cost,) = (it.value for it in app.sidebar.caption if "attention weights" in it.value)
    assert f"448 × 448: 1,024 patches, {round(ATTENTION * BYTES / 1e6):,} MB of attention weights" in cost
    app.segmented_control(key="size").set_value("448").run()
    assert shown(healthy(app)).config == FINE
    assert shown(app).model.title == "DINOv2-S/14 in 8 bits at 448 px"
    assert shown(healthy(turn_to(app, "what_a_token_knows"))).config == FINE
    app.selectbox(key="model_shown").set_value("demo").run()
    app.selectbox(key="model_shown").set_value("photo").run()
    assert shown(healthy(app)).config == PRESETS["photo"], "another model begins with its usual size"


def test_a_link_may_ask_for_any_size_that_patches_fill() -> None:
    assert shown(healthy(visit("heads", size="336", **PHOTO))).config == PRESETS["photo"].with_(image_size=336)
    app = healthy(visit("heads", size="450", **PHOTO))
    assert shown(app).config == PRESETS["photo"]
    assert any("size “450”, and there are only whole patches of 14 pixels" in toast.value for toast in app.toast)


def test_the_second_column_shows_the_same_model_on_a_finer_grid() -> None:
    app = healthy(visit("heads", **PHOTO, **{"b.model": "photo", "b.size": "448"}))
    (said,) = (it["beside"] for it in told(app) if "beside" in it)
    assert said["meta"]["tokens"] == FINE.tokens
    assert shown(app).config == PRESETS["photo"]


def test_what_is_taken_away_has_the_size_of_the_link() -> None:
    view = from_link("heads?model=photo&sample=tabby&size=448&query=1024", PAGES)
    assert (view.config, view.query) == (FINE, 1024)
    assert from_link("heads?model=photo&b.model=photo&b.size=448", PAGES, column="second").config == FINE
    assert all(
        from_link(f"heads?model={name}&size=448", PAGES).config.patches == 4 * it.patches for name, it in SIZES.items()
    )
    with pytest.raises(TakeawayError, match="450 is not divisible by patch size 14"):
        from_link("heads?model=photo&size=450", PAGES)
    assert 'load(\\"photo\\", image_size=448, device=' in notebook(opened(view))


def test_a_lesson_looks_at_patches_that_a_finer_grid_alone_has() -> None:
    assert read_view("heads?model=photo&size=448&query=1000").config == FINE
    assert read_view("heads?model=photo&size=224").address == "heads?model=photo"
    for address, why in (
        ("heads?model=photo&query=1000", "patches 1 to 256"),
        ("heads?model=photo&size=450", "450 is not divisible by patch size 14"),
        ("heads?size=448", "demo reads pictures of one size"),
    ):
        with pytest.raises(ViewError, match=why):
            read_view(address)
