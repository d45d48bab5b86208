"""What a token knows: which patches are alike, here and elsewhere, and how long tokens are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.activations import OF_PATCHES
from vitviz.addresses.place import SECOND
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.cards.papers import DINO, DINOV2, REGISTERS
from vitviz.choice import SCALE, Choice
from vitviz.config.sides import tall
from vitviz.figures.attention.knows import lengths_by_layer
from vitviz.figures.tokens.position_embedding import similarity_map
from vitviz.machine.price import at_once
from vitviz.machine.pytorch import F, torch
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, EMBEDDED, embed, linear, norm, patches, stream
from vitviz.samples import first, of_world, samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vitviz.choice import Words
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace
    from vitviz.view import View
    from vitviz.weights import Loaded

MOST_OTHERS = 8
OWN = "On screen pictures of your own come before the samples; no link holds them, so they are left out here."
PLACES = ("patch, from 0", "cosine")


def all_others(model: str, picture: str, before: Sequence[str]) -> list[str]:
    """The pictures that can stand beside one, as an address calls them: those `before`, then samples that such a model
    knows."""
    return [it for it in dict.fromkeys((*before, *of_world(model))) if it != picture]


def most_others(config: ViTConfig) -> int:
    """Into how many of them the page looks unasked."""
    return at_once(config, 1, MOST_OTHERS)


def _others(words: Words, config: ViTConfig) -> list[str]:
    here = words.get("picture", "") or words.get("sample", first().id)
    before = [it for it in (words.get(f"{SECOND}image", ""), words.get("donor", "")) if it in samples()]
    return all_others(words.get("model", ""), here, before)[: most_others(config)]


def cosines_of_patch(trace: Trace, config: ViTConfig, of: str, layer: int, patch: int) -> Array:
    from vitviz.measures.similarity import cosines

    return cosines(trace, of, layer, patch).reshape(config.grid)


def images_of_others(loaded: Loaded, others: Sequence[str]) -> list[Tensor]:
    from vitviz.images import open_image
    from vitviz.samples import samples

    model = loaded.model
    return [loaded.preprocess(open_image(samples()[it].data)).to(model.device, model.dtype) for it in others]


def nearest_in_others(trace: Trace, images: Sequence[Tensor], of: str, layer: int, patch: int) -> Array:
    from vitviz.measures.similarity import nearest, patch_vectors
    from vitviz.trace import record

    traces = [record(trace.model, it) for it in images]
    found = nearest(patch, *(patch_vectors(it, of, layer) for it in (trace, *traces)))
    return np.stack([found.patches, found.cosines])


def titles_of_others(others: Sequence[str]) -> dict[str, list[str]]:
    from vitviz.samples import samples

    return {"picture": [samples().titles[it] for it in others]}


def colours_of_state(trace: Trace, images: Sequence[Tensor], of: str, layer: int) -> Array:
    from vitviz.activations import ONCE
    from vitviz.measures.shared_components import patch_states, shared_components
    from vitviz.trace import record

    found = shared_components(*(patch_states(it) for it in (trace, *(record(trace.model, it) for it in images))))
    return found.coordinates[0 if of in ONCE else layer + 1]


def titles_of_all(others: Sequence[str]) -> dict[str, list[str]]:
    from vitviz.samples import samples

    return {"picture": ["this picture", *(samples().titles[it] for it in others)]}


def lengths_of_tokens(trace: Trace) -> Array:
    from vitviz.measures.similarity import lengths

    found = lengths(trace)
    return np.stack([found.before, found.after])


def bars_of_others(values: Array, others: Sequence[str]) -> Figure:
    from vitviz.figures.attention.knows import cosines_there
    from vitviz.samples import samples

    return cosines_there(values, [samples().titles[it] for it in others])


def nearest_by_name(values: Array, others: Sequence[str]) -> str:
    from vitviz.numbers import small
    from vitviz.samples import samples

    named = (
        f"{at} {samples().titles[it]}, patch {int(patch) + 1} ({small(float(cosine))})"
        for at, (it, patch, cosine) in enumerate(zip(others, *values, strict=True), 1)
    )
    return f"Pictures and their nearest patches: {'; '.join(named)}."


def patches_in_colours(values: Array, config: ViTConfig) -> Figure:
    from vitviz.config.sides import tall
    from vitviz.figures.attention.knows import colours_of_patches
    from vitviz.measures.shared_components import reach_of

    return colours_of_patches(values[0], reach_of(values), config.grid, tall(config.patch_sides))


def components_by_colour(values: Array) -> str:
    from vitviz.measures.shared_components import reach_of
    from vitviz.numbers import small

    ends = (
        f"{name} {at} (±{small(float(it))})"
        for at, (name, it) in enumerate(zip(("red", "green", "blue"), reach_of(values), strict=True), 1)
    )
    return f"Drawn are those of this picture: {', '.join(ends)}, each from dark at minus its number to full at plus it."


def lengths_by_bar(values: Array, config: ViTConfig) -> str:
    from vitviz.numbers import small

    longest = small(float(values[0, :, len(config.prefix_tokens) :].max()))
    return f"Points are medians over patches, bars go from the shortest to the longest; the longest of all: {longest}."


def plain_alike(w: Weights, image: Tensor, config: ViTConfig, layer: int, patch: int) -> Tensor:
    states = stream(w, image, config, layer + 1)[1:]
    return F.cosine_similarity(states[patch], states).view(config.grid)


def plain_alike_in_attention(w: Weights, image: Tensor, config: ViTConfig, of: str, layer: int, patch: int) -> Tensor:
    read = norm(w, f"blocks.{layer}.norm1", stream(w, image, config, layer)[1:], config)
    its = linear(w, f"blocks.{layer}.attn.qkv", read).chunk(3, dim=1)["qkv".index(of)]
    return F.cosine_similarity(its[patch], its).view(config.grid)


def plain_alike_tokens(w: Weights, image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    tokens = embed(w, image, config)[1:]
    return F.cosine_similarity(tokens[patch], tokens).view(config.grid)


def plain_alike_pixels(image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    pixels = patches(image, config)
    return F.cosine_similarity(pixels[patch], pixels).view(config.grid)


def plain_nearest(w: Weights, image: Tensor, images: list[Tensor], config: ViTConfig, layer: int, patch: int) -> Tensor:
    here, *there = [stream(w, it, config, layer + 1)[1:] for it in (image, *images)]
    found = [F.cosine_similarity(here[patch], it).max(dim=0) for it in there]
    return torch.stack([torch.stack([it.indices, it.values]) for it in found], dim=1)


def plain_lengths(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    x = torch.stack([stream(w, image, config, after) for after in range(config.depth + 1)])
    return torch.stack([x.norm(dim=-1), norm(w, "norm", x, config).norm(dim=-1)])


def blocks_before(of: str, layer: int) -> int:
    from vitviz.activations import ONCE

    return 0 if of in ONCE else layer + 1


def plain_colours(w: Weights, image: Tensor, config: ViTConfig, images: Sequence[Tensor], blocks: int) -> Tensor:
    states = torch.stack([stream(w, it, config, blocks)[1:] for it in (image, *images)]).double()
    first = torch.linalg.svd(torch.cov(states.flatten(0, 1).T)).U[:, :3]
    return ((states - states.mean(dim=(0, 1))) @ (first * first.gather(0, first.abs().argmax(0, True)).sign())).float()


ALIKE = Calculation(
    "how like one patch every patch of the picture is: cosines of what they are after one layer",
    "gh gw",
    cosines_of_patch,
    plain_alike,
    ATTENDED,
    printed=Print(lambda values, config, patch: similarity_map(values, patch, tall(config.patch_sides))),
)
IN_ATTENTION = replace(
    ALIKE,
    says="how like one patch every patch of the picture is: cosines of their queries, keys or values in one layer",
    plain=plain_alike_in_attention,
)
TOKENS = replace(
    ALIKE,
    says="how like one patch every patch of the picture is: cosines of their tokens, which enter the first layer",
    plain=plain_alike_tokens,
    helpers=(EMBEDDED[0], embed),
)
PIXELS = replace(
    ALIKE,
    says="how like one patch every patch of the picture is: cosines of their pixels as the model reads them",
    plain=plain_alike_pixels,
    helpers=(patches,),
    of_any=True,
)
ELSEWHERE = Calculation(
    "in each of some other pictures the patch that is nearest to one of this, and its cosine",
    "2 picture",
    nearest_in_others,
    plain_nearest,
    ATTENDED,
    PLACES,
    names=titles_of_others,
    given={"images": images_of_others},
    note=OWN,
    printed=Print(bars_of_others, legend=nearest_by_name),
    figure=bars_of_others,
)
ELSEWHERE_OF = replace(
    ELSEWHERE,
    plain=None,
    lacks="25 lines hold the states of patches, as this moment usually compares; `vitviz/measures/similarity.py` has "
    "what else a patch has",
)
COLOURS = Calculation(
    "every patch of all pictures on the three principal components that they share, after one layer",
    "picture n 3",
    colours_of_state,
    plain_colours,
    ATTENDED,
    names=titles_of_all,
    given={"images": images_of_others, "blocks": blocks_before},
    note=OWN,
    printed=Print(patches_in_colours, legend=components_by_colour),
    figure=patches_in_colours,
    papers=(("Principal components as colours", DINOV2), ("Segmentation in features", DINO)),
)
LENGTHS = Calculation(
    "how long every token is before the first layer and after each, before the last norm and after it",
    "2 (depth + 1) t",
    lengths_of_tokens,
    plain_lengths,
    ATTENDED,
    ("before the last norm", "after it"),
    printed=Print(
        lambda values, config: lengths_by_layer(values, len(config.prefix_tokens)), below=True, legend=lengths_by_bar
    ),
    papers=(("Patches of large norm, and registers", REGISTERS),),
)


def alike(view: View) -> Calculation:
    of = view.choices.get("of")
    return {"state": ALIKE, "token": TOKENS, "pixels": PIXELS}.get(str(of), IN_ATTENTION)


def elsewhere(view: View) -> Calculation:
    return ELSEWHERE if view.choices.get("of") == "state" else ELSEWHERE_OF


PAGE = Page(
    __file__,
    "What a token knows",
    order=304,
    stage="blocks",
    label="Knows",
    colour=palette.PATCH,
    shape="{number of patches} × {dim}",
    others=True,
    all_moments=(
        Moment(
            "alike",
            "Which {patches} are like this one? From pixels to what a layer makes of them.",
            alike,
            columns=True,
        ),
        Moment("elsewhere", "In other pictures: which {patch} there is most like this one?", elsewhere, columns=True),
        Moment(
            "colours",
            "Three principal components as red, green and blue: one basis for all pictures.",
            COLOURS,
            columns=True,
        ),
        Moment(
            "length",
            {
                "norm_after_pooling": "How long is each token, layer by layer?",
                "": "How long is each token, layer by layer, before the last norm and after it?",
            },
            LENGTHS,
            columns=True,
        ),
    ),
    choices=(
        Choice("of", OF_PATCHES, name="of", scene=True),
        SCALE,
        Choice("principal", ("all", "1", "2", "3"), scene=True),
        Choice("threshold", ("none", *map(str, range(-100, 101, 5))), scene=True),
    ),
    follows={"others": _others},
    calculations=Calculations(ALIKE, alike),
)
