"""Cards of how the answer is read off the tokens, and of the numbers that everything starts from."""

from vitviz.cards.card import Card, Choice, numbers
from vitviz.cards.papers import BEIT, BERT, DEIT, FIGURE_9, MAE, SIGLIP, VIT

READ = ("ViT.classify", "pooled = self.pool(", "logits = self.head(pooled)")
PLAIN = r"y = \operatorname{LN}(z_L)^{\text{class}}\, W + b"
FILLED = "initialise"

POOL = Card(
    "pool",
    "Pooling",
    "read-out",
    (
        Choice(
            "class",
            "One learned token, the same for every picture before layer 1, gathers what the head reads. BERT needs its "
            "[CLS], which a second task of its pre-training reads; ViT has no such task, and could do without.",
            PLAIN,
            (("ViT.pool", "return x[:, 0]"),),
            VIT,
        ),
        Choice(
            "mean",
            "Global average pooling (GAP): the head reads the mean of all patch tokens and needs no class token. It "
            "reaches the same accuracy, but with another learning rate.",
            r"y = \Bigl(\new{\tfrac 1 n \sum_{i=1}^n} \operatorname{LN}(z_L)^{\new{i}}\Bigr) W + b",
            (("ViT.pool", ".mean(dim=1)"),),
            FIGURE_9,
        ),
        Choice(
            "attention",
            "A learned query asks all tokens in one more attention, followed by an MLP.",
            r"y = \new{\operatorname{MAP}\bigl(}\operatorname{LN}(z_L)\new{\bigr)}\, W + b,\quad "
            r"\new{\operatorname{MAP}(z) = o + \operatorname{MLP}(\operatorname{LN}(o)),\; "
            r"o = \operatorname{MHA}(q_\text{learned}, z, z)}",
            (("AttentionPool.forward", "repeat(self.q(self.latent)", 'record("z"', "return x + record"),),
            SIGLIP,
        ),
        Choice(
            "flatten",
            "All tokens stand side by side as one long vector: t times as many numbers in the head, which learns for "
            "every place what it means there.",
            r"y = \new{[\operatorname{LN}(z_L)^1;\, \dots;\, \operatorname{LN}(z_L)^t]}\, W + b,\quad "
            r"W \in \mathbb R^{\new{t \cdot d} \times \text{classes}}",
            (("ViT.pool", "x.flatten(1)"),),
            VIT,
        ),
    ),
)
MEAN = r"y = \Bigl(\tfrac 1 n \sum_{i=1}^n \operatorname{LN}(z_L)^i\Bigr) W + b"
AVERAGED = ("ViT.pool", ".mean(dim=1)")
KEEP_CLASS_TOKEN = Card(
    "keep_class_token",
    "Class token that is not read",
    "read-out",
    (
        Choice(False, "Only an answer that is read off a class token has one.", PLAIN, (READ,), VIT),
        Choice(
            True,
            "A class token stands among the patch tokens and takes part in attention, though the answer is read off "
            "their mean: it was learned in pre-training, or serves as a register.",
            r"z_0 = [\new{x_\text{class}};\, x_1 E;\, \dots;\, x_n E] + E_\text{pos},\quad " + MEAN,
            (("ViT.prefix_tokens", "self.cls_token"), AVERAGED),
            BEIT,
            {"pool": "mean"},
        ),
    ),
)
NORM_AFTER_POOLING = Card(
    "norm_after_pooling",
    "Norm after pooling",
    "read-out",
    (
        Choice(
            False,
            "Every token is normalised, and then they are averaged.",
            MEAN,
            (AVERAGED,),
            FIGURE_9,
            {"pool": "mean"},
        ),
        Choice(
            True,
            "The tokens are averaged as they leave the last block, long ones counting more, and their mean is "
            "normalised: the same parameters, and t − 1 norms less.",
            r"y = \new{\operatorname{LN}}\Bigl(\tfrac 1 n \sum_{i=1}^n \new{z_L^i}\Bigr) W + b",
            (("ViT.pool", "self.fc_norm(mean)"),),
            MAE,
            {"pool": "mean"},
        ),
    ),
)
PRE_LOGITS = Card(
    "pre_logits",
    "Pre-logits",
    "read-out",
    (
        Choice(0, "The head is one matrix, as in fine-tuning.", PLAIN, (READ,), VIT),
        *numbers(
            64,
            768,
            says="A hidden layer with tanh before the head, the “representation layer” of pre-training. It is thrown "
            "away before fine-tuning with the whole head: one matrix of zeros takes its place. The documents print it "
            "with other sizes; it is d → r, then r → classes.",
            equation=r"y = \new{\tanh\bigl(}\operatorname{LN}(z_L)^{\text{class}}\, \new{W_r + b_r\bigr)}\, W + "
            r"b,\quad \new{+\; d \cdot r + r}",
            code=(("PreLogits.forward", "torch.tanh"), ("ViT.classify", "self.pre_logits(pooled)")),
            paper=VIT,
        ),
    ),
)
DISTILLED = Card(
    "distilled",
    "Distillation token",
    "read-out",
    (
        Choice(False, "One token and one head answer.", PLAIN, (READ,), VIT),
        Choice(
            True,
            "A second token with a head of its own learns to answer as a teacher network does. In training the loss is "
            "half the cross-entropy of one head with the label, and half that of the other with the teacher's answer; "
            "afterwards the published code averages their logits, as here. (The paper adds their probabilities.)",
            r"y = \new{\tfrac 1 2 \bigl(}\operatorname{LN}(z_L)^{\text{class}}\, W + b + "
            r"\new{\operatorname{LN}(z_L)^{\text{dist}}\, W' + b'\bigr)}",
            (("ViT.classify", "self.head_dist(x[:, 1])"),),
            DEIT,
        ),
    ),
)
INITIAL = Card(
    "initial",
    "Initialisation",
    "initialisation",
    (
        Choice(
            "trunc_normal",
            "Small random numbers of standard deviation 0.02: attention begins nearly uniform, and every head "
            "a little differently.",
            r"w \sim \mathcal N(0,\, 0.02^2)",
            ((FILLED, "nn.init.trunc_normal_"),),
            BERT,
        ),
        Choice(
            "zeros",
            "All components are the same and stay the same: nothing tells them apart, so there is nothing to learn "
            "from.",
            r"w = \new{0}",
            ((FILLED, "nn.init.zeros_(parameter)"),),
            BERT,
        ),
        Choice(
            "normal",
            "Numbers fifty times as large: scores are huge, softmax is saturated from the first step, and gradients "
            "are tiny.",
            r"w \sim \mathcal N(0,\, \new{1})",
            ((FILLED, "nn.init.normal_"),),
            BERT,
        ),
    ),
)
CARDS = (POOL, KEEP_CLASS_TOKEN, NORM_AFTER_POOLING, PRE_LOGITS, DISTILLED, INITIAL)
