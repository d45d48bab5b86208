"""The texts of a script that people read, for a translator."""

import re
from collections.abc import Iterator

from vitviz.scripts.lean import PATTERN, TOKEN, can_be_divided, lean_until_closed

ESCAPED = re.compile(r"\\(?:u([\da-fA-F]{4})|(.))", re.DOTALL)


def texts_of(script: str) -> Iterator[str]:
    """Each text and template of JavaScript, but for what is imported; what is computed in one in ‹ ›.

    >>> [*texts_of('import "a"; say("one", `${a / 2} of ${of("two")}`)')]
    ['one', 'two', '‹a / 2› of ‹of("two")›']
    """
    at, before = 0, [""]
    while (found := TOKEN.match(script, at)) and (token := found["token"]):
        at = found.end()
        if token == "/" and (pattern := PATTERN.match(script, at - 1)) and not can_be_divided(before[-1:]):
            at = pattern.end()
        elif token == "`":
            pieces = []
            while script[at] != "`":
                if script.startswith("${", at):
                    start, (_, at) = at + 2, lean_until_closed(script, at + 2)
                    yield from texts_of(script[start : at - 1])
                    pieces.append(f"‹{script[start : at - 1]}›")
                else:
                    start, at = at, at + (2 if script[at] == "\\" else 1)
                    pieces.append(script[start:at])
            at += 1
            yield _read("".join(pieces))
        elif token[0] in "\"'" and before[-1] not in ("from", "import"):
            yield _read(token[1:-1])
        before = [token]


def _read(literal: str) -> str:
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], literal)
