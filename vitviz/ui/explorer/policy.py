"""Which maps are sent to the browser, and when; by their sizes alone."""

from dataclasses import dataclass

from vitviz.config import ViTConfig
from vitviz.measures.quantised import AT_ONCE, quantised_bytes

MOST_MESSAGES = 64  # layers that come one by one, each as a component of its own: a run takes a millisecond for each
LARGEST_LAYER = 64_000_000  # bytes of one layer's maps that a browser is given
WITH_NEIGHBOURS = 8_000_000  # bytes of one layer up to which the layers before and after come too
NEAR = 3  # a layer and its neighbours


@dataclass(frozen=True, slots=True)
class Policy:
    """All maps at once, whole layers when they are looked at, or single queries."""

    depth: int
    complete: bool
    sendable: bool
    neighbours: bool

    @classmethod
    def of(cls, config: ViTConfig) -> "Policy":
        """The policy for the sizes of a model."""
        depth, layer = config.depth, quantised_bytes(config)
        complete = layer * depth <= AT_ONCE and depth <= MOST_MESSAGES
        return cls(depth, complete, layer <= LARGEST_LAYER, layer <= WITH_NEIGHBOURS)

    def layers(self, layer: int) -> list[int]:
        """The layers to send when `layer` is looked at, the most wanted first."""
        if self.complete:
            return sorted(range(self.depth), key=lambda other: abs(other - layer))
        near = [layer, layer + 1, layer - 1] if self.neighbours else [layer]
        return [other for other in near if 0 <= other < self.depth] if self.sendable else []

    def place(self, layer: int) -> int:
        """Which of the few places for single layers one takes: layers that are sent together never share a place, and
        a step to the next layer changes one of them only."""
        return layer % NEAR
