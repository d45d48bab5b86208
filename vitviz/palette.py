"""One colour per role, the same in figures, formulas and sentences; a colour means one thing.

Two are at least `APART` from each other (CIEDE2000), and `FRAME`, what is chosen, is at least `FAR` from all. Each
has at least 3 : 1 against the light and the dark background, as WCAG asks of graphics. Words are never set in these
colours alone: they carry an underline in their role's colour.
"""

import re

APART, FAR = 14, 28

QUERY = "#2f7ed8"
KEY = "#d92b2b"
VALUE = "#0f9d72"
RESIDUAL = "#7d7d85"
CLASS_TOKEN = "#c9488f"
PATCH = "#7a7d00"
POSITION = "#8468d6"

ROLES = {
    "query": QUERY,
    "key": KEY,
    "value": VALUE,
    "residual stream": RESIDUAL,
    "class token": CLASS_TOKEN,
    "patch": PATCH,
    "position": POSITION,
}
# What sentences say in the colour of a role: its word, and the word for several.
ROLE_WORDS = ROLES | {"keys": KEY, "values": VALUE, "patches": PATCH, "positions": POSITION}
ROLE = re.compile(rf"\{{({'|'.join(ROLE_WORDS)})\}}")

ATTENTION = "#1b8ea6"
MLP = "#96553a"
NORM = "#88946f"
HEAD = "#a11fb8"

CONVOLUTION = "#705e5a"

# Products of attention, and what they make: scores and weights, results.
SCORES = "#c97e79"
RESULTS = "#1a7d1f"
OUTPUT = "#466675"

# What the counts are split into.
STAGES = {
    "stem": CONVOLUTION,
    "patch embedding": PATCH,
    "class token": CLASS_TOKEN,
    "distillation token": CLASS_TOKEN,
    "register tokens": CLASS_TOKEN,
    "position embedding": POSITION,
    "attention": ATTENTION,
    "q k v projections": ATTENTION,
    "QKᵀ": SCORES,
    "AV": RESULTS,
    "KᵀV": SCORES,
    "Q(KᵀV)": RESULTS,
    "output projection": OUTPUT,
    "MLP": MLP,
    "layer norms": NORM,
    "layer scale": RESIDUAL,
    "pooling query": "#00756d",
    "attention pooling": "#c2004e",
    "pre-logits": HEAD,
    "head": HEAD,
}

# What memory holds: copies of the parameters, gradients, the optimiser's moments, and kinds of activations.
MEMORY = {
    "parameters, 16 bit": "#8c7654",
    "parameters, 32 bit master copy": "#8a5a00",
    "gradients, 16 bit": "#4aa31c",
    "gradients, 32 bit": "#55664d",
    "AdamW first moment, 32 bit": "#aa86b2",
    "AdamW second moment, 32 bit": "#755875",
    "residual stream": RESIDUAL,
    "layer norms": NORM,
    "q, k, v": ATTENTION,
    "scores and weights": SCORES,
    "results of attention": RESULTS,
    "MLP": MLP,
    "before and after the blocks": "#8492bd",
}

# Kinds of layers that are compared.
LAYERS = {"self-attention": ATTENTION, "recurrence": "#ff2667", "convolution": CONVOLUTION}

FRAME = "#ffb000"  # what is chosen, drawn over pictures and heat maps

# What the browser draws with.
DRAWN = ROLE_WORDS | {"chosen": FRAME, "attention": ATTENTION, "scores": SCORES, "MLP": MLP, "head": HEAD}

BELOW, ABOVE = "#2166ac", "#b2182b"  # the ends of what diverges around 0 on screen, where the ground shows through at 0


def without_roles(text: str) -> str:
    """A text whose roles, "the {query} asks", are words like all others."""
    return ROLE.sub(r"\1", text)
