"""The words of an address that are no single page's, by what they choose."""

from dataclasses import fields

from vitviz.config import ViTConfig

DRAWERS = ("formula", "code", "details")
BOARD = {
    "runs": ("here", "server", "fetching"),
    "shows": ("row", "column", "rollout"),
    "switches": ("folded", "open"),
}  # choices of the board, the usual value first; those of one scene its page declares
PICTURE = ("sample", "picture", "crop", "donor")
SIZES = tuple(field.name for field in fields(ViTConfig) if field.name != "channels")  # of a model that is built
MODEL = ("model", "file", "file_size", "size", "seed", "precision", "preprocess", *SIZES)
PLACES = (
    *("layer", "head", "query", "key", "component", "after", "through", "learned", "moment"),
    *("answer", "against", "removed", "randomised"),
)
LECTURES = ("lesson", "room", "record")  # beside one of these a lecture is on
HOME = "home"  # the lesson that is to be taken home
OF_A_VISIT = (*LECTURES, "step", "take")  # said besides what is seen
SHARED = (*PICTURE, *MODEL, *PLACES, "beside", "edits", "open", "training", *BOARD)  # by all pages, or several
