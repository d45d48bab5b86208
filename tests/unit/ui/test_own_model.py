"""build-your-own as data: what is chosen always makes a model, and keeps all that was not chosen."""

import random

import pytest

from tests.cases import each
from vitviz.config import FIELDS as CONFIG_FIELDS
from vitviz.config import OWN_START, PRESETS, ConfigError, ViTConfig
from vitviz.counts import total_parameters
from vitviz.pretrained import PRETRAINED
from vitviz.ui.sidebar.own_model import FIELDS, SIZES, beside_the_paper, config_of, in_link, moved, values_of

MODELS = {**PRESETS, **{name: model.config for name, model in PRETRAINED.items()}}
LATE = ViTConfig(
    image_size=512,
    dim=1152,
    depth=27,
    heads=16,
    mlp_dim=4304,
    classes=0,
    registers=4,
    prefix_positions=False,
    patch_bias=False,
    input_norm=True,
    layer_scale=True,
    activation="quick_gelu",
    pool="attention",
    epsilon=3e-7,
    positions="learned_2d",
    positions_at="every_layer",
)


def test_every_field_of_a_model_can_be_chosen() -> None:
    assert [*FIELDS, "channels"] == sorted([*CONFIG_FIELDS], key=[*FIELDS, "channels"].index)  # pictures are RGB
    assert config_of(values_of(OWN_START)) == OWN_START
    assert ViTConfig(depth=4, dim=192, heads=3, mlp_dim=768) == OWN_START
    assert (FIELDS["patch_norm"].label, FIELDS["patch_norm"].values) == ("Patch norm", (False, True))


@each(MODELS)
def test_another_number_of_heads_leaves_the_total(name: str) -> None:
    config = MODELS[name]
    heads = [int(stop) for stop in FIELDS["heads"].choices(values_of(config))]
    assert len(heads) > 5
    for stop in heads:
        other = config_of(moved(values_of(config), "heads", stop))
        assert other == config.with_(heads=stop)
        assert total_parameters(other) == total_parameters(config)


@each([*MODELS.values(), LATE])
def test_wherever_a_slider_stops_there_is_a_model_with_all_the_rest(config: ViTConfig) -> None:
    values = values_of(config)
    for field in SIZES:
        assert values[field.name] in field.choices(values)
        for stop in field.choices(values):
            assert config_of(moved(values, field.name, stop)) == config.with_(**{field.name: stop})


def test_sliders_step_over_what_does_not_fit() -> None:
    values = values_of(PRESETS["vit_base_patch16_224"])
    assert FIELDS["patch_size"].choices(values) == [1, 2, 4, 7, 8, 14, 16, 28, 32, 56, 112, 224]
    assert FIELDS["heads"].choices(values) == [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]
    assert FIELDS["dim"].choices(values)[:4] == [24, 48, 72, 96]
    assert FIELDS["image_size"].choices(values)[-2:] == [1008, 1024]


@pytest.mark.parametrize(
    ("field", "asked", "taken"),
    [
        ("patch_size", 15, 14),  # a step down, and one up
        ("patch_size", 17, 28),
        ("heads", 13, 16),
        ("heads", 11, 8),
        ("heads", 100, 96),  # typed
        ("dim", 769, 780),
        ("dim", 1000, 996),
        ("image_size", 225, 240),
        ("depth", 13, 13),
        ("classes", 0, 0),
    ],
)
def test_a_number_goes_on_to_the_nearest_that_fits_in_the_direction_of_the_move(
    field: str, asked: int, taken: int
) -> None:
    base = PRESETS["vit_base_patch16_224"]
    assert config_of(moved(values_of(base), field, asked)) == base.with_(**{field: taken})


def test_where_no_other_value_fits_the_number_stays() -> None:
    one = values_of(ViTConfig(image_size=1, patch_size=1, dim=1, heads=1))
    assert moved(one, "patch_size", 2) == one
    assert moved(one, "heads", 2) == one


def test_switches_that_exclude_each_other_give_way() -> None:
    distilled = values_of(PRESETS["deit_base_distilled_patch16_224"]) | {"layer_scale": True, "activation": "swiglu"}
    pooled = moved(distilled, "pool", "attention")
    assert config_of(pooled) == ViTConfig(pool="attention", layer_scale=True)
    assert config_of(moved(pooled, "distilled", True)) == ViTConfig(distilled=True, layer_scale=True)
    assert config_of(moved(pooled, "activation", "swiglu")) == ViTConfig(activation="swiglu", layer_scale=True)


def test_whatever_is_moved_there_is_a_model() -> None:
    draw = random.Random(11)
    values = values_of(OWN_START)
    for _ in range(3_000):
        field = draw.choice([*FIELDS.values()])
        asked = draw.choice(field.values)
        if field.whole and draw.random() < 0.7:
            asked = min(max(int(values[field.name]) + draw.randint(-9, 9), field.values[0]), field.values[-1])
        values = moved(values, field.name, asked)
        assert config_of(values).tokens > 0


def test_values_that_do_not_fit_can_be_mended_one_by_one() -> None:
    asked = values_of(OWN_START) | {"image_size": 96, "patch_size": 7, "dim": 64, "heads": 5}
    with pytest.raises(ConfigError):
        config_of(asked)
    mended = moved(moved(asked, "patch_size", 8), "heads", 4)
    assert config_of(mended) == OWN_START.with_(image_size=96, patch_size=8, dim=64, heads=4)


def test_what_is_beside_the_paper_is_said_in_words() -> None:
    assert beside_the_paper(PRESETS["vit_huge_patch14_224"]) == []
    assert beside_the_paper(PRESETS["deit_base_distilled_patch16_224"]) == ["distillation token"]
    assert beside_the_paper(LATE) == [
        "4 register tokens",
        "positions: learned_2d",
        "positions added at: every_layer",
        "no positions for prefix tokens",
        "no bias of the patch embedding",
        "layer norm before block 1",
        "layer scale",
        "activation: quick_gelu",
        "pooling: attention",
        "epsilon of layer norms: 3e-7",
    ]


def test_values_are_short_in_a_link() -> None:
    assert [in_link(it) for it in (True, False, 4, "swiglu", 1e-6, 1e-12, 0.001)] == [
        "true",
        "false",
        "4",
        "swiglu",
        "1e-6",
        "1e-12",
        "0.001",
    ]
