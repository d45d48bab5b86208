"""The drawers of *Why this answer*: details, formula and code."""

from vitviz.board.readout import reader
from vitviz.demo.trial import Areas
from vitviz.figures.model.why import shares
from vitviz.measures.deletion import seen_in_part
from vitviz.measures.logit_sum import logit_sum
from vitviz.measures.relevance import gradient_maps, randomised_maps, rolled_out
from vitviz.numbers import exact, small
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.widgets.table import table

from .page import NAMES, NONE
from .scene import averaged

CLOSE = 1e-5  # of the logit, or of 1 where that is small


def show(selection: Selection) -> None:
    config = selection.config
    place = address.read(config)
    label, against = (place.answer, place.against) if config.classes else (place.component, NONE)

    if page.drawer("details"):
        the_sum(selection, label, against)
        reading(selection)
        if found := averaged(selection):
            areas(*found)

    if page.drawer("formula"):
        page.formula(
            r"\begin{aligned} y_c &= \mathbf r_c \cdot \mathbf z_L + \text{const}, \qquad "
            r"\mathbf r_c = \tfrac{1}{\sigma} \bigl(\boldsymbol\gamma \odot \mathbf w_c\bigr) \\ "
            r"\mathbf z_L &= \mathbf z_0 + \sum_{l, h, t} a^{lh}_t\, \mathbf v^{lh}_t W^{lh}_O + \sum_l "
            r"\bigl(\mathbf b^l + \operatorname{MLP}^l\bigr) \end{aligned}",
            r"\sigma \text{ as in this run}",
        )

    if page.drawer("code"):
        page.source(logit_sum, gradient_maps, rolled_out, seen_in_part, randomised_maps)


def the_sum(selection: Selection, label: int, against: int) -> None:
    """What each part of every layer adds, and that it adds up."""
    config, found = selection.config, measure(selection, logit_sum, label, against)
    what = "difference" if found.logit and against not in (NONE, label) else "logit" if config.classes else "component"
    page.sentence(
        "Held fixed are the statistics of the last norm and all attention weights of this run: then what comes after "
        f"the blocks is linear, and the {what} is a sum, up to rounding. It says what was added, not what would "
        "happen without it: later layers have read what earlier ones wrote."
    )
    page.picture(
        selection,
        shares(found.layers, [*(f"head {head}" for head in range(1, config.heads + 1)), "MLP", "biases"]),
        f"What each head of {exact(config.depth)} layers, the MLPs and the output biases add: together "
        f"{small(found.layers.sum())}; with embedding and constants {small(found.total)}.",
        title="The sum by layers",
    )
    page.check(
        abs(found.total - found.logit) <= CLOSE * max(1.0, abs(found.logit)),
        f"All {exact(found.heads.size)} shares of heads and tokens, {exact(2 * config.depth)} of MLPs and biases, the "
        f"embedding and the constants add up to {small(found.total)}; that of the run is {small(found.logit)}.",
    )


def reading(selection: Selection) -> None:
    """Where maps begin, and what the sum holds fixed besides, with models whose answer is read in another way."""
    config = selection.config
    if config.pool == "attention":
        page.sentence(
            "All tokens are gathered by one more attention: its weights are held fixed as well, what its MLP adds is a "
            "number of its own, and the map *attention* is what it looks at."
        )
    elif config.pool != "class":
        page.sentence(
            f"The head reads no class token but the {reader(config).name}: the sum goes over all that is read, and "
            "*attention*, *rollout* and *gradient × attention* are means over these tokens."
        )
    if config.pre_logits:
        page.sentence("Of the hidden layer before the head, tanh(u) is u times a factor, which is held fixed, too.")
    if config.norm == "batch":
        page.sentence(
            "A batch norm reads all tokens at once: its mean and its deviation are held fixed, and pictures with "
            "patches gone are run one by one."
        )


def areas(scenes: int, found: Areas) -> None:
    """What the maps of a model come to, over many scenes."""
    page.sentence(
        f"Of one picture no map is the best. Over {exact(scenes)} scenes that this model was not trained on, "
        "the area under the probability of its answer is, over the share of {patches} that are gone (less: the map "
        "found what the answer needs) or there (more):"
    )
    table(
        "Mean areas under the curves",
        ("map", *(f"{fill}, {curve}" for fill in found for curve in ("gone", "there"))),
        [(NAMES[name], *(small(area) for its in found.values() for area in its[name])) for name in NAMES],
    )
