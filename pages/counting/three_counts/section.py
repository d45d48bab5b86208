"""What other counts of the same model are beside, in words: the paper's table, other code, and the article."""

from vitviz import counts
from vitviz.cards.names import lucidrains
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts.formula import product, symbols
from vitviz.numbers import exact
from vitviz.ui.widgets.comparison import SHORT

ARTICLE = "“Understanding the Vision Transformer and counting its parameters” (Analytics Vidhya, on Medium)"
TABLE = "[table 1](https://arxiv.org/abs/2010.11929)"


def paper(config: ViTConfig) -> str:
    """How the paper rounds a model of this depth and width, and which models that fits."""
    rounded = counts.paper_figure(config)
    if not rounded:
        return f"has no model of this depth and width in {TABLE}."
    sizes = {
        f"{SHORT[name]} {words}": counts.total_parameters(preset.with_(classes=classes))
        for name, preset in PRESETS.items()
        if counts.paper_figure(preset) == rounded and not preset.distilled
        for classes, words in ((1000, "with 1,000 classes"), (0, "without a head"))
    }
    fits, others = (
        ", ".join(f"{name} ({exact(count)})" for name, count in sizes.items() if (round(count, -6) == rounded) is fit)
        for fit in (True, False)
    )
    return (
        f"rounds models of this depth and width to {rounded // 1_000_000} M ({TABLE}), which fits {fits}, not {others}."
    )


def other_code(config: ViTConfig) -> str:
    """What vit-pytorch counts at these sizes, and what of this model it cannot say."""
    code, numbers = lucidrains(config), symbols(config)
    lost = sorted(set(code.otherwise) - set(lucidrains(ViTConfig()).otherwise))  # beside its own ways
    without = f" It has no argument for this model's {', '.join(lost).replace('_', ' ')}." if lost else ""
    assert code.parameters is not None
    biases = f", {product('(qkv head dh)', numbers)} less in each block" if config.qkv_bias else ", as here"
    return (
        "models in the style of [vit-pytorch](https://github.com/lucidrains/vit-pytorch) have patch norms, "
        f"2·p²·c + 2·d more, and no bias of q, k and v{biases}. "
        f"With these sizes that makes {exact(code.parameters)}.{without} {code.note}".rstrip()
    )
