"""Pages that count: every number follows from the sizes, and no model is ever loaded for them."""

import re
import subprocess
import sys

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import ask, healthy, live, stands, visit
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import layer_table_text, tensors, total_macs, total_parameters
from vitviz.numbers import exact
from vitviz.pages import PAGES

BASE = PRESETS["vit_base_patch16_224"]
COUNTING = [entry for entry in PAGES.values() if not entry.forward and entry.chapter != "Server"]
WITHOUT_TORCH = """
import sys
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash
for page in sys.argv[1:]:
    app = AppTest.from_file("vitviz/ui/main.py", default_timeout=120)
    app.query_params["model"] = "vit_huge_patch14_224"
    app._page_hash = calc_hash(page)
    app.run()
    assert not app.exception, (page, app.exception[0])
    print(app.title[0].value)
print("torch" in sys.modules, "einops" in sys.modules)
"""


ATTRIBUTES = re.compile(r' (?:role|scope|data-head|data-row|style)="[^"]*"')


def tables(app: AppTest) -> list[str]:
    """The tables of a page without the attributes that say to readers, phones and charts what a cell is."""
    bodies = [html.proto.body for html in app.get("html") if 'class="counts"' in html.proto.body]
    return [ATTRIBUTES.sub("", body) for body in bodies]


def listed(app: AppTest) -> list[dict[str, str]]:
    (rows,) = (data["rows"] for data in live(app, "tensors").values())
    return list(rows)


def test_counting_pages_open_without_torch() -> None:
    command = [sys.executable, "-c", WITHOUT_TORCH, *(entry.address for entry in COUNTING)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [*(entry.title for entry in COUNTING), "False False"]


@pytest.mark.parametrize("name", ["demo", "vit_tiny_patch16_224", "vit_huge_patch14_224"])
def test_the_column_of_parameters_ends_in_the_total(name: str) -> None:
    column, presets = tables(visit("parameters", model=name))
    assert exact(total_parameters(PRESETS[name])) in column.split("<tfoot>")[1]
    assert f'<tr class="marked"><td class="word">{name}</td>' in presets


@pytest.mark.parametrize("name", ["demo", "vit_huge_patch14_224"])
def test_all_tensors_are_listed(name: str) -> None:
    app = visit("tensor_shapes", model=name)
    shown = listed(app)
    rows = tensors(PRESETS[name])
    assert [row["name"] for row in shown] == [row.name for row in rows]
    assert [row["bytes"] for row in shown] == [exact(row.bytes) for row in rows]
    assert [" ".join(row["axes"]) for row in shown] == [row.axes for row in rows]


def test_a_search_leaves_rows_with_all_its_words() -> None:
    app = visit("tensor_shapes", model="demo", find="blocks.2. dh", tensors="Activations")
    assert [row["name"] for row in listed(app)] == [f"blocks.2.attn.{name}" for name in ("q", "k", "v", "z")]
    app.text_input(key="find").set_value("no such tensor").run()
    assert not app.exception
    assert "No tensor" in app.info[0].value


def count_line(app: AppTest) -> str:
    """The line under the title, which follows the number of classes that is asked for."""
    (line,) = (it.proto.body for it in app.get("html") if '"count-line"' in it.proto.body)
    return line


def test_published_totals_stand_on_the_page() -> None:
    app = visit("three_counts", model="vit_base_patch16_224", head_classes="5")
    totals = tables(app)[0].split("<tfoot>")[1]
    assert "85,802,501" in totals
    assert "85,650,437" in totals
    assert "85,802,501" in count_line(app)
    assert [it.value for it in app.main.metric] == re.findall("[0-9,]{9,}", totals)
    said = " ".join(it.value for it in app.markdown)
    assert "786,432" in said
    assert "741,120" in said
    assert "to 86 M" in said
    assert "which fits B/16 without a head (85,798,656), not" in said
    assert "“Understanding the Vision Transformer and counting its parameters” (Analytics Vidhya, on Medium)" in said
    assert "As printed it sums to 86,498,088, with both corrected to 86,443,776" in said


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "vit_large_patch16_224",
            "307 M ([table 1](https://arxiv.org/abs/2010.11929)), which fits L/32 with 1,000 classes",
        ),
        (
            "vit_huge_patch14_224",
            "which fits H/14 with 1,000 classes (632,045,800), not H/14 without a head (630,764,800)",
        ),
        ("vit_tiny_patch16_224", "has no model of this depth and width"),
    ],
)
def test_what_the_paper_rounds_to_is_told_apart(name: str, words: str) -> None:
    assert words in " ".join(it.value for it in visit("three_counts", model=name).markdown)


def test_other_code_has_another_total() -> None:
    app = visit("three_counts", model="vit_base_patch16_224", head_classes="1000")
    other = 86_567_656 + 2 * 768 + 2 * 768 - 12 * 3 * 768
    assert f"With these sizes that makes {exact(other)}" in " ".join(it.value for it in app.markdown)


def test_the_published_layer_table_stands_on_the_page() -> None:
    config = PRESETS["vit_base_patch32_224"].with_(classes=5)
    app = visit("layer_table", model="vit_base_patch32_224", head_classes="5")
    text = next(it.proto.body for it in app.get("html") if "<pre" in it.proto.body)
    assert re.sub(r"<[^>]*>", "", text) == layer_table_text(config)
    assert text.count('data-row="attn.qkv"') == 12  # each lights the bar of the first block
    assert "torchsummary" in app.main.markdown[0].value
    assert exact(total_parameters(config)) in count_line(app)
    assert [it.value for it in app.main.metric] == ["0.57", "95.61", "333.48", "429.66"]
    assert any("333.48 of them are 350 MB" in it.value for it in app.main.caption)
    app.segmented_control(key="table").set_value("Tree").run()
    assert not app.exception
    assert any("attn.qkv" in html.proto.body or ">qkv<" in html.proto.body for html in app.get("html"))


