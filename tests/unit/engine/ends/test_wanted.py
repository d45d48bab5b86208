"""Work asks between its steps whether it is still wanted, ends where it is not, and leaves nothing behind."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from vitviz import weights
from vitviz.config import PRESETS, ViTConfig
from vitviz.demo.scenes import render
from vitviz.images import open_image
from vitviz.images.photos import PHOTOS
from vitviz.laboratory import batches, fine_tuning, recipe, resizing, shots, timed
from vitviz.machine.price import MACS_PER_SECOND
from vitviz.machine.wanted import Unwanted, asking, require_wanted, while_wanted
from vitviz.measures import attention, heads, positions, speed, tokens
from vitviz.measures.laboratory import chance, first_values, five_shots, gradients, norms, shift
from vitviz.measures.quantised import quantised_forwards, quantised_rows
from vitviz.model import ViT
from vitviz.trace import Trace, record

ROOT = Path(__file__).parents[4]
GAP = 0.05  # seconds that work may go on, at most
Work = Callable[[], object]


class Asked:
    """Counts how often work asks, and has it end at one of these times."""

    def __init__(self, last: float = float("inf")) -> None:
        self.times, self._last = 0, last

    def __call__(self) -> None:
        self.times += 1
        if self.times > self._last:
            raise Unwanted


def times_asked(work: Work) -> int:
    asked = Asked()
    with asking(asked):
        work()
    return asked.times


def made(config: ViTConfig) -> Trace:
    """A forward pass of a model of many small blocks, whose walk is that of a large one."""
    return record(ViT(config, seed=1), torch.zeros(1, 3, *config.image_sides))


CONFIG = ViTConfig(image_size=32, patch_size=8, dim=24, depth=12, heads=4, mlp_dim=48, classes=5)
TRACE = made(CONFIG)
LOADED = weights.build(CONFIG, seed=1, device="cpu")
SCENES = (torch.zeros(3, 32, 32, 3, dtype=torch.uint8).numpy(), torch.zeros(3, dtype=torch.int64).numpy())
VECTORS = [torch.rand(3, 8, generator=torch.Generator().manual_seed(place)).numpy() for place in range(2)]
TUNING = fine_tuning.begin(LOADED, "everything", ((1, 1, 1),) * 2, *[TRACE["image"].tensor.repeat(2, 1, 1, 1)] * 2)
WORK: dict[str, tuple[Work, int]] = {  # and how often it asks at least: for each block, pass, parameter or step
    "build": (lambda: weights.build(CONFIG, device="cpu"), 12 + 12 * 4),
    "read the demo's file": (lambda: weights.load("demo", device="cpu"), 6 + 6 * 12),
    "another size": (lambda: resizing.at_size(LOADED, CONFIG.with_(image_size=40)), 12 * 12),
    "forward pass": (lambda: ViT.forward(TRACE.model, TRACE["image"].tensor), 12 * 8),
    "trace": (lambda: record(TRACE.model, TRACE["image"].tensor), 12 * 8),
    "trace with maps": (lambda: quantised_forwards(TRACE.model, TRACE["image"].tensor), 12 * 8),
    "inside a block": (lambda: TRACE.inside(3), 8),
    "rows of all layers": (lambda: quantised_rows(TRACE, 2), 12),
    "rollout": (lambda: attention.rollout(TRACE), 12),
    "attention by layer": (lambda: attention.attention_by_layer(TRACE), 12),
    "mean attention": (lambda: attention.mean_attention(TRACE), 12),
    "values of a layer": (lambda: heads.layer_values(TRACE, 2), 8),
    "two patches swapped": (lambda: positions.swapped_patches(TRACE, 1, 2), 2 * 12),
    "maps of positions": (lambda: tokens.position_maps(TRACE), 1),
    "speed": (lambda: speed.speed(TRACE), 15 * 4),
    "networks in turn": (lambda: timed.models_in_turn((CONFIG, CONFIG), "cpu", "fp32"), 2 * 12 * 3 * 8),
    "a ViT and a CNN": (lambda: timed.vit_and_cnn(1, 16, "cpu", "fp32"), 4 * 3 * 8),
    "gradients": (lambda: gradients.gradients(TRACE, 1, gradients.USUAL), 2 * 12 * 8),
    "first values": (lambda: first_values.start(TRACE, "normal", 0, 1), 3 * 12 * 8),
    "chance": (lambda: chance.answers_by_chance(TRACE, 0.1, 0.1, 0, 5), 5 * 12 * 8),
    "moved pictures": (lambda: shift.moved_tokens(TRACE, 4), 5 * 12 * 8),
    "another activation": (lambda: norms.answer_with(TRACE, "relu"), 12 * 8),
    "two batches": (lambda: batches.two_batches(TRACE, LOADED, SCENES, SCENES, False, 5, 0), 6 * 5 * 8),
    "scenes as vectors": (lambda: shots.see_scenes(LOADED, "cat", 0, 3), 3 + 3 * 12 * 8),
    "fine-tuning": (lambda: fine_tuning.go_on(LOADED, TUNING, 2, 0.1), 2 * 2 * 2 * 12 * 8),
    "answers of a copy": (lambda: fine_tuning.tried_copy(LOADED, TUNING), 2 * 2 * 12 * 8),
    "the demo's recipe": (lambda: recipe.recipe(100, 5, 50, 0.2), 6),
    "tried read-outs": (
        lambda: five_shots.tried([torch.rand(3, 8).numpy()] * 2, [torch.rand(2, 8).numpy()] * 2, 3, 1),
        3,
    ),
    "a picture": (lambda: open_image(PHOTOS[0].read()), 1),
    "a scene": (lambda: render(3), 1),
}


@pytest.mark.parametrize("name", WORK)
def test_work_asks_between_its_steps_and_ends_at_any_of_them(name: str) -> None:
    work, least = WORK[name]
    assert times_asked(work) >= least
    for last in {0, least // 2, least - 1}:
        with pytest.raises(Unwanted), asking(Asked(last)):
            work()
    assert times_asked(work) >= least, "nothing is left of what ended"


def test_no_step_of_the_base_model_takes_longer_than_it_may() -> None:
    """The multiply-adds between two questions, in all of its forward pass, at the speed of two cores."""
    from torch.utils.flop_counter import FlopCounterMode

    config = PRESETS["vit_base_patch16_224"]
    with torch.device("meta"):
        model = ViT(config)
    asked: list[int] = []
    with FlopCounterMode(display=False) as counted, asking(lambda: asked.append(counted.get_total_flops() // 2)):
        model(torch.zeros(1, 3, *config.image_sides, device="meta"))
    largest = max(after - before for before, after in pairwise([0, *asked, counted.get_total_flops() // 2]))
    assert 0 < largest / MACS_PER_SECOND < GAP / 2


def test_where_nobody_asks_nothing_ends_and_other_threads_are_not_asked() -> None:
    require_wanted()
    assert [*while_wanted(range(3))] == [0, 1, 2]
    with asking(Asked(0)), ThreadPoolExecutor(1) as other:
        other.submit(require_wanted).result()
        with pytest.raises(Unwanted):
            require_wanted()
    require_wanted()


def test_nothing_of_it_is_stored_on_the_model() -> None:
    model = ViT(CONFIG, seed=1)
    before = {name: [*vars(module)] for name, module in model.named_modules()}
    with pytest.raises(Unwanted), asking(Asked(20)):
        gradients.gradients(record(model, torch.zeros(1, 3, 32, 32)), 1, gradients.USUAL)
    assert {name: [*vars(module)] for name, module in model.named_modules()} == before
    assert not any(it._backward_hooks for it in model.parameters())


LATE = """
import sys
LIBRARIES = ("vitviz", "torch", "sympy", "mpmath", "einops", "numpy", "PIL", "safetensors")
from vitviz.engine.jobs import import_all
import_all()
before = {*sys.modules}
from tests.unit.engine.ends.test_wanted import WORK  # and pytest
for work, _ in WORK.values():
    work()
print(*sorted(it for it in {*sys.modules} - before if it.partition(".")[0] in LIBRARIES))
"""


def test_nothing_is_imported_by_the_first_jobs_of_all_kinds() -> None:
    ran = subprocess.run([sys.executable, "-c", LATE], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == []
