"""The model against independent computations: a convolution, a published implementation, and itself."""

from threading import Thread

import pytest
import torch
from einops import rearrange
from torch import Tensor
from torch.nn import functional as F

from vitviz.config import PRESETS, ViTConfig
from vitviz.model import ViT, attention, attention_scores
from vitviz.trace import record


def picture(size: int, seed: int = 0) -> Tensor:
    return torch.randn(1, 3, size, size, generator=torch.Generator().manual_seed(seed))


def test_parameter_names_are_those_of_checkpoints(tiny_model: ViT) -> None:
    assert [name for name in tiny_model.state_dict() if not name.startswith(("blocks.1.", "blocks.2."))] == [
        "cls_token",
        "pos_embed",
        "patch_embed.proj.weight",
        "patch_embed.proj.bias",
        "blocks.0.norm1.weight",
        "blocks.0.norm1.bias",
        "blocks.0.attn.qkv.weight",
        "blocks.0.attn.qkv.bias",
        "blocks.0.attn.proj.weight",
        "blocks.0.attn.proj.bias",
        "blocks.0.norm2.weight",
        "blocks.0.norm2.bias",
        "blocks.0.mlp.fc1.weight",
        "blocks.0.mlp.fc1.bias",
        "blocks.0.mlp.fc2.weight",
        "blocks.0.mlp.fc2.bias",
        "norm.weight",
        "norm.bias",
        "head.weight",
        "head.bias",
    ]


@pytest.mark.parametrize(
    ("preset", "count"),
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
def test_published_parameter_counts(preset: str, count: int) -> None:
    with torch.device("meta"):
        model = ViT(PRESETS[preset])
    assert sum(parameter.numel() for parameter in model.parameters()) == count


def test_a_model_on_the_meta_device_holds_nothing() -> None:
    with torch.device("meta"):
        model = ViT(PRESETS["vit_huge_patch14_224"])
    assert all(parameter.is_meta for parameter in model.parameters())


def test_the_seed_alone_decides_the_parameters(tiny_config: ViTConfig) -> None:
    torch.manual_seed(1)
    one = ViT(tiny_config, seed=3).state_dict()
    torch.manual_seed(2)
    same, other = ViT(tiny_config, seed=3).state_dict(), ViT(tiny_config, seed=4).state_dict()
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["pos_embed"], other["pos_embed"])


def test_building_leaves_the_global_generator_alone(tiny_config: ViTConfig) -> None:
    before = torch.get_rng_state()
    ViT(tiny_config, seed=3)
    assert torch.equal(torch.get_rng_state(), before)


def test_initialisation_is_a_normal_of_two_hundredths() -> None:
    model = ViT(PRESETS["vit_tiny_patch16_224"])
    drawn = model.get_parameter("blocks.0.attn.qkv.weight")
    assert abs(drawn.mean()) < 3e-4
    assert abs(drawn.std() - 0.02) < 2e-4
    assert model.get_parameter("norm.weight").eq(1).all()
    assert model.get_parameter("head.bias").eq(0).all()


def test_the_linear_patch_embedding_is_a_convolution(tiny_model: ViT) -> None:
    proj, image = tiny_model.patch_embed.proj, picture(32)
    convolved = F.conv2d(image, proj.weight, proj.bias, stride=proj.stride)
    torch.testing.assert_close(tiny_model.patch_embed(image), rearrange(convolved, "b d gh gw -> b (gh gw) d"))


def test_patch_norms_stand_around_the_projection(tiny_config: ViTConfig) -> None:
    """As `to_patch_embedding` of vit-pytorch: LayerNorm, Linear, LayerNorm."""
    model, draw = ViT(tiny_config.with_(patch_norm=True), seed=1), torch.Generator().manual_seed(0)
    embedding = model.patch_embed
    assert embedding.norm_in
    assert embedding.norm_out
    with torch.no_grad():
        for norm in (embedding.norm_in, embedding.norm_out):
            norm.weight.normal_(generator=draw)
            norm.bias.normal_(generator=draw)
    linear = torch.nn.Linear(3 * 8 * 8, 24)
    linear.load_state_dict({"weight": embedding.proj.weight.flatten(1), "bias": embedding.proj.bias})
    patches = rearrange(picture(32), "b c (gh ph) (gw pw) -> b (gh gw) (c ph pw)", ph=8, pw=8)
    reference = torch.nn.Sequential(embedding.norm_in, linear, embedding.norm_out)
    torch.testing.assert_close(embedding(picture(32)), reference(patches))
    names = record(model, picture(32)).embedding().names
    assert names == ("patches", "norm_in", "projected", "patch_tokens", "resid_post")


def test_fused_attention_is_softmax_of_the_scores() -> None:
    q, k, v = torch.randn(3, 2, 4, 17, 6, generator=torch.Generator().manual_seed(0))
    fused = F.scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(fused, attention_scores(q, k).softmax(dim=-1) @ v)
    torch.testing.assert_close(fused, attention(q, k, v))


def test_a_distilled_model_averages_its_two_heads(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(distilled=True))
    normalised = record(model, picture(32)).readout()["norm"].tensor
    assert model.head_dist
    assert model.head_dist
    expected = (model.head(normalised[:, 0]) + model.head_dist(normalised[:, 1])) / 2
    assert torch.equal(model(picture(32)), expected)


def test_without_classes_the_class_token_comes_out(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(classes=0))
    assert torch.equal(model(picture(32)), record(model, picture(32)).readout()["norm"].tensor[:, 0])


def test_patches_are_in_raster_order(tiny_model: ViT) -> None:
    image = torch.zeros(1, 3, 32, 32)
    image[:, :, 8:16, 16:24] = 1
    patches = record(tiny_model, image).embedding()["patches"].tensor
    assert patches.sum(dim=-1).nonzero().tolist() == [[0, 1 * 4 + 2]]


def test_two_threads_with_two_pictures_never_mix(tiny_model: ViT) -> None:
    pictures = [picture(32, seed) for seed in (1, 2)]
    alone = [record(tiny_model, image)["blocks.2.resid_post"].tensor for image in pictures]
    mixed: list[list[Tensor]] = [[], []]

    def walk(which: int) -> None:
        for _ in range(40):
            mixed[which].append(record(tiny_model, pictures[which])["blocks.2.resid_post"].tensor)

    threads = [Thread(target=walk, args=(which,)) for which in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for which in (0, 1):
        assert all(torch.equal(result, alone[which]) for result in mixed[which])
