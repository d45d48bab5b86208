"""One colour per role, the same in figures, formulas and sentences.

Told apart under the common colour-vision deficiencies by lightness and hue (the order follows Okabe & Ito), and at
least 3 : 1 against both the light and the dark background, as WCAG asks of graphics. Words are never set in these
colours alone: they carry an underline in their role's colour.
"""

QUERY = "#2f7ed8"
KEY = "#d1641b"
VALUE = "#0f9d72"
RESIDUAL = "#7d7d85"
CLASS_TOKEN = "#c9488f"
PATCH = "#a07a00"
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

ATTENTION = "#1b8ea6"
MLP = "#b4574f"

# What the counts are split into; a stage whose tensor has a role has its colour.
STAGES = {
    "patch embedding": PATCH,
    "class token": CLASS_TOKEN,
    "distillation token": CLASS_TOKEN,
    "register tokens": CLASS_TOKEN,
    "position embedding": POSITION,
    "attention": ATTENTION,
    "q k v projections": ATTENTION,
    "QKᵀ": KEY,
    "AV": VALUE,
    "output projection": QUERY,
    "MLP": MLP,
    "layer norms": RESIDUAL,
    "layer scale": RESIDUAL,
    "pooling query": QUERY,
    "attention pooling": CLASS_TOKEN,
    "head": CLASS_TOKEN,
}

# What memory holds: copies of the parameters, gradients, the optimiser's moments, and kinds of activations.
MEMORY = {
    "parameters, 16 bit": MLP,
    "parameters, 32 bit master copy": PATCH,
    "gradients, 16 bit": ATTENTION,
    "gradients, 32 bit": VALUE,
    "AdamW first moment, 32 bit": POSITION,
    "AdamW second moment, 32 bit": CLASS_TOKEN,
    "residual stream": RESIDUAL,
    "layer norms": PATCH,
    "q, k, v": QUERY,
    "scores and weights": KEY,
    "results of attention": ATTENTION,
    "MLP": MLP,
    "before and after the blocks": CLASS_TOKEN,
}

FRAME = "#ffb000"  # what is chosen, drawn over pictures and heat maps

WEIGHTS = "Viridis"  # sequential from 0
SIGNED = "RdBu_r"  # diverging around 0
