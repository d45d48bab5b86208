"""Intervene without a browser: what Python sends of edits, where the model runs, and its drawers."""

from streamlit.testing.v1 import AppTest

from tests.pages.app import healthy, html, told, visit


def parcels(app: AppTest) -> set[str]:
    """The names of the numbers that the board asks for."""
    return {name for message in told(app) for name in message["names"]}


def test_a_browser_that_runs_the_model_is_sent_pictures_and_no_edited_run() -> None:
    sent = parcels(healthy(visit("intervene", sample="left", edits="h3.1*0", moment="5")))
    assert sent == {"opening", "forward-patches", "lens", "row 0 0 ", "second right"}


def test_without_it_the_server_sends_what_the_edits_lead_to() -> None:
    asked = {"sample": "left", "edits": "t=2 h3.1*0", "layer": "4", "query": "7", "runs": "server"}
    sent = parcels(healthy(visit("intervene", **asked)))
    assert {"lens h3.1*0 t=2", "row 3 7 ", "row 3 7 h3.1*0 t=2"} <= sent
    assert not any(name.startswith(("heads", "patches", "trace")) for name in sent)


def test_maps_come_piece_by_piece_and_whole_in_their_moments() -> None:
    sent = parcels(healthy(visit("intervene", sample="left", moment="5", runs="server", hides="masked")))
    assert {"heads off", "patches masked", "heads off from 0", "patches masked from 0"} <= sent
    sent = parcels(healthy(visit("intervene", sample="left", moment="6", runs="server", traced="enough")))
    assert {"trace enough right", "trace enough right from 0"} <= sent


def test_scenes_are_answered_only_on_request() -> None:
    assert not any(name.startswith("accuracy") for name in parcels(healthy(visit("intervene", edits="b1*0"))))


def test_the_details_say_the_edits_and_both_answers() -> None:
    app = healthy(visit("intervene", sample="left", edits="b3*0 p40-45", open="details"))
    said = html(app)
    assert "Layer 3 off" in said
    assert "Patches 40 to 45 hidden: masked as keys" in said
    assert any("Edits.parse('b3*0 p40-45', model.config)" in block.value for block in app.code)
    assert len(app.get("plotly_chart")) == 2


def test_an_edit_that_takes_from_a_second_picture_names_it() -> None:
    app = healthy(visit("intervene", sample="left", edits="r2.all", donor="above", open="details"))
    assert "second above" in parcels(app)
    assert "of the second picture put in before layer 2" in html(app)
