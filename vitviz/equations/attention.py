"""Scores and weights of attention, and what their symbols are."""

from vitviz.config import ViTConfig
from vitviz.counts.parts import RELATIVE, learned

OFFSET = r"\text{row}_i - \text{row}_j,\;\text{column}_i - \text{column}_j"  # an index of the table of Swin and timm
NO_PATCH = r"i \text{ or } j \text{ is no patch}"
FEATURE = r"\varphi(x) = \operatorname{ELU}(x) + 1"


def scores(config: ViTConfig, q: str = "Q", k: str = "K", temperature: str = "", masked: bool = False) -> str:
    """What softmax makes attention weights of; `temperature` divides what the model makes of q·k.

    The mask M of a window stands there where the model has one, or where scores are `masked` by others.
    """
    if config.attention == "linear":
        made = rf"\ln\bigl(\varphi({q})\,\varphi({k})^\top\bigr)"
        made = rf"\frac{{1}}{{{temperature}}} {made}" if temperature else made
    elif config.score_scale is None:
        made = rf"\frac{{{q} {k}^\top}}{{{temperature}\sqrt{{d_h}}}}"
    else:
        scale = "" if config.score_scale == 1 else rf"{config.score_scale:g} \cdot "
        made = f"{scale}{q} {k}^\\top"
        made = rf"\frac{{{made}}}{{{temperature}}}" if temperature else made
    if RELATIVE in learned(config):
        made += " + B"
    if config.attention == "window" or masked:
        made += " + M"
    return rf"\operatorname{{top}}_{{{config.top_k}}}\!\left({made}\right)" if config.attention == "top_k" else made


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
    said, has = [], learned(config)
    normed, rotary = "blocks.{i}.attn.q_norm.weight" in has, config.positions == "rotary"
    if normed or rotary:
        made = "X W_q + b_q" if "blocks.{i}.attn.qkv.bias" in has else "X W_q"
        made = rf"\operatorname{{LN}}({made})" if normed else made
        made = rf"R\,({made})" if rotary else made
        said.append(rf"Q = {made},\ K \text{{ alike}}")
    if RELATIVE in has:
        said.append(rf"B_{{ij}} = b_{{{OFFSET}}} \text{{ of the head, }} 0 \text{{ where }} {NO_PATCH}")
    if config.attention == "linear":
        said.append(FEATURE)
    if config.attention == "window":
        said.append(window(str(config.window)))
    return tuple(said)
