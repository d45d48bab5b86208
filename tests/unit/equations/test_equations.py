"""The equations that pages print of a model, computed as they stand, against what the model computes."""

import re
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from vitviz.pages.laboratory.intervene.shown import formulas as of_edits

from tests.cases import each
from tests.unit.counts.random_models import random_configs
from tests.unit.equations.formulas import fractions
from tests.unit.switches.test_every_switch import SWITCHES, lifted, picture
from vitviz import equations
from vitviz.cards.attention import ATTENTION, RADIUS
from vitviz.config import ViTConfig
from vitviz.counts.parts import RELATIVE
from vitviz.edits import Edits
from vitviz.model import Block, ViT
from vitviz.recording import ignore
from vitviz.switches.block import BatchNorm
from vitviz.switches.scoring import near
from vitviz.trace import Trace, record

TINY = ViTConfig(image_size=32, patch_size=16, dim=12, depth=2, heads=3, mlp_dim=10, classes=4, head_dim=4)
MIXED = (
    {"positions": "relative", "attention": "window", "window": 1, "score_scale": 0.5},
    {"positions": "relative", "attention": "top_k", "top_k": 3, "qk_norm": True},
    {"attention": "linear", "head_dim": 5, "norm_order": "post", "layer_scale": True, "norm": "batch"},
    {"positions_at": "every_layer_shared", "norm_order": "post", "registers": 2, "prefix_positions": False},
    {"positions": "sincos_2d", "positions_at": "every_layer", "score_scale": 1.0, "norm": "rms"},
    {"patch_norm": True, "patch_bias": False, "input_norm": True, "prefix_positions": False, "distilled": True},
)
CONFIGS = [TINY.with_(**it) for it in (*SWITCHES.values(), *MIXED) if "pool" not in it] + [
    it for it in random_configs(60, seed=11) if it.tokens < 60 and it.stem != "r50"
]
NORMS = {r"\operatorname{LN}": nn.LayerNorm, r"\operatorname{RMS}": nn.RMSNorm, r"\operatorname{BN}": BatchNorm}
NAMES = {
    r"\mathbf z_{\ell-1}": "stream",
    r"\mathbf z'_\ell": "middle",
    r"\mathbf z_\ell": "leaves",
    r"\mathbf x_\ell": "placed",
    r"E_\text{pos}^{(\ell)}": "positions",
    r"E_\text{pos}": "positions",
    r"\begin{bmatrix} 0 \\ positions \end{bmatrix}": "below(positions)",
    r"\operatorname{MSA}": "msa",
    r"\operatorname{MLP}": "mlp",
    r"\operatorname{softmax}": "softmax",
    r"\gamma_1 \odot ": "gamma1 * ",
    r"\gamma_2 \odot ": "gamma2 * ",
    r"\varphi(Q)\,\varphi(K)^\top": "(phi(Q) @ phi(K).mT)",
    r"Q K^\top": "(Q @ K.mT)",
    r" \mathbf 1": ".sum(-1, keepdim=True)",
    r"\sqrt{d_h}": "*dh**0.5",
    r"\cdot": "*",
    r" \ln": " * log",
    r"\ln": "log",
}
LAYOUT = re.compile(r"\\!|\\left|\\right|\\bigl|\\bigr|&|\\,")


def computed(latex: str, **values: Any) -> Tensor:
    """What an equation's side comes to with these values for its symbols."""
    for word, name in NAMES.items():
        latex = latex.replace(word, name)
    text = LAYOUT.sub("", fractions(latex)).replace("((*dh", "((dh").replace("/(*dh", "/(dh")
    text = re.sub(r"\\operatorname\{top\}_\{(\d+)\}\(", r"top(\1, ", text)
    text = re.sub(r"(\)) (?=\()", r"\1 * ", text)
    assert "\\" not in text, text
    result: Tensor = eval(
        text, {"softmax": lambda it: it.softmax(-1), "log": torch.log, "phi": phi, "top": top} | values
    )
    return result


def phi(x: Tensor) -> Tensor:
    return F.elu(x) + 1


def top(k: int, scores: Tensor) -> Tensor:
    least = scores.sort(dim=-1, descending=True).values[..., min(k, scores.shape[-1]) - 1, None]
    return torch.where(scores >= least, scores, -torch.inf)


