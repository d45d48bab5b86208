"""What the server sets for its whole process before anybody comes."""

import platform
import subprocess
import sys

import pytest

from tests.browser.server import ROOT

THREADS = """
import ctypes
from threading import Barrier, Thread
libc, together = ctypes.CDLL(None), Barrier(6)
def take():
    together.wait(20)
    libc.malloc(1000)
threads = [Thread(target=take) for _ in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
libc.malloc_stats()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has several heaps")
def test_threads_share_two_heaps() -> None:
    alone = heaps(THREADS)
    shared = heaps("from vitviz.machine.device import share_heaps; share_heaps()" + THREADS)
    assert alone > shared == 2


def heaps(program: str) -> int:
    """How many of glibc's heaps six threads use."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stderr.count("Arena ")
