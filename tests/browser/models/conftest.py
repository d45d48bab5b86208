"""A hub on this machine, and a server that asks it and has fetched nothing when a file of tests begins."""

from collections.abc import Iterator

import pytest

from tests.browser.server import Server, serve
from tests.unit.weights.hub.service import Service, serving
from vitviz.pretrained import PRETRAINED

NAME = "vit_tiny_patch16_224.augreg_in21k_ft_in1k"
OFFER = "ViT-Tiny/16 knows 1,000 classes: fetch it, {}, Apache-2.0"


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A hub that has ViT-Tiny, with other parameters."""
    folder = tmp_path_factory.mktemp("mirror")
    with pytest.MonkeyPatch.context() as patch, serving(folder, patch, PRETRAINED[NAME].config) as service:
        service.files["config.json"] = b"{}"
        yield service


@pytest.fixture(scope="module")
def asking(mirror: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has fetched nothing yet, and asks that hub."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_ENDPOINT", mirror.endpoint)
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("home")))
        patch.delenv("HF_HUB_CACHE", raising=False)
        patch.delenv("HF_HUB_OFFLINE", raising=False)
        with serve() as server:
            yield server
