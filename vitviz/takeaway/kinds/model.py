"""Kinds of view of the chapter Model."""

from vitviz.takeaway.kinds.kind import HEADLESS, Kind
from vitviz.takeaway.notebook import plain

COUNTS = Kind(
    "Parameters",
    "how many parameters every tensor of the model has, by their names in order",
    "tensors",
    "from vitviz.counts import parameters",
    "np.array([count for _, count in sorted((row.tensor, row.count) for row in parameters(config))])",
    plain.counted,
    "built(config)",
    (plain.built,),
    pictured=False,
    shown=False,
)
# Class head of a model without one.
VECTOR = Kind(
    "Class head",
    "the vector that a head would read",
    "d",
    "from vitviz.measures.classes import result",
    "result(trace)",
    lacks=HEADLESS,
)
KINDS = {
    "encoder_block": Kind(
        "Encoder block",
        "one token around a block: what enters, what attention adds, their sum, what the MLP adds, what leaves",
        "5 d",
        "from vitviz.measures.blocks import block_values",
        'np.stack([block_values(trace, layer)[name][query] for name in ("stream", "attention", "middle", "mlp", '
        '"leaving")])',
        plain.around,
        "w, image, config, layer, query",
        plain.ATTENDED,
        ("what enters", "attention adds", "their sum", "the MLP adds", "what leaves"),
    ),
    "class_head": Kind(
        "Class head",
        "what the head would say before the first block and after each, as probabilities",
        "(depth + 1) classes",
        "from vitviz.measures.classes import logit_lens",
        "logit_lens(trace)",
        plain.lens,
        "w, image, config",
        plain.ATTENDED,
        headed=True,
    ),
    "tensor_shapes": Kind(
        "Tensor shapes",
        "how many numbers every tensor of the model and of its forward pass holds, in the order they are computed",
        "tensor",
        "from vitviz.counts import tensors",
        "np.array([row.elements for row in rows])",
        before='rows = [row for row in tensors(config) if kind in ("", row.kind)]',
        names='{"tensor": [row.name for row in rows]}',
        pictured=False,
        shown=False,
        lacks="activations are counted by name; `vitviz/activations.py` has their names and axes",
        note="What was searched for is left aside: these are all rows.",
    ),
    "parameters": COUNTS,
}
