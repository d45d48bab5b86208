"""What tests of measures share: the demo model."""

import pytest

from vitviz.weights import Loaded, load


@pytest.fixture(scope="session")
def demo() -> Loaded:
    return load("demo")
