"""Cards of what happens to the picture before it is tokens."""

from vitviz.cards.card import Card, Choice
from vitviz.cards.papers import BIT, CLIP, DUAL_PATCH_NORM, EARLY_CONVOLUTIONS, VIT

CUT = ("PatchEmbedding.forward", 'record("patches", cut(image')
PROJECTED = ("PatchEmbedding.forward", "F.linear(x, rearrange(self.proj.weight")
MADE = ("PatchEmbedding.__init__", "nn.Conv2d(width, config.dim")

GRID = r"n = \frac{h}{p_h} \cdot \frac{w}{p_w}"

IMAGE_SIZE = Card(
    "image_size",
    "Image size",
    "picture and patches",
    (
        Choice(
            224,
            "A square, cut out of the picture's middle. Twice the side makes four times the tokens.",
            GRID,
            (CUT,),
            VIT,
        ),
        Choice(96, "A smaller square: fewer tokens, and only the positions are fewer parameters.", GRID, (CUT,), VIT),
        Choice(
            (96, 144),
            "Rows and columns may differ: a wide picture is seen whole, on a grid that is wider than high.",
            r"n = \frac{\new{96}}{p_h} \cdot \frac{\new{144}}{p_w}",
            (CUT,),
            VIT,
        ),
    ),
)
PATCH_SIZE = Card(
    "patch_size",
    "Patch size",
    "picture and patches",
    (
        Choice(16, "Squares of 16 × 16 pixels, the paper's 16 × 16 words.", GRID, (CUT, MADE), VIT),
        Choice(
            8,
            "Half the side makes four times the tokens and sixteen times the attention weights, and a quarter of the "
            "rows of E.",
            r"n = \frac{h}{\new{8}} \cdot \frac{w}{\new{8}}",
            (CUT, MADE),
            VIT,
        ),
        Choice(
            (16, 8),
            "A patch need be no square: here it is higher than wide. E only asks how many numbers there are in it.",
            r"n = \frac{h}{\new{16}} \cdot \frac{w}{\new{8}}",
            (CUT, MADE),
            VIT,
        ),
    ),
)
CHANNELS = Card(
    "channels",
    "Input channels",
    "picture and patches",
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
STEM = Card(
    "stem",
    "Stem",
    "picture and patches",
    (
        Choice(
            "patch",
            "Each patch is multiplied by one matrix, alone: of the picture's edges and corners nothing is known yet.",
            r"x_p^i E + b",
            (CUT, PROJECTED),
            VIT,
        ),
        Choice(
            "conv",
            "A few 3 × 3 convolutions halve the picture until a place stands for a patch; it has seen what lies around "
            "it. Training becomes less touchy about its learning rate.",
            r"\new{f_\text{conv}(x)_i}\, E + b,\quad \new{f_\text{conv} = (\operatorname{ReLU} \circ \operatorname{LN} "
            r"\circ \operatorname{Conv}_{3 \times 3})^{\log_2 p}}",
            (
                ("PatchEmbedding.forward", "self.backbone(joined(", 'record("features"'),
                ("ConvStem.forward", "halving(x)"),
                ("Halving.forward", "F.relu(self.norm(self.conv(x)"),
            ),
            EARLY_CONVOLUTIONS,
        ),
        Choice(
            "r50",
            "The paper's hybrid: a ResNet-50 without its last stage makes a map of 1,024 channels, and every place of "
            "16 × 16 pixels becomes a token.",
            r"\new{f_\text{R50}(x)_i}\, E + b,\quad \new{f_\text{R50}(x) \in \mathbb R^{1024 \times h/16 \times w/16}}",
            (
                ("PatchEmbedding.forward", "self.backbone(joined(", 'record("features"'),
                ("ResNetStem.forward", 'self.stem["conv"](x)', "F.max_pool2d", "stage(x)"),
                ("Bottleneck.forward", "self.norm2(self.conv2(x))", "past + self.norm3"),
            ),
            BIT,
            {"patch_size": 16},
        ),
    ),
)
PATCH_NORM = Card(
    "patch_norm",
    "Patch norm",
    "picture and patches",
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
            "One layer norm before the projection takes brightness and contrast out of each patch; a second one after "
            "it makes all patch tokens equally long, before its learned γ and β scale and shift their components. "
            "Batch norms in their place would measure each component over the patches of many pictures, and leave in "
            "how bright a patch is beside others.",
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
CARDS = (IMAGE_SIZE, PATCH_SIZE, CHANNELS, STEM, PATCH_NORM, PATCH_BIAS)
