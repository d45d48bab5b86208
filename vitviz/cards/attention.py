"""Cards of attention: which keys a query sees, and how queries, keys and values are made."""

from vitviz.cards.card import Card, Choice, numbers
from vitviz.cards.papers import EXPLICIT_SPARSE, LINEAR, LOW_RANK, STAND_ALONE, TRANSFORMER, VIT, VIT_22B
from vitviz.equations import window

PLAIN = r"\operatorname{softmax}\!\left(\frac{q k^\top}{\sqrt{d_h}}\right) v"
FUSED = ("attend", "F.scaled_dot_product_attention")
MADE = ("Attention.projected", "bias = None if", "made = F.linear")
WIDTH = ("Attention.__init__", "config.heads * config.head_dim", "self.proj = nn.Linear(width")
TOP_K = ("Scoring.__call__", "least =", "scores < least")
NEAR = (("near", "apart =", "torch.maximum"), ("Scoring.__call__", "torch.where(self.mask"))
OF_TOP_K = (
    "Every query keeps its k largest scores; the others become minus infinity, and softmax gives them a weight of "
    "exactly 0. As many multiply-accumulates as before: the scores must be known to be compared."
)
OF_A_WINDOW = (
    "A patch sees the patches at most r rows and columns away, as a convolution does, and the class token, which sees "
    "all. All scores are computed here and then hidden; a kernel of its own would spare them."
)
WRITTEN_OUT = r"\operatorname{softmax}\!\left("
TOP_SCORES = r"\new{\operatorname{top}_k\!\Bigl(}\frac{q k^\top}{\sqrt{d_h}}\new{\Bigr)}"
HIDDEN = (
    r"\operatorname{softmax}\!\left(\frac{q k^\top}{\sqrt{d_h}} + \new{M}\right) v,\quad "
    rf"\new{{{window('r')}}}"
)

ATTENTION = Card(
    "attention",
    "Attention",
    "attention",
    (
        Choice(
            "full",
            "Every token sees every token. PyTorch computes it fused, without ever holding scores and weights.",
            PLAIN,
            (FUSED,),
            VIT,
        ),
        Choice("top_k", OF_TOP_K, rf"{WRITTEN_OUT}{TOP_SCORES}\right) v", (TOP_K,), EXPLICIT_SPARSE),
        Choice("window", OF_A_WINDOW, HIDDEN, NEAR, STAND_ALONE),
        Choice(
            "linear",
            "Softmax goes; φ(x) = ELU(x) + 1 keeps the weights above 0. Keys and values are summed up first, so that "
            "work grows with the tokens and not with their square.",
            r"\frac{\new{\varphi(q)\,\bigl(\varphi(k)^\top v\bigr)}}{\new{\varphi(q) \textstyle\sum \varphi(k)}}",
            (("linear_attention", "feature(q)", "k.mT @ v", "q @ gathered"), ("feature", "F.elu")),
            LINEAR,
        ),
    ),
)
KEYS_KEPT = Card(
    "top_k",
    "Keys that top-k keeps",
    "attention",
    tuple(
        Choice(
            k,
            OF_TOP_K,
            rf"{WRITTEN_OUT}{TOP_SCORES}\right) v,\quad k = \new{{{k}}}",
            (TOP_K,),
            EXPLICIT_SPARSE,
            of_top_k,
        )
        for of_top_k in ({"attention": "top_k"},)
        for k in (8, 1, 4, 32)
    ),
)
RADIUS = Card(
    "window",
    "Radius of the window",
    "attention",
    tuple(
        Choice(r, OF_A_WINDOW, rf"{HIDDEN},\quad r = \new{{{r}}}", NEAR, STAND_ALONE, {"attention": "window"})
        for r in (3, 0, 1)
    ),
)
SCORE_SCALE = Card(
    "score_scale",
    "Scale of scores",
    "attention",
    (
        Choice(
            None,
            "q · k is a sum of dₕ products. Where their entries have variance 1 the sum has variance dₕ: divided by "
            "√dₕ, it is 1 again, whatever the width of a head.",
            PLAIN,
            (FUSED,),
            TRANSFORMER,
        ),
        Choice(
            1.0,
            "Scores stay as large as they are. Softmax of large scores is nearly 1 for one key and 0 for all others; "
            "its slope goes to 0 there, and little is learned.",
            r"\operatorname{softmax}\!\left(\new{1 \cdot}\, q k^\top\right) v",
            (("Scoring.__call__", "** 0.5 if self.scale is None"),),
            TRANSFORMER,
        ),
        Choice(
            0.05,
            "Any other factor works like a temperature: the smaller, the more evenly a query looks around.",
            r"\operatorname{softmax}\!\left(\new{0.05 \cdot}\, q k^\top\right) v",
            (("Scoring.__call__", "** 0.5 if self.scale is None"),),
            TRANSFORMER,
        ),
    ),
)
HEAD_DIM = Card(
    "head_dim",
    "Head width",
    "attention",
    (
        Choice(
            None,
            "The heads share the width of a token: more heads, narrower ones, and the same number of parameters.",
            r"d_h = d / \text{heads}",
            (WIDTH,),
            VIT,
        ),
        *numbers(
            64,
            16,
            says="A width that does not follow from the token's: the projections lead to heads · dₕ numbers, and Wₒ "
            "back to d. (Some code leaves Wₒ out where one head is as wide as a token; here it always stands.)",
            equation=r"d_h = \new{\text{free}},\quad W_{q,k,v} \in \mathbb R^{d \times \new{\text{heads} \cdot d_h}},\;"
            r"W_o \in \mathbb R^{\new{\text{heads} \cdot d_h} \times d}",
            code=(WIDTH,),
            paper=LOW_RANK,
        ),
    ),
)
QKV_BIAS = Card(
    "qkv_bias",
    "Bias of queries, keys and values",
    "attention",
    (
        Choice(
            True,
            "Three vectors are added, one each to all queries, keys and values. That of the keys adds q · bₖ to all "
            "scores of a query alike, and softmax does not see it.",
            r"q = x W_q + b_q,\quad k = x W_k + b_k,\quad v = x W_v + b_v",
            (MADE,),
            VIT,
        ),
        Choice(
            False,
            "Queries, keys and values are products and nothing else.",
            r"q = x W_q \new{+ 0},\quad k = x W_k \new{+ 0},\quad v = x W_v \new{+ 0}",
            (MADE,),
            VIT_22B,
        ),
    ),
)
QK_NORM = Card(
    "qk_norm",
    "Qk norm",
    "attention",
    (
        Choice(False, "Queries and keys are as long as they come out.", PLAIN, (MADE,), VIT),
        Choice(
            True,
            "A layer norm of every query and key, head by head: scores cannot grow without bound, which keeps the "
            "training of large models stable.",
            r"\operatorname{softmax}\!\left(\frac{\new{\operatorname{LN}(}q\new{)}\, \new{\operatorname{LN}(}k\new{)}"
            r"^\top}{\sqrt{d_h}}\right) v",
            (("Attention.projected", "self.q_norm(q)"),),
            VIT_22B,
        ),
    ),
)
CARDS = (ATTENTION, KEYS_KEPT, RADIUS, SCORE_SCALE, HEAD_DIM, QKV_BIAS, QK_NORM)
