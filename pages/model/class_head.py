"""Class head: what the class token says, after the last block and after every other."""

from vitviz.figures import classes as figures
from vitviz.measures.classes import answer, logit_lens
from vitviz.model import ViT
from vitviz.ui import answer as answers
from vitviz.ui import class_views, controls
from vitviz.ui import furniture as page
from vitviz.ui.view import current

view = current()

page.sentence("The {class token} is normed, the head gives one logit per class, and softmax makes them probabilities.")
answers.warn(view)
after = controls.after(view)
place = f"after layer {after}" if after else "before the first layer"
given = view.measure(answer, after)
if len(given.stream):
    class_views.class_token(view, given, place)
else:
    page.sentence("There is no class token: one learned query asks all tokens, and the head reads what it gathers.")
if view.config.classes:
    class_views.scores(view, given, place)
    class_views.lens(view, after)
    page.code(ViT.classify, answer, logit_lens, figures.logits, figures.probabilities, figures.lens)
else:
    page.sentence("This model has no head: its result is the {class token} after the norm.")
    page.formula(
        r"\mathbf y = \operatorname{LN}(\mathbf z_\text{class})", rf"\mathbf y \in \mathbb R^{{{view.config.dim}}}"
    )
    page.code(ViT.classify, answer)
