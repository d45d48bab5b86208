"""Why this answer: a logit as a sum, maps of what it owes to each patch, and these maps on trial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vitviz import palette
from vitviz.addresses.place import read_place, whole
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.cards.papers import DELETION, GRADIENT_ATTENTION, IMAGE_AS_SUM, ROLLOUT, SANITY_CHECKS
from vitviz.choice import Choice
from vitviz.machine.pytorch import F, torch
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, block, embed, linear, norm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vitviz.choice import Words
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace
    from vitviz.view import View

NONE = -1  # no class chosen: the one that the model names, or none beside it
NAMES = {
    "sum": "exact sum",
    "attention": "attention, last layer",
    "rollout": "attention rollout",
    "gradient_attention": "gradient × attention",
    "gradient_input": "gradient × input",
    "occlusion": "occlusion",
    "chance": "chance",
}


def chosen_label(words: Words, config: ViTConfig) -> int:
    """The class that is asked about, or of a model without classes the component of its result."""
    if not config.classes:
        return read_place(words, config)[0].component
    answer = whole(words.get("answer", ""), 1, config.classes)
    return NONE if answer is None else answer - 1


def chosen_against(words: Words, config: ViTConfig) -> int:
    """The class that it is compared with."""
    against = whole(words.get("against", ""), 1, config.classes)
    return NONE if against is None else against - 1


def classes_compared(trace: Trace, label: int, against: int) -> tuple[int, int]:
    from vitviz.measures.logit_sum import two_classes

    return two_classes(trace, label, against)


def sum_by_layer(trace: Trace, label: int, against: int) -> Array:
    from vitviz.measures.logit_sum import logit_sum

    return logit_sum(trace, label, against).layers


def parts_of_a_layer(config: ViTConfig) -> dict[str, list[str]]:
    return {"part": [*(f"head {head}" for head in range(1, config.heads + 1)), "MLP", "biases"]}


def shares_of_layers(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.model.why import shares

    return shares(values, [*(f"head {head}" for head in range(1, config.heads + 1)), "MLP", "biases"])


def map_of_patches(trace: Trace, named: str, label: int, against: int) -> Array:
    from vitviz.measures.relevance import relevance

    return relevance(trace, named, label, against)


def map_on_patches(values: Array, config: ViTConfig, named: str) -> Figure:
    from vitviz.config.sides import tall
    from vitviz.figures.model.why import owed

    return owed(values, config.grid, tall(config.patch_sides), named in ("sum", "gradient_input", "occlusion"))


def curves_of_the_trial(trace: Trace, named: str, label: int, fill: str) -> Array:
    from vitviz.measures.deletion import trial

    found = trial(trace, named, label, fill)
    return np.stack([found.deletion, found.insertion])


def deletion_and_insertion(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.model.why import on_trial
    from vitviz.measures.deletion import steps

    curves, what = dict(zip(("removed", "kept"), values, strict=True)), "probability" if config.classes else "component"
    return on_trial(steps(config.patches), curves, what, config.patches)


def patches_gone(config: ViTConfig) -> dict[str, list[str]]:
    from vitviz.measures.deletion import steps

    return {"patches": [str(count) for count in steps(config.patches)]}


def alike_when_randomised(trace: Trace, label: int, against: int) -> Array:
    from vitviz.measures.relevance import randomised_maps

    return randomised_maps(trace, label, against).alike


def curves_of_likeness(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.model.why import alike
    from vitviz.measures.relevance import IN_ONE_RUN, parts

    return alike(dict(zip(IN_ONE_RUN, values, strict=True)), parts(config))


def parts_drawn_anew(config: ViTConfig) -> dict[str, Sequence[str]]:
    from vitviz.measures.relevance import IN_ONE_RUN, parts

    return {"map": IN_ONE_RUN, "part": parts(config)}


def plain_by_layer(w: Weights, image: Tensor, config: ViTConfig, compared: tuple[int, int]) -> Tensor:
    x, rows, (label, against) = embed(w, image, config), [], compared
    for at, layer in ((f"blocks.{layer}", layer) for layer in range(config.depth)):
        v = linear(w, f"{at}.attn.qkv", norm(w, f"{at}.norm1", x, config)).unflatten(1, (3, config.heads, -1))[:, 2]
        scores, middle, x = block(w, x, config, layer)
        z = torch.block_diag(*(scores[:, :1].softmax(dim=-1) @ v.transpose(0, 1)))  # head (head dh)
        rows.append(torch.cat([z @ w[f"{at}.attn.proj.weight"].T, x[:1] - middle[:1], w[f"{at}.attn.proj.bias"][None]]))
    read = (w["head.weight"][label] - (w["head.weight"][against] if against >= 0 else 0)) * w["norm.weight"]
    return torch.stack(rows) @ (read - read.mean()) / (x[0].var(correction=0) + config.epsilon) ** 0.5


def plain_sum(w: Weights, image: Tensor, config: ViTConfig, compared: tuple[int, int]) -> Tensor:
    x, added, (label, against) = embed(w, image, config), torch.zeros(1), compared
    for at, layer in ((f"blocks.{layer}", layer) for layer in range(config.depth)):
        v = linear(w, f"{at}.attn.qkv", norm(w, f"{at}.norm1", x, config)).unflatten(1, (3, config.heads, -1))[:, 2]
        scores, _, x = block(w, x, config, layer)
        handed = (scores[:, 0].softmax(dim=-1).T[:, :, None] * v).flatten(1)  # k (head dh)
        added = added + handed @ w[f"{at}.attn.proj.weight"].T
    read = (w["head.weight"][label] - (w["head.weight"][against] if against >= 0 else 0)) * w["norm.weight"]
    return added[1:] @ (read - read.mean()) / (x[0].var(correction=0) + config.epsilon) ** 0.5


def plain_attention(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    x = embed(w, image, config)
    for layer in range(config.depth):
        scores, _, x = block(w, x, config, layer)
    return scores[:, 0].softmax(dim=-1).mean(dim=0)[1:]


def plain_rollout(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    x, rolled = embed(w, image, config), torch.eye(config.tokens)
    for layer in range(config.depth):
        scores, _, x = block(w, x, config, layer)
        rolled = (scores.softmax(dim=-1).mean(dim=0) + torch.eye(config.tokens)) / 2 @ rolled
    return rolled[0, 1:]


def answer(w: Weights, image: Tensor, config: ViTConfig, compared: tuple[int, int]) -> Tensor:
    x = embed(w, image, config)
    for layer in range(config.depth):
        x = block(w, x, config, layer)[-1]
    logits, (label, against) = linear(w, "head", norm(w, "norm", x[0], config)), compared
    return logits[label] - (logits[against] if against >= 0 else 0)


def plain_gradient_input(w: Weights, image: Tensor, config: ViTConfig, compared: tuple[int, int]) -> Tensor:
    slope = torch.func.grad(answer, argnums=1)(w, image, config, compared)
    return F.avg_pool2d((image * slope).sum(dim=1), config.patch_sides, divisor_override=1).flatten()


def plain_occlusion(w: Weights, image: Tensor, config: ViTConfig, compared: tuple[int, int]) -> Tensor:
    shown = F.interpolate(1 - torch.eye(config.patches).view(-1, 1, *config.grid), config.image_sides)  # grey is 0
    return answer(w, image, config, compared) - torch.stack([answer(w, image * it, config, compared) for it in shown])


def scaled_attention(
    factors: Tensor, w: Weights, image: Tensor, config: ViTConfig, compared: tuple[int, int]
) -> Tensor:
    x = embed(w, image, config)
    for at, factor in ((f"blocks.{layer}", it) for layer, it in enumerate(factors)):
        qkv = linear(w, f"{at}.attn.qkv", norm(w, f"{at}.norm1", x, config))
        q, k, v = qkv.view(len(x), 3, config.heads, -1).permute(1, 2, 0, 3)
        z = factor * (q @ k.mT / config.head_dim**0.5).softmax(dim=-1) @ v
        x = x + linear(w, f"{at}.attn.proj", z.transpose(0, 1).flatten(1))
        x = x + linear(w, f"{at}.mlp.fc2", F.gelu(linear(w, f"{at}.mlp.fc1", norm(w, f"{at}.norm2", x, config))))
    logits = linear(w, "head", norm(w, "norm", x[0], config))
    return logits[compared[0]] - (logits[compared[1]] if compared[1] >= 0 else 0)


def plain_gradient_attention(w: Weights, image: Tensor, config: ViTConfig, compared: tuple[int, int]) -> Tensor:
    factors = torch.ones(config.depth, config.heads, config.tokens, config.tokens)
    slopes = torch.func.grad(scaled_attention)(factors, w, image, config, compared)  # those of weights, times weights
    read = torch.eye(config.tokens)[0]
    for slope in slopes.flip(0):
        read = read + read @ slope.clamp_min(0).mean(dim=0)
    return read[1:]


def plain_chance(config: ViTConfig) -> Tensor:
    order = np.random.default_rng(0).permutation(config.patches)  # the same for every picture
    return torch.from_numpy((order + 1) / config.patches).float()


def order_of_map(trace: Trace, named: str, label: int) -> list[int]:
    from vitviz.measures.deletion import order_of
    from vitviz.measures.relevance import relevance

    found: list[int] = order_of(relevance(trace, named, label)).tolist()
    return found


def counts_on_trial(config: ViTConfig) -> list[int]:
    from vitviz.measures.deletion import steps

    return steps(config.patches)


def picture_without_patches(image: Tensor, config: ViTConfig, fill: str) -> Tensor:
    from vitviz.measures.deletion import filled

    return filled(image, config, fill)


def logits(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    x = embed(w, image, config)
    for layer in range(config.depth):
        x = block(w, x, config, layer)[-1]
    return linear(w, "head", norm(w, "norm", x[0], config))


def plain_trial(
    w: Weights,
    image: Tensor,
    config: ViTConfig,
    compared: tuple[int, int],
    order: list[int],
    counts: list[int],
    empty: Tensor,
) -> Tensor:
    place = F.interpolate(torch.tensor(order).argsort().view(1, 1, *config.grid).float(), config.image_sides)
    both = [[torch.where(place < it, *pair) for it in counts] for pair in ((empty, image), (image, empty))]
    return torch.tensor([[logits(w, it, config).softmax(dim=0)[compared[0]] for it in its] for its in both])


GIVEN: Mapping[str, Any] = {"compared": classes_compared}
READ = (*ATTENDED[:-1], answer)
SUM = Calculation(
    "what each head of every layer, its MLP and its biases add to a logit, or to the difference of two",
    "layer part",
    sum_by_layer,
    plain_by_layer,
    ATTENDED[:-1],
    names=parts_of_a_layer,
    given=GIVEN,
    printed=Print(shares_of_layers, below=True),
    note="Embedding and constants beside it, and all that a head hands on of each token: `logit_sum` of "
    "`vitviz/measures/logit_sum.py`.",
    papers=(("A sum over layers, heads and tokens", IMAGE_AS_SUM),),
)
OF_SUM = Calculation(
    "what a logit, or the difference of two, owes to each patch as all heads of all layers hand it on",
    "n",
    map_of_patches,
    plain_sum,
    ATTENDED[:-1],
    given=GIVEN,
    printed=Print(map_on_patches),
    papers=SUM.papers,
)
OF_ATTENTION = Calculation(
    "what is read of each patch in the last layer, mean of the heads",
    "n",
    map_of_patches,
    plain_attention,
    ATTENDED[:-1],
    printed=Print(map_on_patches),
)
OF_ROLLOUT = Calculation(
    "attention rollout: what has reached the answer from each patch",
    "n",
    map_of_patches,
    plain_rollout,
    ATTENDED[:-1],
    printed=Print(map_on_patches),
    papers=(("Attention rollout", ROLLOUT),),
)
OF_GRADIENT_ATTENTION = Calculation(
    "what an answer owes to each patch by gradient × attention",
    "n",
    map_of_patches,
    plain_gradient_attention,
    (*ATTENDED[:2], embed, scaled_attention),
    given=GIVEN,
    passes=lambda config: 4,
    printed=Print(map_on_patches),
    papers=(("Gradient × attention", GRADIENT_ATTENTION),),
)
OF_GRADIENT_INPUT = Calculation(
    "what an answer owes to each patch by gradient × input",
    "n",
    map_of_patches,
    plain_gradient_input,
    READ,
    given=GIVEN,
    passes=lambda config: 3,
    printed=Print(map_on_patches),
)
OF_OCCLUSION = Calculation(
    "what hiding each patch alone takes from a logit, or from the difference of two",
    "n",
    map_of_patches,
    plain_occlusion,
    READ,
    given=GIVEN,
    passes=lambda config: config.patches + 1,
    printed=Print(map_on_patches),
)
OF_CHANCE = Calculation(
    "patches in an order by chance",
    "n",
    map_of_patches,
    plain_chance,
    of_any=True,
    printed=Print(map_on_patches),
)
MAPS = {
    "sum": OF_SUM,
    "attention": OF_ATTENTION,
    "rollout": OF_ROLLOUT,
    "gradient_attention": OF_GRADIENT_ATTENTION,
    "gradient_input": OF_GRADIENT_INPUT,
    "occlusion": OF_OCCLUSION,
    "chance": OF_CHANCE,
}
TRIAL = Calculation(
    "what is left of the answer as patches vanish in the order of a map, and as they appear in it",
    "curve patches",
    curves_of_the_trial,
    plain_trial,
    (*ATTENDED[:-1], logits),
    places=("removed", "kept"),
    names=patches_gone,
    printed=Print(deletion_and_insertion),
    given={**GIVEN, "order": order_of_map, "counts": counts_on_trial, "empty": picture_without_patches},
    passes=lambda config: 2 * len(counts_on_trial(config)),
    papers=(("Deletion and insertion", DELETION),),
)
RANDOMISED = Calculation(
    "how alike each map stays as the model is drawn anew from the head down: rank correlation",
    "map part",
    alike_when_randomised,
    names=parts_drawn_anew,
    printed=Print(curves_of_likeness),
    lacks="five maps of models drawn anew, part by part, are more than 25 lines; `vitviz/measures/relevance.py` makes "
    "them",
    papers=(("Sanity checks", SANITY_CHECKS),),
)


def map_of_view(view: View) -> Calculation:
    return MAPS[view.choices.get("named", "sum")]


PAGE = Page(
    __file__,
    "Why this answer",
    order=403,
    stage="head",
    label="Why",
    colour=palette.HEAD,
    shape="a sum",
    all_moments=(
        Moment(
            "sum",
            {
                "classes": "A logit is a sum: every layer, every head and every {patch} adds its share.",
                "": "A component is a sum: every layer, head and {patch} adds its share.",
            },
            SUM,
            columns=True,
        ),
        Moment(
            "maps",
            {
                "classes": "Six ways to say which {patches} made the answer, and one by chance.",
                "": "Six ways to say which {patches} made the component, and one by chance.",
            },
            map_of_view,
            columns=True,
        ),
        Moment(
            "trial",
            {
                "classes": "On trial: the {patches} that a map calls important go first. What is left of the answer?",
                "": "On trial: the {patches} that a map calls important go first. What is left of the component?",
            },
            TRIAL,
            columns=True,
        ),
        Moment(
            "randomised",
            "Random from the top down: a map that stays shows the photo, not the model.",
            RANDOMISED,
            columns=True,
        ),
    ),
    unedited=True,
    choices=(
        Choice("map", tuple(MAPS), name="named", scene=True),
        Choice("fill", ("grey", "blur", "mean"), name="fill", scene=True),
        Choice("sees", ("removed", "kept"), scene=True),
        Choice("opened", ("all", "layer", "head"), scene=True),
        Choice("begun", ("nothing", "maps", "trial", "randomised"), scene=True, leaves=True),  # of what takes long
    ),
    follows={"label": chosen_label, "against": chosen_against},
    calculations=Calculations(SUM),
)
