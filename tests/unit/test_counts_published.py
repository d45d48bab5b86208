"""Every published figure, by name and to the unit."""

import csv
import io
import subprocess
import sys
from collections.abc import Iterator

import pytest

from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import (
    LayerRow,
    activation_memory,
    activations,
    article_slips,
    conventions,
    csv_text,
    inference_memory,
    itemised,
    layer_table,
    layer_table_memory,
    layer_table_text,
    layer_tree,
    ledger,
    mac_split,
    macs,
    paper_figure,
    parameter_split,
    parameters,
    total_macs,
    total_parameters,
    training_memory,
)
from vitviz.counts.__main__ import main
from vitviz.counts.layers import Node

BASE = PRESETS["vit_base_patch16_224"]
BASE_32_FLOWERS = PRESETS["vit_base_patch32_224"].with_(classes=5)
SIGLIP = BASE.with_(pool="attention", activation="gelu_tanh", classes=0)
DINOV2_GIANT = ViTConfig(
    image_size=518,
    patch_size=14,
    dim=1536,
    depth=40,
    heads=24,
    mlp_dim=4096,
    classes=0,
    registers=4,
    prefix_positions=False,
    layer_scale=True,
    activation="swiglu",
)
CLIP = BASE.with_(input_norm=True, patch_bias=False, activation="quick_gelu", classes=0)
MODELS = [*PRESETS.values(), BASE_32_FLOWERS, BASE.with_(classes=0), SIGLIP, DINOV2_GIANT, CLIP]


@pytest.mark.parametrize(
    ("config", "count"), [(SIGLIP, 92_884_224), (DINOV2_GIANT, 1_136_483_840), (CLIP, 86_192_640 - 512 * 768)]
)
def test_published_counts_of_other_families(config: ViTConfig, count: int) -> None:
    assert total_parameters(config) == count


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("vit_tiny_patch16_224", 5_717_416),
        ("vit_small_patch16_224", 22_050_664),
        ("vit_base_patch16_224", 86_567_656),
        ("vit_base_patch32_224", 88_224_232),
        ("vit_large_patch16_224", 304_326_632),
        ("vit_large_patch32_224", 306_535_400),
        ("vit_huge_patch14_224", 632_045_800),
        ("deit_base_distilled_patch16_224", 87_338_192),
    ],
)
def test_exact_parameters_with_1000_classes(name: str, count: int) -> None:
    assert total_parameters(PRESETS[name]) == count


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("vit_tiny_patch16_224", 5_524_416),
        ("vit_small_patch16_224", 21_665_664),
        ("vit_base_patch16_224", 85_798_656),
        ("vit_base_patch32_224", 87_455_232),
        ("vit_large_patch16_224", 303_301_632),
        ("vit_huge_patch14_224", 630_764_800),
    ],
)
def test_exact_parameters_without_a_head(name: str, count: int) -> None:
    assert total_parameters(PRESETS[name].with_(classes=0)) == count


@pytest.mark.parametrize(
    ("name", "layer_table_total", "bare_tensors", "exact"),
    [
        ("vit_base_patch16_224", 85_650_437, 152_064, 85_802_501),
        ("vit_base_patch32_224", 87_419_909, 39_168, 87_459_077),
        ("vit_large_patch32_224", 305_463_301, 52_224, 305_515_525),
        ("vit_huge_patch14_224", 630_440_965, 330_240, 630_771_205),
    ],
)
def test_layer_table_totals_with_5_classes(name: str, layer_table_total: int, bare_tensors: int, exact: int) -> None:
    config = PRESETS[name].with_(classes=5)
    every_number, modules, _ = conventions(config)
    assert every_number.total == exact
    assert modules.total == sum(row.parameters for row in layer_table(config)) == layer_table_total
    assert [item.name for item in modules.missing] == ["class token", "position embedding"]
    assert sum(item.count for item in modules.missing) == bare_tensors


@pytest.mark.parametrize(
    ("config", "giga"),
    [
        (PRESETS["vit_tiny_patch16_224"], 1.25),
        (PRESETS["vit_small_patch16_224"], 4.60),
        (BASE, 17.56),
        (PRESETS["vit_base_patch32_224"], 4.41),
        (BASE.with_(image_size=384), 55.48),
        (PRESETS["vit_large_patch16_224"], 61.55),
        (PRESETS["vit_large_patch32_224"], 15.38),
        (PRESETS["vit_huge_patch14_224"], 167.30),
    ],
)
def test_macs_with_1000_classes(config: ViTConfig, giga: float) -> None:
    assert round(total_macs(config) / 1e9, 2) == giga


