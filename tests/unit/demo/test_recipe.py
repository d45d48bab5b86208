"""The demo's recipe, asked of its training code: every parameter is moved, and the schedule is the plan's."""

from vitviz.config import PRESETS
from vitviz.demo.objectives import MultiTaskModel
from vitviz.demo.training import Plan, optimisers
from vitviz.laboratory.recipe import recipe
from vitviz.model import ViT


def test_the_groups_hold_every_parameter_once_and_the_rate_is_the_plans() -> None:
    plan, config = Plan(), PRESETS["demo"]
    found = recipe(plan.steps, plan.warm_up, plan.hold, plan.focus)
    everything = sum(it.numel() for it in MultiTaskModel(ViT(config)).parameters())
    matrices, rest, filters, positions = (it.parameters for it in found.groups)
    assert matrices == config.depth * (4 * config.dim**2 + 2 * config.dim * config.mlp_dim)
    assert filters == config.patch_values * config.dim
    assert positions == (config.patches + 1) * config.dim
    assert rest == everything - matrices - filters - positions
    assert [it.optimiser for it in found.groups] == ["Muon", "AdamW", "AdamW", "AdamW"]
    made = [group for it in optimisers(MultiTaskModel(ViT(config))) for group in it.param_groups]
    assert [(it.rate, it.decay) for it in found.groups] == [(it["full_rate"], it["weight_decay"]) for it in made]
    assert [it.momentum for it in found.groups] == [it.get("betas", (it.get("momentum"),)) for it in made]
    assert found.rates == tuple(map(plan.rate, range(plan.steps)))
    assert max(found.rates) == 1
