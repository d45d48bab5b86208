"""Class head: what the class token says, after the last block and after every other."""

from vitviz.figures import classes as figures
from vitviz.measures.classes import answer, logit_lens
from vitviz.model import ViT
from vitviz.ui import answer as answers
from vitviz.ui import architecture, class_views, controls
from vitviz.ui import furniture as page
from vitviz.ui.view import current

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
    class_views.class_token(view, given, place)
if view.config.classes:
    class_views.scores(view, given, place)
    class_views.lens(view, after)
    page.code(ViT.classify, answer, logit_lens, figures.logits, figures.probabilities, figures.lens)
else:
    page.sentence("This model has no head: its result is the vector that a head would read.")
    page.formula(rf"\mathbf y = {architecture.reader(view).formula}", rf"\mathbf y \in \mathbb R^{{{view.config.dim}}}")
    page.code(ViT.classify, answer)