def test_table_1_of_the_paper() -> None:
    figures = {name: paper_figure(config) for name, config in PRESETS.items()}
    assert figures["vit_base_patch16_224"] == figures["vit_base_patch32_224"] == 86_000_000
    assert figures["vit_large_patch16_224"] == figures["vit_large_patch32_224"] == 307_000_000
    assert figures["vit_huge_patch14_224"] == 632_000_000
    assert figures["vit_tiny_patch16_224"] is None


def test_what_the_paper_rounds() -> None:
    assert round(total_parameters(BASE.with_(classes=0)), -6) == paper_figure(BASE)
    for name in ("vit_large_patch32_224", "vit_huge_patch14_224"):
        assert round(total_parameters(PRESETS[name]), -6) == paper_figure(PRESETS[name])


def test_envelope_of_base() -> None:
    envelope = conventions(BASE)[2]
    assert {item.name: item.count for item in envelope.counted} == {
        "patch and position embedding": 741_120,
        "encoder": 84_934_656,
        "head": 768_000,
    }
    assert envelope.total == 86_443_776


def test_slips_of_the_article() -> None:
    embedding, encoder = article_slips()
    assert (embedding.printed, embedding.count) == (256 * 3 * 768 + 256 * 768, 589_824 + 151_296)
    assert (encoder.printed, encoder.count) == (84_943_656, 12 * 7_077_888)


@pytest.mark.parametrize("config", MODELS)
def test_what_a_convention_leaves_out_is_itemised_to_the_unit(config: ViTConfig) -> None:
    for convention in conventions(config):
        assert convention.total == sum(item.count for item in convention.counted)
        assert convention.total + sum(item.count for item in convention.missing) == total_parameters(config)


@pytest.mark.parametrize("config", MODELS)
def test_splits_sum_to_the_totals(config: ViTConfig) -> None:
    assert sum(item.count for item in parameter_split(config)) == total_parameters(config)
    assert sum(item.count for item in mac_split(config)) == total_macs(config)


def test_splits_agree_with_the_rows() -> None:
    config = PRESETS["deit_base_distilled_patch16_224"]
    split = {item.name: item.count for item in parameter_split(config)}
    rows = parameters(config)
    assert split["attention"] == sum(row.count for row in rows if ".attn." in row.tensor)
    assert split["MLP"] == sum(row.count for row in rows if ".mlp." in row.tensor)
    assert split["layer norms"] == sum(row.count for row in rows if "norm" in row.stage)
    arithmetic = {item.name: item.count for item in mac_split(config)}
    products = macs(config)
    assert arithmetic["QKᵀ"] == sum(row.count for row in products if row.tensor.endswith("attn.scores"))
    assert arithmetic["AV"] == sum(row.count for row in products if row.tensor.endswith("attn.z"))
    assert arithmetic["output projection"] == sum(row.count for row in products if row.tensor.endswith("attn.out"))


def test_parts_that_a_convention_counts_sum_to_its_total() -> None:
    for config in MODELS:
        parts = itemised(config)
        for way in conventions(config):
            assert sum(part.count for part in parts if way.name in part.counted_by) == way.total
            missing = [part.count for part in parts if way.name not in part.counted_by]
            assert sum(missing) == sum(item.count for item in way.missing)


def test_memory_rules_of_thumb() -> None:
    count = total_parameters(BASE)
    assert sum(item.bytes for item in inference_memory(BASE)) == 2 * count
    assert sum(item.bytes for item in training_memory(BASE)) == 20 * count
    assert all(item.bytes == item.bytes_per_parameter * count for item in training_memory(BASE))


def test_published_rows_of_the_layer_table() -> None:
    rows = layer_table(BASE_32_FLOWERS)
    assert [row.index for row in rows] == list(range(1, 200))
    assert {
        row.index: (row.name, row.shape, row.parameters) for row in rows if row.index in (1, 5, 6, 7, 8, 13, 16)
    } == {
        1: ("Conv2d-1", (-1, 768, 7, 7), 2_360_064),
        5: ("LayerNorm-5", (-1, 50, 768), 1_536),
        6: ("Linear-6", (-1, 50, 2304), 1_771_776),
        7: ("Dropout-7", (-1, 12, 50, 50), 0),
        8: ("Linear-8", (-1, 50, 768), 590_592),
        13: ("Linear-13", (-1, 50, 3072), 2_362_368),
        16: ("Linear-16", (-1, 50, 768), 2_360_064),
    }
    assert (rows[198].name, rows[198].shape, rows[198].parameters) == ("Linear-199", (-1, 5), 3_845)


@pytest.mark.parametrize(
    ("name", "memory"),
    [
        ("vit_base_patch32_224", (0.57, 95.61, 333.48, 429.66)),
        ("vit_base_patch16_224", (0.57, 408.54, 326.73, 735.84)),
        ("vit_large_patch32_224", (0.57, 253.01, 1165.25, 1418.84)),
        ("vit_huge_patch14_224", (0.57, 2358.66, 2404.94, 4764.17)),
    ],
)
def test_memory_lines_of_the_layer_table(name: str, memory: tuple[float, ...]) -> None:
    lines = layer_table_memory(PRESETS[name].with_(classes=5))
    shown = [lines.input, lines.forward_backward, lines.parameters, lines.total]
    assert tuple(round(line, 2) for line in shown) == memory


