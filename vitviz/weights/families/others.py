"""Families that are not shown here: what gives each away in a checkpoint, and what it does differently, in a sentence.

The first that fits is meant, so who borrows from another family stands before it.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Other:
    """A family by its `name`, and how it `differs` from the model here.

    It is known by `signs`, a pattern for some name in the file in which every number is written as #, and by the
    parameters of ours that it `has` and `lacks`; `axes` are those of its patch embedding.
    """

    name: str
    differs: str
    signs: str = ""
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    axes: int = 0

    def refusal(self, title: str) -> str:
        """The sentence that refuses a file of this family."""
        return f"{title} is {self.name}, which is not shown here: {self.differs}"

    def fits(self, text: str, shapes: Mapping[str, Collection[int]]) -> bool:
        """Whether a file is of this family: its names, one in each line, and what of our parameters it has."""
        if not self.signs and not shapes:
            return False
        return (
            all(name in shapes for name in self.has)
            and not any(name in shapes for name in self.lacks)
            and self.axes in (0, len(shapes.get(PATCHES, ())))
            and bool(re.search(self.signs, text, re.MULTILINE))
        )


def find_other(names: Iterable[str], shapes: Mapping[str, Collection[int]]) -> Other | None:
    """The family that a checkpoint belongs to where it is not shown here: by its names, and our parameters in it."""
    text = "\n".join(dict.fromkeys(NUMBER.sub("#", name) for name in names))
    return next((other for other in OTHERS if other.fits(text, shapes)), None)


PATCHES, POSITIONS, CLASS, POOL = "patch_embed.proj.weight", "pos_embed", "cls_token", "attn_pool.latent"
QKV = "blocks.0.attn.qkv.weight"
R50 = (  # what its convolutions and norms are called
    r"(stem\.conv\.weight|stem\.norm\.(weight|bias)"
    r"|stages\.#\.blocks\.#\.(downsample\.conv\.weight|downsample\.norm\.(weight|bias)|conv#\.weight|norm#\.(weight|bias)))"
)

FRAMES = "a model of videos", "its tokens come from several frames, and attention runs through time as well"
FLEXIBLE = (
    "it takes pictures of any shape as a list of flattened patches, and fits its grid of positions to each of them"
)
ROTATIONS = "q and k are turned by angles that tell row and column"
CONVOLVES = "convolutions slide over the picture, where a ViT cuts it into patches once and lets attention compare them"
STAGES = "it works in stages that grow coarser and wider, where a ViT keeps one token per patch from first to last"

OTHERS = (
    # how a picture becomes tokens
    Other(
        "a hybrid of a ViT and a network of convolutions other than R50, as ViTamin",
        "convolutions compute on the whole picture first, and their result is cut into tokens, not the picture itself",
        rf"patch_embed(dings)?\.backbone\.(?!{R50}$)",
    ),
    Other(
        "a hybrid of a ViT and another residual network than R50 with 3, 4 and 9 blocks, or half of such a file",
        "R26 and R50 down to 32 × 32 pixels have other numbers of blocks in their stages, and coarser tokens",
        has=("patch_embed.backbone.stages.0.blocks.1.conv1.weight",),
        lacks=("patch_embed.backbone.stages.2.blocks.8.conv1.weight",),
    ),
    Other(*FRAMES, r"time_embeddings|temporal_attention|message_attn|predictor\.embeddings"),
    Other(*FRAMES, axes=5),
    Other("a NaFlex ViT", FLEXIBLE, r"^embeds\."),
    Other("a NaFlex ViT, as SigLIP 2 has one", FLEXIBLE, has=(POOL,), axes=2),
    # stages and windows
    Other(
        "a PVT, Twins or SegFormer",
        "keys and values are shrunk to fewer tokens before the scores, and patches are merged between its stages",
        r"attn\.sr\.|self\.sr\.|sequence_reduction|spatial_reduction|mlp\.dwconv|^patch_embeds\.#\.",
    ),
    Other(
        "a Swin Transformer",
        "attention stays inside windows that shift from block to block, and patches are merged between its stages",
        r"layers\.#\.blocks\.#\.att|attn\.meta_mlp",
    ),
    Other(
        "an MViT",
        "attention pools k and v to fewer tokens, and between its stages q as well, so its grid grows coarser",
        r"attn\.pool_[qkv]\.",
    ),
    Other("a TNT", "a small transformer runs inside every patch, and a large one over all of them", r"^pixel_embed\."),
    Other(
        "a Hiera",
        "tokens are pooled on the way, and the early blocks attend only inside small windows",
        r"^blocks\.#\.proj\.|pos_embed_win|stages\.#\.layers\.#\.attn\.qkv",
    ),
    Other(
        "a LeViT or one of its kin (TinyViT, EfficientFormer)",
        "convolutions shrink the picture first, and every score gets a learned number for the distance of two patches",
        r"attention_bias(es)?$",
    ),
    Other("a PiT", "its tokens are pooled twice on the way, like the stages of a ResNet", r"^transformers\.#\."),
    Other("a NesT", STAGES, r"^levels\.#\.transformer_encoder"),
    Other("a CoaT", STAGES, r"serial_blocks"),
    Other("a CvT", STAGES, r"convolution_projection"),
    Other("a Visformer", STAGES, r"^pos_embed#$"),
    Other("a VOLO", STAGES, r"^post_network\."),
    Other(
        "an image encoder of SAM or ViTDet",
        "most of its blocks attend inside windows, and every score gets learned numbers for the rows and the columns "
        "between two patches",
        r"attn(ention)?\.rel_pos_[hw]$|^embeddings\.projection\.",
    ),
    Other("a MobileViT", "small transformers stand between its convolutions", r"\.transformer\.layer\.#\.layernorm_"),
    Other("a SwiftFormer", STAGES, r"\.attn\.w_g$"),
    # networks of convolutions
    Other(
        "a ConvNeXt or one of its kin",
        CONVOLVES,
        r"stages\.#\.((blocks|layers)\.)?#\.(conv_dw|dwconv|pwconv|grn)|^(encoder\.)?network\.#\.",
    ),
    Other(
        "a ResNet or one of its kin",
        CONVOLVES,
        r"^(resnet\.)?layer#\.#\.conv#|^conv#\.weight|embedder\.convolution|^s#\.b#\.|^(\w+\.)?layer#\.",
    ),
    Other("an EfficientNet or MobileNet", CONVOLVES, r"^_?conv_stem\.|\.depthwise_conv\."),
    Other("a PoolFormer", "each token takes the mean of its neighbours in place of attention", r"\.before_norm\."),
    Other("a FocalNet", "convolutions around each patch take the place of attention", r"\.modulation\."),
    Other("a Sequencer", "recurrent networks run over rows and columns in place of attention", r"rnn_tokens|\.rnn"),
    Other("a network of stages, as MaxViT", STAGES, r"^(?!patch_embed\.backbone\.)(\w+\.)*?(dense_)?stages\.#\."),
    # what attention does
    Other(
        "an XCiT",
        "its attention weighs the channels of the tokens against each other and not the tokens, so no map tells whom a "
        "token looks at",
        r"\.local_mp\.|cls_attn_blocks",
    ),
    Other(
        "a CaiT",
        "its class token joins in the last two blocks only, and its heads are mixed before and after the softmax",
        r"blocks_token_only|attn\.proj_[lw]\.",
    ),
    Other(
        "a CrossViT", "two ViTs with patches of two sizes exchange their class tokens", r"\.fusion\.#\.|pos_embed_#$"
    ),
    Other("a ConViT", "some heads start as convolutions and learn a gate between place and content", r"gating_param"),
    Other(
        "a ViT with differential attention",
        "each head subtracts one attention map from another, so its weights do not sum to 1",
        r"\blambda_q#",
    ),
    Other(
        "a ViT whose attention and MLP run in parallel",
        "both read the same tokens and are added at once, where blocks here run one after the other",
        r"mlp_out_proj|blocks\.#\.out_proj\.",
    ),
    Other(
        "a ViT with parallel blocks",
        "two attentions read the same tokens and are added at once, then two MLPs, where blocks here have one of each",
        r"\.attns\.#\.",
    ),
    Other(
        "an MLP-Mixer or one of its kin",
        "it has no attention: layers with fixed weights mix the tokens",
        r"mlp_tokens|linear_tokens|mlp_channels",
    ),
    # where positions come from
    Other(
        "a BEiT or data2vec",
        "no position is added to the tokens; every score gets a learned number for the offset of two "
        "patches, as models here may have, and others for the class token, as none has",
        r"(?<!rel_pos\.)relative_position_bias|pooler\.layernorm|^beit\.",
    ),
    Other(
        "a ViT with normalised queries and keys, as Sapiens2",
        "every q and k is brought to one length before they are compared, so that no score grows without end",
        r"\b[qk]_norm\.",
        lacks=("blocks.0.attn.q_norm.bias",),
    ),
    Other(
        "a DINOv3",
        f"its positions are rotations: {ROTATIONS}, and nothing is added to the tokens",
        r"^layer\.#\.(attention|norm#|layer_scale#)\.|storage_tokens|rope_embed|bias_mask",
    ),
    Other(
        "a DINOv3 or one of its kin",
        f"its positions are rotations: {ROTATIONS}, and nothing is added to the tokens",
        has=(QKV, CLASS, "reg_token"),
        lacks=(POSITIONS,),
    ),
    Other(
        "a Perception Encoder (pe_core)",
        f"{ROTATIONS}, besides positions that are added, and all tokens are pooled by attention",
        has=(POOL, "norm_pre.weight"),
    ),
    Other(
        "a Perception Encoder (pe_spatial, pe_lang)",
        f"{ROTATIONS}, besides positions that are added, and no layer norm follows the last block",
        has=(QKV, "norm_pre.weight"),
        lacks=("norm.weight",),
    ),
    Other("a ViT with rotary positions (rope)", f"{ROTATIONS}, in every block anew", r"rope|class_pos_emb$"),
    Other(
        "a ViT without a position embedding",
        f"nothing is added to its tokens; as a rule {ROTATIONS} instead",
        has=(QKV, PATCHES),
        lacks=(POSITIONS,),
    ),
    # what else blocks do
    Other(
        "an EVA",
        f"k has no bias, and in most since EVA-02 the MLP is gated and {ROTATIONS}",
        r"^blocks\.#\.attn\.(q_bias$|q_proj\.)",
    ),
    Other("a BEiT-3", "layer norms stand inside attention and MLP, before the last matrix of each", r"\.attn\.norm\."),
    Other(
        "an AIMv2",
        "no matrix of its blocks has a bias, and its patches are normalised after the projection alone",
        r"^patch_embed\.norm\.|rms_norm",
    ),
    Other("an InternViT", "no layer norm follows its last block", r"layer\.#\.attention\.projection_layer"),
    Other(
        "a RADIO", "no layer norm follows its last block, and each of its teachers has a class token", r"^radio_model\."
    ),
    # towers of larger models, and what is no model of pictures
    Other(
        "the vision tower of a language model",
        "its tokens go on into a text, and nothing in it answers about the picture",
        r"^(encoder\.)?(patch_embed\.position_embedding_table|merger\.|aligner\.)|^encoder\.(patch_embed|blocks)\.",
    ),
    Other(
        "a ViT under names of torchvision, BLIP or open_clip",
        "they are not read; take the file that timm or Hugging Face have of it",
        r"encoder_layer_#\.self_attention\.|self_attn\.projection\.|^visual\.trunk\.",
    ),
    Other(
        "a ViTPose",
        "it tells where joints of people are, and has a position for a class token that it lacks",
        r"(?s)(?=.*attention\.attention\.).*layernorm_before\..*\.mlp\.fc#\.",
        lacks=(CLASS,),
    ),
    Other("a YOLOS", "a hundred further tokens each look for one object", r"detection_tokens"),
    Other(
        "an OWL-ViT", "it looks for objects, and each patch token answers with a box", r"^vision_model\.pre_layernorm\."
    ),
    Other(
        "a language model, or has one inside",
        "its tokens stand for words, or in ImageGPT for the colours of pixels",
        r"(^|\.)h\.#\.|word_embeddings|embed_tokens|language_model\.|^wte\.",
    ),
    Other("a diffusion model", "it paints pictures", r"diffusion_model\.|down_blocks\.|transformer_blocks\.#"),
    Other("a network of convolutions", CONVOLVES, r"^features\.|running_mean$"),
    # what models of any family may do
    Other(
        "a SigLIP as Google's big_vision writes it",
        "its attention pooling goes by names that are not read; take the file that timm or Hugging Face have of it",
        r"MAPHead",
    ),
    Other(
        "a ViT whose attention pooling stands beside register tokens",
        "some such models pool the registers as well and some leave them out, and nothing in the file tells which",
        has=(POOL, "reg_token"),
    ),
    Other(
        "a ViT with attention pooling beside a class token",
        "its class token is one of many, and the pooling gives the answer",
        has=(POOL, CLASS),
    ),
    Other(
        "a ViT without a last layer norm, as InternViT and RADIO",
        "what leaves the last block is the answer as it is",
        has=(QKV, PATCHES),
        lacks=("norm.weight", "fc_norm.weight"),
    ),
    Other(
        "a DeiT with a distillation token and one head",
        "its answer is read off the class token alone, where that of DeiT is the mean of two heads",
        has=("dist_token", "head.weight"),
        lacks=("head_dist.weight",),
    ),
)
