"""The equations of a model as it is, with all its switches, in LaTeX: what pages print as its formula.

A card says what one switch changes in the paper's equation; here all of them are in one, and what has parameters stands
in it where the table of the model's parts has them. First the tokens and the blocks of the stream, then attention.
"""

from collections.abc import Callable

from vitviz.config import ADDED, ViTConfig
from vitviz.counts.parts import RELATIVE, learned

NORMS = {"layer": r"\operatorname{LN}", "rms": r"\operatorname{RMS}", "batch": r"\operatorname{BN}"}
FEW = 2  # registers that are written one by one
Wrapped = Callable[[str], str]  # of what is read, what is made
OFFSET = r"\text{row}_i - \text{row}_j,\;\text{column}_i - \text{column}_j"  # an index of the table of Swin and timm
NO_PATCH = r"i \text{ or } j \text{ is no patch}"
FEATURE = r"\varphi(x) = \operatorname{ELU}(x) + 1"


def patch_token(config: ViTConfig, patch: str) -> str:
    """The token that the embedding makes of a patch, `x_1 E + b`; f is a stem of convolutions."""
    has = learned(config)
    read = f"x_{patch}" if config.stem == "patch" else f"f(x)_{patch}"
    read = rf"\operatorname{{LN}}({read})" if "patch_embed.norm_in.weight" in has else read
    product = rf"{read} E" + (" + b" if "patch_embed.proj.bias" in has else "")
    return rf"\operatorname{{LN}}({product})" if "patch_embed.norm_out.weight" in has else product


def prefix(config: ViTConfig, dots: str) -> list[str]:
    """The tokens that stand before those of the patches; of many registers the first and the last."""
    tokens = [rf"x_\text{{{name}}}" for name in config.prefix_tokens]
    if config.registers > FEW:
        tokens[1 - config.registers : -1] = [dots]
    return tokens


def embedded(config: ViTConfig) -> str:
    r"""The tokens that enter the first block, \mathbf z_0, as one side of an equation."""
    joined = ";\\, ".join([*prefix(config, r"\dots"), patch_token(config, "1"), r"\dots", patch_token(config, "n")])
    tokens = f"[{joined}]" + (f" + {placed}" if (placed := added(config)) else "")
    return rf"{NORMS[config.norm]}\bigl({tokens}\bigr)" if "norm_pre.weight" in learned(config) else tokens


def added(config: ViTConfig) -> str:
    """The positions that are added to all tokens before the first block; nothing where none are."""
    if config.positions not in ADDED or config.positions_at != "stem":
        return ""
    everyone = (config.positions == "learned" and config.prefix_positions) or not config.prefix_tokens
    return r"E_\text{pos}" if everyone else r"\begin{bmatrix} 0 \\ E_\text{pos} \end{bmatrix}"


def added_in_blocks(config: ViTConfig) -> str:
    """The positions that each block adds to the stream; nothing where none does."""
    if config.positions_at == "stem":
        return ""
    own = config.positions_at == "every_layer" and config.positions != "sincos_2d"
    return r"E_\text{pos}^{(\ell)}" if own else r"E_\text{pos}"


def block(
    config: ViTConfig,
    attended: Wrapped = r"\operatorname{{MSA}}({})".format,
    thought: Wrapped = r"\operatorname{{MLP}}({})".format,
) -> tuple[str, ...]:
    r"""A block from \mathbf z_{\ell-1} to \mathbf z_\ell, line by line; the two say what is made of what they read."""
    norm, scaled = NORMS[config.norm], "blocks.{i}.ls1.gamma" in learned(config)
    first, second = (r"\gamma_1 \odot ", r"\gamma_2 \odot ") if scaled else ("", "")
    enters, middle, leaves = r"\mathbf z_{\ell-1}", r"\mathbf z'_\ell", r"\mathbf z_\ell"
    lines = []
    if positions := added_in_blocks(config):
        lines.append(rf"\mathbf x_\ell &= {enters} + {positions}")
        enters = r"\mathbf x_\ell"
    if config.norm_order == "post":
        lines.append(rf"{middle} &= {norm}\bigl({enters} + {first}{attended(enters)}\bigr)")
        lines.append(rf"{leaves} &= {norm}\bigl({middle} + {second}{thought(middle)}\bigr)")
    else:
        lines.append(rf"{middle} &= {enters} + {first}{attended(f'{norm}({enters})')}")
        lines.append(rf"{leaves} &= {middle} + {second}{thought(f'{norm}({middle})')}")
    return tuple(lines)


