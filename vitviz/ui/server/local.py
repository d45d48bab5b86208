"""Who starts the app on a desktop: its address there, and a browser that opens it."""

import webbrowser
from threading import Timer

from streamlit import config

STARTS_S = 0.5  # until the server that has been made ready answers


def local_address() -> str:
    """Where the app is on this computer, without a slash at the end."""
    folder = config.get_option("server.baseUrlPath").strip("/")
    return f"http://localhost:{config.get_option('server.port')}{folder and f'/{folder}'}"


def open_in_a_browser() -> None:
    """As soon as the server answers, where somebody sits before it: Streamlit opens one for plain scripts alone."""
    if not config.get_option("server.headless"):
        opens = Timer(STARTS_S, webbrowser.open, [local_address()])
        opens.daemon = True
        opens.start()
