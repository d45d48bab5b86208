"""Downloads, from a small hub on this machine: once, noted, with progress, and with a sentence for every failure."""

import errno
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import huggingface_hub
import pytest
from huggingface_hub import constants, errors

from tests.checkpoints import save, shaken_state
from vitviz.config import ViTConfig
from vitviz.counts import total_parameters
from vitviz.pretrained import PRETRAINED, Pretrained
from vitviz.weights import WeightsError, hub, load
from vitviz.weights.__main__ import main

NAME, REPOSITORY, COMMIT = "tiny.test", "house/tiny", "0123456789abcdef0123456789abcdef01234567"
CONFIG = ViTConfig(image_size=32, patch_size=8, dim=64, depth=1, heads=1, mlp_dim=64, classes=2)


class Service(ThreadingHTTPServer):
    """A hub: its files, the requests so far, and the status that it refuses with."""

    files: dict[str, bytes]
    asked: list[tuple[str, str]]
    refusal: tuple[int, str] | None = None


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A hub with one model."""
    card = json.dumps({"id2label": {"0": "cat", "1": "dog"}, "num_attention_heads": 1}).encode()
    weights = save(shaken_state(CONFIG), tmp_path / "source.safetensors").read_bytes()

    class Hub(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer(body=False)

        def do_GET(self) -> None:
            self.answer(body=True)

        def answer(self, body: bool) -> None:
            service.asked.append((self.command, self.path))
            content = service.files.get(self.path.rpartition("/")[2])
            if service.refusal or content is None:
                status, code = service.refusal or (404, "EntryNotFound")
                self.send_response(status)
                self.send_header("X-Error-Code", code)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(200)
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if body:
                self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    service = Service(("127.0.0.1", 0), Hub)
    service.files, service.asked = {"model.safetensors": weights, "config.json": card}, []
    Thread(target=service.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{service.server_port}"
    monkeypatch.setattr(constants, "ENDPOINT", endpoint)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", endpoint + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setitem(PRETRAINED, NAME, Pretrained(REPOSITORY, "MIT", 1, CONFIG, "for tests"))
    yield service
    service.shutdown()
    service.server_close()


def test_a_model_is_fetched_once_and_noted(server: Service) -> None:
    seen: list[tuple[int, int]] = []
    assert hub.local(NAME) is None
    path = hub.fetch(NAME, lambda done, total: seen.append((done, total)))
    size = len(server.files["model.safetensors"])
    assert seen[-1] == (size, size)
    assert hub.local(NAME) == path
    note = json.loads((Path(constants.HF_HUB_CACHE) / "vitviz.json").read_text(encoding="utf-8"))[NAME]
    assert note == {"revision": COMMIT, "sha256": hashlib.sha256(server.files["model.safetensors"]).hexdigest()}
    gets = [what for what in server.asked if what[0] == "GET" and "safetensors" in what[1]]
    assert len(gets) == 1
    server.asked.clear()
    assert hub.fetch(NAME, lambda done, total: None) == path
    assert not [what for what in server.asked if what[0] == "GET"]
    loaded = load(path, device="cpu")
    assert (loaded.config, loaded.labels) == (CONFIG, ("cat", "dog"))


def test_after_the_first_download_the_same_commit_is_asked_for(server: Service) -> None:
    hub.fetch(NAME, lambda done, total: None)
    assert f"/{REPOSITORY}/resolve/main/model.safetensors" in [path for _, path in server.asked]
    server.asked.clear()
    hub.fetch(NAME, lambda done, total: None)
    assert all(COMMIT in path for _, path in server.asked)


def test_a_file_that_changed_on_the_disk_is_noticed(server: Service) -> None:
    path = hub.fetch(NAME, lambda done, total: None)
    path.resolve().write_bytes(b"something else")
    with pytest.raises(WeightsError, match="has changed since it was downloaded; delete it and download tiny"):
        hub.fetch(NAME, lambda done, total: None)


def test_two_who_ask_at_once_share_one_download(server: Service) -> None:
    one, other = hub.start(NAME), hub.start(NAME)
    assert one is other
    assert one.path.result(timeout=60) == hub.local(NAME)
    assert one.done == one.total == len(server.files["model.safetensors"])
    assert len([what for what in server.asked if what[0] == "GET" and "safetensors" in what[1]]) == 1


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        ((403, "GatedRepo"), "asks for an agreement first; accept it on its page and set HF_TOKEN"),
        ((404, "RepoNotFound"), "house/tiny on the Hugging Face Hub was not found"),
        ((404, "RevisionNotFound"), "has no revision"),
        ((404, "EntryNotFound"), "was not found, or has no model.safetensors; choose another model"),
    ],
)
def test_what_the_hub_refuses_is_said_in_words(refusal: tuple[int, str], sentence: str, server: Service) -> None:
    server.refusal = refusal
    download = hub.start(NAME)
    with pytest.raises(WeightsError, match=sentence):
        download.path.result(timeout=60)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full: tiny.test takes 1 MB; make room"),
        (
            errors.OfflineModeIsEnabled("offline"),
            "tiny.test is not on this machine, and the Hugging Face Hub is out of",
        ),
        (errors.LocalEntryNotFoundError("offline"), "Run `python -m vitviz weights download tiny.test` where there is"),
        (TimeoutError(), "out of reach"),
        (ValueError("x"), r"tiny.test could not be downloaded \(ValueError\)"),
    ],
)
def test_what_fails_here_is_said_in_words(
    error: Exception, sentence: str, server: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", fail)
    with pytest.raises(WeightsError, match=sentence):
        hub.fetch(NAME, lambda done, total: None)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(WeightsError, match="no published model is called resnet50; there are vit_tiny"):
        hub.start("resnet50")


def test_the_command_line_downloads_and_lists(server: Service, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["download", NAME]) == 0
    assert "1 blocks of dim 64" in capsys.readouterr().out
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(PRETRAINED)
    assert "here  MIT" in lines[-1]
    assert main(["download", "resnet50"]) == 1
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
    command = [sys.executable, "-m", "vitviz", "weights", "download", name]
    done = subprocess.run(command, env=os.environ | {"HF_HOME": str(tmp_path)}, capture_output=True, text=True)
    if "out of reach" in done.stderr:
        pytest.skip("the Hugging Face Hub is out of reach from this machine")
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.rglob("model.safetensors")
    loaded = load(path, device="cpu")
    assert loaded.config == PRETRAINED[name].config
    assert loaded.labels[281] == "tabby"
