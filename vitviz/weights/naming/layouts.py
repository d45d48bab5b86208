"""The layouts: who writes checkpoints, how such a file is recognised, and what in it is no part of the model.

A layout is a table of `naming/tables.py`: a module's name there, `{i}` for the layer, and its name here, which is
timm's. What is left out is said.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vitviz.weights.families.known import HUGGING_FACE, TIMM
from vitviz.weights.naming.tables import (
    GOOGLE,
    HUGGING_FACE_CLIP,
    HUGGING_FACE_DINOV2,
    HUGGING_FACE_SIGLIP,
    HUGGING_FACE_VIT,
    OPENAI_CLIP,
    TIMM_NAMES,
)


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to name the parameters.

    `marker` is a name that no other layout has, behind an optional `prefix`; `family` says whose model it is, `follows`
    whose usual preprocessing, activation and epsilon hold; `transposed` that kernels have their outputs last.
    `activation` and `epsilon` are those of the one program that writes such files; `activation_varies` where others
    write them too, with another activation.
    """

    title: str
    family: str
    follows: str
    marker: str
    names: Mapping[str, str]
    left_out: Mapping[str, str]
    prefix: str = ""
    transposed: bool = False
    activation: str | None = None
    epsilon: float | None = None
    activation_varies: bool = False

    def knows(self, names: Iterable[str]) -> bool:
        """Whether a checkpoint with these names is written in this layout."""
        return any(re.fullmatch(self.prefix + self.marker, name) for name in names)


PROJECTION = "the projection into the space that pictures share with texts"
PRETRAINING = "a layer of pretraining, not used for the answer"
TEXT = {
    r"text_model\..*|logit_scale|logit_bias|text_projection.*": "the text model",
    r"visual_projection\..*": PROJECTION,
    r"(vision_model\.)?embeddings\.position_ids": "a row of numbers that counts from 0",
}
POOLER = {r"(\w+\.)?pooler\.dense\..*": PRETRAINING}
MASK = {r"(\w+\.)?(embeddings\.)?mask_token": "the token that stood for hidden patches in training"}
DECODES = "the decoder of pretraining, which paints hidden patches"
DEPTH = {r"(neck|head|auxiliary_head)\..*": "layers that estimate depth"}
BOTH = {r"classifier\..*": "a classifier that reads the mean of the patch tokens as well"}
MEAN = {r"classifier\..*": "a classifier that reads the mean of the patch tokens"}

LAYOUTS = (
    Layout(
        title="Hugging Face DINOv2",
        family="dinov2",
        follows=HUGGING_FACE,
        marker=r"encoder\.layer\.0\.layer_scale1\.lambda1",
        prefix=r"(?:(?:dinov2|dinov2_with_registers)\.)?",
        names=HUGGING_FACE_DINOV2,
        left_out=MASK | BOTH,
    ),
    Layout(
        title="Hugging Face DeiT",
        family="deit",
        follows=HUGGING_FACE,
        marker=r"embeddings\.distillation_token",
        prefix=r"(?:deit\.)?",
        names=HUGGING_FACE_VIT,
        left_out=MASK | POOLER,
    ),
    Layout(
        title="Hugging Face ViT",
        family="vit",
        follows=HUGGING_FACE,
        marker=r"(?:encoder\.layer|layers)\.0\.layernorm_before\.weight",
        prefix=r"(?:(?:vit|ijepa|dpt)\.)?",
        names=HUGGING_FACE_VIT,
        left_out=MASK | POOLER | DEPTH | {r"decoder\..*": DECODES},
    ),
    Layout(
        title="Hugging Face CLIP",
        family="clip",
        follows=HUGGING_FACE,
        marker=r"pre_layrnorm\.weight",
        prefix=r"(?:vision_model\.)?",
        names=HUGGING_FACE_CLIP,
        left_out=TEXT | MEAN,
    ),
    Layout(
        title="Hugging Face SigLIP",
        family="siglip",
        follows=HUGGING_FACE,
        marker=r"head\.probe",
        prefix=r"(?:vision_model\.)?",
        names=HUGGING_FACE_SIGLIP,
        left_out=TEXT | MEAN,
    ),
    Layout(
        title="OpenAI CLIP",
        family="clip",
        follows=HUGGING_FACE,
        marker=r"transformer\.resblocks\.0\.attn\.in_proj_weight",
        prefix=r"visual\.",
        names=OPENAI_CLIP,
        left_out={r"visual\.proj": PROJECTION, r"(?!visual\.).*": "the text model"},
        epsilon=1e-5,
        activation_varies=True,
    ),
    Layout(
        title="Google",
        family="vit",
        follows=TIMM,
        marker=r"Transformer/encoderblock_0/LayerNorm_0/scale",
        names=GOOGLE,
        left_out={},
        transposed=True,
        activation="gelu_tanh",  # what `nn.gelu` of Flax is
        epsilon=1e-6,
    ),
    Layout(
        title="timm",
        family="vit",
        follows=TIMM,
        marker=r"blocks\.0\.attn\.qkv\.weight",
        names=TIMM_NAMES,
        left_out=MASK | {r"decoder_\w+(\..*)?": DECODES},
    ),
)
