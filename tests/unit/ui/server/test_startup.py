"""What the server sets for its whole process before anybody comes."""

import platform
import subprocess
import sys

import pytest
from streamlit import delta_generator, env_util

from tests.browser.server import ROOT
from vitviz.ui.server import startup

THREADS = """
import ctypes
from threading import Barrier, Thread
libc, together = ctypes.CDLL(None), Barrier(6)
def take():
    together.wait(60)
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


HOLES = """
import ctypes
from random import Random
from vitviz.machine.device import resident
libc, chance = ctypes.CDLL(None), Random(0)
libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
before, held = resident(), []
for turn in range(400):  # models come and go, some 200 MB at a time
    size = chance.choice((5 << 20, 9 << 20, 20 << 20))
    block = libc.malloc(size)
    ctypes.memset(block, 1, size)
    held.append((block, size))
    small = libc.malloc(100_000)  # what stays in between
    ctypes.memset(small, 1, 100_000)
    while sum(size for _, size in held) > 200 << 20:
        libc.free(held.pop(chance.randrange(len(held)))[0])
print(resident() - before - sum(size for _, size in held) - 400 * 100_000)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps large blocks in its heaps")
def test_large_blocks_that_come_and_go_leave_no_holes() -> None:
    beside = [printed("from vitviz.machine.device import share_heaps; share_heaps()" + HOLES), printed(HOLES)]
    assert beside[0] < 20e6 < beside[1]


def printed(program: str) -> int:
    """The number that a program prints."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(done.stdout)


KEEPING = "from vitviz.machine.device import keep_ends_of_heaps, share_heaps; share_heaps(); keep_ends_of_heaps()"
REUSED = """
import ctypes, resource
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for turn in range(100):  # a picture's steps, one after the other
    block = libc.malloc(3 << 20)
    ctypes.memset(block, 1, 3 << 20)
    libc.free(block)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives the end of its heaps back")
def test_memory_of_one_picture_serves_the_next() -> None:
    pages_of_a_block = (3 << 20) // 4096
    assert printed(KEEPING + REUSED) < 5 * pages_of_a_block


READY = """
import sys
from vitviz.pages import PAGES
from vitviz.ui.server.startup import prepare_pages
prepare_pages()
print(sum(f"vitviz.pages.{it.folder.parent.name}.{it.stem}.shown" not in sys.modules for it in PAGES.values()))
"""


def test_what_stands_on_pages_is_imported_before_they_are_opened() -> None:
    assert printed(READY) == 0


def test_the_first_element_waits_for_no_look_through_all_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bool] = []
    monkeypatch.setattr(env_util, "is_repl", lambda: looked.append(True))
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    delta_generator._maybe_print_use_warning()
    assert looked == [True], "Streamlit looks"
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    startup.spare_look_for_repl()
    delta_generator._maybe_print_use_warning()
    assert looked == [True]
