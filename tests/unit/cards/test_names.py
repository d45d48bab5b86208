"""The arguments of the documents' code: all are there, and the calls say the model that is meant."""

import ast
import random

import pytest
import torch
from torch import nn

from tests.unit.counts.random_models import CONFIGS
from vitviz.cards.names import Code, lucidrains, mlp_ratio, stage_of, timm
from vitviz.config import FIELDS, LIMITS, PRESETS, ViTConfig
from vitviz.config.sides import sides_of
from vitviz.counts import total_parameters

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
    assert (base["representation_size"], base["distilled"]) == ("None", "False")
    assert timm(PRESETS["vit_base_patch16_224"]).otherwise == {}
    odd = arguments(lucidrains(ODD))
    assert (odd["pool"], odd["dim_head"], odd["dropout"], odd["emb_dropout"]) == ("'mean'", "64", "0.1", "0.1")


def test_what_they_have_no_argument_for_is_said() -> None:
    assert lucidrains(ViTConfig()).otherwise == {"patch_norm": True, "epsilon": 1e-5, "qkv_bias": False}
    assert timm(ODD).otherwise == {"pool": "class", "head_dim": 96}
    assert timm(ViTConfig(activation="swiglu", norm="batch")).otherwise == {"norm": "layer", "activation": "gelu"}
    assert timm(ViTConfig(patch_bias=False, score_scale=1.0, initial="zeros", stem="conv")).otherwise == {
        "stem": "patch",
        "patch_bias": True,
        "score_scale": None,
        "initial": "trunc_normal",
    }


def test_timm_makes_the_very_width_of_the_mlp_of_its_ratio() -> None:
    """`int(dim * ratio)`, as its blocks have it; 4304 / 1152 (so400m) in six digits came out one less."""
    for dim in range(8, 1537, 8):
        for mlp_dim in {1, dim // 3, dim + 8, 4 * dim, *range(8, 6 * dim, 424)} - {0}:
            assert int(dim * ast.literal_eval(mlp_ratio(dim, mlp_dim))) == mlp_dim, (dim, mlp_dim)
    draw = random.Random(3)
    for _ in range(20_000):
        dim, mlp_dim = draw.randint(1, LIMITS["dim"]), draw.randint(1, LIMITS["mlp_dim"])
        assert int(dim * ast.literal_eval(mlp_ratio(dim, mlp_dim))) == mlp_dim, (dim, mlp_dim)
    assert [mlp_ratio(*it) for it in ((768, 3072), (1152, 4304), (96, 128))] == ["4", "3.7362", "1.3334"]


class Lucidrains(nn.Module):
    """The learnable parts of vit-pytorch's `ViT`, as its source has them."""

    def __init__(  # type: ignore[no-untyped-def]
        self, image_size, patch_size, num_classes, dim, depth, heads, mlp_dim, pool, channels, dim_head, **_: float
    ) -> None:
        super().__init__()
        (h, w), (ph, pw) = sides_of(image_size), sides_of(patch_size)
        pixels, tokens = channels * ph * pw, h // ph * (w // pw) + (pool == "cls")
        self.embedding = nn.Sequential(nn.LayerNorm(pixels), nn.Linear(pixels, dim), nn.LayerNorm(dim))
        self.cls_token = nn.Parameter(torch.empty(1, int(pool == "cls"), dim))
        self.pos_embedding = nn.Parameter(torch.empty(1, tokens, dim))
        inner = dim_head * heads
        self.blocks = nn.ModuleList(
            nn.Sequential(
                nn.LayerNorm(dim),
                nn.Linear(dim, 3 * inner, bias=False),
                nn.Identity() if heads == 1 and dim_head == dim else nn.Linear(inner, dim),
                nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, mlp_dim), nn.GELU(), nn.Linear(mlp_dim, dim)),
            )
            for _ in range(depth)
        )
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, num_classes) if num_classes else nn.Identity()


class Timm(nn.Module):
    """The learnable parts of timm's `VisionTransformer` in 0.4.12, as its source has them."""

    def __init__(  # type: ignore[no-untyped-def]
        self, img_size, patch_size, in_chans, num_classes, embed_dim, depth, num_heads, mlp_ratio, qkv_bias,
        representation_size, distilled, norm_layer, **_: object,
    ) -> None:  # fmt: skip
        super().__init__()
        (h, w), (ph, pw), norm = sides_of(img_size), sides_of(patch_size), norm_layer
        self.proj = nn.Conv2d(in_chans, embed_dim, (ph, pw), (ph, pw))
        tokens = 2 if distilled else 1
        self.tokens = nn.Parameter(torch.empty(1, tokens, embed_dim))
        self.pos_embed = nn.Parameter(torch.empty(1, tokens + h // ph * (w // pw), embed_dim))
        hidden = int(embed_dim * mlp_ratio)
        self.blocks = nn.ModuleList(
            nn.Sequential(
                norm(embed_dim),
                nn.Linear(embed_dim, 3 * embed_dim, bias=qkv_bias),
                nn.Linear(embed_dim, embed_dim),
                norm(embed_dim),
                nn.Linear(embed_dim, hidden),
                nn.Linear(hidden, embed_dim),
            )
            for _ in range(depth)
        )
        self.norm = norm(embed_dim)
        read = representation_size or embed_dim
        self.pre_logits = nn.Linear(embed_dim, read) if representation_size else nn.Identity()
        heads = (read, embed_dim)[: tokens if num_classes else 0]
        self.heads = nn.ModuleList(nn.Linear(width, num_classes) for width in heads)


@pytest.mark.parametrize(("made", "model"), [(lucidrains, Lucidrains), (timm, Timm)])
def test_the_parameters_are_those_of_the_model_that_the_call_makes(made: object, model: type[nn.Module]) -> None:
    for config in CONFIGS:
        code: Code = made(config)  # type: ignore[operator]
        if code.parameters is None:
            assert code.title == "timm"
            assert config.dim % config.heads
            continue
        asked = {name: _said(text) for name, text in arguments(code).items()}
        with torch.device("meta"):
            built = model(**asked)
        assert code.parameters == sum(it.numel() for it in built.parameters()), config.key
        if not {*code.otherwise} - {"epsilon"} and not code.note:
            assert code.parameters == total_parameters(config)


def _said(text: str) -> object:
    """The value of an argument; of a norm the class, of what makes no parameter its text."""
    if text.startswith("partial(nn."):
        return {"LayerNorm": nn.LayerNorm, "RMSNorm": nn.RMSNorm}.get(text[11:].partition(",")[0], text)
    try:
        return ast.literal_eval(text)
    except ValueError:
        return text
