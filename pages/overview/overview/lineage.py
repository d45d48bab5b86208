"""Where a ViT comes from: the half of the Transformer that it is, and the models before and after it."""

from typing import NamedTuple

import streamlit as st

from vitviz import counts
from vitviz.cards import papers
from vitviz.cards.card import Paper
from vitviz.config import ViTConfig
from vitviz.figures.counting import lineage as charts
from vitviz.figures.counting.lineage import Box, Relative
from vitviz.numbers import exact, many
from vitviz.ui import page

LANGUAGE, CONVOLVED, PATCHES = charts.FAMILIES
MIDDLE = 6.5  # the month of a paper that has no number of arXiv


class Model(NamedTuple):
    """A model of the map: its name and paper, its family, the models that it took something over from, and what."""

    name: str
    paper: Paper
    family: str
    parents: tuple[str, ...]
    took: str


MODELS = (
    Model(
        "Attention",
        papers.ALIGNING,
        LANGUAGE,
        (),
        "a recurrent decoder looks at all states of a recurrent encoder, with weights that sum to 1",
    ),
    Model(
        "Transformer",
        papers.TRANSFORMER,
        LANGUAGE,
        ("Attention",),
        "attention without recurrence: among words, and from decoder to encoder",
    ),
    Model(
        "Non-local networks",
        papers.NON_LOCAL,
        CONVOLVED,
        ("Transformer",),
        "attention among all places of a map, as a block inside a CNN",
    ),
    Model(
        "BERT",
        papers.BERT,
        LANGUAGE,
        ("Transformer",),
        "the encoder alone; [CLS] before the words, some of which are masked and predicted",
    ),
    Model(
        "GPT-2",
        papers.GPT_2,
        LANGUAGE,
        ("Transformer",),
        "the decoder alone, without cross-attention: under a causal mask it predicts the next word",
    ),
    Model(
        "Stand-alone attention",
        papers.STAND_ALONE,
        PATCHES,
        ("Non-local networks",),
        "attention among neighbours in the place of every convolution",
    ),
    Model(
        "Patches of 2 × 2",
        papers.TWO_BY_TWO,
        PATCHES,
        ("Transformer",),
        "patches of 2 × 2 pixels and full attention; the closest to ViT before it, says ViT's paper",
    ),
    Model("GPT-3", papers.GPT_3, LANGUAGE, ("GPT-2",), "GPT-2, larger, on more text"),
    Model(
        "DETR",
        papers.DETR,
        CONVOLVED,
        ("Transformer",),
        "encoder and decoder on the map of a CNN; learned queries ask for objects",
    ),
    Model("iGPT", papers.IGPT, PATCHES, ("GPT-2",), "GPT-2 on pixels in place of words: it predicts the next pixel"),
    Model(
        "ViT",
        papers.VIT,
        PATCHES,
        ("BERT", "Patches of 2 × 2"),
        "the encoder alone, with BERT's [CLS], on patches of 16 × 16 pixels, and labels in place of guessing",
    ),
    Model("DeiT", papers.DEIT, PATCHES, ("ViT",), "ViT, trained on ImageNet alone; a second token learns from a CNN"),
    Model(
        "CLIP",
        papers.CLIP,
        PATCHES,
        ("ViT", "GPT-2"),
        "a ViT for pictures beside a Transformer for captions: which goes with which?",
    ),
    Model(
        "Swin", papers.SWIN, PATCHES, ("ViT",), "ViT with attention in windows that shift, and maps that grow coarser"
    ),
    Model("DINO", papers.DINO, PATCHES, ("ViT", "DeiT"), "ViT without labels: it learns from a slow copy of itself"),
    Model(
        "MLP-Mixer", papers.MIXER, PATCHES, ("ViT",), "ViT's patches and MLPs, and MLPs across patches for attention"
    ),
    Model(
        "BEiT", papers.BEIT, PATCHES, ("BERT", "ViT"), "BERT's pre-training on ViT's patches: masked ones are predicted"
    ),
    Model("MAE", papers.MAE, PATCHES, ("BEiT",), "most patches masked; a small decoder reconstructs their pixels"),
)


def transformer(config: ViTConfig) -> None:
    """Figure 1 of the Transformer's paper, with the half that the model on screen is."""
    block, more = sum(it.count for it in counts.block_split(config)), parameters_apart(config)
    norms = "before attention and MLP" if config.norm_order == "pre" else "after each sum, as in the paper"
    page.chart(
        charts.halves(encoder(config), decoder()),
        "The half of the Transformer that this is",
        "Figure 1 of “Attention Is All You Need” (Vaswani et al., 2017), from below; framed: what the model on screen "
        f"has, its left half, {many(config.depth, 'block')} high, and a head. Its norms "
        f"stand {norms}. At these sizes a block of the decoder would have {exact(block)} + {exact(more)} = "
        f"{exact(block + more)} parameters, as it attends twice. BERT is the left half alone, too; GPT is the right "
        "half, without the attention in its middle.",
        "transformer",
    )
    page.link("intervene", "Try the causal mask of a decoder: Intervene", moment="attention", edits="c")


