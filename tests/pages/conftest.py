"""AppTest's scripts run as the server's do."""

from vitviz.ui.server.turns import take_turns

take_turns()
