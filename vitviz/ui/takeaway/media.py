"""The files that browsers fetch: those that somebody takes away are kept within a sum."""

from threading import Lock

from vitviz.ui.private import BASE_ROUTE_MEDIA, MemoryMediaFileStorage

IN_ALL = 250_000_000  # bytes of a server: ten of the largest, each is there until a browser has fetched it


class Media(MemoryMediaFileStorage):
    """Streamlit's files, of which those taken away longest ago make room for the next one.

    Streamlit itself keeps each until its session's next run but one, which may never come. A browser that has not yet
    fetched what made room asks for it again.
    """

    def __init__(self, endpoint: str, in_all: int = IN_ALL) -> None:
        super().__init__(endpoint)
        self._in_all = in_all
        self._guard = Lock()  # scripts bring files in their threads
        self._sizes: dict[str, int] = {}  # bytes by address, the last one last

    def make_room(self, url: str) -> None:
        """Keep the file at this address, and of older ones that somebody took away as many as there is room for."""
        with self._guard:
            self._sizes.pop(url, None)
            sizes = {it: nbytes for it in (*self._sizes, url) if (nbytes := self._nbytes(it)) is not None}
            for old in list(sizes)[:-1]:
                if sum(sizes.values()) <= self._in_all:
                    break
                self.delete_file(_name(old))
                del sizes[old]
            self._sizes = sizes

    def _nbytes(self, url: str) -> int | None:
        """Bytes of a file that is still here."""
        file = self._files_by_id.get(_name(url))
        return None if file is None else file.content_size


def _name(url: str) -> str:
    return url.rpartition("/")[2].partition(".")[0]


MEDIA = Media(f"/{BASE_ROUTE_MEDIA}")
