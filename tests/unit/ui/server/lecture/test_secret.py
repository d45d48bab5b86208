"""The lecturer's secret, and the form of what is told."""

import json

import pytest

from vitviz.ui.server.lecture import line, secret


@pytest.mark.parametrize(("given", "holds"), [("", True), ("x" * 12, True), ("x" * 11, False)])
def test_a_secret_of_the_settings_is_long_and_else_one_is_printed(
    given: str, holds: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(secret.SECRET, given)
    secret._secret.cache_clear()
    try:
        if not holds:
            with pytest.raises(ValueError, match="has 11 letters, and a secret that nobody guesses at least 12"):
                secret.announce()
            return
        secret.announce()
        printed = capsys.readouterr().out
        if given:
            assert printed == "", "what stands in the settings stands in no log"
            assert secret.is_secret(given)
        else:
            token = printed.strip().rpartition("/lecturer?token=")[2]
            assert len(token) == 32
            assert secret.is_secret(token)
        assert not secret.is_secret("")
    finally:
        secret._secret.cache_clear()


def test_what_is_told_is_a_frame_that_any_browser_reads() -> None:
    text = json.dumps({"state": "é" * 40_000})
    framed = line.frame(text)
    assert framed.endswith(text.encode())
    assert framed[:2] == b"\x81\x7f", "one whole text without a mask, its length in the next eight bytes"
    assert int.from_bytes(framed[2:10]) == len(text.encode())
