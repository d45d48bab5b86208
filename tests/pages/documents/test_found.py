"""What the source documents describe is found by name: each statement of theirs, and the page that shows it."""

import re
from functools import cache
from typing import NamedTuple

import pytest

from tests.pages.app import healthy, visit, words
from vitviz.cards import CARDS
from vitviz.config import PRESETS
from vitviz.pages import PAGES
from vitviz.ui.sidebar.own_model import FIELDS, written

BASE16, LARGE16, HUGE14 = "vit_base_patch16_224", "vit_large_patch16_224", "vit_huge_patch14_224"
GUESSED = "guess_order=only of the one with positions"


class Place(NamedTuple):
    """Where a statement stands: a page with what its address asks for, and some of its words there."""

    address: str
    words: str


# Statements in the middle of the walk, of published results, and those that need a word beside them.
STATEMENTS = {
    "q = LN(x) W_q + b_q, the same matrices for every token": [
        Place("query_key_value", "Three matrices, the same for every token, make its {query}, {key} and {value}.")
    ],
    "heads side by side, times W_o": [
        Place("query_key_value", "The 4 heads side by side, times Wₒ: what attention adds")
    ],
    "why √d_h": [
        Place("query_key_value?open=formula", "q · k, a sum of 32 products, has variance 32; divided by √32 it is 1"),
        Place("query_key_value?open=formula", "Texts that write √h or √n mean √dₕ"),
    ],
    "attention does not know order": [
        Place("order?" + GUESSED, "The tokens are equivariant, the answer is invariant."),
        Place("position_embedding", "Without {positions} order does not matter: swap two {patches}"),
    ],
    "why the class token can answer": [
        Place("class_head", "Before layer 1 the {class token} is the same for every picture; then it gathers."),
        Place("position_embedding?open=details", "one row per token, [class] first"),
        Place("class_head?open=details", "What is in it comes by attention alone."),
        Place("class_head?open=details", "It is trained on two questions at once"),
    ],
    "one input channel": [
        Place("patch_embedding?open=details", "64 × 128 in place of 192 × 128, 16,384 parameters fewer"),
        Place("switches?switch=channels&value=1", "A pixel has one number, its grey."),
    ],
    "words, ids, vectors": [Place("patch_embedding?open=details", "I love you become the ids 3, 5, 7")],
    "DeiT's two heads in training": [
        Place("switches?switch=distilled&value=true", "half the cross-entropy of one head with the label, and half")
    ],
    "patch norm as batch norm": [Place("switches?switch=patch_norm&value=true", "Batch norms in their place would")],
    "the output shares the table of words": [Place("parameters", "Its output may be that table once more")],
    "what fine-tuning moves": [
        Place("class_head?open=formula", "The whole head is replaced by one Linear of zeros"),
    ],
    "fine-tuning at a higher resolution": [
        Place("resolution", "So the paper: pre-trained at 224 pixels, a model is fine-tuned at 384")
    ],
    "the original Transformer, forerunners and relatives": [
        Place("overview?open=details", "a causal mask lets a word see none after it"),
        Place("overview?open=details", "under a causal mask it predicts the next word"),
    ],
    "why a position may be added": [
        Place("position_embedding?open=details", "Why may a position be added?"),
        Place("position_embedding?open=details", "angle between token and position, degrees"),
    ],
    "why a short position is enough": [
        Place("position_embedding?open=details", "Why is so short a position enough?"),
        Place("position_embedding?open=details", "A position is 1.51 long on average, a patch token 12.2."),
        Place("position_embedding?open=details", "of 144 places from token plus position, and "),
    ],
    "a convolution's receptive field": [
        Place("encoder_block", "A 3 × 3 convolution sees its neighbours. A head may look anywhere."),
        Place("heads?open=details", "Like a convolution?"),
        Place("heads?open=details", "looks no further than 1 patch, as a 3 × 3 kernel does"),
        Place("shift", "After 1 layer of 3 × 3 convolution a place sees 3 × 3 of 96 × 96 pixels"),
    ],
    "GELU is a smoother ReLU": [Place("norms", "GELU is a smoother ReLU")],
    "pixels as tokens": [
        Place("patch_grid?open=details&model=vit_tiny_patch16_224", "Why not pixels as tokens?"),
        Place("patch_grid?open=details&model=vit_tiny_patch16_224", "98.0 times as long as the 512 positions of BERT"),
    ],
    "12 · 589,824 · (3 + 1 + 8), 12h² + 13h": [
        Place(f"parameters?model={BASE16}", "squares of d · d = 589,824 numbers: 3 + 1 + 8 = 12"),
        Place(f"parameters?model={BASE16}", "a block of the paper has 12·d² + 13·d"),
        Place(f"parameters?model={BASE16}", "How good is 12 · depth · d²?"),
    ],
    "a text model beside the mosaic": [Place("parameters", "A word looks a row of its table up")],
    "one picture is a batch of one": [Place("tensor_shapes", "One picture is a batch of one")],
    "masks: patches removed, masked, grey": [
        Place("intervene", "Hide a {patch}, paint it over, swap two: what does the model need?")
    ],
    "dropout and drop path": [Place("chance", "**dropout** zeroes single numbers, **drop path** the whole attention")],
    "first values": [Place("first_values", "**truncated normal** of standard deviation 0.02 (cut at ±2")],
    "gradients with and without residual connections": [Place("gradients", "no residual connections")],
    "table 8": [Place("siblings", "0.64206"), Place("siblings", "the paper's, ImageNet 5-shot")],
    "figure 9": [
        Place("siblings?differs=Learning rates", "The paper's figure 9"),
        Place("switches?switch=pool&value=class", "BERT needs its [CLS], which a second task"),
    ],
    "data size": [Place("siblings?differs=Data sizes", "on the 300 million of JFT it is ahead")],
    "larger models want larger sets": [Place("siblings?differs=Data sizes", "Larger models want larger sets.")],
    "the demo's recipe": [Place("siblings?differs=Learning rates", "The demo's recipe.")],
    "inductive bias": [
        Place("shift", "a convolution slides the same few weights over all places"),
        Place("siblings?differs=Data sizes", "Inductive bias: what a net prefers before it has seen data."),
    ],
    "max-pool forgives a shift": [Place("shift", "What a maximum forgives")],
    "5-shot linear": [Place("five_shots", "The papers call this 5-shot")],
    "307 M, 86 M, 632 M": [
        Place(f"three_counts?model={LARGE16}", "307 M"),
        Place("three_counts?model=vit_base_patch32_224", "86 M"),
        Place(f"three_counts?model={HUGE14}", "632 M"),
    ],
    "(d_h, d_h) on a slice": [Place("query_key_value?open=details", "on a head's own slice of the token give it")],
    "the head of pre-training": [Place("class_head?open=formula", "sources print its sizes differently")],
    "MB are MiB": [Place("layer_table", "its MB are MiB")],
    "MAC as memory access cost": [Place("arithmetic", "MAC may also be memory access cost")],
    "both slips of the envelope": [Place("three_counts", "86,498,088"), Place("three_counts", "86,443,776")],
    "p1 p2 c": [Place("patch_grid?open=details", "p₁ p₂ c: another order of the same numbers")],
    "lucidrains: patch norms, no qkv bias": [
        Place("three_counts", "have patch norms, 2·p²·c + 2·d more, and no bias of q, k and v"),
        Place("build_a_vit?open=code", "lucidrains, 12 arguments"),
    ],
    "constructor arguments of timm": [Place("build_a_vit?open=code", "timm, 18 arguments")],
    "the counting article": [
        Place("three_counts", "“Understanding the Vision Transformer and counting its parameters” (Analytics Vidhya")
    ],
    "17.564, 17.58 and 16.85 G": [
        Place(f"arithmetic?model={BASE16}", "where every number that a layer norm sees counts as 5 (fvcore)"),
        Place(f"arithmetic?model={BASE16}", "where QKᵀ and AV are hidden in fused attention and not counted"),
    ],
}

