"""The whole model as a kind of view."""

from vitviz.takeaway.kinds.kind import HEADLESS, Kind
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
# The same of a model without a head: its first moment, which shows what a patch looks at, layer by layer.
LOOKS = Kind(
    "Overview",
    "what one patch looks at in every layer, mean of the heads",
    "layer k",
    "from vitviz.measures.attention import attention_row",
    "np.stack([attention_row(trace, at, first + patch).mean(axis=0) for at in range(config.depth)])",
    before="first = len(config.prefix_tokens)",
    lacks=HEADLESS,
)
# Its second one, with all stages: the maps of Depth.
MAPS = Kind(
    "Overview",
    "what the class token, or the mean token, looks at in every layer, mean of the heads",
    "layer k",
    "from vitviz.measures.attention import class_attention, mean_attention",
    'class_attention(trace).mean(axis=1) if config.pool == "class" else mean_attention(trace)',
    lacks=HEADLESS,
    shown=False,
    figure="from vitviz.figures.attention.maps import wall\n\n"
    "on_patches = values[:, len(config.prefix_tokens) :].reshape(-1, *config.grid)\n"
    'wall(on_patches, "layer", float(on_patches.max()), 0)',
)
