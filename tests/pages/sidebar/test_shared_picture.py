"""A picture that the lecturer shares: for whoever has its name, without what its file says, and gone with the room."""

from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from tests.image_files import encoded, exif, noise
from tests.pages.app import ask, healthy, shown, visit
from vitviz.addresses.links import SHARED_PICTURE
from vitviz.images import open_image
from vitviz.selection import Picture
from vitviz.ui.server.lecture.hub import _forget_picture
from vitviz.ui.sidebar import own_folder, uploads
from vitviz.ui.sidebar.own_pictures import OwnPictures, owner

SIDEWAYS = 6
SHARES = """
import streamlit as st
from vitviz.ui.sidebar import uploads
st.text(uploads.share(st.query_params["picture"]))
"""


def photograph() -> Picture:
    """As a phone takes it: on its side, with a place and a comment in it."""
    taken = exif(SIDEWAYS)
    taken[0x010E], taken[0x013B] = "my kitchen", "Ann Author"
    data = encoded(noise(90, 60), "JPEG", exif=taken, comment=b"a secret remark")
    assert b"kitchen" in data
    assert b"secret" in data
    return Picture("own", "your picture", "The picture that was uploaded.", data)


@pytest.fixture
def lecturers() -> Picture:
    """A picture that the lecturer's browser has brought."""
    picture = photograph()
    uploads.keep(picture)
    return picture


@pytest.fixture
def name(lecturers: Picture) -> Iterator[str]:
    """The name under which it is shared."""
    app = AppTest.from_string(SHARES, default_timeout=60)
    app.query_params["picture"] = lecturers.digest
    (text,) = healthy(app.run()).text
    yield text.value
    _forget_picture(text.value)


@pytest.fixture
def as_follower(name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """From now on it is another browser that comes; the name that it is told."""
    monkeypatch.setattr(uploads, "browser", lambda: "a follower")
    return name


def test_nobody_is_told_what_the_file_says_and_all_see_the_same_pixels(lecturers: Picture, name: str) -> None:
    copy = OwnPictures(own_folder.part("pictures")).get(*owner("", name))
    assert copy
    for word in (b"kitchen", b"Ann", b"secret", b"Exif", b"JFIF"):
        assert word not in copy.data
    with Image.open(BytesIO(copy.data)) as image:
        assert (image.format, image.info, dict(image.getexif())) == ("PNG", {}, {})
    before, after = open_image(lecturers.data), open_image(copy.data)
    assert before.size == (60, 90)
    assert np.array_equal(np.asarray(before), np.asarray(after))


def test_nobody_finds_its_name(lecturers: Picture, as_follower: str) -> None:
    assert SHARED_PICTURE.fullmatch(as_follower)
    digest, _, secret = as_follower.partition("-")
    assert len(set(secret)) > 8
    kept = OwnPictures(own_folder.part("pictures"))
    for wrong in (digest, lecturers.digest, f"{digest}-{'x' * 32}", f"{lecturers.digest}-{secret}", f"{digest}-../x"):
        assert kept.get(*owner("a follower", wrong)) is None
        assert uploads.own(wrong) is None


def test_who_has_the_name_sees_it_and_goes_on_with_the_lecture(lecturers: Picture, as_follower: str) -> None:
    app = healthy(visit("heads", sample="left"))
    assert shown(app).picture.id == "left"
    app = healthy(ask(app, picture=as_follower))
    assert np.array_equal(np.asarray(open_image(shown(app).picture.data)), np.asarray(open_image(lecturers.data)))
    assert app.query_params["picture"] in (as_follower, [as_follower]), "and the address keeps the name"
    app = healthy(ask(app, layer="3"))
    assert shown(app).picture.id == "own"
    del app.query_params["picture"]
    app = healthy(ask(app, sample="above"))
    assert shown(app).picture.id == "above"
    assert "picture" not in app.query_params


def test_late_comers_see_it_and_when_the_room_is_over_nobody_does(as_follower: str) -> None:
    app = healthy(visit("heads", picture=as_follower))
    assert shown(app).picture.title == "the lecturer's picture"
    assert shown(visit("heads", picture=as_follower)).picture is shown(app).picture, "one for two hundred sessions"
    _forget_picture(as_follower)
    assert shown(ask(app)).picture.id != "own"
    assert shown(visit("heads", picture=as_follower)).picture.id != "own"


def test_what_was_made_of_it_goes_too(as_follower: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[str] = []
    healthy(visit("heads", picture=as_follower))
    engine = uploads.engine()
    monkeypatch.setattr(engine, "forget", forgotten.append)
    uploads.tidy(600)
    assert as_follower[:64] not in forgotten
    _forget_picture(as_follower)
    uploads.tidy(600)
    assert as_follower[:64] in forgotten
    assert not OwnPictures(own_folder.part("pictures")).has(*owner("", as_follower))


def test_what_this_browser_has_not_brought_it_cannot_share(lecturers: Picture, as_follower: str) -> None:
    for digest in (lecturers.digest, as_follower[:64], "0" * 64, "../x"):
        app = AppTest.from_string(SHARES, default_timeout=60)
        app.query_params["picture"] = digest
        (text,) = healthy(app.run()).text
        assert text.value == ""
