"""Cards of the encoder block: its norms, and what its MLP does."""

from vitviz.cards import papers
from vitviz.cards.card import Card, Choice, Code, numbers
from vitviz.cards.papers import (
    BATCH_NORM,
    CAIT,
    CLIP,
    GELU,
    LAYER_NORM,
    PRE_NORM,
    RMS_NORM,
    SWIGLU,
    TRANSFORMER,
    VIT,
)

STREAM = r"z' = z + \operatorname{MSA}(\operatorname{LN}(z)),\quad z'' = z' + \operatorname{MLP}(\operatorname{LN}(z'))"
MADE = ("norm", "return KINDS")
ACTIVE = ("MLP.forward", "self.activation(hidden)")
PRE = ("Block.forward", 'self.attended(record("norm1"', 'self.thought(record("norm2"')
POST = (
    "Block.forward",
    "self.attended(x, record, scoring))",
    'x = record("norm1"',
    'record("resid_sum"',
    '"resid_post", self.norm2(x)',
)
SCALED: tuple[Code, ...] = (("LayerScale.forward", "x * self.gamma"), ("Block.attended", "self.ls1(record"))
ADDED: tuple[Code, ...] = (("Block.attended", "return record"), ("Block.thought", "return record"))

NORM_ORDER = Card(
    "norm_order",
    "Order of norms",
    "block",
    (
        Choice(
            "pre",
            "Attention and MLP read a layer-normalised copy; what they make is added to a stream that nothing touches. "
            "Gradients run through the sums undamped.",
            STREAM,
            (PRE,),
            PRE_NORM,
        ),
        Choice(
            "post",
            "The first Transformer normalised the stream itself, after each sum. Deep ones learn well only when the "
            "learning rate is warmed up; how our small one fares without, the table says.",
            r"z' = \new{\operatorname{LN}\bigl(}z + \operatorname{MSA}(z)\new{\bigr)},\quad "
            r"z'' = \new{\operatorname{LN}\bigl(}z' + \operatorname{MLP}(z')\new{\bigr)}",
            (POST,),
            TRANSFORMER,
        ),
    ),
)
NORM = Card(
    "norm",
    "Norm",
    "block",
    (
        Choice(
            "layer",
            "Each token for itself: its d components to mean 0 and variance 1, then a learned scale and shift. Other "
            "tokens and other pictures do not matter.",
            r"\frac{x - \mu_\text{token}}{\sqrt{\sigma^2_\text{token} + \varepsilon}}\,\gamma + \beta",
            (MADE,),
            LAYER_NORM,
        ),
        Choice(
            "rms",
            "Only the length is taken out: no mean is subtracted and nothing is added. Cheaper, and as good in "
            "practice.",
            r"\frac{x}{\new{\sqrt{\tfrac 1 d \sum_i x_i^2 + \varepsilon}}}\,\gamma",
            (MADE,),
            RMS_NORM,
        ),
        Choice(
            "batch",
            "Each component for itself: to mean 0 and variance 1 over all tokens of all pictures of the batch. The "
            "answer to a picture now depends on the pictures beside it.",
            r"\frac{x - \new{\mu_\text{component}}}{\sqrt{\new{\sigma^2_\text{component}} + \varepsilon}}\,\gamma + "
            r"\beta",
            (("BatchNorm.forward", "torch.var_mean", "return (x - mean)"),),
            BATCH_NORM,
        ),
    ),
)
EPSILON = Card(
    "epsilon",
    "Epsilon of layer norms",
    "block",
    numbers(
        1e-6,
        1e-5,
        1e-12,
        says="What is added to the variance, so that nothing is divided by 0. It is seen only in tokens whose "
        "components are nearly alike; checkpoints differ in it, and a wrong one shifts all that follows a little.",
        equation=r"\frac{x - \mu}{\sqrt{\sigma^2 + \new{\varepsilon}}}\,\gamma + \beta",
        code=(MADE,),
        paper=LAYER_NORM,
    ),
)
INPUT_NORM = Card(
    "input_norm",
    "Layer norm before block 1",
    "block",
    (
        Choice(
            False, "The sum of tokens and positions enters the first block as it is.", r"z_0", (("ViT.embed",),), VIT
        ),
        Choice(
            True,
            "One more norm, between the embedding and the first block.",
            r"\new{\operatorname{LN}(}z_0\new{)}",
            (("ViT.embed", "self.norm_pre(record"),),
            CLIP,
        ),
    ),
)
LAYER_SCALE = Card(
    "layer_scale",
    "Layer scale",
    "block",
    (
        Choice(False, "What attention and MLP make is added in full.", STREAM, ADDED, VIT),
        Choice(
            True,
            "One learned factor for each component of what a block adds. They start small in training, so that very "
            "deep models begin as nearly the identity.",
            r"z' = z + \new{\gamma_1 \odot{}} \operatorname{MSA}(\operatorname{LN}(z)),\quad "
            r"z'' = z' + \new{\gamma_2 \odot{}} \operatorname{MLP}(\operatorname{LN}(z'))",
            SCALED,
            CAIT,
        ),
    ),
)
ACTIVATION = Card(
    "activation",
    "Activation",
    "block",
    (
        Choice(
            "gelu",
            "x times the share of a normal distribution below x: a smooth ReLU that lets a little of the negative "
            "pass.",
            r"\operatorname{GELU}(x W_1 + b_1)\, W_2 + b_2,\quad \operatorname{GELU}(x) = x\,\Phi(x)",
            (ACTIVE,),
            GELU,
        ),
        Choice(
            "gelu_tanh",
            "The same curve to three decimals, through a tanh that was quicker to compute.",
            r"\operatorname{GELU}(x) \approx \new{\tfrac x 2 \bigl(1 + \tanh \sqrt{2/\pi}\,(x + 0.044715\, x^3)\bigr)}",
            (ACTIVE,),
            GELU,
        ),
        Choice(
            "quick_gelu",
            "A rougher approximation of GELU by a sigmoid, which OpenAI's CLIP was trained with.",
            r"\operatorname{GELU}(x) \approx \new{x\, \sigma(1.702\, x)}",
            (ACTIVE,),
            CLIP,
        ),
        Choice(
            "relu",
            "Negative numbers become 0, the others stay: a corner where GELU is round.",
            r"\new{\max(0,}\; x W_1 + b_1\new{)}\, W_2 + b_2",
            (ACTIVE,),
            TRANSFORMER,
        ),
        Choice(
            "swiglu",
            "The first layer is twice as wide; one half decides, through SiLU, how much of the other half passes.",
            r"\bigl(\new{\operatorname{SiLU}(x W_g + b_g) \odot{}} (x W_1 + b_1)\bigr)\, W_2 + b_2",
            (("GatedMLP.forward", ".chunk(2", "F.silu(gate)"),),
            SWIGLU,
        ),
    ),
)
NOTHING_DROPPED = Choice(0.0, "Nothing is dropped: the same picture gets the same answer.", STREAM, (PRE,), VIT)
DROPOUT = Card(
    "dropout",
    "Dropout in training",
    "block",
    (
        NOTHING_DROPPED,
        *numbers(
            0.1,
            0.5,
            says="In training a share of the numbers is set to 0, other ones each time: after the positions, on "
            "attention weights, after Wₒ, and twice in the MLP. What is left grows by 1 / (1 − p). A forward pass "
            "leaves it off; a seed turns it on. Attention maps show the weights before it.",
            equation=r"x \to \new{\frac{m}{1 - p} \odot{}} x,\quad \new{m_i \sim \operatorname{Bernoulli}(1 - p)}",
            code=(("dropped_out", "drawn = ", "kept = ", "return value * is_kept"),),
            paper=papers.DROPOUT,
        ),
    ),
)
DROP_PATH = Card(
    "drop_path",
    "Drop path in training",
    "block",
    (
        NOTHING_DROPPED,
        *numbers(
            0.1,
            0.5,
            says="In training whole branches are dropped, attention or MLP: nothing is added to the stream there. The "
            "rate rises evenly from 0 in the first block to its value in the last, as timm spreads it, so that early "
            "layers nearly always stay.",
            equation=r"z' = z + \new{\frac{m_l}{1 - p_l}} \operatorname{MSA}(\operatorname{LN}(z)),\quad "
            r"\new{p_l = p\, \frac{l - 1}{L - 1}}",
            code=(("path", "parts, whole =", "return 0.0 if drawn"),),
            paper=papers.DROP_PATH,
        ),
    ),
)
CARDS = (NORM_ORDER, NORM, EPSILON, INPUT_NORM, LAYER_SCALE, ACTIVATION, DROPOUT, DROP_PATH)
