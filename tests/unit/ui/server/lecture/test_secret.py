"""The lecturer's secret, and the form of what is told."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from vitviz.ui.server.lecture import connection, secret
from vitviz.ui.sidebar import own_folder


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The environment of a server that has just started, and shares nothing."""
    monkeypatch.delenv(own_folder.FOLDER, raising=False)
    secret._secret.cache_clear()
    yield monkeypatch
    secret._secret.cache_clear()


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    """The token of the address that a server prints as it starts, or nothing."""
    secret.announce()
    return capsys.readouterr().out.strip().rpartition("/lecturer#token=")[2]


def test_a_secret_of_the_settings_stands_in_no_log(
    settings: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.setenv(secret.SECRET, given := "x" * 12)
    secret.require_long()
    assert printed(capsys) == ""
    assert secret.is_secret(given)


def test_a_short_secret_ends_the_server_with_a_sentence(settings: pytest.MonkeyPatch) -> None:
    settings.setenv(secret.SECRET, "x" * 11)
    with pytest.raises(
        SystemExit, match="VITVIZ_LECTURER has 11 letters, and a secret that nobody guesses at least 12"
    ):
        secret.require_long()


@pytest.mark.parametrize("given", [None, ""], ids=["none", "empty"])
def test_without_one_a_random_one_is_printed(
    given: str | None, settings: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.delenv(secret.SECRET, raising=False) if given is None else settings.setenv(secret.SECRET, given)
    secret.require_long()
    token = printed(capsys)
    assert len(token) == 32
    assert secret.is_secret(token)
    assert not secret.is_secret("")


@pytest.mark.skipif(os.name != "posix", reason="servers share a folder on POSIX only")
def test_servers_that_share_a_folder_have_one_secret_and_print_it_once(
    tmp_path: Path, settings: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.setenv(secret.SECRET, "")
    settings.setenv(own_folder.FOLDER, str(tmp_path / "shared"))
    tokens = []
    for _ in range(3):
        secret._secret.cache_clear()  # as in another process
        tokens.append(printed(capsys))
        assert secret.is_secret(tokens[0])
    assert (len(tokens[0]), tokens[1:]) == (32, ["", ""])
    assert len([*(tmp_path / "shared" / "lecturer").iterdir()]) == 1


def test_what_is_told_is_a_frame_that_any_browser_reads() -> None:
    text = json.dumps({"state": "é" * 40_000})
    framed = connection.frame(text)
    assert framed.endswith(text.encode())
    assert framed[:2] == b"\x81\x7f", "one whole text without a mask, its length in the next eight bytes"
    assert int.from_bytes(framed[2:10]) == len(text.encode())
