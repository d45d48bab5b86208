"""A fresh engine whose first requests are left at random moments computes rightly afterwards, whatever they were at."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch

from vitviz.config import ViTConfig
from vitviz.forward import run_forward
from vitviz.images import open_image
from vitviz.images.photos import PHOTOS
from vitviz.weights import build

ROOT = Path(__file__).parents[4]
SMALL = ViTConfig(image_size=32, patch_size=8, dim=16, depth=4, heads=2, mlp_dim=32, classes=5)
LEFT, NEW = 300, 20
LEAVES = """
import json, random, time
import numpy as np
import torch
from tests.engine_calls import forward_of
from tests.unit.engine.ends.test_abandoned import LEFT, NEW, SMALL
from vitviz.engine import Engine, Request, clock
from vitviz.forward import build_model, describe_forward, measure
from vitviz.images.photos import PHOTOS
from vitviz.measures.laboratory.first_values import start
from vitviz.measures.laboratory.shift import moved_tokens
clock.BEAT = 0.0005
engine, chance, data = Engine(grace=0.0), random.Random(0), PHOTOS[0].read()

def asked(seed, config=SMALL):
    model = Request(build_model, (config,), (("seed", seed), ("device", "cpu")))
    passed = forward_of(data, model)
    measures = (moved_tokens, 4), (start, "normal", seed, 1)
    return [Request(describe_forward, (passed,)), *(Request(measure, (passed, *it)) for it in measures)]

for seed in range(LEFT):
    future = engine.submit(chance.choice(asked(1000 + seed, SMALL.with_(depth=chance.randint(1, 8)))))
    time.sleep(chance.expovariate(1 / 0.01))
    future.cancel()
answers = [engine.submit(asked(seed)[0]).result(60).value.logits.tolist() for seed in range(NEW)]
status = engine.status()
print(json.dumps([answers, status.dropped, status.restarts, status.failed]))
"""


def test_after_three_hundred_that_were_left_twenty_new_models_answer_rightly() -> None:
    ran = subprocess.run([sys.executable, "-c", LEAVES], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    answers, dropped, ended, failed = json.loads(ran.stdout)
    picture = open_image(PHOTOS[0].read())
    expected = [run_forward(build(SMALL, seed=seed, device="cpu"), picture, True).info.logits for seed in range(NEW)]
    assert torch.allclose(torch.tensor(answers), torch.tensor(np.stack(expected)), atol=1e-6)
    assert failed == 0
    assert dropped > LEFT / 4, "left before they were answered"
    assert ended > LEFT / 10, "and in the middle of their work"
