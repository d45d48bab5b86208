"""Cards of what happens to the picture before it is tokens."""

from vitviz.cards.card import Card, Choice
from vitviz.cards.papers import CLIP, DUAL_PATCH_NORM, VIT

CUT = ("PatchEmbedding.forward", 'rearrange(image, "b c (gh ph)', 'record("patches"')
PROJECTED = ("PatchEmbedding.forward", "F.linear(x, rearrange(self.proj.weight")
MADE = ("PatchEmbedding.__init__", "nn.Conv2d(config.channels")

CHANNELS = Card(
    "channels",
    "Input channels",
    "picture and patches",
    "patch_grid",
    (
        Choice(
            3,
            "A pixel has three numbers: red, green and blue. A flattened patch has p · p · 3 of them.",
            r"x_p \in \mathbb R^{n \times (p^2 \cdot 3)}",
            (CUT, MADE),
            VIT,
        ),
        Choice(
            1,
            "A pixel has one number, its grey. A patch is a third as long, and so are the rows of the projection; from "
            "the tokens on nothing changes.",
            r"x_p \in \mathbb R^{n \times (p^2 \cdot \new{1})}",
            (CUT, MADE),
            VIT,
        ),
    ),
)
PATCH_NORM = Card(
    "patch_norm",
    "Patch norm",
    "picture and patches",
    "patch_embedding",
    (
        Choice(
            False,
            "The pixels of a patch are multiplied by the matrix as they are.",
            r"x_p^i E + b",
            (PROJECTED,),
            VIT,
        ),
        Choice(
            True,
            "One layer norm before the projection takes brightness and contrast out of each patch, a second one after "
            "it makes all patch tokens equally long.",
            r"\new{\operatorname{LN}\bigl(}\new{\operatorname{LN}(}x_p^i\new{)}\, E + b\new{\bigr)}",
            (("PatchEmbedding.forward", "self.norm_in(x)", 'self.norm_out(record("projected"'),),
            DUAL_PATCH_NORM,
        ),
    ),
)
PATCH_BIAS = Card(
    "patch_bias",
    "Bias of the patch embedding",
    "picture and patches",
    "patch_embedding",
    (
        Choice(True, "The same d numbers are added to every patch token.", r"x_p^i E + b", (MADE, PROJECTED), VIT),
        Choice(
            False,
            "Nothing is added after the product. The position embedding adds a vector to every token anyway, and can "
            "take its place.",
            r"x_p^i E \new{+\; 0}",
            (MADE, PROJECTED),
            CLIP,
        ),
    ),
)
CARDS = (CHANNELS, PATCH_NORM, PATCH_BIAS)
