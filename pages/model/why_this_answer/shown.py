"""The drawers of *Why this answer*: details, formula and code."""

from vitviz.figures.model.why import shares
from vitviz.measures.deletion import put_to_trial
from vitviz.measures.logit_sum import logit_sum
from vitviz.measures.relevance import gradient_maps, randomised_maps, rolled_out
from vitviz.numbers import exact, small
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address


def show(selection: Selection) -> None:
    config = selection.config
    place = address.read(config)
    label, against = (place.answer, place.against) if config.classes else (place.component, -1)

    if page.drawer("details"):
        found = measure(selection, logit_sum, label, against)
        what = "difference" if against >= 0 else "logit" if config.classes else "component"
        page.sentence(
            f"Held fixed are the statistics of the last norm and all attention weights of this run: then what comes "
            f"after the blocks is linear, and the {what} is a sum, to the last digit. It says what was added, not what "
            "would happen without it: later layers have read what earlier ones wrote."
        )
        page.picture(
            selection,
            shares(found.layers, [*(f"head {head}" for head in range(1, config.heads + 1)), "MLP", "biases"]),
            f"What each head of {exact(config.depth)} layers, the MLPs and the output biases add: together "
            f"{small(found.layers.sum())}; embedding and constants make it {small(found.total)}.",
            title="The sum by layers",
        )
        page.check(
            abs(found.total - found.logit) <= 1e-5 * max(1.0, abs(found.logit)),
            f"All {exact(found.heads.size)} shares of heads and tokens, {exact(2 * config.depth)} of MLPs and biases, "
            f"the embedding and the constants add up to {small(found.total)}; that of the run is {small(found.logit)}.",
        )

    if page.drawer("formula"):
        page.formula(
            r"\begin{aligned} y_c &= \mathbf r_c \cdot \mathbf z_L + \text{const}, \qquad "
            r"\mathbf r_c = \tfrac{1}{\sigma} \bigl(\boldsymbol\gamma \odot \mathbf w_c\bigr) \\ "
            r"\mathbf z_L &= \mathbf z_0 + \sum_{l, h, t} a^{lh}_t\, \mathbf v^{lh}_t W^{lh}_O + \sum_l "
            r"\bigl(\mathbf b^l + \operatorname{MLP}^l\bigr) \end{aligned}",
            r"\sigma \text{ as in this run}",
        )

    if page.drawer("code"):
        page.source(logit_sum, gradient_maps, rolled_out, put_to_trial, randomised_maps)
