"""Names of files that are taken away, made of words that somebody else has written."""

import re

import pytest

from vitviz.takeaway.file import MOST_LETTERS, file_name


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("heads", "demo", "cat"), "heads-demo-cat.svg"),
        (("heads", "../../etc/passwd"), "heads-etc_passwd.svg"),
        (("..\\..\\boot.ini", ".hidden"), "boot.ini-hidden.svg"),
        (("<img src=x onerror=alert(1)>",), "img_src_x_onerror_alert_1.svg"),
        (("a\r\nb\x00c",), "a_b_c.svg"),
        (("\u202egpj.exe",), "gpj.exe.svg"),
        (("Katze süß", "模型"), "Katze_s.svg"),
        (("",), "view.svg"),
        (("con",), "view-con.svg"),
        (("aux.x",), "view-aux.x.svg"),
    ],
)
def test_a_name_keeps_what_is_harmless_everywhere(words: tuple[str, ...], name: str) -> None:
    assert file_name(*words, ending="svg") == name


def test_a_name_is_short_and_never_leads_elsewhere() -> None:
    for words in (("a" * 400, "b"), (".." * 300,), ("x." * 300,), ("-" * 99, "nul")):
        name = file_name(*words, ending="notebook.ipynb")
        assert len(name) <= MOST_LETTERS
        assert re.fullmatch(r"[A-Za-z0-9][\w.-]*", name, re.ASCII)
        assert ".." not in name
        assert name.endswith(".notebook.ipynb")
