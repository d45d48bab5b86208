"""Speed: what is counted is right to the unit, and no share stands above the yardsticks, whatever the clock said."""

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest
from vitviz.pages.counting.speed import networks, roofline

from tests.pages.app import captions, healthy, live, shown, tell_of_device, true_to_the_unit, visit, words
from tests.pages.chapters.test_counting import tables
from vitviz.config import PRESETS
from vitviz.counts import deep_and_wide, mac_steps, total_macs, total_parameters, total_traffic, traffic
from vitviz.laboratory import timed
from vitviz.machine.device import DeviceMemoryError
from vitviz.measures import speed as clock
from vitviz.numbers import bytes_, exact

DEMO = PRESETS["demo"]
SIZES = {"image_size": "16x24", "patch_size": "8", "dim": "64", "depth": "2", "heads": "2", "mlp_dim": "128"}


def cells(table: str) -> list[list[str]]:
    """The rows of a table, without its head."""
    return [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in table.split("<tbody>")[1].split("</tr>")[:-1]]


def shares(app: AppTest) -> list[float]:
    return [float(it) for table in tables(app) for row in cells(table) for it in re.findall(r"^(\d+) %$", row[-1])]


def test_stages_stand_under_the_roof_with_their_bytes() -> None:
    app = true_to_the_unit(healthy(visit("speed", model="demo")))
    roof = {
        name: [number, *row]
        for (number, name), *row in ((row[0].split(" ", 1), *row[1:]) for row in cells(tables(app)[2]))
    }
    for stage, calls in (("patch embedding", 1), ("layer norms", 2 * DEMO.depth + 1), ("QKᵀ", DEMO.depth)):
        assert roof[stage][2] == bytes_(4 * calls * traffic(DEMO)[stage].count)
    assert roof["QKᵀ"][1] == exact(2 * mac_steps(DEMO)["QKᵀ"])
    assert roof["layer norms"][1:4:2] == ["0", "0"]
    assert roof["the whole forward pass"][1] == exact(2 * total_macs(DEMO))
    assert roof["the whole forward pass"][2] == bytes_(4 * total_traffic(DEMO))
    assert all(table.count("<th>") + table.count("<th ") == len(cells(table)[0]) for table in tables(app))
    assert len(shares(app)) > 20
    assert max(shares(app)) <= 100
    (chart,) = (it for alt, it in live(app, "chart").items() if alt.startswith("The roof"))
    assert {spot["row"] for spot in chart["spots"]} == {name for name, row in roof.items() if row[1] != "0"}
    assert all(roof[text["row"]][0] == text["text"] for text in chart["texts"])


def test_numbers_of_two_bytes_are_half_as_much_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    tell_of_device(monkeypatch, "fp32", "bf16")
    app = healthy(visit("speed", model="demo", precision="bf16"))
    norms = next(row for row in cells(tables(app)[2]) if row[0] == "2 layer norms")
    assert norms[2] == bytes_(2 * (2 * DEMO.depth + 1) * traffic(DEMO)["layer norms"].count)


def test_two_models_count_alike_and_are_timed() -> None:
    app = healthy(visit("speed", model="demo"))
    found = deep_and_wide(DEMO, total_macs(DEMO), roofline.MOST_BUILT)
    assert found is not None
    for row, it in zip(cells(tables(app)[3]), found, strict=True):
        config = it.config
        assert row[1:5] == [
            f"{config.dim} × {config.depth}",
            exact(total_macs(config)),
            exact(total_parameters(config)),
            bytes_(4 * total_traffic(config)),
        ]
    assert re.search(r"The FLOPs are equal (within 0\.\d+ %|to the unit)[,;]", words(app))


def refusing(what: str) -> Callable[[int, str, object], None]:
    """A device on which just that does not fit."""

    def require(_: int, asked: str, device: object) -> None:
        if asked == what:
            raise DeviceMemoryError(f"{what} needs 8 GB, and 1 GB is free; choose a smaller model")

    return require


def test_two_models_that_do_not_fit_leave_the_rest_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    what = "timing models of as many multiply-accumulates"
    monkeypatch.setattr(timed, "require", refusing(what))
    sizes = {"image_size": "64x72", "patch_size": "8", "dim": "96", "depth": "5", "heads": "3", "mlp_dim": "384"}
    app = healthy(visit("speed", model="build-your-own", **sizes))  # which no other test has timed
    assert f"{what} needs 8 GB, and 1 GB is free; choose a smaller model." in captions(app)
    assert "In a batch of 2 a picture takes the ViT × " in captions(app)


