"""Server status: what the worker that all visitors share is doing."""

from vitviz.engine import Engine
from vitviz.ui import page
from vitviz.ui.sections.server import status

page.sentence(
    "Everybody who has this app open shares one worker. What two ask for is computed once; what nobody waits for any "
    "more is not computed at all; and results are kept as long as their budget of memory allows."
)
status.draw()
page.source(Engine.submit)
