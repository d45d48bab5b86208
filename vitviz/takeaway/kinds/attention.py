"""Kinds of view of the chapter Attention."""

from dataclasses import replace

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
# The same where edits let heads add less to the stream, or nothing.
ROLLED_EDITED = replace(
    KINDS["depth"],
    plain=plain.rollouts_of_edited,
    given="w, image, config, query, passed_on",
    before="passed_on = np.float32([trace.passed_on(at) for at in range(config.depth)])  # by each head",
)
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
# The moment of Heads that shows the matrix of one of them.
MATRIX = Kind(
    "Heads",
    "what every query looks at in one head of one layer: a row for each query, a column for each key",
    "q k",
    "from vitviz.measures.attention import attention_weights",
    "attention_weights(trace, layer)[head]",
    plain.all_of_a_head,
    "w, image, config, layer, head",
    plain.ATTENDED,
    shown=False,
    figure="from vitviz.figures.attention.maps import matrix\nfrom vitviz.takeaway.view import token_names\n\n"
    "matrix(values, token_names(config), config.prefix_tokens, 0)",
)
MATRIX_OF_MEAN = replace(
    MATRIX,
    says="what every query looks at in one layer, mean of its heads: a row for each query, a column for each key",
    call="attention_weights(trace, layer).mean(axis=0)",
    plain=plain.mean_of_a_layer,
    given="w, image, config, layer",
)
# Where scores are divided by another number than the model divides by.
DIVIDED = Kind(
    "Query, key, value",
    "q·k of one query in one head, divided by another number than the model divides by, and the weights that softmax "
    "makes of that",
    "2 k",
    "from vitviz.measures.attention import attention_steps",
    "np.stack([scores, exponentials / exponentials.sum()])",
    plain.divided,
    "w, image, config, layer, head, query, divisor",
    plain.ATTENDED,
    ("score", "weight"),
    before='divisor = {"one": 1, "all": config.head_dim}[divide]\n'
    "scores = attention_steps(trace, layer, head, query).products / divisor\n"
    "exponentials = np.exp(scores - scores.max())",
    shown=False,
    figure="from vitviz.figures.attention.steps import scores_and_weights\n"
    "from vitviz.takeaway.view import token_names\n\n"
    "scores_and_weights(*values, token_names(config), config.prefix_tokens, int(values[1].argmax()))",
)
