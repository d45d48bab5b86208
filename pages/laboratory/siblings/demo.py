"""How the demo itself was trained: optimisers, schedule and losses, from the record of its training and its code."""

from vitviz import palette
from vitviz.demo.artifacts import read_metrics
from vitviz.figures.counting import shelf as charts
from vitviz.laboratory.recipe import Cooked, recipe
from vitviz.numbers import exact, percent
from vitviz.ui import page
from vitviz.ui.server.client import ask
from vitviz.ui.widgets.table import table

LOSSES = {
    "class": ("class of the picture", palette.ATTENTION),
    "patch": ("what each patch shows", palette.PATCH),
    "hidden": ("pixels of hidden patches", palette.POSITION),
    "spread": ("attention wider than a few patches", palette.HEAD),
}
GROUPS = ("matrices of the blocks", "all else, heads for training too", "filters of the patch embedding", "positions")
EVERY = 10  # steps between two entries of the record


def trained() -> None:
    """The schedule and the losses as curves, the optimisers as a table."""
    metrics = read_metrics()
    plan, history = metrics["training"], metrics["history"]
    cooked = _recipe(plan)
    page.sentence(
        f"**The demo's recipe.** {exact(plan['steps'])} steps of {plan['batch']} pictures, out of "
        f"{exact(plan['pictures'])} that were drawn for it, in {plan['minutes']:g} minutes on {plan['processes']} CPU "
        f"cores. The learning rate rises for {plan['warm_up']} steps, stays until step {plan['hold']}, and falls along "
        f"a cosine to {percent(cooked.rates[-1])} of its height. Three losses and a reward for looking at few {{patch}}"
        "es are added up; all but the first are for training alone, and their heads are thrown away."
    )
    named = [
        (f"{title}, × {cooked.weights[key]:g}", colour, [step[key] for step in history if key in step])
        for key, (title, colour) in LOSSES.items()
    ]
    page.chart(
        charts.losses(named, EVERY, "loss, before its weight"),
        "The demo's losses by step",
        f"One value in {EVERY} steps, each the mean of the last {charts.BESIDE + 1}. Cross-entropy of the class, "
        f"labels smoothed by {cooked.smoothing:g}, and of each patch; squared error of pixels, until step "
        f"{exact(plan['whole'])}: from there on the model sees all patches of half as many pictures. The weight of the "
        f"reward grows until step {plan['hold']}.",
        "demo-losses",
    )
    page.chart(
        charts.schedule(cooked.rates),
        "The demo's learning rate by step",
        "As a share of the full height that the table gives for each group of parameters.",
        "demo-rate",
    )
    table(
        "Optimisers of the demo's training",
        ("optimiser", "of", "parameters", "full learning rate", "weight decay", "momentum, or betas"),
        [
            (group.optimiser, of, exact(group.parameters), f"{group.rate:g}", f"{group.decay:g}", _all(group.momentum))
            for group, of in zip(cooked.groups, GROUPS, strict=True)
        ],
        words=(0, 1, 5),
    )


def _all(momentum: tuple[float, ...]) -> str:
    return ", ".join(f"{it:g}" for it in momentum)


def _recipe(plan: "dict[str, float]") -> Cooked:
    from vitviz.engine import Request

    asked = tuple(plan[name] for name in ("steps", "warm_up", "hold", "focus"))
    return ask(Request(recipe, asked), "Reading the recipe").value
