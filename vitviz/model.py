"""The Vision Transformer in reading order: patches, tokens, blocks, head.

Dosovitskiy et al. 2020, "An Image is Worth 16x16 Words" (https://arxiv.org/abs/2010.11929), equations 1-4.
Parameter names are those of timm, so that its checkpoints fit without renaming.

Axes: b batch, c channels, gh gw grid rows and columns, ph pw pixels inside a patch, n patches, t tokens, d dim,
head, dh head dim, q query token, k key token, m MLP width.

Every stage hands its value to `record(name, value)` where it is born, and goes on with the value that comes back: who
watches may also change. The model itself keeps nothing: one model serves many people at once.
"""

from collections.abc import Mapping
from functools import partial

import torch
from einops import rearrange, repeat
from torch import Tensor, nn
from torch.nn import functional as F

from vitviz.config import ViTConfig
from vitviz.config.stems import read_by_projection
from vitviz.machine.wanted import while_wanted
from vitviz.recording import Record, ignore, prefixed
from vitviz.switches.block import ACTIVATION_FUNCTIONS, GatedMLP, LayerScale, norm
from vitviz.switches.first_values import initialise
from vitviz.switches.positions import RelativePositions, add_tables, embedding, rotations, turned
from vitviz.switches.readout import AttentionPool, PreLogits
from vitviz.switches.scoring import LINEAR, USUAL, Scoring, linear_attention, own_scoring
from vitviz.switches.stems import cut, joined, stem

NO_SCORINGS: Mapping[int, Scoring] = {}


class PatchEmbedding(nn.Module):
    """Cut the image into patches, flatten each, and project it to a token (equation 1).

    The weight has the shape of a convolution, `d c ph pw`, because checkpoints store it so; it is used as the matrix
    it is: the same numbers as a convolution whose stride is its kernel size.
    """

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.grid, self.sides, (width, sides) = config.grid, config.patch_sides, read_by_projection(config)
        self.backbone = stem(config)
        self.norm_in = nn.LayerNorm(config.patch_values, config.epsilon) if config.patch_norm else None
        self.proj = nn.Conv2d(width, config.dim, sides, sides, bias=config.patch_bias)
        self.norm_out = nn.LayerNorm(config.dim, config.epsilon) if config.patch_norm else None

    def forward(self, image: Tensor, record: Record = ignore) -> Tensor:
        """`b c (gh ph) (gw pw) -> b n d`, patches in raster order."""
        x = record("patches", cut(image, self.sides))
        if self.backbone is not None:
            maps = self.backbone(joined(x, self.grid, self.sides), record)
            x = record("features", cut(maps, self.proj.kernel_size))
        if self.norm_in is not None:
            x = record("norm_in", self.norm_in(x))
        x = F.linear(x, rearrange(self.proj.weight, "d c ph pw -> d (c ph pw)"), self.proj.bias)
        if self.norm_out is not None:
            x = self.norm_out(record("projected", x))
        return record("patch_tokens", x)


class Attention(nn.Module):
    """Multi-head self-attention: every token asks (q), every token answers (k) and gives (v) (appendix A)."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.config, self.heads, width = config, config.heads, config.heads * config.head_dim
        self.qkv = nn.Linear(config.dim, 3 * width, bias=config.qkv_bias)
        self.q_norm = nn.LayerNorm(config.head_dim, config.epsilon) if config.qk_norm else None
        self.k_norm = nn.LayerNorm(config.head_dim, config.epsilon) if config.qk_norm else None
        self.rel_pos = RelativePositions(config) if config.positions == "relative" else None
        self.proj = nn.Linear(width, config.dim)

    def forward(self, x: Tensor, record: Record = ignore, scoring: Scoring | None = None) -> Tensor:
        """`b t d -> b t d`"""
        rotary = self.config.positions == "rotary"
        angles = record("angles", rotations(self.config, x.device, x.dtype)) if rotary else None
        q, k, v = self.projected(x, angles=angles)
        bias = record("bias", self.rel_pos()) if self.rel_pos is not None else None
        q, k, v = record("q", q), record("k", k), record("v", v)
        z = record("z", attend(q, k, v, record, scoring or own_scoring(self.config, x.device), bias))
        return self.proj(rearrange(z, "b head t dh -> b t (head dh)"))

    def projected(self, x: Tensor, many: int = 3, angles: Tensor | None = None) -> list[Tensor]:
        """q, k and v, or only the first so `many`, at least two: `b t d -> b head t dh` each; q and k turned."""
        rows = many * self.proj.in_features
        bias = None if self.qkv.bias is None else self.qkv.bias[:rows]
        made = F.linear(x, self.qkv.weight[:rows], bias)
        q, k, *v = rearrange(made, "b t (qkv head dh) -> qkv b head t dh", qkv=many, head=self.heads)
        q, k = q if self.q_norm is None else self.q_norm(q), k if self.k_norm is None else self.k_norm(k)
        return [turned(q, angles), turned(k, angles), *v]


Bias = Tensor | None  # on the scores, `... q k`, where positions are relative


def attend(q: Tensor, k: Tensor, v: Tensor, record: Record, scoring: Scoring | None, bias: Bias = None) -> Tensor:
    """`attention`, fused, so that nobody sees scores and weights; written out where there is a scoring."""
    if scoring is None:
        return F.scaled_dot_product_attention(q, k, v, bias)
    return linear_attention(q, k, v, record) if scoring is LINEAR else attention(q, k, v, record, scoring, bias)


def attention(
    q: Tensor, k: Tensor, v: Tensor, record: Record = ignore, scoring: Scoring | None = None, bias: Bias = None
) -> Tensor:
    """softmax(q·k / √dh)·v written out: `... q dh, ... k dh, ... k dh -> ... q dh` (equations 6 and 7).

    The fused attention of the forward pass computes the same without ever holding scores and weights, `... q k`.
    """
    scores = record("scores", attention_scores(q, k, scoring, bias))
    weights = record("weights", scores.softmax(dim=-1))
    return weights @ v


def attention_scores(q: Tensor, k: Tensor, scoring: Scoring | None = None, bias: Bias = None) -> Tensor:
    """q·k / √dh, what softmax turns into attention weights, or what `scoring` says: `... q dh, ... k dh -> ... q k`."""
    return (scoring or USUAL)(q, k, bias)


class MLP(nn.Module):
    """Two linear layers with an activation between them, the paper's is GELU, applied to each token alone."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.activation = ACTIVATION_FUNCTIONS[config.activation]
        self.fc1 = nn.Linear(config.dim, config.mlp_dim)
        self.fc2 = nn.Linear(config.mlp_dim, config.dim)

    def forward(self, x: Tensor, record: Record = ignore) -> Tensor:
        """`b t d -> b t d`, through `b t m`."""
        hidden = record("hidden", self.fc1(x))
        active = record("active", self.activation(hidden))
        return self.fc2(active)


