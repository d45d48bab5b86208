"""How many files that were taken away a server keeps: the oldest make room, and nothing else does."""

from streamlit.runtime.media_file_manager import MediaFileManager

from vitviz.takeaway.file import MOST_BYTES
from vitviz.ui.takeaway.media import IN_ALL, Media

SIZE = 10


class Server:
    """Its files, as scripts add them, and those that a browser still gets."""

    def __init__(self, in_all: int) -> None:
        self.media = Media("/media", in_all)
        self.files = MediaFileManager(self.media)

    def take(self, name: str, size: int = SIZE) -> str:
        url = self.draw(name, size)
        self.media.make_room(url)
        return url

    def draw(self, name: str, size: int = SIZE) -> str:
        return self.files.add(bytes(size), "text/csv", name, file_name=name, is_for_static_download=True)

    def has(self, *urls: str) -> list[bool]:
        return [self.files.read_file(url.rpartition("/")[2].partition(".")[0]) is not None for url in urls]


def test_the_oldest_make_room_and_come_again_when_asked_again() -> None:
    server = Server(3 * SIZE)
    first, second, third = map(server.take, "abc")
    assert server.has(first, second, third) == [True] * 3
    assert server.take("a") == first  # so it is the last one
    fourth = server.take("d")
    assert server.has(second, third, first, fourth) == [False, True, True, True]
    assert server.take("b") == second
    assert server.has(third, first, fourth, second) == [False, True, True, True]


def test_what_nobody_takes_away_stays() -> None:
    server = Server(2 * SIZE)
    button = server.draw("table")
    for name in "abcde":
        server.take(name)
    assert server.has(button) == [True]
    assert len(server.media._files_by_id) == 3


def test_what_streamlit_forgot_takes_no_room() -> None:
    server = Server(2 * SIZE)
    first = server.take("a")
    server.files.clear_session_refs()
    for _ in range(2):
        server.files.remove_orphaned_files()
    second, third = map(server.take, "bc")
    assert server.has(first, second, third) == [False, True, True]


def test_the_newest_is_there_whatever_its_size_and_ten_of_the_largest_are() -> None:
    server = Server(SIZE)
    small, large = server.take("a"), server.take("b", 3 * SIZE)
    assert server.has(small, large) == [False, True]
    assert IN_ALL >= 10 * MOST_BYTES
