"""What another patch size would cost, and what happens to a picture before it is cut."""

import pytest
from PIL import Image
from vitviz.pages.tokens.patch_grid.shown import in_words

from vitviz.config import PRESETS
from vitviz.config.config import ATTENTIONS
from vitviz.counts import attention_weights, mac_split
from vitviz.counts.scaling.complexity import cost as cost_of
from vitviz.counts.scaling.complexity import patch_sizes
from vitviz.images import DEMO, Preprocess, for_size
from vitviz.lecture import read_view
from vitviz.lecture.answers.counted import attention_weights as in_a_lesson
from vitviz.lecture.answers.quantity import Look
from vitviz.ui.widgets.tiles import sizes as tiles_of


def test_half_the_patch_size_makes_four_times_the_patches() -> None:
    costs = {cost.patch_size: cost for cost in patch_sizes(PRESETS["vit_base_patch16_224"])}
    assert [(size, cost.tokens) for size, cost in costs.items()] == [
        (32, 50),
        (16, 197),
        (8, 785),
        (4, 3_137),
        (1, 50_177),
    ]
    assert costs[1].attention_weights == 50_177**2
    assert costs[16].parameters == 86_567_656


def test_no_patch_size_that_no_model_may_have() -> None:
    config = PRESETS["demo"].with_(patch_size=542, image_size=2168)
    assert [cost.patch_size for cost in patch_sizes(config)] == [542, 271, 1]


@pytest.mark.parametrize(
    ("name", "patch_size", "tokens", "parameters", "gigamacs"),
    [
        ("vit_base_patch16_224", 32, 50, 88_224_232, "4.41"),  # is vit_base_patch32_224, as published
        ("vit_base_patch32_224", 16, 197, 86_567_656, "17.56"),
        ("vit_large_patch16_224", 32, 50, 306_535_400, "15.38"),
        ("vit_large_patch32_224", 16, 197, 304_326_632, "61.55"),
        ("deit_base_distilled_patch16_224", 16, 198, 87_338_192, "17.66"),
    ],
)
def test_only_the_patch_size_changes(name: str, patch_size: int, tokens: int, parameters: int, gigamacs: str) -> None:
    (cost,) = [cost for cost in patch_sizes(PRESETS[name]) if cost.patch_size == patch_size]
    assert (cost.tokens, cost.parameters, f"{cost.macs / 1e9:.2f}") == (tokens, parameters, gigamacs)


@pytest.mark.parametrize(
    ("image_size", "patch_size", "sizes"),
    [(24, 24, [24, 12, 6, 1]), (14, 7, [14, 7, 1]), (15, 5, [5, 1]), (4, 1, [2, 1]), (3, 1, [1])],
)
def test_only_legal_sizes_are_asked(image_size: int, patch_size: int, sizes: list[int]) -> None:
    config = PRESETS["demo"].with_(image_size=image_size, patch_size=patch_size)
    assert [cost.patch_size for cost in patch_sizes(config)] == sizes


@pytest.mark.parametrize(
    ("preprocess", "size", "words"),
    [
        (DEMO, (96, 96), "96 × 96 pixels: already what the model reads, nothing is resized or cut."),
        (DEMO, (200, 100), "until the shorter side has 96; the middle 96 × 96 are cut out."),
        (for_size(224), (640, 427), "until the shorter side has 248 = ⌊224 / 0.9⌋; the middle 224 × 224 are cut out."),
        (Preprocess(224, resize="squash"), (640, 427), "to 224 × 224; its proportions are not kept."),
        (DEMO, (96, 96), "becomes (v / 255 − 0.5) / 0.25."),
        (
            Preprocess(224, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)),
            (640, 427),
            "(v / 255 − 0.485) / 0.229 in red, (v / 255 − 0.456) / 0.224 in green, (v / 255 − 0.406) / 0.225 in blue.",
        ),
    ],
)
def test_the_words_are_what_is_done(preprocess: Preprocess, size: tuple[int, int], words: str) -> None:
    assert words in in_words(preprocess, Image.new("RGB", size), None)


@pytest.mark.parametrize("positions", ["learned", "none"])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_whatever_says_attention_weights_asks_the_products(attention: str, positions: str) -> None:
    config = PRESETS["demo"].with_(attention=attention, positions=positions, top_k=8, window=2)
    compared = sum(it.count for it in mac_split(config) if it.name == "QKᵀ")
    weights = compared // config.head_dim
    assert attention_weights(config) == weights == (0 if attention == "linear" else 6 * 4 * 145**2)
    assert cost_of(config).attention_weights == weights // 24
    lesson = in_a_lesson(Look(read_view("heads"), config, lambda *_: None, lambda: ()))
    assert lesson.value == weights
    assert tiles_of(config).get("attention weights of a layer", (0, ""))[0] == weights // 6
