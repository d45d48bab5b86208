"""Two servers for all browser tests in which one of them dies: another starts in its place."""

from collections.abc import Iterator

import pytest

from tests.browser.server import LECTURER
from tests.server.several import Several, several


@pytest.fixture(scope="package")
def servers() -> Iterator[Several]:
    """Two servers with one engine, to which lectures are led with the secret of all browser tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VITVIZ_LECTURER", LECTURER)
        with several(2) as servers:
            yield servers
