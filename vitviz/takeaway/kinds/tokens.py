"""Kinds of view of the chapter Tokens."""

from vitviz.takeaway.kinds.kind import Kind
from vitviz.takeaway.notebook import plain

KINDS = {
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
        plain.EMBEDDED,
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
}
# The moment of Patch embedding that shows all tokens as points.
POINTS = Kind(
    "Patch embedding",
    "where the token of every patch lies on the first two principal components of all",
    "n component",
    "from vitviz.measures.tokens import token_components",
    "token_components(trace, 2).coordinates",
    plain.points,
    "w, image, config",
    plain.EMBEDDED,
    names='{"component": ["principal component 1", "principal component 2"]}',
    shown=False,
    figure="from vitviz.figures.tokens.patch_embedding import token_cloud\n"
    "from vitviz.takeaway.pixels import pixels_of\n\n"
    "token_cloud(values, pixels_of(trace, loaded), *config.grid, patch)",
)
# The moment of Position embedding that takes positions away.
WITHOUT_POSITIONS = Kind(
    "Position embedding",
    "the probability of every class with positions as learned, without those of patches, and with those shuffled",
    "3 classes",
    "from vitviz.measures.classes import answer as read_out\n"
    "from vitviz.measures.positions import probabilities_with_shuffled_positions, probabilities_without_positions",
    "np.stack([read_out(trace, config.depth).probabilities, probabilities_without_positions(trace), "
    "probabilities_with_shuffled_positions(trace)])",
    places=("as learned", "positions off", "positions shuffled"),
    lacks="positions are changed inside the model; `vitviz/measures/positions.py` does it",
    shown=False,
    headed=True,
)
