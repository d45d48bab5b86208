"""A release is what its tag says: notes of its own section, and no other tag than the version's."""

import pytest

from tests import release
from vitviz import __version__

CHANGELOG = "# Changelog\n\n## Unreleased\n\n### Added\n- A.\n\n## 0.2.0 - 2026-12-01\n\n- B.\n\n## 0.1.0\n\n- C.\n"


@pytest.mark.parametrize(
    ("version", "notes"), [("Unreleased", "### Added\n- A.\n"), ("0.2.0", "- B.\n"), ("0.1.0", "- C.\n")]
)
def test_notes_are_those_of_one_version(version: str, notes: str) -> None:
    assert release.notes(CHANGELOG, version) == notes


def test_a_version_of_which_nothing_is_said_is_not_released() -> None:
    with pytest.raises(SystemExit, match=r"no section 0\.3\.0"):
        release.notes(CHANGELOG, "0.3.0")
    with pytest.raises(SystemExit, match=rf"The tag is v9\.9 and .* says {__version__}"):
        release.main(["v9.9"])
