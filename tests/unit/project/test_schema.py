"""What the browser is told of what can be chosen is what Python declares, and a breaking change is named."""

from typing import TypedDict

import pytest

from vitviz.scripts import schema


@pytest.mark.parametrize("name", schema.files())
def test_no_file_is_stale(name: str) -> None:
    there, now = (schema.FOLDER / name).read_text(encoding="utf-8"), schema.files()[name]
    assert there == now, f"{name} is stale: run `make schema`. " + "; ".join(schema.breaks(there, now))


def test_a_breaking_change_is_named() -> None:
    before = schema.types(schema.Grammar)
    assert schema.breaks(before, before) == []
    after = before.replace("    usual?: string;\n", "    fresh: string;\n").replace("whole?: boolean", "whole: boolean")
    assert schema.breaks(before, after) == [
        "Grammar.usual is gone: nothing may read it any more",
        "Grammar.whole was boolean or nothing and is boolean: whatever reads it has to follow",
    ]


def test_a_type_that_does_not_cross_is_refused() -> None:
    with pytest.raises(TypeError, match="is no type that crosses"):
        schema.types(Wrong)


class Wrong(TypedDict):
    """No list of JSON is a set."""

    names: set[str]
