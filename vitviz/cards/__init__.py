"""The family of architectures: one card for each switch, in the order of the model."""

from vitviz.cards import attention, block, patches, positions, readout

CARDS = {card.field: card for part in (patches, positions, attention, block, readout) for card in part.CARDS}
