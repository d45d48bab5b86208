"""Files and connections that this process has open, of those that the system lets it open."""

import math
import os

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

FOLDERS = ("/proc/self/fd", "/dev/fd")  # Linux; macOS and BSD


def limit() -> float:
    """How many this process may have open: `ulimit -n`, 256 or 1,024 on many systems where nobody asks for more."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource else -1
    return math.inf if soft < 0 else soft


def open_now() -> int:
    """How many it has open; 0 where the system does not tell."""
    for folder in FOLDERS:
        if os.path.isdir(folder):
            return len(os.listdir(folder)) - 1  # without that of the look itself
    return 0


def free_share() -> float:
    """The share of the limit that is left, 0 to 1."""
    return 1 - open_now() / limit()
