"""build-your-own on its pages: a model that is built on keeps all it has, on screen and in its link."""

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, RerunException
from streamlit.testing.v1 import AppTest
from vitviz.pages.counting.build_a_vit import shown as build_a_vit

from tests.pages.app import healthy, heard, move, shown, visit
from tests.unit.ui.test_own_model import LATE, MODELS
from vitviz.config import OWN, OWN_START, PRESETS, ViTConfig
from vitviz.counts import total_parameters
from vitviz.numbers import exact
from vitviz.ui.sidebar import panel
from vitviz.ui.sidebar.own_model import FIELDS, in_link, values_of

BUILD, FIND, PARAMETERS = "build_a_vit", "find_the_model", "parameters"


def config(app: AppTest) -> ViTConfig:
    return shown(app).config


def link_of(app: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def exactly(app: AppTest) -> str:
    """The total in the tiles of the page."""
    tiles = next(html.proto.body for html in app.get("html") if "<small>all parameters" in html.proto.body)
    return tiles.split("<small>all parameters</small>")[1].split("<b>")[1].split("</b>")[0]


@pytest.mark.parametrize("name", MODELS)
def test_another_number_of_heads_leaves_the_total_on_screen_and_its_link_opens_it(name: str) -> None:
    app = healthy(visit(BUILD, model=name))
    assert exactly(app) == exact(total_parameters(MODELS[name]))
    heads = next(stop for stop in (4, 8, 2) if stop != MODELS[name].heads)
    healthy(move(app, "Heads", str(heads)))
    assert app.selectbox(key="model").value == OWN
    assert config(app) == MODELS[name].with_(heads=heads)
    assert exactly(app) == exact(total_parameters(MODELS[name]))
    opened = healthy(visit(PARAMETERS, **link_of(app)))
    assert config(opened) == config(app)


@pytest.mark.parametrize("name", ["demo", "deit_base_distilled_patch16_224", "dinov2_base", "siglip_base_patch16_224"])
@pytest.mark.parametrize("budget", ["50", "0.1", "2000"])
def test_what_is_found_is_what_is_shown(name: str, budget: str) -> None:
    app = healthy(visit(FIND, model=name, budget=budget))
    nearest = next(button for button in app.main.button if "nearest" in button.label)
    promise = next(html.proto.body for html in app.get("html") if "nearest" in html.proto.body)
    healthy(nearest.click().run())
    assert exact(total_parameters(config(app))) in promise
    found = config(app)
    assert found == MODELS[name].with_(dim=found.dim, depth=found.depth, heads=found.heads, mlp_dim=found.mlp_dim)
    assert config(healthy(visit(PARAMETERS, **link_of(app)))) == config(app)


def test_a_link_carries_only_what_differs() -> None:
    app = healthy(visit(BUILD, model="deit_base_distilled_patch16_224"))
    move(app, "Depth", "13")
    assert link_of(app) == {
        "model": OWN,
        "dim": "768",
        "depth": "13",
        "heads": "12",
        "mlp_dim": "3072",
        "distilled": "true",
    }


def test_a_hand_that_is_faster_than_the_browser_hears_of_the_new_model_builds_it() -> None:
    app = healthy(visit(BUILD, model="deit_base_distilled_patch16_224"))
    before, link = heard(app), dict(app.query_params)
    for heads in (16, 24, 32):
        app.query_params.clear()
        app.query_params.update(link)
        healthy(move(app, "Heads", str(heads), before))
        assert config(app) == PRESETS["deit_base_distilled_patch16_224"].with_(heads=heads)
        assert link_of(app)["distilled"] == "true"
        assert config(healthy(visit(PARAMETERS, **link_of(app)))) == config(app)


def test_a_model_that_a_cut_run_has_not_shown_is_built_on() -> None:
    app = healthy(visit(BUILD, model="vit_base_patch16_224"))
    app.session_state["adopted"] = PRESETS["vit_base_patch16_224"].with_(depth=24)
    healthy(move(app, "Heads", "24"))
    assert config(app) == PRESETS["vit_base_patch16_224"].with_(depth=24, heads=24)
    assert "adopted" not in app.session_state


def test_a_run_that_is_cut_before_the_fields_are_drawn_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    app = healthy(visit(BUILD, model="vit_base_patch16_224"))
    before = heard(app)
    with monkeypatch.context() as cut:
        cut.setattr(panel, "_settings", lambda *_: st.stop())
        move(app, "Heads", "24", before)
    slow = visit(BUILD, model="vit_base_patch16_224")  # whose sliders the browser still shows
    app._tree = slow._tree
    healthy(move(app, "Depth", "24", before))
    assert config(app) == PRESETS["vit_base_patch16_224"].with_(depth=24, heads=24)


def test_a_move_in_whose_middle_the_next_run_is_asked_for_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    app = healthy(visit(BUILD, model="vit_base_patch16_224"))
    asked = iter([RerunException(RerunData())])

    def base_config() -> ViTConfig:
        for now in asked:
            raise now
        return PRESETS["vit_base_patch16_224"]

    monkeypatch.setattr(build_a_vit, "base_config", base_config)
    healthy(move(app, "Heads", "24"))
    assert config(app) == PRESETS["vit_base_patch16_224"].with_(heads=24)


def test_a_link_of_before_opens_the_same_model() -> None:
    sizes = {"image_size": "96", "patch_size": "8", "dim": "64", "heads": "4", "depth": "2", "mlp_dim": "128"}
    expected = ViTConfig(image_size=96, patch_size=8, dim=64, heads=4, depth=2, mlp_dim=128)
    assert config(healthy(visit(PARAMETERS, model=OWN, **sizes))) == expected
    assert config(healthy(visit(PARAMETERS, model=OWN))) == OWN_START


def test_every_field_travels_in_a_link() -> None:
    link = {name: in_link(value) for name, value in values_of(LATE).items() if value != FIELDS[name].usual}
    app = healthy(visit(PARAMETERS, model=OWN, **link))
    assert config(app) == LATE
    assert not app.toast
    assert link_of(app) == {"model": OWN, **link}
    words = [caption.value for caption in app.sidebar.caption]
    assert any("no positions for prefix tokens" in it and "epsilon of layer norms: 3e-7" in it for it in words)


def test_what_a_link_cannot_have_is_said() -> None:
    app = healthy(visit(PARAMETERS, model=OWN, distilled="perhaps", pool="median", epsilon="2", registers="65"))
    assert config(app) == OWN_START
    said = " ".join(toast.value for toast in app.toast)
    for words in ("distilled “perhaps”", "pool “median”", "epsilon “2”", "there is only registers 0 to 64"):
        assert words in said


def test_sizes_of_a_link_that_do_not_fit_get_their_sentence_and_a_control_mends_them() -> None:
    app = visit(PARAMETERS, model=OWN, image_size="96", patch_size="7")
    assert [error.value for error in app.error] == [
        "image size 96 is not divisible by patch size 7; 96 divides by 6 or 8. The previous model is still shown."
    ]
    healthy(app.text_input(key="patch_size").set_value("9").run())
    assert app.text_input(key="patch_size").value == "8"
    assert config(app) == OWN_START.with_(image_size=96, patch_size=8)


def test_a_number_that_does_not_fit_becomes_the_nearest_that_does() -> None:
    app = healthy(visit(PARAMETERS, model=OWN))
    for size, text, sides in (("patch_size", "15", 14), ("image_size", "220", 210), ("patch_size", "7x10", (7, 10))):
        healthy(app.text_input(key=size).set_value(text).run())
        assert getattr(config(app), size) == sides
    for name, asked, taken in (("heads", 5, 4), ("dim", 193, 196)):
        healthy(app.number_input(key=name).set_value(asked).run())
        assert app.number_input(key=name).value == taken
        assert getattr(config(app), name) == taken


def test_switches_are_seen_and_switched_on_the_page_and_in_the_sidebar() -> None:
    app = healthy(visit(BUILD, model="vit_base_patch16_224"))
    assert "None is on: a model as in the paper." in [caption.value for caption in app.main.caption]
    healthy(app.checkbox(key="slide_distilled").check().run())
    assert exactly(app) == "87,338,192"
    assert config(app) == PRESETS["deit_base_distilled_patch16_224"]
    assert "On: distillation token." in [caption.value for caption in app.main.caption]
    healthy(app.select_slider(key="slide_registers").set_value(4).run())
    healthy(app.selectbox(key="pool").set_value("attention").run())  # no class token, and none to distil
    assert not app.checkbox(key="slide_distilled").value
    assert config(app) == ViTConfig(registers=4, pool="attention")
    healthy(app.selectbox(key="slide_activation").set_value("swiglu").run())
    assert config(app) == ViTConfig(registers=4, activation="swiglu")
    assert link_of(app)["registers"] == "4"
    assert "pool" not in link_of(app)
