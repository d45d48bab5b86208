"""What can go wrong on the way: each a sentence, and nothing that has not wholly come is ever used."""

import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

import httpx2
import huggingface_hub
import pytest
from huggingface_hub import constants, errors

from tests.checkpoints import save, shaken_state
from tests.unit.weights.hub.service import CONFIG, NAME, Service, Trouble
from vitviz.config import ViTConfig
from vitviz.weights import WeightsError, hub
from vitviz.weights.__main__ import main
from vitviz.weights.hub import fetching, sentences

SOMEBODY = 65534  # a user who owns nothing: "nobody" on Linux


def nobody(done: int, total: int) -> None:
    """Progress that nobody looks at."""


def test_a_connection_that_breaks_off_is_taken_up_where_it_ended(server: Service) -> None:
    server.trouble = Trouble(cut=40_000, cuts=2)
    path = hub.fetch(NAME, nobody)
    assert server.gets == [0, 40_000, 80_000]
    assert path.read_bytes() == server.weights


def test_a_hub_that_cannot_go_on_sends_all_again(server: Service) -> None:
    server.trouble = Trouble(cut=40_000, ranges=False)
    assert hub.fetch(NAME, nobody).read_bytes() == server.weights
    assert server.gets == [0, 40_000]  # it was asked for the rest


def test_a_hub_that_always_breaks_off_at_once_is_given_up_and_what_came_is_kept(server: Service) -> None:
    server.trouble = Trouble(cut=40_000, cuts=99, ranges=False)
    with pytest.raises(WeightsError, match=r"broke off after 40.0 kB of .* kB of Tiny; fetched again, it goes on"):
        hub.fetch(NAME, nobody)
    assert len(server.gets) == 1 + fetching.ATTEMPTS
    assert hub.local(NAME) is None
    assert hub.begun(NAME) == 40_000
    server.trouble, server.asked = Trouble(), []
    assert hub.fetch(NAME, nobody).read_bytes() == server.weights
    assert server.gets == [40_000]
    assert hub.begun(NAME) == 0


def test_what_was_cancelled_goes_on_later_from_there(server: Service) -> None:
    server.trouble = Trouble(gate=Event())
    one = hub.start(NAME, "anna")
    assert hub.start(NAME, "ben") is one
    while not one.done:
        assert not one.path.done()
    hub.cancel(NAME, "anna")
    assert one.waiting == {"ben"}
    hub.cancel(NAME, "ben")
    assert server.trouble.gate
    server.trouble.gate.set()
    with pytest.raises(WeightsError, match=r"stopped at .* kB; they are kept"):
        one.path.result(timeout=60)
    assert hub.local(NAME) is None
    came = hub.begun(NAME)
    assert 0 < came < len(server.weights)
    assert hub.start(NAME, "anna").path.result(timeout=60).read_bytes() == server.weights
    assert server.gets == [0, came]


def test_ten_servers_that_fetch_at_once_share_one_download(server: Service) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(10) as ten:
        paths = list(ten.map(lambda _: hub.fetch(NAME, nobody), range(10)))
    assert server.gets == [0]
    assert len(set(paths)) == 1


def test_time_left_is_told_at_the_rate_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("vitviz.weights.hub.downloads.time.monotonic", lambda: now)
    download = hub.Download(NAME, waiting={"anna"})
    download.tell(4_000_000, 24_000_000)  # had come before
    assert download.seconds_left is None
    now += 4
    download.tell(8_000_000, 24_000_000)
    assert download.seconds_left == pytest.approx(16)


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (Trouble(damage=True), "arrived with another checksum than the mirror 127.0.0.1:.* and was thrown away; fetch"),
        (Trouble(longer=b"more" * 100_000), r"announced \d+ kB of Tiny and sent more, so that was thrown away"),
        (Trouble(html=True), "answered with something else than a file of Tiny, perhaps the page of this network"),
        (Trouble(html_of="model.safetensors"), "something else than a file of Tiny"),
        (Trouble(html_of="config.json"), r"Tiny could not be downloaded \(OSError\). Run"),
        (Trouble(login=True), "something else than a file of Tiny, perhaps the page of this network's login"),
        (Trouble(refusal=(401, "GatedRepo")), r"first \(401\); accept it on the page of house/tiny and set HF_TOKEN"),
        (Trouble(refusal=(403, "GatedRepo")), r"first \(403\); accept it on the page of house/tiny and set HF_TOKEN"),
        (Trouble(refusal=(404, "RepoNotFound")), "Tiny on the mirror 127.0.0.1:.* was not found"),
        (Trouble(refusal=(404, "RevisionNotFound")), "has no revision"),
        (Trouble(refusal=(404, "EntryNotFound")), "was not found, or has no model.safetensors; choose another model"),
        (Trouble(refusal=(401, "")), r"asks who this server is, or was withdrawn \(401\); set HF_TOKEN to a token"),
        (Trouble(refusal=(401, "RepoNotFound")), r"or was withdrawn \(401\); .* or choose another model"),
        (Trouble(refusal=(403, "")), r"asks who this server is, or was withdrawn \(403\); set HF_TOKEN to a token"),
        (Trouble(refusal=(407, "")), "the proxy of this server lets nothing of the mirror .* through; mend"),
        (Trouble(refusal=(429, "")), r"has had too many requests from this network \(429\); try again in a few min"),
        (Trouble(refusal=(503, "")), "answered 503 in place of Tiny; try again later"),
    ],
    ids=lambda it: None if isinstance(it, Trouble) else it[:24],
)
def test_what_a_hub_does_wrong_is_said_in_words_and_leaves_nothing(
    trouble: Trouble, sentence: str, server: Service
) -> None:
    server.trouble = trouble
    with pytest.raises(WeightsError, match=sentence):
        hub.start(NAME).path.result(timeout=60)
    assert hub.local(NAME) is None
    assert hub.begun(NAME) == 0


