"""Every published figure, by name and to the unit."""

import pytest

from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import (
    activation_memory,
    activations,
    article_slips,
    conventions,
    count_line,
    inference_memory,
    itemised,
    layer_table,
    mac_split,
    macs,
    paper_figure,
    parameter_split,
    parameters,
    total_macs,
    total_parameters,
    training_memory,
)

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


def test_a_model_of_a_trillion_parameters_is_counted_without_being_built() -> None:
    config = ViTConfig(dim=2**14, mlp_dim=2**16, heads=128, depth=320, image_size=4096)
    assert 1.0e12 < total_parameters(config) == sum(row.count for row in parameters(config))
    assert total_macs(config) == sum(row.count for row in macs(config))
    assert len(activations(config)) == 6 + 14 * 320
    assert count_line(config, "head").total == total_parameters(config)


@pytest.mark.parametrize("config", [*PRESETS.values(), BASE.with_(classes=0)])
def test_kinds_of_activations_sum_to_all_of_them(config: ViTConfig) -> None:
    kinds = activation_memory(config)
    assert sum(kinds.values()) == sum(row.elements for row in activations(config))
    t, d, m = config.tokens, config.dim, config.mlp_dim
    assert kinds["scores and weights"] == 2 * config.depth * config.heads * t * t
    assert kinds["MLP"] == config.depth * (2 * t * m + (1 + config.layer_scale) * t * d)  # scaled once more
    assert kinds["residual stream"] == 2 * config.depth * t * d