class Block(nn.Module):
    """Encoder block: attention, then MLP, each added to the residual stream (equations 2 and 3).

    Norms stand before both, or after both sums. "attn.out" and "mlp.out" are what is added; where there is a layer
    scale, after it.
    """

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        if config.positions_at == "every_layer":
            add_tables(self, config)
        self.post = config.norm_order == "post"
        self.norm1 = norm(config)
        self.attn = Attention(config)
        self.ls1 = LayerScale(config) if config.layer_scale else None
        self.norm2 = norm(config)
        self.mlp = GatedMLP(config) if config.activation == "swiglu" else MLP(config)
        self.ls2 = LayerScale(config) if config.layer_scale else None

    def forward(self, x: Tensor, record: Record = ignore, scoring: Scoring | None = None) -> Tensor:
        """`b t d -> b t d`"""
        if self.post:
            x = record("resid_mid", x + self.attended(x, record, scoring))
            x = record("norm1", self.norm1(x))
            x = record("resid_sum", x + self.thought(x, record))
            return record("resid_post", self.norm2(x))
        x = record("resid_mid", x + self.attended(record("norm1", self.norm1(x)), record, scoring))
        return record("resid_post", x + self.thought(record("norm2", self.norm2(x)), record))

    def reads(self, x: Tensor) -> Tensor:
        """What attention reads of the stream that enters the block."""
        return x if self.post else self.norm1(x)

    def attended(self, x: Tensor, record: Record, scoring: Scoring | None) -> Tensor:
        """What attention adds."""
        out = self.attn(x, prefixed("attn", record), scoring)
        return record("attn.out", out if self.ls1 is None else self.ls1(record("attn.unscaled", out)))

    def thought(self, x: Tensor, record: Record) -> Tensor:
        """What the MLP adds."""
        out = self.mlp(x, prefixed("mlp", record))
        return record("mlp.out", out if self.ls2 is None else self.ls2(record("mlp.unscaled", out)))