def after_sum(config: ViTConfig, total: str) -> str:
    """What becomes of a sum of the stream and what is added to it: itself, or its norm where norms stand after sums."""
    return rf"{NORMS[config.norm]}\bigl({total}\bigr)" if config.norm_order == "post" else total


def off(config: ViTConfig) -> str:
    """What a block does to the stream when it adds nothing, as a sentence."""
    still = []
    if added_in_blocks(config):
        still.append("adds its positions")
    if config.norm_order == "post":
        still.append("normalises the stream twice")
    if not still:
        return "β = 0 leaves the stream as it is: a block that is off is the identity."
    return f"β = 0 takes away what attention and MLP add; the block still {' and '.join(still)}, and is no identity."


def scores(config: ViTConfig, q: str = "Q", k: str = "K", temperature: str = "", masked: bool = False) -> str:
    """What softmax makes attention weights of; `temperature` divides what the model makes of q·k.

    The mask M of a window stands there where the model has one, or where scores are `masked` by others.
    """
    if config.attention == "linear":
        inner = rf"\ln\bigl(\varphi({q})\,\varphi({k})^\top\bigr)"
        inner = rf"\frac{{1}}{{{temperature}}} {inner}" if temperature else inner
    elif config.score_scale is None:
        inner = rf"\frac{{{q} {k}^\top}}{{{temperature}\sqrt{{d_h}}}}"
    else:
        scale = "" if config.score_scale == 1 else rf"{config.score_scale:g} \cdot "
        inner = f"{scale}{q} {k}^\\top"
        inner = rf"\frac{{{inner}}}{{{temperature}}}" if temperature else inner
    if RELATIVE in learned(config):
        inner += " + B"
    if config.attention == "window" or masked:
        inner += " + M"
    return rf"\operatorname{{top}}_{{{config.top_k}}}\!\left({inner}\right)" if config.attention == "top_k" else inner


def score(config: ViTConfig) -> str:
    """The score of one key: that of `scores` for a row q and a row k."""
    if config.attention == "linear":
        return r"\ln \varphi(q) \cdot \varphi(k)"
    return (
        scores(config, "q", "k")
        .replace(r"q k^\top", r"q \cdot k")
        .replace(" + B", " + B_{qk}")
        .replace(" + M", " + M_{qk}")
    )


def weights(config: ViTConfig, q: str = "Q", k: str = "K") -> str:
    """Attention weights of queries and keys; in linear attention shares of products, without softmax."""
    if config.attention == "linear":
        products = rf"\varphi({q})\,\varphi({k})^\top"
        return rf"\frac{{{products}}}{{{products} \mathbf 1}}"
    return rf"\operatorname{{softmax}}\!\left({scores(config, q, k)}\right)"


def window(radius: str) -> str:
    """The mask M of a window, for a query i and a key j; a token that is no patch sees all and is seen by all."""
    apart = r",\;".join(rf"\lvert {axis} \rvert" for axis in OFFSET.split(r",\;"))
    near = rf"\max\bigl({apart}\bigr) \le {radius} \text{{ or }} {NO_PATCH}"
    return rf"M_{{ij}} = 0 \text{{ where }} {near}, \text{{ else }} -\infty"


def where(config: ViTConfig) -> tuple[str, ...]:
    """What the symbols of `weights` are in such a model, but for its sizes."""
    lines, has = [], learned(config)
    normed, rotary = "blocks.{i}.attn.q_norm.weight" in has, config.positions == "rotary"
    if normed or rotary:
        product = "X W_q + b_q" if "blocks.{i}.attn.qkv.bias" in has else "X W_q"
        product = rf"\operatorname{{LN}}({product})" if normed else product
        product = rf"R\,({product})" if rotary else product
        lines.append(rf"Q = {product},\ K \text{{ alike}}")
    if RELATIVE in has:
        lines.append(rf"B_{{ij}} = b_{{{OFFSET}}} \text{{ of the head, }} 0 \text{{ where }} {NO_PATCH}")
    if config.attention == "linear":
        lines.append(FEATURE)
    if config.attention == "window":
        lines.append(window(str(config.window)))
    return tuple(lines)
