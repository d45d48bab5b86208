"""Counting pages under the hand: what moves, where it may stop, and which rows light which marks."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import ask, captions, live, move, shown, stands, stops, turn_to, visit, words
from tests.pages.chapters.test_counting import BASE, listed, tables
from vitviz.config import PRESETS
from vitviz.counts import conventions, growth, mac_split, total_macs, total_parameters
from vitviz.numbers import exact, percent, small
from vitviz.pages import PAGES
from vitviz.ui.sidebar.own_model import SIZES


def test_every_tensor_leads_to_a_page_of_its_layer() -> None:
    rows = {row["name"]: row["page"] for row in listed(visit("tensor_shapes", model="demo"))}
    assert {page.partition("?")[0] for page in rows.values()} <= {entry.stem for entry in PAGES.values()}
    assert rows["image"] == rows["embed.patches"] == "patch_grid"
    assert rows["pos_embed"] == "position_embedding"
    assert rows["blocks.2.attn.weights"] == "heads?layer=3"
    assert rows["blocks.2.attn.qkv.weight"] == rows["blocks.2.norm1"] == "query_key_value?layer=3"
    assert rows["blocks.5.mlp.fc1.weight"] == rows["blocks.5.resid_post"] == "encoder_block?layer=6"
    assert rows["norm.weight"] == rows["logits"] == "class_head"


def test_segments_and_rows_of_the_arithmetic_bear_the_same_names() -> None:
    app = visit("arithmetic", model="vit_base_patch16_224")
    shares = next(data for alt, data in live(app, "chart").items() if alt.startswith("Shares"))
    rows = {area["row"] for area in shares["areas"]}
    assert rows == {item.name for item in mac_split(PRESETS["vit_base_patch16_224"])}
    written = "".join(element.proto.body for element in app.get("html"))
    assert all(f'data-row="{row}"' in written for row in rows)
    first = [area["says"] for area in shares["areas"] if area["y"] < 1 and area["row"] == "QKᵀ"]
    assert first == ["B/16, QKᵀ: 357,663,744 MAC, 2.0 %"]


def test_the_photograph_model_is_once_among_the_cards_and_the_bars() -> None:
    cards, bars = (
        next(iter(live(visit(stem, model="photo"), "chart").values())) for stem in ("side_by_side", "arithmetic")
    )
    assert [text["text"].partition("\n")[0] for text in cards["texts"]].count("S/14") == 1
    assert {area["row"] for area in cards["areas"] if area["framed"]} == {"photo", "vit_huge_patch14_224"}
    assert len(cards["texts"]) == len(PRESETS) == len(bars["texts"])
    assert bars["texts"][0]["text"] == "S/14: 6.12 G"


@pytest.mark.parametrize("field", ["Image size", "Patch size", "Depth", "Dim"])
def test_growth_marks_the_model_on_screen(field: str) -> None:
    app = visit("growth", model="vit_base_patch16_224", grow=field)
    assert not app.exception
    (chart,) = live(app, "chart").values()
    assert any("17.6 GMAC" in caption.value for caption in app.main.caption)
    (handle,) = chart["handles"]
    assert handle["stops"][handle["at"]]["value"] == str(getattr(BASE, field.lower().replace(" ", "_")))
    by_size = {str(point.size): point for point in growth(BASE, field.lower().replace(" ", "_"))}
    for stop in handle["stops"]:
        assert (stop["x"], stop["y"]) == (by_size[stop["value"]].against, by_size[stop["value"]].macs)


def test_the_diamond_of_growth_stands_where_the_address_says_and_the_crossing_is_drawn() -> None:
    app = visit("growth", model="demo", grown_image_size="192")
    (chart,) = live(app, "chart").values()
    (handle,) = chart["handles"]
    assert handle["stops"][handle["at"]]["value"] == "192"
    assert [rule["x"] for rule in chart["rules"]] == [768]
    spot = chart["spots"][0]
    assert spot["x"] > 0.1 * chart["rows"][0][0]["across"]["high"]  # the model on screen is not in the corner
    factor = total_macs(PRESETS["demo"].with_(image_size=192)) / total_macs(PRESETS["demo"])
    assert any(f"all **× {small(factor)}**" in it.value for it in app.main.markdown)
    ask(app, grown_image_size="97")
    (chart,) = live(app, "chart").values()
    assert chart["handles"][0]["stops"][chart["handles"][0]["at"]]["value"] == "192"  # the last that was right


OWN = {"model": "build-your-own", "dim": "128", "heads": "4", "mlp_dim": "512", "depth": "4"}


@pytest.mark.parametrize(
    ("switch", "squared", "overtakes"),
    [
        ({}, "39.7 M", "Above 768 tokens"),
        ({"activation": "swiglu"}, "39.7 M", "Above 1,024 tokens"),
        ({"head_dim": "64"}, "79.5 M", "Above 512 tokens"),
        ({"attention": "linear"}, "", "Never: linear attention"),
    ],
)
def test_growth_and_arithmetic_say_the_same_of_what_grows_with_the_square(
    switch: dict[str, str], squared: str, overtakes: str
) -> None:
    growth, arithmetic = (visit(stem, **OWN, **switch) for stem in ("growth", "arithmetic"))
    assert any(
        f"**When does attention take more than all else in a block?** {overtakes}" in it.value for it in growth.markdown
    )
    assert ("QKᵀ" in words(growth)) is ("QKᵀ" in words(arithmetic).partition("Shares of all")[0]) is bool(squared)
    assert not squared or f"of which QKᵀ and AV {squared}MAC" in captions(growth)


def test_products_of_a_block_are_those_of_the_table() -> None:
    app = visit("arithmetic", **OWN, head_dim="64")
    counted = [it.value.partition(" = ")[2].strip("$\n") for it in app.latex[1::2]]
    assert counted == ["6{,}455{,}296", "9{,}935{,}104", "9{,}935{,}104"]
    linear = visit("arithmetic", **OWN, attention="linear")
    assert [it.value.strip("$\n").partition(r"\text")[0] for it in linear.latex[::2]] == ["", "K^TV", "Q(K^TV)"]


@pytest.mark.parametrize("switch", [{}, {"qkv_bias": "false"}, {"qkv_bias": "true"}, {"activation": "swiglu"}])
def test_vit_pytorch_counts_the_same_whatever_it_cannot_say(switch: dict[str, str]) -> None:
    """The very model that its call makes, which *Build a ViT* shows, and not this one less what differs."""
    said = words(visit("three_counts", **OWN, **switch))
    assert "With these sizes that makes 1,046,376." in said
    assert ("It has no argument for this model's activation." in said) is ("activation" in switch)
    assert "lucidrains, 12 arguments: 1,046,376 parameters" in captions(
        visit("build_a_vit", open="code", **OWN, **switch)
    )


@pytest.mark.parametrize(
    ("switch", "says"),
    [
        ({}, "**No, not one.** With 8 heads"),
        ({"head_dim": "64"}, "**Yes.** With 8 heads"),
        ({"positions": "relative"}, "beside the number of attention maps: position embedding"),
        ({"qk_norm": "true"}, "**No, fewer.** With 8 heads"),
    ],
)
def test_whether_more_heads_are_more_parameters_depends_on_the_switches(switch: dict[str, str], says: str) -> None:
    assert says in "\n".join(it.value for it in visit("build_a_vit", **OWN, **switch).markdown)


@pytest.mark.parametrize(
    "switch", [{}, {"layer_scale": "true"}, {"pool": "attention"}, {"positions": "sincos_2d", "pool": "mean"}]
)
def test_what_a_layer_table_does_not_see_is_named_and_makes_up_the_difference(switch: dict[str, str]) -> None:
    app = visit("three_counts", **OWN, **switch)
    config = shown(app).config
    missing = conventions(config)[1].missing
    said = words(visit("layer_table", **OWN, **switch)).partition("What belongs to no module it cannot see")[2]
    assert all(it.name in said.partition(".")[0] for it in missing)
    assert ("nothing of the kind" in said) is (not missing)
    assert app.latex[0].value.count(r"\text") == 2 + len(missing)


def lit(app: AppTest) -> set[str]:
    """Labels of the tiles that are lit."""
    bodies = [html.proto.body for html in app.get("html") if 'class="tiles"' in html.proto.body]
    return set(re.findall(r'<div class="lit"><small>([^<]*)', "".join(bodies)))


def test_only_what_a_slider_changes_lights_up() -> None:
    app = visit("build_a_vit", model="vit_base_patch16_224")
    assert lit(app) == set()
    move(app, "Heads", "24")
    assert lit(app) == {"components per head", "attention weights of a layer", "activations of one picture"}
    move(app, "Depth", "13")
    assert "all parameters" in lit(app)
    assert "components per head" not in lit(app)
    assert app.selectbox(key="model").value == "build-your-own"
    turn_to(app, "parameters")
    expected = BASE.with_(heads=24, depth=13)
    assert exact(total_parameters(expected)) in tables(app)[0].split("<tfoot>")[1]


def test_a_slider_stops_only_at_sizes_that_fit() -> None:
    app = visit("build_a_vit", model="vit_base_patch16_224")
    assert stops(app, "Patch size") == ["1", "2", "4", "7", "8", "14", "16", "28", "32", "56", "112", "224"]
    assert stops(app, "Heads") == ["1", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64"]
    assert stops(app, "Image size")[:3] == ["16", "32", "48"]
    (chart,) = live(app, "chart").values()
    for handle in chart["handles"]:  # the edges of the picture stop at the same sizes
        name = handle["name"].removeprefix("slide_")
        assert {stop["value"] for stop in handle["stops"]} <= set(stops(app, name.capitalize()))
        for stop in handle["stops"]:
            built = BASE.with_(**{name: int(stop["value"])})
            assert f"{exact(total_parameters(built))} parameters" in stop["says"]


@pytest.mark.parametrize("value", ["13.5", "", "-1", "9" * 12, "<b>", "٣"])
def test_what_no_slider_sends_moves_nothing(value: str) -> None:
    app = move(visit("build_a_vit", model="vit_base_patch16_224"), "Depth", value)
    assert not app.exception
    assert stands(app, "Depth") == "12"


@pytest.mark.parametrize("name", ["demo", "vit_huge_patch14_224", "deit_base_distilled_patch16_224"])
def test_any_preset_can_be_built_on(name: str) -> None:
    app = visit("build_a_vit", model=name)
    assert not app.exception
    for field in SIZES:
        assert stands(app, field.label) == str(getattr(PRESETS[name], field.name))


def test_two_models_side_by_side() -> None:
    app = visit("side_by_side", model="vit_base_patch16_224", beside="vit_huge_patch14_224")
    (pair,) = tables(app)
    for cell in ("86,567,656", "632,045,800", "× 7.30", "same"):
        assert cell in pair
    ask(app, beside="vit_base_patch16_224")
    assert not app.exception
    (cards,) = live(app, "chart").values()
    assert {area["row"] for area in cards["areas"] if area["framed"]} == {"vit_base_patch16_224"}
    assert {text["chooses"] for text in cards["texts"]} == set(PRESETS)


def test_a_place_in_the_plane_is_a_model() -> None:
    app = visit("find_the_model", model="vit_base_patch16_224", there="768x24")
    expected = total_parameters(BASE.with_(depth=24))
    said = " ".join(it.value for it in app.main.markdown)
    assert f"{exact(expected)} parameters" in said
    assert f"{percent(expected / 50_000_000)} of the budget" in said
    (plane,) = live(app, "chart").values()
    assert plane["plane"]["at"] == [768, 24]
    (handle,) = plane["handles"]
    for stop in handle["stops"]:  # where the curve is, the budget is met
        wide = BASE.with_(dim=int(stop["x"]), heads=int(stop["x"]) // 64, mlp_dim=4 * int(stop["x"]))
        block = total_parameters(wide) - total_parameters(wide.with_(depth=11))
        met = total_parameters(wide.with_(depth=1)) + (stop["y"] - 1) * block
        assert met == pytest.approx(float(stop["value"]) * 1e6, rel=1e-6)
    app.main.button[0].click().run()
    assert app.selectbox(key="model").value == "build-your-own"
    assert exact(expected) in "".join(it.proto.body for it in app.get("html") if "count-line" in it.proto.body)
    assert not visit("find_the_model", there="1x99999").exception
