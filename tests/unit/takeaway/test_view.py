"""A view is read from a link of the app; what there is not is said with both numbers."""

from dataclasses import replace

import pytest

from vitviz.config import OWN_START, PRESETS
from vitviz.images import Crop
from vitviz.takeaway.calculations import patch_of
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.view import from_link, understood
from vitviz.ui.sidebar import own_model
from vitviz.view import View

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
    assert patch_of(read("patch_grid")) == 65  # in the middle
    assert patch_of(read("patch_grid?model=shelf_gap_0")) == 0  # where the first token is a patch


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


def test_the_second_column_says_what_it_has_of_its_own() -> None:
    words = "heads?sample=left&layer=6&query=40&crop=0-0-500&b.model=shelf_relative_0&b.image=above&b.edits=h4.1*0"
    view = from_link(words, PAGES, column="second")
    assert (view.column, view.model, view.picture, str(view.edits)) == ("second", "shelf_relative_0", "above", "h4.1*0")
    assert (view.layer, view.query, view.crop) == (3, 40, None)  # layer 6 of 6 beside layer 4 of 4
    first = from_link(words, PAGES)
    assert (first.column, first.model, first.picture, first.layer) == ("first", "demo", "left", 5)
    same = from_link("heads?sample=left&crop=0-0-500&layer=2&edits=h1.1*0&b.model=demo", PAGES, column="second")
    assert (same.picture, same.crop, same.layer, str(same.edits)) == ("left", Crop(0, 0, 500), 1, "")


def test_a_model_beside_one_that_was_built_is_built_from_it() -> None:
    words = "heads?model=build-your-own&dim=96&heads=3&depth=2&seed=7&b.model=build-your-own"
    first, same = read(words), from_link(words, PAGES, column="second")
    assert (same.config, same.seed) == (first.config, 7)
    other = from_link(f"{words}&b.depth=1&b.positions=none", PAGES, column="second")
    assert other.config == first.config.with_(depth=1, positions="none")
    assert other.seed == 0


def test_depth_looks_at_the_last_layer_that_is_rolled_out() -> None:
    depth = {"depth": None}
    assert from_link("depth?through=5", depth).layer == 4
    assert from_link("depth?layer=5", depth).layer == 0  # which that page does not show
    words = "depth?through=5&b.model=shelf_relative_0"
    assert from_link(words, depth, column="second").layer == 3  # of 4
    assert read("heads?layer=2&through=5").layer == 1


def test_a_picture_of_ones_own_bears_no_name() -> None:
    own = "0123456789abcdef" * 4
    assert read(f"heads?picture={own}").picture == ""
    words = f"heads?sample=fish&donor={own}&edits=p3=paste&b.model=demo&b.image={own}&b.edits=p3=paste"
    assert (read(words).picture, read(words).donor) == ("fish", "")
    second = from_link(words, PAGES, column="second")
    assert (second.picture, second.donor) == ("", "")
    assert from_link(f"heads?picture={own}&b.model=demo", PAGES, column="second").picture == ""


def test_what_is_not_there_is_told_and_stands_as_usual() -> None:
    words = {"layer": "7", "query": "145", "edits": "h9.1*0 h1.1*0 p3=paste", "crop": "x", "seed": "-1"}
    view, refused = understood("heads", words, PAGES)
    assert view == replace(read("heads"), edits=view.edits)
    assert str(view.edits) == "h1.1*0"
    assert len(refused) == 6
    assert understood("heads", {}, PAGES)[1] == ()


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("heads?layer=7", "no layer 7: they are 1 to 6"),
        ("heads?head=0", "no head 0: they are 1 to 4"),
        ("heads?query=145", "no query 145: they are 1 to 144"),
        ("heads?layer=1e3", "no layer 1e3"),
        ("heads?edits=h9.1*0", "of the edits"),
        ("heads?edits=p3=paste", "need a second picture"),
        ("heads?crop=1-2-3", "no crop 1-2-3"),
        ("heads?seed=3000000000", "no seed 3000000000: they are 0 to 2,147,483,647"),
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


def test_a_link_of_one_column_has_no_second() -> None:
    with pytest.raises(TakeawayError, match="one column"):
        from_link("heads", PAGES, column="second")
