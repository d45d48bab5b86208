"""Which models a browser runs: those with the anatomy of the paper."""

from dataclasses import replace
from typing import Any

from tests.cases import each
from vitviz.config import PRESETS
from vitviz.scripts.fitting import small
from vitviz.selection import FIRST_MODEL, ModelChoice
from vitviz.ui.forward.delivery import fits

DEMO = PRESETS["demo"]


def test_the_demo_model_and_its_siblings_fit() -> None:
    assert fits(FIRST_MODEL)
    siblings: tuple[dict[str, Any], ...] = (
        *({"depth": 4}, {"heads": 8}, {"registers": 4}, {"classes": 1000}),
        *({"activation": "quick_gelu"}, {"positions": "sincos_2d"}),
    )
    for changes in siblings:
        assert fits(ModelChoice("sibling", DEMO.with_(**changes)))


@each(
    [
        {"distilled": True},
        {"patch_norm": True},
        {"input_norm": True},
        {"activation": "swiglu"},
        {"pool": "attention"},
        {"dim": 132},
        {"dim": 120, "heads": 10},
        {"mlp_dim": 516},
        {"dim": 1024},
        {"patch_size": 2},
        *({"qkv_bias": False}, {"pool": "mean"}, {"pool": "flatten"}, {"pre_logits": 64}, {"activation": "relu"}),
        *({"head_dim": 16}, {"score_scale": 1.0}, {"qk_norm": True}, {"attention": "linear"}),
        *({"attention": "top_k"}, {"attention": "window"}),
        *({"norm_order": "post"}, {"norm": "rms"}, {"norm": "batch"}),
        {"positions": "relative"},
        {"positions": "rotary"},
        {"stem": "conv"},
        {"positions_at": "every_layer"},
    ]
)
def test_other_anatomies_and_larger_models_are_the_servers(changes: dict[str, int | bool | str]) -> None:
    assert not fits(ModelChoice("other", DEMO.with_(**changes)))


def test_presets_up_to_some_20_million_parameters_fit_and_less_precision_is_the_servers() -> None:
    inside = {name for name, config in PRESETS.items() if fits(ModelChoice(name, config))}
    assert inside == {"demo", "photo", "vit_tiny_patch16_224", "vit_small_patch16_224"}
    assert [name for name in inside if small(PRESETS[name])] == ["demo"]
    assert not fits(replace(FIRST_MODEL, precision="fp16"))
