"""Placeholder."""

from vitviz.ui import furniture as page
from vitviz.ui.view import current

view = current()
page.sentence("Look here.")