@pytest.mark.parametrize("kept", ["in the environment", "on the disk"])
@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        ((401, ""), r"Tiny on the mirror .* does not take this server's HF_TOKEN \(401\); set HF_TOKEN to a token"),
        ((403, ""), r"does not take this server's HF_TOKEN \(403\)"),
        ((401, "GatedRepo"), r"\(401\); accept it on the page of house/tiny as the owner of this server's HF_TOKEN"),
        ((403, "GatedRepo"), r"\(403\); accept it on the page of house/tiny as the owner of this server's HF_TOKEN"),
    ],
)
def test_a_token_is_sent_and_where_it_does_not_help_that_is_said(
    refusal: tuple[int, str], sentence: str, kept: str, server: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kept == "on the disk":
        Path(constants.HF_TOKEN_PATH).write_text("hf_of_the_house")
    else:
        monkeypatch.setenv("HF_TOKEN", "hf_of_the_house")
    server.trouble = Trouble(refusal=refusal)
    with pytest.raises(WeightsError, match=sentence):
        hub.fetch(NAME, nobody)
    server.trouble = Trouble()
    hub.fetch(NAME, nobody)
    assert set(server.tokens) == {"Bearer hf_of_the_house"}


def test_a_disk_without_room_is_not_begun_on(server: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil._ntuple_diskusage(10**6, 10**6 - 4_000, 4_000)
    monkeypatch.setattr(fetching.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(WeightsError, match=r"the disk has 4.0 kB left, and Tiny takes \d+ kB more; make room"):
        hub.fetch(NAME, nobody)
    assert server.gets == []


@contextmanager
def not_root() -> Iterator[None]:
    """Whoever may write everywhere is somebody else for as long as a `with` lasts."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(SOMEBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="no folder is closed to its owner there")
def test_a_cache_that_cannot_be_written_is_named(server: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", folder)
        with not_root(), pytest.raises(WeightsError, match="server cannot write to its folder of models; set HF_HOME"):
            hub.fetch(NAME, nobody)
        assert list(Path(folder).iterdir()) == []


def test_a_cache_that_is_a_file_is_named(server: Service) -> None:
    Path(constants.HF_HUB_CACHE).write_text("not a folder")
    with pytest.raises(WeightsError, match="this server cannot write to its folder of models; set HF_HOME"):
        hub.fetch(NAME, nobody)


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full: Tiny takes 1 MB; make room"),
        (OSError(errno.EROFS, "Read-only file system"), "cannot write to its folder of models; set HF_HOME"),
        (errors.OfflineModeIsEnabled("offline"), "Tiny is not on this machine, which HF_HUB_OFFLINE tells"),
        (errors.LocalEntryNotFoundError("offline"), "Run `python -m vitviz weights fetch tiny.test` where there is"),
        (httpx2.ConnectError("no route"), "Tiny is not on this machine, and the mirror .* is out of reach"),
        (httpx2.ProxyError("407"), "the proxy of this server lets nothing of the mirror .* through; mend HTTPS_PROXY"),
        (TimeoutError(), "out of reach"),
        (ValueError("x"), r"Tiny could not be downloaded \(ValueError\)"),
    ],
    ids=lambda it: type(it).__name__ if isinstance(it, Exception) else it[:24],
)
def test_what_fails_here_is_said_in_words(
    error: Exception, sentence: str, server: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", failing(error))
    with pytest.raises(WeightsError, match=sentence):
        hub.fetch(NAME, nobody)


def test_another_model_under_a_known_name_is_refused(
    server: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = ViTConfig(image_size=32, patch_size=8, dim=64, depth=3, heads=1, mlp_dim=64, classes=2)
    server.files["model.safetensors"] = save(shaken_state(other), tmp_path / "other.safetensors").read_bytes()
    assert main(["fetch", NAME]) == 1
    said = capsys.readouterr().err
    assert "holds another model: 3 blocks of dim 64 on patches of 8 and 2 classes, where that has 1 block" in said
    assert sentences.another(NAME, CONFIG) == ""
