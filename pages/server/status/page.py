"""Server status: what the workers that all visitors share are doing."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Server status",
    order=801,
    says="Everybody who has this app open shares two workers, one for what takes a moment and one for large models. "
    "Identical requests are computed once; what nobody waits for any more is not computed at all; and results "
    "are kept as long as their budget of memory allows.",
    stage="model",
    forward=False,
)
