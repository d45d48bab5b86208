"""The secret without which nobody leads: of the server's settings, or a random one that is printed at start."""

import hmac
import os
import secrets
from functools import cache

from streamlit import config

SECRET = "VITVIZ_LECTURER"  # names it
SHORTEST = 12  # letters: nobody finds it by trying


@cache
def _secret() -> str:
    """In no cache of Streamlit's, which any visitor's program can clear. Raises `ValueError` for a short one."""
    given = os.environ.get(SECRET, "")
    if given and len(given) < SHORTEST:
        raise ValueError(f"{SECRET} has {len(given)} letters, and a secret that nobody guesses at least {SHORTEST}")
    return given or secrets.token_urlsafe(24)


def is_secret(text: str) -> bool:
    """Whether somebody who says this may lead."""
    return hmac.compare_digest(text.encode(), _secret().encode())


def announce() -> None:
    """Print the address of the lecturer's window, where the secret is this process's own; refuse a short one."""
    token = _secret()
    if not os.environ.get(SECRET):
        folder = config.get_option("server.baseUrlPath").strip("/")
        address = f"http://localhost:{config.get_option('server.port')}{folder and f'/{folder}'}/lecturer?token={token}"
        print(f"\n  To lead a lecture: {address}\n", flush=True)
