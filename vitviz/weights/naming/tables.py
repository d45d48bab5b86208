"""Tables of names: what each module is called there, `{i}` for the layer, and what it is called here.

q, k and v that are stored apart get names of their own, and are joined when they are read.
"""

import re

from vitviz.config import ViTConfig
from vitviz.config.stems import convolutions
from vitviz.counts.parts import PARTS

# The modules of the paper's hybrid; `{i}` is the number of a stage.
R50 = {
    re.sub(r"(?<=stages\.)\d", "{i}", module)
    for it in convolutions(ViTConfig(stem="r50"))
    for module in (it.module, it.norm)
}

HUGGING_FACE_BLOCK = {
    "encoder.layer.{i}.attention.attention.query": "blocks.{i}.attn.q",
    "encoder.layer.{i}.attention.attention.key": "blocks.{i}.attn.k",
    "encoder.layer.{i}.attention.attention.value": "blocks.{i}.attn.v",
    "encoder.layer.{i}.attention.output.dense": "blocks.{i}.attn.proj",
    "embeddings.cls_token": "cls_token",
    "embeddings.position_embeddings": "pos_embed",
    "embeddings.patch_embeddings.projection": "patch_embed.proj",
    "layernorm": "norm",
}
HUGGING_FACE_VIT = {
    **HUGGING_FACE_BLOCK,
    "embeddings.distillation_token": "dist_token",
    "encoder.layer.{i}.layernorm_before": "blocks.{i}.norm1",
    "encoder.layer.{i}.layernorm_after": "blocks.{i}.norm2",
    "encoder.layer.{i}.intermediate.dense": "blocks.{i}.mlp.fc1",
    "encoder.layer.{i}.output.dense": "blocks.{i}.mlp.fc2",
    # the names that transformers 5 uses in memory
    "layers.{i}.attention.q_proj": "blocks.{i}.attn.q",
    "layers.{i}.attention.k_proj": "blocks.{i}.attn.k",
    "layers.{i}.attention.v_proj": "blocks.{i}.attn.v",
    "layers.{i}.attention.o_proj": "blocks.{i}.attn.proj",
    "layers.{i}.layernorm_before": "blocks.{i}.norm1",
    "layers.{i}.layernorm_after": "blocks.{i}.norm2",
    "layers.{i}.mlp.fc1": "blocks.{i}.mlp.fc1",
    "layers.{i}.mlp.fc2": "blocks.{i}.mlp.fc2",
    "classifier": "head",
    "cls_classifier": "head",
    "distillation_classifier": "head_dist",
}
HUGGING_FACE_DINOV2 = {
    **HUGGING_FACE_BLOCK,
    "embeddings.register_tokens": "reg_token",
    "encoder.layer.{i}.norm1": "blocks.{i}.norm1",
    "encoder.layer.{i}.norm2": "blocks.{i}.norm2",
    "encoder.layer.{i}.layer_scale1.lambda1": "blocks.{i}.ls1.gamma",
    "encoder.layer.{i}.layer_scale2.lambda1": "blocks.{i}.ls2.gamma",
    "encoder.layer.{i}.mlp.fc1": "blocks.{i}.mlp.fc1",
    "encoder.layer.{i}.mlp.fc2": "blocks.{i}.mlp.fc2",
    "encoder.layer.{i}.mlp.weights_in": "blocks.{i}.mlp.fc1",
    "encoder.layer.{i}.mlp.weights_out": "blocks.{i}.mlp.fc2",
    # the names that transformers 5 uses in memory
    "encoder.layer.{i}.attention.q_proj": "blocks.{i}.attn.q",
    "encoder.layer.{i}.attention.k_proj": "blocks.{i}.attn.k",
    "encoder.layer.{i}.attention.v_proj": "blocks.{i}.attn.v",
    "encoder.layer.{i}.attention.o_proj": "blocks.{i}.attn.proj",
    "encoder.layer.{i}.mlp.gate_proj": "blocks.{i}.mlp.gate",
    "encoder.layer.{i}.mlp.up_proj": "blocks.{i}.mlp.up",
    "encoder.layer.{i}.mlp.down_proj": "blocks.{i}.mlp.fc2",
}
HUGGING_FACE_TOWER = {
    "embeddings.patch_embedding": "patch_embed.proj",
    "embeddings.position_embedding.weight": "pos_embed",
    "encoder.layers.{i}.layer_norm1": "blocks.{i}.norm1",
    "encoder.layers.{i}.layer_norm2": "blocks.{i}.norm2",
    "encoder.layers.{i}.self_attn.q_proj": "blocks.{i}.attn.q",
    "encoder.layers.{i}.self_attn.k_proj": "blocks.{i}.attn.k",
    "encoder.layers.{i}.self_attn.v_proj": "blocks.{i}.attn.v",
    "encoder.layers.{i}.self_attn.out_proj": "blocks.{i}.attn.proj",
    "encoder.layers.{i}.mlp.fc1": "blocks.{i}.mlp.fc1",
    "encoder.layers.{i}.mlp.fc2": "blocks.{i}.mlp.fc2",
    "post_layernorm": "norm",
}
HUGGING_FACE_CLIP = {
    **HUGGING_FACE_TOWER,
    "embeddings.class_embedding": "cls_token",
    "pre_layrnorm": "norm_pre",  # sic
}
HUGGING_FACE_SIGLIP = {
    **HUGGING_FACE_TOWER,
    "head.probe": "attn_pool.latent",
    "head.attention.in_proj_weight": "attn_pool.qkv.weight",
    "head.attention.in_proj_bias": "attn_pool.qkv.bias",
    "head.attention.out_proj": "attn_pool.proj",
    "head.layernorm": "attn_pool.norm",
    "head.mlp.fc1": "attn_pool.mlp.fc1",
    "head.mlp.fc2": "attn_pool.mlp.fc2",
}
OPENAI_CLIP = {
    "class_embedding": "cls_token",
    "positional_embedding": "pos_embed",
    "conv1": "patch_embed.proj",
    "ln_pre": "norm_pre",
    "transformer.resblocks.{i}.ln_1": "blocks.{i}.norm1",
    "transformer.resblocks.{i}.ln_2": "blocks.{i}.norm2",
    "transformer.resblocks.{i}.attn.in_proj_weight": "blocks.{i}.attn.qkv.weight",
    "transformer.resblocks.{i}.attn.in_proj_bias": "blocks.{i}.attn.qkv.bias",
    "transformer.resblocks.{i}.attn.out_proj": "blocks.{i}.attn.proj",
    "transformer.resblocks.{i}.mlp.c_fc": "blocks.{i}.mlp.fc1",
    "transformer.resblocks.{i}.mlp.c_proj": "blocks.{i}.mlp.fc2",
    "ln_post": "norm",
}
# Numbers in Google's module names count siblings: in older files all of them, in newer ones those of the same kind.
GOOGLE = {
    "pre_logits": "pre_logits.fc",
    "cls": "cls_token",
    "pos_embedding": "pos_embed",
    "embedding": "patch_embed.proj",
    "Transformer.posembed_input.pos_embedding": "pos_embed",
    "Transformer.encoder_norm": "norm",
    "head": "head",
} | {
    f"Transformer.encoderblock_{{i}}.{theirs}": f"blocks.{{i}}.{ours}"
    for attention, norm, mlp in ((1, 2, 3), (0, 1, 0))
    for theirs, ours in {
        "LayerNorm_0": "norm1",
        f"MultiHeadDotProductAttention_{attention}.query": "attn.q",
        f"MultiHeadDotProductAttention_{attention}.key": "attn.k",
        f"MultiHeadDotProductAttention_{attention}.value": "attn.v",
        f"MultiHeadDotProductAttention_{attention}.out": "attn.proj",
        f"LayerNorm_{norm}": "norm2",
        f"MlpBlock_{mlp}.Dense_0": "mlp.fc1",
        f"MlpBlock_{mlp}.Dense_1": "mlp.fc2",
    }.items()
}
TIMM_NAMES = {part.module or part.tensor: part.module or part.tensor for part in PARTS} | {
    **{module: module for module in R50},
    **{
        f"{owner}.{module}": f"{owner}.{module}"
        for owner in ("blocks.{i}.attn.rel_pos", "shared_rel_pos")
        for module in ("mlp.fc1", "mlp.fc2", "relative_position_bias_table")
    },
    # the names of the first DINOv2, TIPS and DeiT-III files
    "register_tokens": "reg_token",
    "blocks.{i}.mlp.w12": "blocks.{i}.mlp.fc1",
    "blocks.{i}.mlp.w3": "blocks.{i}.mlp.fc2",
    "blocks.{i}.mlp.c_fc": "blocks.{i}.mlp.fc1",
    "blocks.{i}.mlp.c_proj": "blocks.{i}.mlp.fc2",
    "blocks.{i}.gamma_1": "blocks.{i}.ls1.gamma",
    "blocks.{i}.gamma_2": "blocks.{i}.ls2.gamma",
}
