"""With every switch off, the model is the paper's: the same bits as its equations, written down once more."""

import torch
from einops import rearrange
from torch.nn import functional as F

from vitviz.config import ViTConfig
from vitviz.model import ViT


def test_all_switches_off_is_the_model_of_the_paper_bit_for_bit(tiny_model: ViT, tiny_config: ViTConfig) -> None:
    image = torch.randn(2, 3, 32, 32, generator=torch.Generator().manual_seed(2))
    p, heads = tiny_model.state_dict(), tiny_config.heads

    def norm(x: torch.Tensor, name: str) -> torch.Tensor:
        return F.layer_norm(x, (tiny_config.dim,), p[f"{name}.weight"], p[f"{name}.bias"], tiny_config.epsilon)

    def linear(x: torch.Tensor, name: str) -> torch.Tensor:
        return F.linear(x, p[f"{name}.weight"], p[f"{name}.bias"])

    patches = rearrange(image, "b c (gh ph) (gw pw) -> b (gh gw) (c ph pw)", ph=8, pw=8)
    tokens = F.linear(patches, p["patch_embed.proj.weight"].flatten(1), p["patch_embed.proj.bias"])
    z = torch.cat([p["cls_token"].expand(2, -1, -1), tokens], dim=1) + p["pos_embed"]
    for layer in range(tiny_config.depth):
        block = f"blocks.{layer}"
        qkv = linear(norm(z, f"{block}.norm1"), f"{block}.attn.qkv")
        q, k, v = rearrange(qkv, "b t (qkv head dh) -> qkv b head t dh", qkv=3, head=heads)
        gathered = rearrange(F.scaled_dot_product_attention(q, k, v), "b head t dh -> b t (head dh)")
        z = z + linear(gathered, f"{block}.attn.proj")
        z = z + linear(F.gelu(linear(norm(z, f"{block}.norm2"), f"{block}.mlp.fc1")), f"{block}.mlp.fc2")
    assert torch.equal(linear(norm(z, "norm")[:, 0], "head"), tiny_model(image))