def of_pairs(words: str, config: ViTConfig) -> Tensor:
    """What is printed of a query i and a key j, for every pair of tokens, `t t ...`; prefix tokens have no place."""
    for word, name in PAIRS.items():
        words = re.sub(word, name, words)
    assert "\\" not in words, words
    columns, prefix = config.grid[1], len(config.prefix_tokens)
    patches, nowhere = range(config.patches), [torch.nan] * prefix
    names = {"row": nowhere + [n // columns for n in patches], "column": nowhere + [n % columns for n in patches]}
    said = eval(f"lambda i, j: ({words})", names | {"patches": {prefix + n for n in patches}})
    return torch.tensor([[said(i, j) for j in range(config.tokens)] for i in range(config.tokens)])


PAIRS = {
    r"\\lvert (.*?) \\rvert": r"abs(\1)",
    r"\\text\{(row|column)\}_([ij])": r"\1[\2]",
    r"i \\text\{ or \} j \\text\{ is no patch\}": "not {i, j} <= patches",
    r"\\text\{ or \}": "or",
    r"\\max\\bigl(.*)\\bigr": r"max\1",
    r"\\le\b": "<=",
    r"\\;": " ",
}


def window(config: ViTConfig, printed: str) -> Tensor:
    """M of every query and key, as it is printed."""
    seen = re.search(r"M_\{ij\} = 0 \\text\{ where \} (.*), \\text\{ else \} -\\infty", printed)
    assert seen
    return torch.zeros(config.tokens, config.tokens).masked_fill(~of_pairs(seen[1], config), -torch.inf)


def bias(config: ViTConfig, printed: str, table: Tensor) -> Tensor:
    """B of every query and key, as it is printed, of a table `offsets head`: `head q k`."""
    found = re.search(r"B_\{ij\} = b_\{(.*?)\} \\text\{ of the head, \} 0 \\text\{ where \} (.*? patch\})", printed)
    assert found
    rows, columns = config.grid
    nothing = of_pairs(found[2], config)
    down, across = of_pairs(found[1], config).masked_fill(nothing[..., None], 0).long().unbind(-1)
    by_offset = table.detach().unflatten(0, (2 * rows - 1, 2 * columns - 1))
    return by_offset[down + rows - 1, across + columns - 1].masked_fill(nothing[..., None], 0).permute(2, 0, 1)


@pytest.mark.parametrize("radius", [0, 1, 3])
@pytest.mark.parametrize("more", [{}, {"registers": 2, "distilled": True}, {"image_size": (48, 128)}], ids=str)
def test_a_window_is_printed_as_the_model_has_it(more: dict[str, Any], radius: int) -> None:
    config = TINY.with_(attention="window", window=radius, **{"image_size": 80} | more)
    seen = near(config, radius, torch.device("cpu"))
    assert torch.equal(window(config, " ".join(equations.where(config))) == 0, seen)
    for card in (ATTENTION, RADIUS):
        printed = [it.equation for it in card.choices if "M_{ij}" in it.equation]
        assert printed
        assert all(torch.equal(window(config, it.replace(r"\le r", rf"\le {radius}")) == 0, seen) for it in printed)


def run(config: ViTConfig, edits: str = "") -> tuple[ViT, Trace]:
    model = lifted(ViT(config, seed=1))
    return model, record(model, picture(config), edits=Edits.parse(edits, config))


def named(config: ViTConfig, norm: nn.Module | None) -> dict[str, Any]:
    """The norm under the name that the equations have for its kind, and no other."""
    kinds = {word: kind for word, kind in NORMS.items() if isinstance(norm, kind)}
    return {NAMES_OF[word]: norm for word in kinds}


NAMES_OF = {word: f"norm_{number}" for number, word in enumerate(NORMS)}
NAMES.update(NAMES_OF)


@each(CONFIGS)
def test_attention_weights_are_what_the_equation_says(config: ViTConfig) -> None:
    model, trace = run(config)
    inside = trace.inside(config.depth - 1)
    q, k = (inside[f"attn.{name}"].tensor for name in "qk")
    said = " ".join(equations.where(config))
    values: dict[str, Any] = {"Q": q, "K": k, "dh": config.head_dim}
    if config.attention == "window":
        values["M"] = window(config, said)
    if config.positions == "relative":
        values["B"] = bias(config, said, model.get_parameter(RELATIVE.format(i=config.depth - 1)))
    made = computed(equations.weights(config), **values)
    torch.testing.assert_close(made, inside["attn.weights"].tensor, atol=1e-5, rtol=1e-4)
    assert ("B_{ij}" in said, "M_{ij}" in said, r"\varphi" in said) == tuple(
        symbol in equations.weights(config) for symbol in (" B", " M", r"\varphi")
    )


@each(CONFIGS)
def test_a_block_makes_of_the_stream_what_its_lines_say(config: ViTConfig) -> None:
    model, trace = run(config)
    layer = config.depth - 1
    inside, scoring, block = trace.inside(layer), model.scorings.get(layer), model.blocks[layer]
    assert isinstance(block, Block)
    name = f"blocks.{layer - 1}.resid_post" if layer else "embed.resid_post"
    values: dict[str, Any] = {
        "stream": trace[name].tensor,
        "positions": inside["positions"].tensor if "positions" in inside else None,
        "msa": lambda it: block.attn(it, ignore, scoring),
        "mlp": block.mlp,
        "gamma1": block.ls1 and block.ls1.gamma,
        "gamma2": block.ls2 and block.ls2.gamma,
    }
    lines = equations.block(config)
    assert len(lines) == 2 + (config.positions_at != "stem")
    with torch.no_grad():
        for line, norm in zip(lines, [block.norm1, block.norm1, block.norm2][-len(lines) :], strict=True):
            left, _, right = line.partition("&=")
            values[NAMES[left.strip()]] = computed(right.strip(), **values, **named(config, norm))
    torch.testing.assert_close(values["leaves"], inside["resid_post"].tensor, atol=1e-4, rtol=1e-4)


@each(CONFIGS)
def test_the_tokens_are_made_as_the_equation_says(config: ViTConfig) -> None:
    model, seen = lifted(ViT(config, seed=1)), dict[str, Tensor]()

    def kept(name: str, value: Tensor) -> Tensor:
        return seen.setdefault(name, value)

    with torch.no_grad():
        model.embed(picture(config), kept)
    embed, written = model.patch_embed, equations.embedded(config)
    joined = re.search(r"\[(.*?)\](?! \\)", written)
    assert joined
    *prefix, first, dots, last = joined[1].split(r";\, ")
    names = [it.removeprefix(r"x_\text{").removesuffix("}") for it in prefix]
    if config.registers > 2:
        at = names.index(r"\dots")
        assert names[at - 1 : at + 2] == ["register 1", r"\dots", f"register {config.registers}"]
        names[at : at + 1] = [f"register {number}" for number in range(2, config.registers)]
    assert names == list(config.prefix_tokens)
    assert (dots, last) == (r"\dots", first.replace("x_1", "x_n").replace("_1", "_n"))
    read = seen["features" if config.stem != "patch" else "patches"]
    weight = embed.proj.weight.reshape(config.dim, -1).T
    inner, outer = embed.norm_in, embed.norm_out
    with torch.no_grad():
        token = first.replace("f(x)_1", "x_1").replace("x_1", "read").replace(" E", " @ E")
        if inner is not None:
            token = token.replace(r"\operatorname{LN}(read)", "inner(read)").replace(r"\operatorname{LN}", "outer")
        made = computed(token, read=read, E=weight, b=embed.proj.bias, inner=inner, outer=outer)
        tokens = torch.cat([*model.prefix_tokens(1), made], dim=1)
        places = model.positions()[:, -config.patches :] if "bmatrix" in written else model.positions()
        whole = written.replace(joined[0], "tokens")
        result = computed(
            whole,
            tokens=tokens,
            positions=places,
            below=lambda it: F.pad(it, (0, 0, len(config.prefix_tokens), 0)),
            **named(config, model.norm_pre),
        )
    torch.testing.assert_close(result, seen["resid_post"], atol=1e-4, rtol=1e-4)


@each(CONFIGS)
def test_a_block_that_is_off_is_called_the_identity_only_where_it_is(config: ViTConfig) -> None:
    _, trace = run(config, f"b{config.depth}*0")
    entering = trace[f"blocks.{config.depth - 2}.resid_post" if config.depth > 1 else "embed.resid_post"].tensor
    leaving = trace[f"blocks.{config.depth - 1}.resid_post"].tensor
    assert torch.equal(entering, leaving) is ("the identity" in equations.off(config))


@each(CONFIGS)
def test_temperature_and_mask_stand_where_edits_bring_them_in(config: ViTConfig) -> None:
    (_, _), (head, numbers) = of_edits(config)
    written = head.partition(r" \qquad ")[0].partition("= ")[2].removesuffix(r"\, v_h")
    _, trace = run(config, f"t=2 p{config.patches}" if config.patches > 1 else "t=2")
    inside = trace.inside(0)
    q, k = (inside[f"attn.{name}"].tensor for name in "qk")
    mask = window(config, head) if config.attention == "window" else torch.zeros(config.tokens, config.tokens)
    if config.patches > 1:
        mask[:, -1] = -torch.inf
        blind = mask.isinf().all(dim=-1)
        mask[blind, blind.nonzero().flatten()] = 0  # what would see nothing sees itself
    values = {"Q": q, "K": k, "B": inside["attn.bias"].tensor if "attn.bias" in inside else None}
    made = computed(written.replace("q_h", "Q").replace("k_h", "K"), **values, M=mask, T=2, dh=config.head_dim)
    torch.testing.assert_close(made, inside["attn.weights"].tensor, atol=1e-5, rtol=1e-4)
    assert ("M = 0" in numbers) is (config.attention != "window")
