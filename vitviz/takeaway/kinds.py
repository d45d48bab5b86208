"""Every kind of view that can be taken away: which numbers it shows, and how they are made twice.

`call` is the line of the library that makes them, in the names of a notebook; `values` runs that very line. `plain` is
the function that makes the same without the library, and `helpers` are what it calls, in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.config.sides import middle
from vitviz.takeaway.notebook import plain
from vitviz.takeaway.view import View

if TYPE_CHECKING:
    from vitviz.trace import Trace


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of view.

    `says` is what its numbers are, `axes` theirs in einops words, `given` what `plain` is called with.
    """

    title: str
    says: str
    axes: str
    imports: str
    call: str
    plain: Callable[..., Any]
    given: str
    helpers: tuple[Callable[..., Any], ...] = ()
    pictured: bool = True  # whether it is of a picture; else of a model's sizes alone

    @property
    def sources(self) -> tuple[Callable[..., Any], ...]:
        """What a notebook has to hold of `plain`, in the order in which it is read."""
        return (*self.helpers, self.plain)


EMBEDDED = (plain.linear, plain.patches)
ATTENDED = (plain.linear, plain.norm, plain.embed, plain.block, plain.stream)
COUNTS = Kind(
    "Parameters",
    "how many parameters every tensor of the model has, by their names in order",
    "tensors",
    "from vitviz.counts import parameters",
    "np.array([count for _, count in sorted((row.tensor, row.count) for row in parameters(config))])",
    plain.counted,
    "w",
    pictured=False,
)

KINDS = {
    "overview": Kind(
        "Overview",
        "the probability of every class",
        "classes",
        "from vitviz.measures.classes import answer as read_out",
        "read_out(trace, config.depth).probabilities",
        plain.answer,
        "w, image, config",
        ATTENDED,
    ),
    "patch_grid": Kind(
        "Patch grid",
        "the pixels of one patch as the model reads them, normalised, channel by channel",
        "(c ph pw)",
        "from vitviz.measures.tokens import embedded",
        'embedded(trace, "patches")[patch]',
        plain.one_patch,
        "image, config, patch",
        (plain.patches,),
    ),
    "patch_embedding": Kind(
        "Patch embedding",
        "the token that the linear projection makes of one patch",
        "d",
        "from vitviz.measures.tokens import embedded",
        'embedded(trace, "patch_tokens")[patch]',
        plain.patch_token,
        "w, image, config, patch",
        EMBEDDED,
    ),
    "position_embedding": Kind(
        "Position embedding",
        "how similar the position of one patch is to those of all, as cosines",
        "gh gw",
        "from vitviz.measures.tokens import position_maps",
        "position_maps(trace)[divmod(patch, config.grid[1])]",
        plain.position_map,
        "w, config, patch",
    ),
    "query_key_value": Kind(
        "Query, key, value",
        "the scores of one query in one head, and the weights that softmax makes of them",
        "2 k",
        "from vitviz.measures.attention import attention_steps",
        "np.stack([(it := attention_steps(trace, layer, head, query)).scores, it.weights])",
        plain.scores_and_weights,
        "w, image, config, layer, head, query",
        ATTENDED,
    ),
    "heads": Kind(
        "Heads",
        "what one query looks at in every head of one layer",
        "head k",
        "from vitviz.measures.attention import attention_row",
        "attention_row(trace, layer, query)",
        plain.looks_at,
        "w, image, config, layer, query",
        ATTENDED,
    ),
    "depth": Kind(
        "Depth",
        "attention rollout: what has reached one query after every layer",
        "layer k",
        "from vitviz.measures.attention import rollout",
        "rollout(trace)[:, query]",
        plain.rollouts,
        "w, image, config, query",
        ATTENDED[:-1],
    ),
    "encoder_block": Kind(
        "Encoder block",
        "one token around a block: what enters, what attention adds, their sum, what the MLP adds, what leaves",
        "5 d",
        "from vitviz.measures.blocks import block_values",
        'np.stack([block_values(trace, layer)[name][query] for name in ("stream", "attention", "middle", "mlp", '
        '"leaving")])',
        plain.around,
        "w, image, config, layer, query",
        ATTENDED,
    ),
    "class_head": Kind(
        "Class head",
        "what the head would say before the first block and after each, as probabilities",
        "(depth + 1) classes",
        "from vitviz.measures.classes import logit_lens",
        "logit_lens(trace)",
        plain.lens,
        "w, image, config",
        ATTENDED,
    ),
    **dict.fromkeys(("parameters", "three_counts", "layer_table", "build_a_vit"), COUNTS),
}
COLUMN = Kind(
    "Heads",
    "who looks at one token in every head of one layer",
    "head q",
    "from vitviz.measures.attention import attention_column",
    "attention_column(trace, layer, query)",
    plain.is_looked_at,
    "w, image, config, layer, query",
    ATTENDED,
)


def kind_of(view: View) -> Kind:
    """The kind of a view."""
    return COLUMN if view.page == "heads" and view.shows == "column" else KINDS[view.page]


def patch_of(view: View) -> int:
    """The patch of the query, or the one in the middle where the query is none; from 0."""
    patch = view.query - len(view.config.prefix_tokens)
    return patch if patch >= 0 else middle(view.config.grid)


def names_of(view: View) -> dict[str, int]:
    """What a notebook calls what is chosen."""
    return {"layer": view.layer, "head": view.head, "query": view.query, "patch": patch_of(view)}


def values(view: View, trace: Trace | None = None) -> NDArray[Any]:
    """The numbers of a view, made by the line of the library that its notebook shows; counts need no trace."""
    kind = kind_of(view)
    known: dict[str, Any] = {"np": np, "trace": trace, "config": view.config, **names_of(view)}
    exec(kind.imports, known)
    found: NDArray[Any] = np.asarray(eval(kind.call, known))
    return found
