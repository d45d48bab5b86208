"""Where settings come from that tensors do not show: the visitor's choice, file, card, name, or an assumption."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Generic, Literal, TypeVar

from vitviz import numbers
from vitviz.config import ACTIVATION_NAMES, ViTConfig
from vitviz.weights.card import Card
from vitviz.weights.families.known import TIMM, Family
from vitviz.weights.families.names import HEADS, activation_named, heads_named, size_named
from vitviz.weights.naming.layouts import Layout

T = TypeVar("T")
Origin = Literal["choice", "file", "card", "name", "assumption"]

USUAL_HEAD_DIM = 64


@dataclass(frozen=True, slots=True)
class Sources:
    """Who said each of these: the person's "choice", the "file" (its tensors, or the only program that writes such
    files), its "card", its "name", or nobody: an "assumption".

    `positions` is their kind, added to the tokens and nothing else; `pool` where the answer is read; `norms` their kind
    and their order.
    """

    heads: Origin
    activation: Origin
    epsilon: Origin
    positions: Origin
    pool: Origin
    norms: Origin = "file"

    def assumptions(self, config: ViTConfig) -> dict[str, str]:
        """What nobody said, one sentence each, by the name of the field."""
        sentences = {
            "heads": f"Heads: {config.heads} × {config.head_dim} assumed; the tensors do not say",
            "activation": f"Activation: {ACTIVATION_NAMES[config.activation]} assumed; the tensors do not say",
            "epsilon": f"Epsilon: {numbers.power(config.epsilon)} assumed; the tensors do not say",
            "positions": "Positions: only added to the tokens, assumed; rotations of q and k would leave no trace",
            "pool": "Answer: that of the class token, assumed; a mean of all tokens would leave no trace"
            if config.pool == "class"
            else "Answer: read off the mean of the patch tokens, assumed; another way of pooling would leave no trace",
            "norms": "Norms: by the root mean square, assumed; layer norms that never shift would leave the same trace"
            if config.norm == "rms"
            else "Norms: before attention and MLP, assumed; at the end of both they would leave the same trace",
        }
        return {it.name: sentences[it.name] for it in fields(self) if getattr(self, it.name) == "assumption"}


@dataclass(frozen=True, slots=True)
class Evident(Generic[T]):
    """What was said, and who said it."""

    origin: Origin
    word: T


@dataclass(frozen=True, slots=True)
class Reading:
    """How the tensors of a file are to be read, and who says so."""

    heads: int
    activation: str
    epsilon: float
    pool: str
    norm: str
    sources: Sources


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that tells how to read a file: who writes such files, its tensors, its card and its name.

    `shapes` are those of our parameters; `split_heads` is their number where the file stores each head apart;
    `may_rotate` whether a model that turns q and k could have the same names.
    """

    layout: Layout
    family: Family
    shapes: Mapping[str, tuple[int, ...]]
    card: Card
    name: str
    split_heads: int | None
    may_rotate: bool

    @property
    def gated(self) -> bool:
        """Whether the first layer of the MLP is twice as wide as the second reads: one half is the gate."""
        first, second = (self.shapes.get(f"blocks.0.mlp.fc{number}.weight", ()) for number in (1, 2))
        return len(first) == len(second) == 2 and first[0] == 2 * second[1]

    def read(self, heads: int | None, activation: str | None, epsilon: float | None) -> Reading:
        """How to read the file; what is given was chosen by a person and counts most."""
        dim = (self.shapes.get("blocks.0.norm1.weight") or (USUAL_HEAD_DIM,))[0]
        its_heads = _first(
            ("choice", heads),
            ("file", self.split_heads),
            ("card", self.card.heads or heads_named(self.card.name, dim)),
            ("name", heads_named(self.name, dim)),
            ("assumption", _usual_heads(dim)),
        )
        its_activation = _first(
            ("file", "swiglu" if self.gated else None),
            ("choice", activation),
            ("file", self.layout.activation),
            ("card", self.card.activation or self._activation(self.card.name)),
            ("name", self._activation(self.name)),
            ("assumption", self.family.activation[self.layout.follows]),
        )
        its_epsilon = _first(
            ("choice", epsilon),
            ("file", self.layout.epsilon),
            ("card", self.card.epsilon or self._epsilon(self.card.name)),
            ("name", self._epsilon(self.name)),
            ("assumption", self.family.epsilon[self.layout.follows]),
        )
        shifted = any(name.endswith(".norm1.bias") for name in self.shapes)
        pool, norm = self._pool(), "layer" if shifted else "rms"
        sources = Sources(
            its_heads.origin,
            its_activation.origin,
            its_epsilon.origin,
            self._who_tells_positions(),
            self._who_tells_pool(),
            self._who_tells_norms(norm),
        )
        return Reading(its_heads.word, its_activation.word, its_epsilon.word, pool, norm, sources)

    def _activation(self, name: str) -> str | None:
        """By name: an activation that it spells, or that of the family, where the name is that of a published model."""
        if self.layout.activation_varies:
            return activation_named(name)
        return activation_named(name) or (self.family.activation[self.layout.follows] if size_named(name) else None)

    def _epsilon(self, name: str) -> float | None:
        return self.family.epsilon[self.layout.follows] if size_named(name) else None

    def _who_tells_positions(self) -> Origin:
        return self._named() if self.may_rotate else "file"

    def _who_tells_pool(self) -> Origin:
        """Only timm has models that read their answer off other tokens than the class token, if there is one.

        Without one they read the mean of the patch tokens, or pool otherwise.
        """
        in_file = "attn_pool.latent" in self.shapes or "dist_token" in self.shapes or "head.weight" not in self.shapes
        if in_file or (self.layout.title != TIMM and "cls_token" in self.shapes):
            return "file"
        return "card" if self.card.pool else self._named()

    def _pool(self) -> str:
        """Where the answer is read: off the class token if there is one, or else off the mean of the patch tokens."""
        if "attn_pool.latent" in self.shapes:
            return "attention"
        if "cls_token" not in self.shapes:
            return "mean"
        return "mean" if self.card.pool == "mean" or "fc_norm.weight" in self.shapes else "class"

    def _who_tells_norms(self, norm: str) -> Origin:
        """Norms without a shift may be of two kinds; those at the end of attention and MLP, timm's rpn, have the names
        of those before, in models without class token, registers and layer scale."""
        if norm == "rms":
            return "card" if self.card.norm == "rms" else self._named()
        alike = not {"cls_token", "reg_token", "blocks.0.ls1.gamma"} & self.shapes.keys()
        in_file = "pos_embed" in self.shapes and "fc_norm.weight" not in self.shapes
        return self._named() if alike and not in_file else "file"

    def _named(self) -> Origin:
        """Who says that this is a published model, of which all is known."""
        if size_named(self.card.name):
            return "card"
        return "name" if size_named(self.name) else "assumption"


def _usual_heads(dim: int) -> int:
    """The heads of published models as wide as this one, or 64 numbers for each; fewer, until they divide the width."""
    usual = next((heads for (_, width), heads in HEADS.items() if width == dim), max(1, dim // USUAL_HEAD_DIM))
    return next(number for number in range(usual, 0, -1) if dim % number == 0)


def _first(*voices: tuple[Origin, T | None]) -> Evident[T]:
    """The first voice that says something."""
    return next(Evident(origin, word) for origin, word in voices if word is not None)