def test_layer_table_as_text() -> None:
    lines = layer_table_text(BASE_32_FLOWERS).split("\n")
    assert lines[3] == "            Conv2d-1            [-1, 768, 7, 7]       2,360,064"
    assert len(lines) == 3 + 199 + 10
    assert lines[-10:] == [
        "=" * 64,
        "Total params: 87,419,909",
        "Trainable params: 87,419,909",
        "Non-trainable params: 0",
        "-" * 64,
        "Input size (MB): 0.57",
        "Forward/backward pass size (MB): 95.61",
        "Params size (MB): 333.48",
        "Estimated Total Size (MB): 429.66",
        "-" * 64,
    ]


def test_layer_table_misses_the_bare_tensors_of_any_model() -> None:
    for config in MODELS:
        assert sum(row.parameters for row in layer_table(config)) == conventions(config)[1].total


def test_layer_table_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["vit_base_patch32_224", "classes=5", "--layer-table"])
    assert capsys.readouterr().out == layer_table_text(BASE_32_FLOWERS) + "\n"


def test_ledger_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["vit_base_patch16_224"])
    out = capsys.readouterr().out
    for figure in ("86,567,656", "86,415,592", "86,443,776", "17,563,828,224", "17.6 GMAC = 35.1 GFLOP", "173 MB"):
        assert figure in out


def test_any_field_can_be_changed_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["vit_base_patch16_224", "distilled=true", "activation=gelu_tanh", "epsilon=1e-5"])
    assert "87,338,192" in capsys.readouterr().out  # DeiT-B distilled


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        ("patch_size=15", "224 divides by 14 or 16"),
        ("patch-size=16", "'patch-size' is no field of a model; there are image_size, patch_size, channels"),
        ("distilled=yes", "distilled is false, and 'yes' is nothing of that kind"),
        ("depth=true", "depth is 12, and 'true' is nothing of that kind"),
        ("heads", "heads is 12, and '' is nothing of that kind"),
        ("activation=relu", "activation 'relu' is none of gelu"),
    ],
)
def test_the_command_line_says_what_is_wrong_with_a_field(
    pair: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["vit_base_patch16_224", pair])
    assert sentence in capsys.readouterr().err


def test_csv_sums_to_the_total() -> None:
    table = list(csv.DictReader(io.StringIO(csv_text(parameters(BASE)))))
    assert sum(int(row["count"]) for row in table) == total_parameters(BASE)
    assert table[0]["shape"] == "768 3 16 16"


def test_a_model_of_a_trillion_parameters_is_counted_without_being_built() -> None:
    config = ViTConfig(dim=2**14, mlp_dim=2**16, heads=128, depth=320, image_size=4096)
    assert 1.0e12 < total_parameters(config) == sum(row.count for row in parameters(config))
    assert total_macs(config) == sum(row.count for row in macs(config))
    assert len(activations(config)) == 6 + 14 * 320
    assert ledger(config, "head").total == total_parameters(config)


def test_counting_imports_no_tensor_library() -> None:
    program = "import sys, vitviz.counts; print([m for m in ('torch', 'numpy', 'einops') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("config", [BASE_32_FLOWERS, PRESETS["deit_base_distilled_patch16_224"], BASE.with_(classes=0)])
def test_the_tree_holds_every_row_of_the_layer_table_once(config: ViTConfig) -> None:
    def rows(nodes: tuple[Node, ...]) -> Iterator[LayerRow]:
        for node in nodes:
            yield from rows(node.parts)
            if node.row:
                yield node.row

    def check(nodes: tuple[Node, ...]) -> None:
        for node in nodes:
            if node.parts:
                assert node.parameters == sum(part.parameters for part in node.parts)
                check(node.parts)

    table = layer_table(config)
    branches = layer_tree(table)
    assert list(rows(branches)) == list(table)
    check(branches)
    assert [node.name for node in branches][:3] == ["patch_embed", "pos_drop", "blocks"]


@pytest.mark.parametrize("config", [*PRESETS.values(), BASE.with_(classes=0)])
def test_kinds_of_activations_sum_to_all_of_them(config: ViTConfig) -> None:
    kinds = activation_memory(config)
    assert sum(kinds.values()) == sum(row.elements for row in activations(config))
    t, d, m = config.tokens, config.dim, config.mlp_dim
    assert kinds["scores and weights"] == 2 * config.depth * config.heads * t * t
    assert kinds["MLP"] == config.depth * (2 * t * m + t * d)
    assert kinds["residual stream"] == 2 * config.depth * t * d
