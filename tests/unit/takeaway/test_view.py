"""A view is read from a link of the app; what there is not is said with both numbers."""

import pytest

from vitviz.config import OWN_START, PRESETS
from vitviz.images import Crop
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.view import View, from_link
from vitviz.ui.sidebar import own_model

PAGES = dict.fromkeys(("overview", "heads", "patch_grid"))


def read(link: str) -> View:
    return from_link(link, PAGES)


def test_a_link_is_read_like_the_app_reads_it() -> None:
    view = read("http://localhost:8501/heads?sample=fish&layer=4&head=2&query=40&key=class&edits=h3.1*0&crop=10-20-900")
    assert (view.page, view.model, view.picture) == ("heads", "demo", "fish")
    assert (view.layer, view.head, view.query, view.key) == (3, 1, 40, 0)
    assert str(view.edits) == "h3.1*0"
    assert view.crop == Crop(10, 20, 900)


def test_what_a_link_leaves_unsaid_is_what_the_app_shows_first() -> None:
    view = read("https://vit.example.org/somewhere/below/")
    assert view == read("overview?sample=cat&model=demo&layer=1&head=1&component=1&after=6&query=class")
    assert read("patch_grid").query == 1 + 65  # the patch in the middle


def test_a_model_that_was_built_stands_in_the_link() -> None:
    view = read("heads?model=build-your-own&dim=96&heads=3&image_size=64x96&positions=rotary&registers=2&seed=7")
    assert view.config == OWN_START.with_(dim=96, heads=3, image_size=(64, 96), positions="rotary", registers=2)
    assert view.seed == 7
    every = {name: own_model.written(getattr(OWN_START, name)) for name in own_model.FIELDS}
    link = "&".join(f"{name}={text}" for name, text in every.items())
    assert read(f"heads?model=build-your-own&{link}").config == OWN_START


def test_presets_and_siblings_have_their_sizes() -> None:
    assert read("heads?model=vit_base_patch32_224").config == PRESETS["vit_base_patch32_224"]
    assert read("heads?model=shelf_relative_0").config.positions == "relative"


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("heads?layer=7", "no layer 7: they are 1 to 6"),
        ("heads?head=0", "no head 0: they are 1 to 4"),
        ("heads?query=145", "no query 145: they are 1 to 144"),
        ("heads?layer=1e3", "no layer 1e3"),
        ("heads?edits=h9.1*0", "of the edits"),
        ("heads?model=../../etc/passwd", "no model “....etcpasswd”"),
        ("status", "nothing can be taken away from “status”"),
        ("heads?model=build-your-own&dim=7", "7"),
        ("heads?model=build-your-own&dim=<b>", "dim"),
        ("http://[::1/heads", "no link"),
    ],
)
def test_a_wrong_link_is_said_in_a_sentence(link: str, says: str) -> None:
    with pytest.raises(TakeawayError) as error:
        read(link)
    assert says in str(error.value)
    assert "<" not in str(error.value).replace("'<b>'", "")
