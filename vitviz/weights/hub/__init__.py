"""Published models from the Hugging Face Hub: fetched once, safetensors only, at a commit that is noted.

The variables of the Hub's own client hold: `HF_HOME`, `HF_HUB_OFFLINE`, `HF_TOKEN`, `HF_ENDPOINT`, `HTTPS_PROXY` ...
"""

from vitviz.weights.hub.cache import WEIGHTS, begun, discard, local
from vitviz.weights.hub.downloads import Download, cancel, latest, start
from vitviz.weights.hub.fetching import CARD, Progress, fetch
from vitviz.weights.hub.sentences import another

__all__ = [
    "CARD",
    "WEIGHTS",
    "Download",
    "Progress",
    "another",
    "begun",
    "cancel",
    "discard",
    "fetch",
    "latest",
    "local",
    "start",
]