def test_arithmetic_names_both_units() -> None:
    app = visit("arithmetic", model="vit_base_patch16_224")
    split, kinds = tables(app)
    assert "17,563,828,224" in split.split("<tfoot>")[1]
    assert "35,127,656,448" in split.split("<tfoot>")[1]
    other = next(it.value for it in app.main.caption if "fvcore" in it.value)
    assert "17,582,740,224" in other  # 17.58 G
    assert "16,848," in other  # 16.85 G
    assert "197·768·768" in kinds
    assert "⌈logₖ n⌉ = 5" in kinds
    ask(app, kernel="5", sequence="1024")
    assert stands(app, "Width k of the convolution") == "5"
    assert "k·n·d·d = 5·1,024·768·768" in tables(app)[1]
    assert "⌈logₖ n⌉ = 5" in tables(app)[1]


def test_memory_grows_with_the_batch_only_where_it_should() -> None:
    app = visit("memory", model="vit_base_patch16_224", batch="1")
    per_parameter, per_picture = tables(app)
    assert ">20<" in per_parameter.split("<tfoot>")[1]
    assert "1{,}731{,}353{,}120" in app.latex[1].value  # 20 bytes for each of 86,567,656
    small = next(caption.value for caption in app.main.caption if "To one scale" in caption.value)
    ask(app, batch="256")
    assert stands(app, "Pictures in a batch") == "256"
    assert tables(app) == [per_parameter, per_picture]
    assert next(caption.value for caption in app.main.caption if "To one scale" in caption.value) != small


def test_standing_questions_are_answered_by_counting() -> None:
    app = visit("build_a_vit", model="vit_base_patch16_224")
    answers = {it.label: it.markdown[0].value for it in app.expander if it.markdown}
    assert answers["Do more heads mean more parameters?"].startswith("**No, not one.**")
    assert "86,567,656" in answers["Do more heads mean more parameters?"]
    assert "Tokens 197 → 785 (× 3.98)" in answers["What does halving the patch cost?"]
    assert "**MLP** 56,669,184 (65.5 %)" in answers["Where do 86.6 M sit?"]


def test_a_found_model_can_be_put_on_screen() -> None:
    app = visit("find_the_model", model="vit_base_patch16_224", budget="86.567656")
    (found,) = tables(app)
    assert "<td>768</td><td>12</td><td>12</td><td>3,072</td><td>86,567,656</td>" in found
    assert "+0.00 %" in found
    app.number_input(key="budget").set_value(10.0).run()
    (found,) = tables(app)
    places = [int(cell) for cell in re.findall(r"<tr[^>]*><td class=\"word\">(\d)</td>", found)]
    dims = [int(cell) for cell in re.findall(r"<td class=\"word\">\d</td><td>(\d+)", found)]
    assert places == sorted(places)
    assert dims == sorted(dims)
    app.main.button[0].click().run()
    assert app.selectbox(key="model").value == "build-your-own"
    assert not app.exception


def test_speed_counts_what_it_measures() -> None:
    app = visit("speed", model="demo")
    assert not app.exception
    stages, beside, *_ = tables(app)
    total = exact(total_macs(PRESETS["demo"]))
    assert total in stages.split("<tfoot>")[1]
    counted = [int(cell.replace(",", "")) for cell in re.findall(r'<td class="word">[^<]*</td><td>([\d,]+)', stages)]
    assert counted[-1] == sum(counted[:-1]) == total_macs(PRESETS["demo"])
    assert "token by token" in beside
    shares = re.findall(r"(−?)([\d.]+) %</td><td>[^<]*</td><td>[^<]*</td></tr>", stages.split("<tfoot>")[0])
    assert "the rest" in stages
    assert sum(float(f"-{share}" if sign else share) for sign, share in shares) == pytest.approx(100, abs=1)


def test_what_is_far_from_a_budget_is_not_called_near() -> None:
    app = visit("find_the_model", model="vit_base_patch16_224", budget="0.1")
    said = " ".join(it.value for it in app.main.markdown)
    assert "Nothing in these proportions comes within 5 % of 100 k parameters: the nearest" in said
    assert "is +69 % off." in said
    (found,) = tables(app)
    assert found.count("<tr>") + found.count("<tr ") == 2  # the head, and one model


def test_the_deepest_model_can_be_the_nearest() -> None:
    sizes = {"image_size": 1, "patch_size": 1, "dim": 65_535, "depth": 1, "heads": 1, "mlp_dim": 1, "classes": 0}
    app = healthy(visit("find_the_model", model="build-your-own", **{name: str(size) for name, size in sizes.items()}))
    (found,) = tables(app)
    assert "<td>1,024</td>" in found


@pytest.mark.parametrize("stem", ["find_the_model", "switches", "side_by_side", "parameters"])
def test_what_was_counted_is_not_counted_again_in_the_next_run(stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app, made, with_ = healthy(visit(stem, model="vit_base_patch16_224")), [], ViTConfig.with_

    def make(config: ViTConfig, **changes: int) -> ViTConfig:
        made.append(changes)
        return with_(config, **changes)

    monkeypatch.setattr(ViTConfig, "with_", make)
    healthy(app.run())
    assert len(made) < 10
