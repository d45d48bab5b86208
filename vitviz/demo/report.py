"""What the demo model reached, on scenes it has never seen: `vitviz demo report`.

Prints each measure for the trained model and for an untrained one beside it, with its target where there is one, and
keeps all of them in the metrics file, from which the README and the pages quote.
"""

import math
import os
from typing import Any, NamedTuple

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported: idle threads leave the cores to others

import numpy as np
from safetensors.torch import load_file

from vitviz.config import PRESETS
from vitviz.demo import evaluation
from vitviz.demo.artifacts import CHECKPOINT, DATA, read_metrics, write_metrics
from vitviz.demo.dataset import TEST, Pictures, draw
from vitviz.demo.scenes import CLASSES, THINGS
from vitviz.measures.positions import positions_off, positions_shuffled
from vitviz.model import ViT

Measures = dict[str, Any]


class Row(NamedTuple):
    """One line of the table; `least` or `most` is the target, if there is one."""

    key: str
    text: str
    least: float = -math.inf
    most: float = math.inf

    @property
    def target(self) -> str:
        if self.least > -math.inf:
            return f"at least {self.least:g}"
        return f"at most {self.most:g}" if self.most < math.inf else ""

    def verdict(self, value: float) -> str:
        if not self.target:
            return ""
        return "reached" if self.least <= value <= self.most else "FALLS SHORT"


ROWS = (
    Row("accuracy", "accuracy", least=0.985),
    Row("accuracy_things", "  things"),
    Row("accuracy_relations", "  relations (chance 0.25)", least=0.98),
    Row("positions_off", "accuracy, positions off"),
    Row("positions_off_things", "  things"),
    Row("positions_off_relations", "  relations"),
    Row("positions_and_light_off_relations", "  relations without the faint light, which tells a little of the place"),
    Row("positions_shuffled", "accuracy, positions shuffled"),
    Row("positions_shuffled_things", "  things", least=0.90),
    Row("positions_shuffled_relations", "  relations", most=0.32),
    Row("light_off", "accuracy without the faint light"),
    Row("light_reversed", "accuracy, light from the other side"),
    Row("attention_on_target", "class token on target, times chance", least=6.5),
    Row("attention_on_target_best", "  best head", least=10.5),
    Row("attention_on_target_ceiling", "  all attention on the target would be"),
    Row("position_rank_correlation", "position similarity and nearness, rank correlation", least=0.82),
    Row("heads_differ", "heads of a layer differ for the class token, nats (at most 1.39)", least=0.75),
    Row("heads_differ_patches", "  for patches"),
    Row("low_frequency_share", "filter energy at low frequencies (noise: 0.20)"),
)


def report() -> None:
    """Measure both models on the test scenes, keep the measures, and print them with the model card."""
    print(f"Drawing {len(TEST):,} scenes, three times: with the faint light, without it, and from the other side")
    workers = os.cpu_count() or 1
    with_light, without, reversed_ = (draw(TEST, workers, light) for light in (1, 0, -1))
    trained = ViT(PRESETS["demo"])
    trained.load_state_dict(load_file(DATA / CHECKPOINT))
    found = [measure(model, with_light, without, reversed_) for model in (trained, ViT(PRESETS["demo"]))]
    print(table(*found))
    scenes = {"scenes": len(TEST), "first_seed": TEST.start}
    write_metrics(read_metrics() | {"report": scenes, "trained": found[0], "untrained": found[1]})
    print(f"\nThe model card, for README.md:\n\n{card(*found)}")


def measure(model: ViT, pictures: Pictures, without_light: Pictures, reversed_light: Pictures) -> Measures:
    """All measures of one model by name, rounded to four places: those of `ROWS`, and some per class, layer or head."""
    evaluated = evaluation.evaluate(model, pictures)
    answers = evaluated.logits.argmax(1)
    on_target = evaluation.on_target(evaluated.attention, pictures.target)
    off = positions_off(model)
    found: dict[str, Any] = {
        **accuracies("accuracy", answers, pictures),
        **accuracies("positions_off", evaluation.answers(model, pictures, off), pictures),
        **accuracies("positions_and_light_off", evaluation.answers(model, without_light, off), pictures),
        **accuracies("positions_shuffled", evaluation.answers(model, pictures, positions_shuffled(model)), pictures),
        "light_off": np.mean(evaluation.answers(model, without_light) == pictures.label),
        "light_reversed": np.mean(evaluation.answers(model, reversed_light) == pictures.label),
        "attention_on_target": on_target.mean(),
        "attention_on_target_best": on_target.max(),
        "attention_on_target_ceiling": np.mean(1 / pictures.target.mean(axis=1)),
        "position_rank_correlation": evaluation.position_rank_correlation(model.pos_embed.detach()[0].numpy()),
        "heads_differ": evaluated.differ.mean(),
        "heads_differ_patches": evaluated.patches_differ.mean(),
        "low_frequency_share": evaluation.low_frequency_share(model.patch_embed.proj.weight.detach().numpy()),
        "accuracy_per_class": [np.mean(answers[pictures.label == label] == label) for label in range(len(CLASSES))],
        "accuracy_after_layer": (evaluated.lens == pictures.label[:, None]).mean(axis=0),
        "attention_on_target_per_head": on_target,
        "attention_distance_per_head": evaluated.distance.mean(axis=0),
        "heads_differ_per_layer": evaluated.differ.mean(axis=0),
        "heads_differ_patches_per_layer": evaluated.patches_differ.mean(axis=0),
    }
    return {name: np.round(np.asarray(value, float), 4).tolist() for name, value in found.items()}


def accuracies(name: str, answers: evaluation.Ints, pictures: Pictures) -> dict[str, float]:
    """The share of right answers among all pictures, among things and among relations."""
    right, things = answers == pictures.label, pictures.label < len(THINGS)
    return {name: right.mean(), f"{name}_things": right[things].mean(), f"{name}_relations": right[~things].mean()}


def table(trained: Measures, untrained: Measures) -> str:
    """The rows as text, with a verdict for each row that has a target."""
    lines = [f"{'':70}{'trained':>9}{'untrained':>11}  target"]
    for row in ROWS:
        ours, theirs = trained[row.key], untrained[row.key]
        lines.append(f"{row.text:70}{ours:9.3f}{theirs:11.3f}  {row.target:15}{row.verdict(ours)}".rstrip())
    return "\n".join(lines)


def card(trained: Measures, untrained: Measures) -> str:
    """The same rows as a Markdown table, for the model card of the README."""
    lines = ["| measured | trained | untrained | target |", "| --- | --: | --: | :-- |"]
    for row in ROWS:
        text = row.text.replace("  ", "\u2003")
        lines.append(f"| {text} | {trained[row.key]:.3f} | {untrained[row.key]:.3f} | {row.target} |")
    return "\n".join(lines)
