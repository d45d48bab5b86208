"""One test for the many cases of one fact: with a test for each, running the tests cost more than the facts did."""

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any

import pytest

Test = Callable[..., None]


def each(cases: Iterable[Any], name: Callable[[Any], str] = str) -> Callable[[Test], Test]:
    """A test that runs with every case, also after one that failed, and names all that did; a tuple is of arguments."""
    given = [case if type(case) is tuple else (case,) for case in cases]
    assert given

    def of_all(test: Test) -> Test:
        def run(**fixtures: Any) -> None:
            failed: list[BaseException] = []
            for case in given:
                try:
                    test(*case, **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"with {', '.join(map(name, case))}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(given)} cases fail", failed)

        wanted = signature(test)
        fixtures = [*wanted.parameters.values()][len(given[0]) :]
        run.__signature__ = wanted.replace(parameters=fixtures)  # type: ignore[attr-defined]
        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return of_all