def relatives() -> None:
    """The map of forerunners and relatives, and what each took over in words."""
    named = sorted((Relative(it.name, when(it.paper), *it[2:]) for it in MODELS), key=lambda it: it.when)
    page.chart(
        charts.relatives(named, "ViT"),
        "Forerunners and relatives of ViT",
        "Each stands at the month of its paper's number, or in the middle of its year; lines come from what it took "
        "something over from.",
        "relatives",
    )
    papers_of = {it.name: it.paper for it in MODELS}
    st.markdown("\n".join(f"- {_line(it, papers_of[it.name])}" for it in named))


def _line(model: Relative, paper: Paper) -> str:
    return f"**{model.name}**: {model.took} ([{paper.words.partition(',')[0]}]({paper.address}))"


def when(paper: Paper) -> float:
    """The year of a paper and its part, by its number on arXiv, or as its words say."""
    number = paper.address.rpartition("/")[2]
    if "arxiv.org" in paper.address:
        return 2000 + int(number[:2]) + (int(number[2:4]) - 0.5) / 12
    return int(next(word for word in paper.words.replace(",", "").split() if word.isdigit())) + MIDDLE / 12


def parameters_apart(config: ViTConfig) -> int:
    """Parameters that a block of a decoder has beside those of the encoder: attention, with its norm and scale."""
    inside = {it.name: it.count for it in counts.block_split(config)}
    return inside["attention"] + inside.get("layer norms", 0) // 2 + inside.get("layer scale", 0) // 2


def encoder(config: ViTConfig) -> list[Box]:
    """The parts of the left half, and the head that this model has on it, from below."""
    inside = {it.name: it.count for it in counts.block_split(config)}
    whole = {it.name: it.count for it in counts.parameter_split(config)}
    norm, each = inside.get("layer norms", 0) // 2, f"in each of {many(config.depth, 'block')}"
    embedding = sum(whole.get(kind, 0) for kind in ("stem", "patch embedding"))
    placed, head = whole.get("position embedding", 0), whole.get("head", 0)
    says_norm = f"Add & norm: a sum with what came in, and a norm; here {exact(norm)} parameters {each}."
    return [
        Box(
            "patch embedding",
            "embedding",
            "Input embedding: in the paper a row of a table for each word; here patches times a matrix, "
            f"{exact(embedding)} parameters.",
            embedding,
        ),
        Box(
            "position embedding",
            "+ positions",
            f"Positions: in the paper sines and cosines; here {exact(placed)} parameters are learned for them.",
            placed,
        ),
        Box(
            "attention",
            "multi-head\nattention",
            f"Multi-head attention: every token asks all; here {many(config.heads, 'head')}, "
            f"{exact(inside['attention'])} parameters {each}.",
            inside["attention"],
        ),
        Box("layer norms", "add & norm", says_norm, norm),
        Box(
            "MLP",
            "feed forward",
            f"Feed forward, the MLP: every token alone; here {exact(inside['MLP'])} parameters {each}.",
            inside["MLP"],
        ),
        Box("layer norms", "add & norm", says_norm, norm),
        Box(
            "head",
            "head",
            f"The paper's encoder has no head; here it makes logits of what is read off, {exact(head)} parameters."
            if config.classes
            else "This model has no head either: it ends with the encoder, as the paper's left half.",
            head,
        ),
    ]


def decoder() -> list[Box]:
    """The parts of the right half, none of which a ViT has, from below."""
    norm = Box("layer norms", "add & norm", "Add & norm, as in the encoder.")
    return [
        Box(
            "patch embedding",
            "embedding",
            "Output embedding: of the words that are written so far, by the same table as that of the inputs.",
        ),
        Box("position embedding", "+ positions", "Positions, the same sines and cosines."),
        Box(
            "attention",
            "masked\nattention",
            "Masked multi-head attention: a causal mask lets a word see none after it. No ViT has it.",
        ),
        norm,
        Box(
            "attention",
            "cross-\nattention",
            "Cross-attention: queries of the decoder, keys and values of what the encoder made. No ViT has it.",
        ),
        norm,
        Box("MLP", "feed forward", "Feed forward, as in the encoder."),
        norm,
        Box(
            "head",
            "linear, softmax",
            "One logit for each word of the vocabulary, by the table of the embedding once more; then softmax.",
        ),
    ]
