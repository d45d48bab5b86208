"""Cards of the tokens that stand before the patches, and of how a token is told its place."""

from vitviz.cards.card import Card, Choice, numbers
from vitviz.cards.papers import DEIT_III, MOCO, REGISTERS, ROPE_VIT, SWIN, TABLE_8, VIT
from vitviz.equations import OFFSET

ADDED = ("ViT.embed", 'self.config.positions_at == "stem"', "x = x + (self.positions()")
IN_BLOCKS = (("ViT.place", "return x if"), ("ViT.positions", "self.blocks[layer] if"))
PREFIX = ("ViT.prefix_tokens", "self.reg_token", 'repeat(token, "1 s d')
TABLES = ("add_tables", '"learned": {"pos_embed"')
PADDED = ("embedding", "without =", "return F.pad(table")
PLAIN = r"z_0 = [x_\text{class};\, x_p^1 E;\, \dots;\, x_p^n E] + E_\text{pos}"

REGISTER_TOKENS = Card(
    "registers",
    "Register tokens",
    "tokens and positions",
    (
        Choice(0, "The sequence is the class token and the patches.", PLAIN, (PREFIX,), VIT),
        *numbers(
            4,
            16,
            says="Learned tokens that mean nothing and are thrown away at the end: scratch paper, so that the model "
            "need not write over patches of the background.",
            equation=r"z_0 = [x_\text{class};\, \new{x_\text{reg}^1;\, \dots;\, x_\text{reg}^r;}\, x_p^1 E;\, \dots] "
            r"+ E_\text{pos}",
            code=(PREFIX,),
            paper=REGISTERS,
        ),
    ),
)
POSITIONS = Card(
    "positions",
    "Positions",
    "tokens and positions",
    (
        Choice(
            "learned",
            "One learned vector for every token, added to it. Rows and columns are not told; the model finds them.",
            PLAIN,
            (("embedding", 'owner.get_parameter("pos_embed")'), ADDED),
            TABLE_8,
        ),
        Choice(
            "learned_2d",
            "Half of the vector is learned for the row, half for the column: two patches of one row share half of it.",
            r"E_\text{pos}^{(i, j)} = \new{[R_i;\, C_j]},\quad \new{R_i, C_j \in \mathbb R^{d/2}}",
            (("embedding", '"pos_embed_row"'), ("on_grid", "row = repeat", "column = repeat", "return torch.cat")),
            TABLE_8,
        ),
        Choice(
            "sincos_2d",
            "Nothing is learned: row and column are written as sines and cosines of waves from short to long.",
            r"E_\text{pos}^{(i, j)} = \new{[\sin i\omega;\, \cos i\omega;\, \sin j\omega;\, \cos j\omega]},\quad "
            r"\new{\omega_k = 10000^{-4k/d}}",
            (("embedding", "halves = (waves", "on_grid(*halves)"), ("waves", "speeds =", "angles =", "angles.sin()")),
            MOCO,
        ),
        Choice(
            "relative",
            "Tokens are told nothing. Every head has a number for each offset between two patches and adds it to their "
            "score: only who is how far from whom counts.",
            rf"\text{{score}}(i, j) = \frac{{q_i \cdot k_j}}{{\sqrt{{d_h}}}} + \new{{B_{{\,{OFFSET}}}}}",
            (
                ("RelativePositions.forward", "among_patches = table[", "return F.pad"),
                ("Attention.forward", "self.rel_pos()"),
            ),
            SWIN,
        ),
        Choice(
            "rotary",
            "Tokens are told nothing. Queries and keys are turned, pair of components by pair, half of them by the "
            "column and half by the row: what is left in their product is the offset.",
            r"\text{score}(i, j) = \frac{q_i^T \new{R(\theta_j - \theta_i)}\, k_j}{\sqrt{d_h}},\quad "
            r"\new{\theta_i = (\text{column}_i\, \omega;\, \text{row}_i\, \omega)},\quad "
            r"\new{\omega_m = 100^{-4m/d_h}}",
            (
                ("rotations", "speeds =", "torch.outer(axis.flatten().double(), speeds)"),
                ("turned", "a * cos - b * sin"),
                ("Attention.projected", "turned(q, angles)"),
            ),
            ROPE_VIT,
        ),
        Choice(
            "none",
            "No token is told its place. Attention alone does not know any order: swap two patches, and only their "
            "tokens swap.",
            r"z_0 = [x_\text{class};\, x_p^1 E;\, \dots;\, x_p^n E] \new{+\; 0}",
            (("embedding", "like.new_zeros"),),
            TABLE_8,
        ),
    ),
)
POSITIONS_AT = Card(
    "positions_at",
    "Positions added at",
    "tokens and positions",
    (
        Choice("stem", "Positions are added once, before the first block.", PLAIN, (ADDED,), TABLE_8),
        Choice(
            "every_layer",
            "Each block adds positions of its own to what it reads, so that depth cannot wash them out.",
            r"z_l = \text{block}_l\bigl(z_{l-1} + \new{E_\text{pos}^{(l)}}\bigr)",
            IN_BLOCKS,
            TABLE_8,
        ),
        Choice(
            "every_layer_shared",
            "The same positions are added again before each block.",
            r"z_l = \text{block}_l\bigl(z_{l-1} + \new{E_\text{pos}}\bigr)",
            IN_BLOCKS,
            TABLE_8,
        ),
    ),
)
PREFIX_POSITIONS = Card(
    "prefix_positions",
    "Positions for prefix tokens",
    "tokens and positions",
    (
        Choice(
            True,
            "The class token has a row of the position table like every patch: it does not escape positions, its row "
            "is simply one more vector that is added to it.",
            r"E_\text{pos} \in \mathbb R^{(n + 1) \times d}",
            (TABLES,),
            VIT,
        ),
        Choice(
            False,
            "Only patches have positions. The class token is learned anyway, so one vector less is added to another.",
            r"E_\text{pos} \in \mathbb R^{\new{n} \times d}",
            (TABLES, PADDED),
            DEIT_III,
        ),
    ),
)
CARDS = (REGISTER_TOKENS, POSITIONS, POSITIONS_AT, PREFIX_POSITIONS)