def test_stages_that_do_not_fit_leave_the_rest_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    what = "timing the stages of this model"
    monkeypatch.setattr(clock, "require", refusing(what))
    app = true_to_the_unit(healthy(visit("speed", model="build-your-own", **SIZES, registers="1")))
    assert f"No stages are timed: {what} needs 8 GB, and 1 GB is free; choose a smaller model." in captions(app)
    assert "In a batch of 2 a picture takes the ViT × " in captions(app)
    assert not tables(app)


def test_a_vit_and_a_cnn_that_do_not_fit_leave_the_rest_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    what = "timing a ViT and a CNN"
    monkeypatch.setattr(timed, "require", refusing(what))
    monkeypatch.setattr(networks, "BATCHES", (3, 5))  # which no other test has timed
    app = true_to_the_unit(healthy(visit("speed", model="demo")))
    assert f"No ViT is timed beside a CNN: {what} needs 8 GB, and 1 GB is free" in captions(app)
    assert len(tables(app)) == 4


def test_no_pair_is_built_of_more_parameters_than_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roofline, "MOST_BUILT", 1000)
    app = healthy(visit("speed", model="demo"))
    assert "No two models in the paper's proportions, of at most 1,000 parameters each, come within 1 %" in captions(
        app
    )
    assert len(tables(app)) == 3


def test_the_picture_that_is_counted_does_not_stay() -> None:
    app = healthy(visit("speed", model="demo"))
    assert not [alt for alt in live(app, "chart") if "the clock runs" in alt]
    assert len(live(app, "chart")) == 4


def test_a_vit_and_a_cnn_grow_by_batch_or_by_picture() -> None:
    app = healthy(visit("speed", model="demo"))
    assert "In a batch of 2 a picture takes the ViT × " in captions(app)
    app.segmented_control(key="networks").set_value("Pixels a side").run()
    assert "With 4 times the pixels it takes the ViT × " in captions(healthy(app))
    assert "Pixels" not in captions(app)


@pytest.mark.parametrize(
    ("attention", "steps", "told"),
    [
        ({"attention": "linear"}, {"linear attention"}, "Linear attention compares no pair of tokens: "),
        ({"attention": "top_k", "top_k": "3"}, {"QKᵀ", "softmax", "AV"}, "also those that top-k leaves out: "),
        ({"attention": "window", "window": "1"}, {"QKᵀ", "softmax", "AV"}, "also those that the window leaves out: "),
    ],
    ids=["linear", "top-k", "window"],
)
def test_other_attention_is_a_stage_as_it_is_done_and_not_compared_with_a_fused_one(
    attention: dict[str, str], steps: set[str], told: str
) -> None:
    app = true_to_the_unit(healthy(visit("speed", model="build-your-own", **SIZES, **attention)))
    inside, beside, roof, *_ = ({row[0].lstrip("0123456789 "): row for row in cells(it)} for it in tables(app))
    config = shown(app).config
    assert steps <= inside.keys()
    assert beside.keys() == {"q k v, token by token"}
    assert sum(int(inside[it][1].replace(",", "")) for it in steps) == sum(
        mac_steps(config)[it] for it in ("QKᵀ", "AV", "KᵀV", "Q(KᵀV)") if it in mac_steps(config)
    )
    assert {it for it in roof if "fused" in it} == {it for it in inside if "fused" in it} == set()
    assert roof["the whole forward pass"][2] == bytes_(4 * total_traffic(config))
    assert told in captions(app)
    assert ("The mask of the window is not counted as read." in captions(app)) == (config.attention == "window")
    assert "Written out, attention makes the same products" not in words(app)


def test_written_out_is_compared_with_fused_attention() -> None:
    app = healthy(visit("speed", model="demo"))
    assert [row[0] for row in cells(tables(app)[1])] == ["QKᵀ", "softmax", "AV", "q k v, token by token"]
    assert "Written out, attention makes the same products as the fused one" in words(app)


def test_the_page_says_which_cache_may_hold_the_large_copy() -> None:
    app = healthy(visit("speed", model="demo"))
    held = bytes_(2 * clock.COPIED)
    assert f"a cache of more than {held} may hold both ends of the large copy, too." in captions(app)
    assert "in a cache;" not in words(app)


@pytest.mark.parametrize("more", [{}, {"activation": "swiglu", "classes": "0"}, {"positions": "relative"}], ids=str)
def test_any_model_has_a_roof(more: dict[str, str]) -> None:
    app = true_to_the_unit(healthy(visit("speed", model="build-your-own", **SIZES, **more)))
    assert max(shares(app)) <= 100
