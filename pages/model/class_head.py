"""Class head: what the class token says, after the last block and after every other."""

from vitviz.figures import classes as figures
from vitviz.measures.classes import answer, logit_lens
from vitviz.model import ViT
from vitviz.ui import controls, page
from vitviz.ui.sections import overview
from vitviz.ui.sections.model import class_head
from vitviz.ui.view import current
from vitviz.ui.widgets import predictions as answers

READ = {
    "class": "The {class token} is normed",
    "attention": "All tokens are normed, one learned query gathers them",
}

view = current()

page.sentence(f"{READ[view.config.pool]}, the head gives one logit per class, and softmax makes them probabilities.")
answers.warn(view)
after = controls.after(view)
place = f"after layer {after}" if after else "before the first layer"
given = view.measure(answer, after)
if len(given.stream):
    class_head.class_token(view, given, place)
if view.config.classes:
    class_head.scores(view, given, place)
    class_head.lens(view, after)
    page.source(ViT.classify, answer, logit_lens, figures.logits, figures.probabilities, figures.lens)
else:
    page.sentence("This model has no head: its result is the vector that a head would read.")
    page.formula(rf"\mathbf y = {overview.reader(view).formula}", rf"\mathbf y \in \mathbb R^{{{view.config.dim}}}")
    page.source(ViT.classify, answer)
