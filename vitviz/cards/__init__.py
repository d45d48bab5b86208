"""The family of architectures: one card for each switch, in the order of the model."""

from collections.abc import Iterator

from vitviz.cards import attention, block, patches, positions, readout
from vitviz.cards.card import Card, Paper
from vitviz.config import ViTConfig

CARDS = {card.field: card for part in (patches, positions, attention, block, readout) for card in part.CARDS}


def papers_of(config: ViTConfig) -> Iterator[tuple[str, Paper]]:
    """The papers of the switches that are on in a model, and what each is the source of."""
    for card in CARDS.values():
        if paper := _switched(card, config):
            yield card.title, paper


def _switched(card: Card, config: ViTConfig) -> Paper | None:
    """The paper that a switch of a model comes from, where it is not as in the paper's model."""
    value = None if card.field == "head_dim" and config.usual_head_dim else getattr(config, card.field)
    if value == card.usual.value:
        return None
    choice = next((it for it in card.choices if it.value == value), card.choices[1])  # of numbers, any is its like
    return None if choice.paper == card.usual.paper else choice.paper
