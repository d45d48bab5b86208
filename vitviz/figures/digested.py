"""A value by its digest, as the key of what is made of it once."""

import pickle
from hashlib import sha256
from typing import Any, NamedTuple


class Digested(NamedTuple):
    """A value that is equal to another of the same bytes, whatever arrays it holds."""

    digest: bytes
    value: Any

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Digested) and self.digest == other.digest


def digested(value: Any) -> Digested:
    """`value` with the digest of its bytes."""
    return Digested(sha256(pickle.dumps(value)).digest(), value)
