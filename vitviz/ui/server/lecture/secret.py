"""The secret without which nobody leads: of the server's settings, or a random one that is printed at start.

Servers that share a folder have one secret; whichever is there first makes it up and prints it.
"""

import hashlib
import hmac
import os
import secrets
import sys
from functools import cache
from typing import NamedTuple

from vitviz.ui.server.lecture.holding import is_shared
from vitviz.ui.server.local import local_address
from vitviz.ui.sidebar import own_folder

SECRET = "VITVIZ_LECTURER"  # names it
SHORTEST = 12  # letters: nobody finds it by trying


class Secret(NamedTuple):
    """What a lecturer knows, and whether this process has made it up."""

    text: str
    is_new: bool = False


@cache
def _secret() -> Secret:
    """In no cache of Streamlit's, which any visitor's program can clear."""
    setting = os.environ.get(SECRET, "")
    return Secret(setting) if setting else _agreed(secrets.token_urlsafe(24))


def _agreed(made_up: str) -> Secret:
    """The secret of all servers that share a folder: that of the first one."""
    if not is_shared():
        return Secret(made_up, is_new=True)
    folder = own_folder.part("lecturer")
    mine, of_all = folder / secrets.token_hex(8), folder / "secret"
    mine.write_text(made_up, encoding="utf-8")
    try:
        of_all.hardlink_to(mine)  # whole at once, and only if there is none
    except FileExistsError:
        return Secret(of_all.read_text(encoding="utf-8"))
    finally:
        mine.unlink()
    return Secret(made_up, is_new=True)


def is_secret(text: str) -> bool:
    """Whether somebody who says this may lead."""
    return hmac.compare_digest(text.encode(), _secret().text.encode())


def require_long() -> None:
    """End this process with a sentence where the settings have a short one."""
    if 0 < (letters := len(os.environ.get(SECRET, ""))) < SHORTEST:
        sys.exit(f"vitviz: {SECRET} has {letters} letters, and a secret that nobody guesses at least {SHORTEST}")


def grant() -> str:
    """What a room tells who leads it: for Python the right to share a picture, and not the secret."""
    return hmac.new(_secret().text.encode(), b"share", hashlib.sha256).hexdigest()


def may_share(text: str) -> bool:
    """Whether a room has told somebody so that they lead."""
    return hmac.compare_digest(text.encode(), grant().encode())


def announce() -> None:
    """Print the address of the lecturer's window, where this process made the secret up."""
    token, is_new = _secret()
    if is_new:
        print(f"\n  To lead a lecture: {local_address()}/lecturer#token={token}\n", flush=True)
