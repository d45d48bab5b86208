"""A small Hugging Face Hub on this machine, and what can go wrong with one."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
from huggingface_hub import constants

from tests.checkpoints import save, shaken_state
from vitviz.config import ViTConfig
from vitviz.pretrained import PRETRAINED, Pretrained

NAME, REPOSITORY, COMMIT = "tiny.test", "house/tiny", "0123456789abcdef0123456789abcdef01234567"
CONFIG = ViTConfig(image_size=32, patch_size=8, dim=64, depth=1, heads=1, mlp_dim=64, classes=2)
PIECE = 1 << 14  # bytes, after each of which the hub looks at what is to go wrong
HTML = b"<html><title>Welcome to our network</title></html>"


@dataclass
class Trouble:
    """What goes wrong: a refusal of all, a connection cut after so many bytes, a file that is longer or another.

    A cut comes `cuts` times; `ranges` says whether the hub can go on from the middle of a file; `gate` holds what is
    left of a file back after the first piece until it is set. `html` comes in place of all answers, `html_of` in place
    of one file, and `login` sends whoever asks to a page on another host.
    """

    refusal: tuple[int, str] | None = None
    cut: int = 0
    cuts: int = 1
    ranges: bool = True
    longer: bytes = b""
    damage: bool = False
    html: bool = False
    html_of: str = ""
    login: bool = False
    gate: Event | None = None


@dataclass
class Service:
    """A hub: its files, the requests so far with the first byte that each asked for, and what goes wrong."""

    files: dict[str, bytes]
    asked: list[tuple[str, str, int]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    trouble: Trouble = field(default_factory=Trouble)
    endpoint: str = ""

    @property
    def gets(self) -> list[int]:
        """The first byte of every request for the parameters."""
        return [start for method, path, start in self.asked if method == "GET" and path.endswith("model.safetensors")]

    @property
    def weights(self) -> bytes:
        """The file of the model."""
        return self.files["model.safetensors"]


@contextmanager
def serving(folder: Path, monkeypatch: pytest.MonkeyPatch, config: ViTConfig = CONFIG) -> Iterator[Service]:
    """A hub with one model, `NAME`, which this process asks in place of the Hugging Face Hub."""
    card = json.dumps({"id2label": {"0": "cat", "1": "dog"}, "num_attention_heads": 1}).encode()
    weights = save(shaken_state(config), folder / "source.safetensors").read_bytes()
    service = Service({"model.safetensors": weights, "config.json": card})

    class Hub(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer(body=False)

        def do_GET(self) -> None:
            self.answer(body=True)

        def answer(self, body: bool) -> None:
            trouble, name = service.trouble, self.path.rpartition("/")[2]
            start = int(self.headers.get("Range", "bytes=0-")[6:-1])
            service.asked.append((self.command, self.path, start))
            service.tokens.append(self.headers.get("Authorization", ""))
            content = service.files.get(name)
            if trouble.login and name != "login":
                self.headed(302, {"Location": f"http://localhost:{server.server_port}/login", "Content-Length": "0"})
                return
            if trouble.html or trouble.login or (body and trouble.html_of == name):
                self.headed(200, {"Content-Type": "text/html", "Content-Length": str(len(HTML))})
                if body:
                    self.wfile.write(HTML)
                return
            if trouble.refusal or content is None:
                status, code = trouble.refusal or (404, "EntryNotFound")
                self.headed(status, {"X-Error-Code": code, "Content-Length": "0"})
                return
            told = {"X-Repo-Commit": COMMIT, "ETag": f'"{hashlib.sha256(content).hexdigest()}"'}
            start = start if trouble.ranges else 0
            if body and name == "model.safetensors":
                content = bytes(len(content)) if trouble.damage else content + trouble.longer
            self.headed(206 if start else 200, told | {"Content-Length": str(len(content) - start)})
            if body:
                self.send(content, start, name == "model.safetensors")

        def send(self, content: bytes, start: int, troubled: bool) -> None:
            trouble = service.trouble
            for place in range(start, len(content), PIECE):
                end = min(place + PIECE, len(content))
                if troubled and trouble.cut and trouble.cuts and end - start > trouble.cut:
                    trouble.cuts -= 1
                    self.wfile.write(content[place : start + trouble.cut])
                    self.close_connection = True
                    return
                self.wfile.write(content[place:end])
                if troubled and trouble.gate:
                    trouble.gate.wait(timeout=60)

        def headed(self, status: int, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, text in headers.items():
                self.send_header(name, text)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
    service.endpoint = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "ENDPOINT", service.endpoint)
    template = service.endpoint + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder / "hub"))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(folder / "token"))
    monkeypatch.setitem(PRETRAINED, NAME, Pretrained("Tiny", REPOSITORY, "MIT", 1, config, "for tests"))
    yield service
    server.shutdown()
    server.server_close()
