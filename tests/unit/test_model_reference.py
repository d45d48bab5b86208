"""The same parameters in our model and in `transformers` give the same answer."""

import torch

from vitviz.config import ViTConfig
from vitviz.model import ViT
from vitviz.trace import record


def test_logits_and_attention_equal_the_reference(tiny_model: ViT, tiny_config: ViTConfig) -> None:
    import transformers

    reference = transformers.ViTForImageClassification(
        transformers.ViTConfig(
            image_size=tiny_config.image_size,
            patch_size=tiny_config.patch_size,
            hidden_size=tiny_config.dim,
            num_hidden_layers=tiny_config.depth,
            num_attention_heads=tiny_config.heads,
            intermediate_size=tiny_config.mlp_dim,
            num_labels=tiny_config.classes,
            layer_norm_eps=1e-6,
            attn_implementation="eager",
        )
    ).eval()
    reference.load_state_dict({_name(ours): value for ours, value in _unstacked(tiny_model).items()})
    image = torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(5))
    with torch.no_grad():
        answer = reference(image, output_attentions=True)
    trace = record(tiny_model, image)
    torch.testing.assert_close(trace["logits"].tensor, answer.logits, rtol=2e-5, atol=2e-6)
    for layer, weights in enumerate(answer.attentions):
        torch.testing.assert_close(trace.inside(layer)["attn.weights"].tensor, weights, rtol=1e-4, atol=1e-6)


def _unstacked(model: ViT) -> dict[str, torch.Tensor]:
    """Our parameters with q, k and v as three."""
    state = {}
    for name, value in model.state_dict().items():
        if ".qkv." in name:
            for part, rows in zip("qkv", value.chunk(3), strict=True):
                state[name.replace(".qkv.", f".{part}.")] = rows
        else:
            state[name] = value
    return state


def _name(ours: str) -> str:
    for old, new in {
        "cls_token": "vit.embeddings.cls_token",
        "pos_embed": "vit.embeddings.position_embeddings",
        "patch_embed.proj": "vit.embeddings.patch_embeddings.projection",
        "blocks.": "vit.layers.",
        "norm1": "layernorm_before",
        "norm2": "layernorm_after",
        "attn.proj": "attention.o_proj",
        "attn.q": "attention.q_proj",
        "attn.k": "attention.k_proj",
        "attn.v": "attention.v_proj",
        "norm.": "vit.layernorm.",
        "head.": "classifier.",
    }.items():
        if ours.startswith(old) or (f".{old}." in ours):
            ours = ours.replace(old, new, 1)
    return ours
