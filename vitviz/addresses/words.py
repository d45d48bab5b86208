"""The words that an address may hold, by what they choose."""

from dataclasses import fields

from vitviz.config import ViTConfig

DRAWERS = ("formula", "code", "details")
SWITCHES = {
    "covered": ("no", "yes"),
    "divide": ("root", "one", "all"),
    "drawn": ("light", "colours"),
    "hides": ("grey", "masked"),
    "mean": ("0", "1"),
    "measured": ("no", "yes"),
    "placed": ("learned", "off", "shuffled"),
    "runs": ("here", "server", "fetching"),
    "scale": ("shared", "own"),
    "shows": ("row", "column", "rollout"),
    "switches": ("folded", "open"),
    "taken": ("off", "mean"),
    "traced": ("no", "enough", "needed"),
    "tried": ("own", "32", "16", "8", "4"),
}  # choices of single scenes, the usual value first
PICTURE = ("sample", "picture", "crop", "donor")
SIZES = tuple(field.name for field in fields(ViTConfig) if field.name != "channels")  # of a model that is built
MODEL = ("model", "file", "file_size", "seed", "precision", "preprocess", "head_classes", *SIZES)
PLACES = ("layer", "head", "query", "key", "component", "after", "through", "learned", "moment", "answer")
ON_OFF = ("false", "true")
OFFERS = {
    "axes": ("Linear", "Logarithmic"),
    "budget_of": ("parameters", "MACs"),
    "differs": ("Positions", "Switches", "Learning rates", "Data sizes"),
    "gradient_of": ("all parameters", "queries and keys", "residual stream"),
    "grow": ("Image size", "Patch size", "Depth", "Dim"),
    "map_scale": ("own", "shared"),
    "networks": ("Pictures in a batch", "Pixels a side"),
    "night": ON_OFF,
    "positions_off": ON_OFF,
    "positions_shuffled": ON_OFF,
    "table": ("Text", "Tree"),
    "tensors": ("All in order", "Activations", "Parameters"),
    "tuned": ("head", "last block and head", "everything"),
    "untrained_begins": ("trunc_normal", "normal"),
}  # of single pages, as their controls offer them
OF_PAGES = (  # what single pages know besides
    *OFFERS,
    *("training", "switch", "value", "guess_order", "guess_shift", "guess_resolution", "draw", "batch_size"),
    *("norm_layer", "drawn_seed", "dropout_rate", "drop_path_rate", "shots", "shot_classes", "shots_of_1"),
    *("shots_of_2", "penalty", "tuning_rate", "find", "there", "budget", "batch", "kernel", "sequence"),
    *("grown_image_size", "grown_patch_size", "grown_depth", "grown_dim"),
)
# What an address says besides what is seen; ui/board/frontend/frame/link.js says the same.
OF_A_VISIT = ("take", "lesson", "step", "room", "record")
WORDS = frozenset((*PICTURE, *MODEL, *PLACES, "beside", "edits", "open", *SWITCHES, *OF_PAGES))
