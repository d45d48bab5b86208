"""Growth: what one size costs when all others stay, against the linear and the quadratic law."""

from vitviz import counts
from vitviz.ui import page
from vitviz.ui.sections.counting import growth
from vitviz.ui.selection import current

config = current().config
page.sentence(
    "Change one size and keep the others: does the arithmetic follow a straight line or a parabola? "
    "Attention compares every token with every token, so that part grows with the square of the tokens."
)
growth.show(config)
page.formula(
    r"\underbrace{2 t^2 d}_{QK^T \text{ and } AV} = \underbrace{t\,(4 d^2 + 2 d m)}_{\text{all else in a block}}"
    r"\quad\Longleftrightarrow\quad t = 2d + m",
    rf"t = 2 \cdot {config.dim} + {config.mlp_dim} = {counts.overtaking(config)}",
)
page.source(counts.growth, counts.law)
