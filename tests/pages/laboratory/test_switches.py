"""The cards of the switches on their page: each is whole, counts exactly, and leads into the model and back."""

from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup

from tests.pages.app import ask, healthy, html, shown, visit
from vitviz.cards import CARDS
from vitviz.cards.card import Card
from vitviz.config import OWN, PRESETS
from vitviz.counts import total_macs, total_parameters
from vitviz.numbers import exact
from vitviz.pages import PAGES
from vitviz.ui.sidebar.own_model import FIELDS, written

PAGE = "switches"
USE = "Use it in this model"


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_a_card_is_whole_for_every_value(card: Card) -> None:
    app = visit(PAGE)
    for choice in card.choices:
        healthy(ask(app, switch=card.field, value=written(choice.value)))
        assert not app.toast
        assert app.main.subheader[0].value == card.title
        assert len(app.latex) == (1 if choice is card.usual else 2)
        assert any(choice.paper.address in it.value for it in app.main.markdown)
        said = html(app)
        assert said.count("<mark") >= sum(len(code) > 1 for code in choice.code)
        having = card.changed(PRESETS["demo"], choice)
        assert f">{exact(total_parameters(having))}<" in said
        assert f">{exact(total_macs(having))}<" in said


def test_a_switch_is_chosen_by_hand_used_on_its_page_and_taken_back() -> None:
    app = healthy(visit(PAGE, model="vit_tiny_patch16_224"))
    healthy(app.pills(key="switches of read-out").set_value("pre_logits").run())
    healthy(_value(app, "768").run())
    assert {"switch": "pre_logits", "value": "768"}.items() <= plain(app.query_params).items()
    assert f"+ {exact(192 * 768 + 768 + 1000 * (768 - 192))}" in html(app)
    (link,) = [it.proto for it in app.get("page_link") if it.proto.label.startswith(USE)]
    assert link.page == "class_head"
    asked = dict(parse_qsl(link.query_string))
    assert asked["value"] == "768"
    app = healthy(visit(link.page, **asked))
    assert shown(app).model.name == OWN
    assert shown(app).config == PRESETS["vit_tiny_patch16_224"].with_(pre_logits=768)


def test_a_switch_and_its_value_hold_when_a_picture_is_chosen_before_the_browser_has_heard_of_them() -> None:
    app = healthy(visit(PAGE))
    healthy(app.pills(key="switches of read-out").set_value("pre_logits").run())
    assert plain(app.query_params) == {"switch": "pre_logits", "value": "64"}
    healthy(_value(app, "768").run())
    app.query_params["value"] = "64"  # the address of a click on a picture that came before
    app.query_params["sample"] = "left"
    healthy(app.pills(key="sample").set_value("left").run())
    assert plain(app.query_params) == {"switch": "pre_logits", "value": "768", "sample": "left"}
    healthy(app.pills(key="switches of read-out").set_value("pool").run())
    app.query_params.clear()
    app.query_params.update({"sample": "cat", "switch": "pre_logits", "value": "768"})
    healthy(app.pills(key="sample").set_value("cat").run())
    assert plain(app.query_params)["switch"] == "pool"


def test_what_the_address_says_later_holds_again() -> None:
    app = healthy(visit(PAGE, switch="pre_logits", value="64"))
    healthy(_value(app, "768").run())
    for value in ("768", "64"):  # what was chosen has arrived, and then another link
        healthy(ask(app, switch="pre_logits", value=value))
        assert plain(app.query_params)["value"] == value
        assert app.session_state["value"] == value


def _value(app: AppTest, value: str) -> ButtonGroup:
    """The control of the switch whose card is shown, set to this value."""
    control: ButtonGroup = next(it for it in app.segmented_control if it.key == "value of pre_logits")
    return control.set_value(value)


def test_from_a_model_with_a_switch_one_comes_back_to_the_one_before() -> None:
    app = healthy(visit(PAGE, switch="attention", value="linear"))
    healthy(app.sidebar.selectbox(key="model").select(OWN).run())
    back = next(it for it in app.main.button if it.label.startswith("Back to"))
    assert back.label == "Back to demo"
    healthy(back.click().run())
    assert shown(app).config == PRESETS["demo"]


def test_one_comes_back_also_right_after_a_model_was_chosen_in_the_list() -> None:
    app = healthy(visit(PAGE, switch="attention", value="linear"))
    healthy(app.sidebar.selectbox(key="model_shown").select(OWN).run())
    healthy(next(it for it in app.main.button if it.label.startswith("Back to")).click().run())
    assert shown(app).model.name == "demo"


def test_what_cannot_be_says_so_and_is_not_offered() -> None:
    app = healthy(visit(PAGE, model="deit_base_distilled_patch16_224", switch="pool", value="mean"))
    (warning,) = app.main.warning
    assert "choose pool class and pre_logits 0" in warning.value
    assert not any(it.proto.label.startswith(USE) for it in app.get("page_link"))


def test_what_was_measured_stands_on_its_card_and_the_sibling_can_be_looked_at() -> None:
    app = healthy(visit(PAGE, switch="positions", value="none"))
    assert "0.61382" in html(app)  # of the paper, in all its digits
    healthy(next(it for it in app.main.button if "No positions (seed 0)" in it.label).click().run())
    assert shown(app).model.name == "shelf_none_0"
    ask(app, switch="epsilon", value="1e-5")
    assert any("Not measured here" in it.value for it in app.main.caption)


def test_a_link_to_no_switch_is_said() -> None:
    app = visit(PAGE, switch="turbo")
    assert [toast.value.partition(", and")[0] for toast in app.toast] == ["The link asks for switch “turbo”"]
    assert set(CARDS) - {"channels"} <= set(FIELDS)


def plain(params: object) -> dict[str, str]:
    """The parameters of an address, one value each."""
    return {name: it if isinstance(it, str) else it[0] for name, it in dict(params).items()}  # type: ignore[call-overload]


@pytest.mark.parametrize("stem", ["heads", "position_embedding", "query_key_value", "encoder_block", "class_head"])
def test_under_a_formula_stand_the_switches_that_change_a_line_of_it(stem: str) -> None:
    app = healthy(visit(stem, open="formula", layer="2"))
    links = [it.proto for it in app.get("page_link") if it.proto.page == PAGE]
    asked = [dict(parse_qsl(it.query_string)) for it in links]
    assert [it["switch"] for it in asked] == [card.field for card in CARDS.values() if card.field in PAGES[stem].cards]
    assert all(it["layer"] == "2" and "open" not in it for it in asked)
    card = CARDS[asked[0]["switch"]]
    assert asked[0]["value"] == written(card.choices[1].value)


def test_under_the_formula_of_its_page_stands_what_a_switch_changes_in_the_model_that_has_it() -> None:
    having = {"model": OWN, "pool": "mean", "norm_after_pooling": "true", "qk_norm": "true"}
    app = healthy(visit("class_head", open="formula", **having))
    added = [it.value for it in app.latex if r"\text{Norm after pooling: on}" in it.value]
    (choice,) = (it for it in CARDS["norm_after_pooling"].choices if it.value)
    assert len(added) == 1
    assert r"\textcolor" in added[0]
    assert choice.says in [it.value for it in app.caption]
    assert not any("Norm of q" in it.value for it in app.latex)
    assert not any("Norm after pooling" in it.value for it in healthy(visit("class_head", open="formula")).latex)
