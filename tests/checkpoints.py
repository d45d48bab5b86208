"""Small checkpoints with random parameters, as each family writes them; no network, no torch seed but their own."""

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from vitviz.config import ViTConfig
from vitviz.model import ViT

SIZES = {
    "image_size": 32,
    "patch_size": 8,
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 40,
}
TIMM = ViTConfig(image_size=32, patch_size=8, dim=24, depth=2, heads=3, mlp_dim=40, classes=5)


def shaken(module: nn.Module, seed: int = 0) -> nn.Module:
    """The module with parameters so large that every one of them matters to the answer."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.3)
    return module.eval()


def shaken_state(config: ViTConfig, seed: int = 0) -> dict[str, Tensor]:
    """Random parameters for one of our own configurations, by timm's names."""
    return {name: tensor.clone() for name, tensor in shaken(ViT(config), seed).state_dict().items()}


def save(state: dict[str, Tensor], path: Path) -> Path:
    """A safetensors file of these tensors."""
    save_file({name: tensor.contiguous() for name, tensor in state.items()}, path)
    return path


def change(path: Path, **renamed: str) -> None:
    """Swap tensors of a safetensors file: `change(path, **{"a": "b"})` gives each the numbers of the other."""
    state = load_file(path)
    for one, other in renamed.items():
        state[one], state[other] = state[other], state[one]
    save(state, path)


def google_arrays(state: dict[str, Tensor], heads: int, old: bool = True) -> dict[str, Any]:
    """timm's tensors as the arrays of google-research/vision_transformer: outputs last, heads on an axis of their own.

    `old` numbers the modules as files on disk do, otherwise as new Flax code does.
    """
    attention, norm, mlp = (1, 2, 3) if old else (0, 1, 0)
    dim = state["norm.weight"].shape[0]
    arrays = {
        "cls": state["cls_token"],
        "embedding/kernel": state["patch_embed.proj.weight"].permute(2, 3, 1, 0),
        "embedding/bias": state["patch_embed.proj.bias"],
        "Transformer/posembed_input/pos_embedding": state["pos_embed"],
        "Transformer/encoder_norm/scale": state["norm.weight"],
        "Transformer/encoder_norm/bias": state["norm.bias"],
        "head/kernel": state["head.weight"].T,
        "head/bias": state["head.bias"],
    }
    depth = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("blocks."))
    for layer in range(depth):
        block = {
            name.removeprefix(f"blocks.{layer}."): tensor
            for name, tensor in state.items()
            if name.startswith(f"blocks.{layer}.")
        }
        there = f"Transformer/encoderblock_{layer}"
        for number, name in ((0, "norm1"), (norm, "norm2")):
            arrays[f"{there}/LayerNorm_{number}/scale"] = block[f"{name}.weight"]
            arrays[f"{there}/LayerNorm_{number}/bias"] = block[f"{name}.bias"]
        attends = f"{there}/MultiHeadDotProductAttention_{attention}"
        for place, part in enumerate(("query", "key", "value")):
            rows = slice(place * dim, (place + 1) * dim)
            arrays[f"{attends}/{part}/kernel"] = block["attn.qkv.weight"][rows].T.reshape(dim, heads, -1)
            arrays[f"{attends}/{part}/bias"] = block["attn.qkv.bias"][rows].reshape(heads, -1)
        arrays[f"{attends}/out/kernel"] = block["attn.proj.weight"].T.reshape(heads, -1, dim)
        arrays[f"{attends}/out/bias"] = block["attn.proj.bias"]
        for place, name in enumerate(("fc1", "fc2")):
            arrays[f"{there}/MlpBlock_{mlp}/Dense_{place}/kernel"] = block[f"mlp.{name}.weight"].T
            arrays[f"{there}/MlpBlock_{mlp}/Dense_{place}/bias"] = block[f"mlp.{name}.bias"]
    return {name: tensor.contiguous().numpy() for name, tensor in arrays.items()}
