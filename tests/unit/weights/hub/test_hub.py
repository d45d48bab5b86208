"""Downloads, from a small hub on this machine: once, noted, with progress, shared, and by one command."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from huggingface_hub import constants

from tests.unit.weights.hub.service import COMMIT, CONFIG, NAME, REPOSITORY, Service
from vitviz.counts import total_parameters
from vitviz.pretrained import PRETRAINED
from vitviz.weights import WeightsError, hub, load
from vitviz.weights.__main__ import main


def test_a_model_is_fetched_once_and_noted(server: Service) -> None:
    seen: list[tuple[int, int]] = []
    assert hub.local(NAME) is None
    path = hub.fetch(NAME, lambda done, total: seen.append((done, total)))
    size = len(server.weights)
    assert seen[-1] == (size, size)
    assert hub.local(NAME) == path
    note = json.loads((Path(constants.HF_HUB_CACHE) / "vitviz.json").read_text(encoding="utf-8"))[NAME]
    assert note == {"revision": COMMIT, "sha256": hashlib.sha256(server.weights).hexdigest()}
    assert server.gets == [0]
    server.asked.clear()
    assert hub.fetch(NAME, lambda done, total: None) == path
    assert server.asked == []
    loaded = load(path, device="cpu")
    assert (loaded.config, loaded.labels) == (CONFIG, ("cat", "dog"))


def test_after_the_first_download_the_same_commit_is_asked_for(server: Service) -> None:
    path = hub.fetch(NAME, lambda done, total: None)
    assert f"/{REPOSITORY}/resolve/main/model.safetensors" in [path for _, path, _ in server.asked]
    server.asked.clear()
    path.unlink()
    hub.fetch(NAME, lambda done, total: None)
    assert server.asked
    assert all(COMMIT in path for _, path, _ in server.asked)


def test_a_file_that_changed_on_the_disk_is_noticed(server: Service) -> None:
    path = hub.fetch(NAME, lambda done, total: None)
    path.resolve().write_bytes(b"something else")
    with pytest.raises(WeightsError, match="has changed since it was downloaded; delete it and download Tiny"):
        hub.fetch(NAME, lambda done, total: None)


def test_two_who_ask_at_once_share_one_download(server: Service) -> None:
    one, other = hub.start(NAME), hub.start(NAME)
    assert one is other
    assert one.path.result(timeout=60) == hub.local(NAME)
    assert one.done == one.total == len(server.weights)
    assert server.gets == [0]


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(WeightsError, match="no published model is called resnet50; there are vit_tiny"):
        hub.start("resnet50")


def test_the_command_line_downloads_and_lists(server: Service, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fetch", NAME]) == 0
    assert "1 blocks of dim 64" in capsys.readouterr().out
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(PRETRAINED)
    assert "here  MIT" in lines[-1]
    assert main(["fetch", "resnet50"]) == 1
    assert "no published model is called resnet50" in capsys.readouterr().err


@pytest.mark.parametrize("name", PRETRAINED)
def test_the_list_is_of_free_models_whose_files_have_the_size_of_their_parameters(name: str) -> None:
    model = PRETRAINED[name]
    assert model.licence in ("Apache-2.0", "MIT")
    assert model.revision is None or len(model.revision) == 40
    if "siglip" not in name:  # that file holds a text model as well
        positions = 37**2 - model.config.patches if "dinov2" in name else 0  # the file's own grid is larger
        numbers = total_parameters(model.config) + positions * model.config.dim
        assert model.megabytes == pytest.approx(4 * numbers / 1e6, rel=0.01, abs=1)


@pytest.mark.skipif("VITVIZ_DOWNLOAD" not in os.environ, reason="set VITVIZ_DOWNLOAD=1 to try a real download of 23 MB")
def test_a_real_model_arrives_from_the_hub(tmp_path: Path) -> None:
    """In a process of its own: this one stays offline."""
    name = "vit_tiny_patch16_224.augreg_in21k_ft_in1k"
    command = [sys.executable, "-m", "vitviz", "weights", "fetch", name]
    done = subprocess.run(command, env=os.environ | {"HF_HOME": str(tmp_path)}, capture_output=True, text=True)
    if "out of reach" in done.stderr:
        pytest.skip("the Hugging Face Hub is out of reach from this machine")
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.rglob("model.safetensors")
    loaded = load(path, device="cpu")
    assert loaded.config == PRETRAINED[name].config
    assert loaded.labels[281] == "tabby"
