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
LATEST = 24  # how often a request has asked at most whether it is wanted when it is left
LEAVES = """
import json, random
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import count
import numpy as np
import torch
from tests.engine_calls import forward_of, until
from tests.unit.engine.ends.test_abandoned import LATEST, LEFT, NEW, SMALL
from vitviz.engine import Engine, Request, clock, worker
from vitviz.forward import build_model, describe_forward, measure
from vitviz.images.photos import PHOTOS
from vitviz.machine.wanted import asking
from vitviz.measures.laboratory.first_values import start
from vitviz.measures.laboratory.shift import moved_tokens
clock.HEARTBEAT_S = 0.002
engine, chance, data = Engine(grace=0.0), random.Random(0), PHOTOS[0].read()
leaves, stays, ended = {}, set(), []

def asking_until_left(ask):
    job, asked = ask.__self__, count()
    def leave():
        if next(asked) == leaves.get(job.request.key):
            for _, future in job.waiters:
                future.cancel()
            if job.request.key not in stays:  # else it goes on, also beside the next one, until it is told to end
                until(lambda: job.over)
                ended.append(job)
        ask()
    return asking(leave)

worker.asking = asking_until_left

def asked(seed, config=SMALL):
    model = Request(build_model, (config,), (("seed", seed), ("device", "cpu")))
    passed = forward_of(data, model)
    measures = (moved_tokens, 4), (start, "normal", seed, 1)
    return [Request(describe_forward, (passed,)), *(Request(measure, (passed, *it)) for it in measures)]

for seed in range(LEFT):
    request = chance.choice(asked(1000 + seed, SMALL.with_(depth=chance.randint(1, 8))))
    leaves[request.key] = chance.randrange(LATEST)
    if chance.random() < 0.5:
        stays.add(request.key)
    with suppress(CancelledError):
        engine.submit(request).result(60)
answers = [engine.submit(asked(seed)[0]).result(60).value.logits.tolist() for seed in range(NEW)]
status = engine.status()
print(json.dumps([answers, len(ended), status.dropped, status.restarts, status.failed]))
"""


def test_after_three_hundred_that_were_left_twenty_new_models_answer_rightly() -> None:
    ran = subprocess.run([sys.executable, "-c", LEAVES], cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert ran.returncode == 0, ran.stderr
    answers, ended, dropped, restarts, failed = json.loads(ran.stdout)
    picture = open_image(PHOTOS[0].read())
    expected = [run_forward(build(SMALL, seed=seed, device="cpu"), picture, True).info.logits for seed in range(NEW)]
    assert torch.allclose(torch.tensor(answers), torch.tensor(np.stack(expected)), atol=1e-6)
    assert failed == 0
    assert LEFT / 4 < ended <= dropped == restarts, "left in the middle of their work"
