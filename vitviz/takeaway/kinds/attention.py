"""Kinds of view of the chapter Attention."""

from vitviz.takeaway.kinds.kind import Kind
from vitviz.takeaway.notebook import plain

KINDS = {
    "query_key_value": Kind(
        "Query, key, value",
        "the scores of one query in one head, and the weights that softmax makes of them",
        "2 k",
        "from vitviz.measures.attention import attention_steps",
        "np.stack([(it := attention_steps(trace, layer, head, query)).scores, it.weights])",
        plain.scores_and_weights,
        "w, image, config, layer, head, query",
        plain.ATTENDED,
        ("score", "weight"),
    ),
    "heads": Kind(
        "Heads",
        "what one query looks at in every head of one layer",
        "head k",
        "from vitviz.measures.attention import attention_row",
        "attention_row(trace, layer, query)",
        plain.looks_at,
        "w, image, config, layer, query",
        plain.ATTENDED,
    ),
    "depth": Kind(
        "Depth",
        "attention rollout: what has reached one query after every layer",
        "layer k",
        "from vitviz.measures.attention import rollout",
        "rollout(trace)[:, query]",
        plain.rollouts,
        "w, image, config, query",
        plain.ATTENDED[:-1],
    ),
}
COLUMN = Kind(
    "Heads",
    "who looks at one token in every head of one layer",
    "head q",
    "from vitviz.measures.attention import attention_column",
    "attention_column(trace, layer, query)",
    plain.is_looked_at,
    "w, image, config, layer, query",
    plain.ATTENDED,
)