class ViT(nn.Module):
    """A Vision Transformer: `ViT(config)(image)` maps `b c h w` to class logits `b classes`.

    With `classes=0` there is no head, and the result is what the head would read, `b d`. Parameters are drawn with a
    generator of their own, so `seed` alone decides them.
    """

    pos_embed: nn.Parameter  # where positions are learned one by one

    def __init__(self, config: ViTConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        device = torch.empty(0).device  # that of `with torch.device(...)` too, in every PyTorch
        with torch.device("meta"):  # shapes first: PyTorch's own initialisation would draw every number twice
            self.cls_token = _vectors(1, config) if "class" in config.prefix_tokens else None
            self.dist_token = _vectors(1, config) if config.distilled else None
            self.reg_token = _vectors(config.registers, config) if config.registers else None
            if config.positions_at != "every_layer":
                add_tables(self, config)
            self.patch_embed = PatchEmbedding(config)
            self.norm_pre = norm(config) if config.input_norm else None
            self.blocks = nn.ModuleList(Block(config) for _ in while_wanted(range(config.depth)))
            self.norm = None if config.norm_after_pooling else norm(config)
            self.fc_norm = norm(config) if config.norm_after_pooling else None
            self.attn_pool = AttentionPool(config, MLP(config)) if config.pool == "attention" else None
            self.pre_logits = PreLogits(config) if config.pre_logits else None
            self.head = _head(config)
            self.head_dist = _head(config) if config.distilled else None
        if device.type != "meta":
            initialise(self, seed, device, config.initial)

    def forward(self, image: Tensor, record: Record = ignore) -> Tensor:
        """`b c h w -> b classes`"""
        return self.go_on(self.embed(image, prefixed("embed", record)), 0, record)

    def go_on(
        self, x: Tensor, layer: int, record: Record = ignore, scorings: Mapping[int, Scoring] = NO_SCORINGS
    ) -> Tensor:
        """From the stream that enters block `layer` to the logits: `b t d -> b classes`.

        `scorings` are those of single layers; that of attention pooling stands under the depth.
        """
        for i in range(layer, len(self.blocks)):
            inside = prefixed(f"blocks.{i}", record)
            x = self.blocks[i](self.place(x, i, inside), inside, scorings.get(i))
        return self.classify(x, record, scorings.get(len(self.blocks)))

    def embed(self, image: Tensor, record: Record = ignore, positions: Tensor | None = None) -> Tensor:
        """Image to the tokens that enter the first block: `b c h w -> b t d` (equation 1).

        Other `positions`, `1 t d`, take the place of the model's own where they are given.
        """
        patch_tokens = self.patch_embed(image, record)
        x = torch.cat([*self.prefix_tokens(len(image)), patch_tokens], dim=1)
        if self.config.positions_at == "stem":
            x = x + (self.positions() if positions is None else positions)
        if self.norm_pre is not None:
            x = self.norm_pre(record("tokens", x))
        return record("resid_post", x)

    def prefix_tokens(self, batch: int) -> list[Tensor]:
        """The learned tokens that stand before the patch tokens, each once per picture: `batch s d`."""
        tokens = (self.cls_token, self.dist_token, self.reg_token)
        return [repeat(token, "1 s d -> b s d", b=batch) for token in tokens if token is not None]

    def place(self, x: Tensor, layer: int, record: Record = ignore) -> Tensor:
        """What block `layer` reads, `b t d -> b t d`: the stream, and positions where they are added at every layer."""
        return x if self.config.positions_at == "stem" else x + record("positions", self.positions(layer))

    def positions(self, layer: int = 0) -> Tensor:
        """What is added to the tokens, once or before block `layer`, `1 t d`: 0 for tokens that have no position."""
        owner = self.blocks[layer] if self.config.positions_at == "every_layer" else self
        return embedding(owner, self.config, self.patch_embed.proj.weight)

    def classify(self, x: Tensor, record: Record = ignore, scoring: Scoring | None = None) -> Tensor:
        """Residual stream to class logits: `b t d -> b classes` (equation 4).

        A distilled model averages the answers of its two heads, as DeiT does at inference.
        """
        x = x if self.norm is None else record("norm", self.norm(x))
        pooled = self.pool(x, record, scoring)
        if self.pre_logits is not None:
            pooled = record("pre_logits", self.pre_logits(pooled))
        logits = self.head(pooled)
        if self.head_dist is not None:
            logits = (logits + self.head_dist(x[:, 1])) / 2
        return record("logits", logits)

    def pool(self, x: Tensor, record: Record = ignore, scoring: Scoring | None = None) -> Tensor:
        """What is read off the last tokens: `b t d -> b d`, or `b (t d)` where they stand side by side."""
        if self.attn_pool is not None:
            inside = prefixed("pool", record)
            return self.attn_pool(x, inside, partial(attend, record=inside, scoring=scoring))
        match self.config.pool:
            case "mean":
                mean = record("pooled", x[:, len(self.config.prefix_tokens) :].mean(dim=1))
                return mean if self.fc_norm is None else record("fc_norm", self.fc_norm(mean))
            case "flatten":
                return record("pooled", x.flatten(1))
        return x[:, 0]

    @property
    def device(self) -> torch.device:
        """Where the parameters are, and where pictures must be."""
        return next(self.parameters()).device

    @property
    def dtype(self) -> torch.dtype:
        """The numbers that the parameters are, and that pictures must be."""
        return next(self.parameters()).dtype

    @property
    def scorings(self) -> Mapping[int, Scoring]:
        """How layers make scores where fused attention does not."""
        own = own_scoring(self.config, self.device)
        return NO_SCORINGS if own is None else dict.fromkeys(range(self.config.depth), own)


def _vectors(count: int, config: ViTConfig) -> nn.Parameter:
    return nn.Parameter(torch.empty(1, count, config.dim))


def _head(config: ViTConfig) -> nn.Module:
    return nn.Linear(config.pre_logits or config.pooled, config.classes) if config.classes else nn.Identity()