# Switches of the architecture: the fields of `ViTConfig`, and the values that the documents describe.
SWITCHES: dict[str, tuple[str, ...]] = {
    "image_size": (),
    "patch_size": (),
    "channels": (),
    "patch_norm": ("true",),
    "positions": ("none", "learned", "learned_2d", "sincos_2d", "relative", "rotary"),
    "positions_at": ("every_layer", "every_layer_shared"),
    "stem": ("conv", "r50"),
    "qkv_bias": ("false",),
    "score_scale": (),
    "head_dim": (),
    "attention": ("top_k", "window", "linear"),
    "norm_order": ("post",),
    "norm": ("rms", "batch"),
    "activation": ("relu", "swiglu"),
    "dropout": (),
    "drop_path": (),
    "pool": ("mean", "attention", "flatten"),
    "pre_logits": (),
    "distilled": ("true",),
    "initial": ("zeros", "normal"),
}


@cache
def read(address: str) -> str:
    """What is read at an address: the page, and of a scene what its moments say."""
    stem, _, query = address.partition("?")
    asked = dict(part.split("=") for part in query.split("&") if part)
    page, config = PAGES[stem], PRESETS[asked.get("model", "demo")]
    said = [page.headline(it, config) for it in page.moments(config)]
    return re.sub(r"\s+", " ", " ".join([words(healthy(visit(stem, **asked))), *said]))


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_of_the_documents_stands_on_its_page(statement: str) -> None:
    for place in STATEMENTS[statement]:
        assert place.words in read(place.address), place.address


def test_the_slope_of_the_softmax_stands_beside_its_weights() -> None:
    code = (PAGES["query_key_value"].folder / "moments.js").read_text(encoding="utf-8")
    assert "slope p(1 − p)" in code.replace(r"\u00a0", " ")


def test_every_switch_of_the_documents_has_its_values_on_a_card_and_a_control() -> None:
    cards, controls = read("switches"), read("build_a_vit")
    for field, values in SWITCHES.items():
        card = CARDS[field]
        assert {written(it.value) for it in card.choices} >= set(values)
        assert f"{card.title}" in cards
        if field in FIELDS:  # pictures here are red, green and blue: one channel follows from three, on no control
            assert FIELDS[field].label in controls
    assert [field for field in SWITCHES if field not in FIELDS] == ["channels"]
