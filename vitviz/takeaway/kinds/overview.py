"""The whole model as a kind of view."""

from vitviz.takeaway.kinds.kind import Kind
from vitviz.takeaway.notebook import plain

KINDS = {
    "overview": Kind(
        "Overview",
        "the probability of every class",
        "classes",
        "from vitviz.measures.classes import answer as read_out",
        "read_out(trace, config.depth).probabilities",
        plain.answer,
        "w, image, config",
        plain.ATTENDED,
        headed=True,
    ),
}
