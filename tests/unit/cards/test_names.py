"""The arguments of the documents' code: all are there, and the calls say the model that is meant."""

import ast

import pytest

from vitviz.cards.names import Code, lucidrains, stage_of, timm
from vitviz.config import FIELDS, PRESETS, ViTConfig

LUCIDRAINS = [
    "image_size",
    "patch_size",
    "num_classes",
    "dim",
    "depth",
    "heads",
    "mlp_dim",
    "pool",
    "channels",
    "dim_head",
    "dropout",
    "emb_dropout",
]
TIMM = [
    "img_size",
    "patch_size",
    "in_chans",
    "num_classes",
    "embed_dim",
    "depth",
    "num_heads",
    "mlp_ratio",
    "qkv_bias",
    "qk_scale",
    "representation_size",
    "distilled",
    "drop_rate",
    "attn_drop_rate",
    "drop_path_rate",
    "embed_layer",
    "norm_layer",
    "act_layer",
    "weight_init",
]
ODD = ViTConfig(
    heads=8, head_dim=64, pool="mean", dropout=0.1, drop_path=0.2, qkv_bias=False, norm="rms", activation="relu"
)


def arguments(code: Code) -> dict[str, str]:
    """The call as Python reads it."""
    (call,) = [node for node in ast.walk(ast.parse(code.text)) if isinstance(node, ast.Call)][:1]
    return {keyword.arg or "": ast.unparse(keyword.value) for keyword in call.keywords}


@pytest.mark.parametrize(("made", "names"), [(lucidrains, LUCIDRAINS), (timm, TIMM)])
def test_every_argument_of_the_documents_is_there_under_one_of_our_names(made: object, names: list[str]) -> None:
    code: Code = made(ODD)  # type: ignore[operator]
    assert sorted(arguments(code)) == sorted(names)
    assert {name for ours in code.names.values() for name in ours} == set(names)
    assert set(code.names) <= set(FIELDS)
    assert all(stage_of(field) for field in FIELDS)


def test_the_calls_say_the_model() -> None:
    base = arguments(timm(PRESETS["vit_base_patch16_224"]))
    assert base["mlp_ratio"] == "4"
    assert base["norm_layer"] == "partial(nn.LayerNorm, eps=1e-06)"
    assert (base["qk_scale"], base["representation_size"], base["distilled"]) == ("None", "None", "False")
    assert timm(PRESETS["vit_base_patch16_224"]).otherwise == {}
    odd = arguments(lucidrains(ODD))
    assert (odd["pool"], odd["dim_head"], odd["dropout"], odd["emb_dropout"]) == ("'mean'", "64", "0.1", "0.1")


def test_what_they_have_no_argument_for_is_said() -> None:
    assert lucidrains(ViTConfig()).otherwise == {"patch_norm": True, "epsilon": 1e-5, "qkv_bias": False}
    assert timm(ODD).otherwise == {"pool": "class", "head_dim": 96}
    assert timm(ViTConfig(activation="swiglu", norm="batch")).otherwise == {"norm": "layer", "activation": "gelu"}
