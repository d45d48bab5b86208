"""How much may be uploaded: by one session and by all, however many files it is in."""

import asyncio
import errno
import logging
import os
import tempfile
import time
from collections import Counter, OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import RLock

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from vitviz.numbers import bytes_
from vitviz.ui.private import MemoryUploadedFileManager, UploadedFile, UploadedFileRec, get_script_run_ctx, runtime

ADDRESS = "/_stcore/upload_file/"
LARGEST = 4  # times the largest file: a session's picture, its photograph and its checkpoint, and one that is coming
IN_ALL = 1_500_000_000  # bytes: 7 MB for each of two hundred
SERVERS = "VITVIZ_SERVERS"  # says how many servers have this sum together
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # what the system says of a disk, or of our part of it
NO_ROOM = 507
UNUSED = 300.0  # seconds in which a script must have asked for a file: the second of two may take long to arrive

_LOG = logging.getLogger(__name__)


@dataclass
class _Arrived:
    """An upload that is kept."""

    nbytes: int
    time: float
    used: bool = False


class Uploads(MemoryUploadedFileManager):
    """Streamlit's uploads, of which a session keeps the last that its scripts asked for, within a sum.

    Streamlit itself keeps all that a session ever uploaded until the session is over. Here a session's oldest make
    room for its next one, what no script asks for goes in time, and what is too much for all is refused.
    """

    def __init__(self, endpoint: str, per_session: int, in_all: int = IN_ALL) -> None:
        super().__init__(endpoint)
        self._per_session = min(per_session, in_all)
        self._in_all = in_all
        self._guard = RLock()  # scripts ask in their threads
        self._arrived: OrderedDict[tuple[str, str], _Arrived] = OrderedDict()  # by session and file; last used, last
        self._coming: Counter[str] = Counter()  # bytes by session

    @property
    def nbytes(self) -> int:
        """Bytes of all that is kept."""
        return sum(it.nbytes for it in self._arrived.values())

    def expect(self, session_id: str, nbytes: int) -> str:
        """Make room for an upload that is coming, or say why there is none."""
        with self._guard:
            self.forget_unused()
            if (coming := self._coming[session_id] + nbytes) > self._per_session:
                return (
                    f"{bytes_(coming)} would be on their way in this session, and its limit is "
                    f"{bytes_(self._per_session)}; wait until the others have arrived"
                )
            self._forget_oldest(session_id, self._per_session - coming)
            if (total := self.nbytes + self._coming.total() + nbytes) > self._in_all:
                return (
                    f"the uploads of all visitors would be {bytes_(total)}, and the limit is {bytes_(self._in_all)}; "
                    "try again in a minute"
                )
            self._coming[session_id] += nbytes
            return ""

    def expect_no_more(self, session_id: str, nbytes: int) -> None:
        """Take back what `expect` made room for: it has arrived, or will not."""
        with self._guard:
            self._coming[session_id] -= nbytes
            if not self._coming[session_id]:
                del self._coming[session_id]

    def forget_unused(self) -> None:
        """Forget what no script has asked for in time."""
        with self._guard:
            over = time.monotonic() - UNUSED
            for (session_id, file_id), it in list(self._arrived.items()):
                if not it.used and it.time <= over and session_id not in self._coming:
                    self.remove_file(session_id, file_id)

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Keep an upload."""
        with self._guard:
            super().add_file(session_id, file)
            self._arrived[session_id, file.file_id] = _Arrived(len(file.data), time.monotonic())
        with suppress(RuntimeError):  # where nobody serves, nobody waits
            asyncio.get_running_loop().call_later(UNUSED, self.forget_unused)

    def get_files(self, session_id: str, file_ids: Sequence[str]) -> list[UploadedFileRec]:
        """The uploads of those names, which a script asks for."""
        with self._guard:
            for file_id in file_ids:
                if it := self._arrived.get((session_id, file_id)):
                    it.used = True
                    self._arrived.move_to_end((session_id, file_id))
        return super().get_files(session_id, file_ids)

    def are_new(self, session_id: str) -> bool:
        """Whether a session has an upload that no script has asked for yet."""
        with self._guard:
            return any(session == session_id and not it.used for (session, _), it in self._arrived.items())

    def remove_file(self, session_id: str, file_id: str) -> None:
        """Forget an upload."""
        with self._guard:
            super().remove_file(session_id, file_id)
            self._arrived.pop((session_id, file_id), None)

    def remove_session_files(self, session_id: str) -> None:
        """Forget all uploads of a session."""
        with self._guard:
            super().remove_session_files(session_id)
            for key in [key for key in self._arrived if key[0] == session_id]:
                del self._arrived[key]

    def _forget_oldest(self, session_id: str, most: int) -> None:
        """Forget a session's uploads, those that were asked for longest ago first, until `most` bytes are left."""
        own = [(file_id, it.nbytes) for (session, file_id), it in self._arrived.items() if session == session_id]
        total = sum(nbytes for _, nbytes in own)
        for file_id, nbytes in own:
            if total <= most:
                break
            self.remove_file(session_id, file_id)
            total -= nbytes


def in_all() -> int:
    """Bytes that the visitors of this server may upload, all together: its part of what those of all servers may."""
    return IN_ALL // int(os.environ.get(SERVERS, "1"))


def largest() -> int:
    """Bytes of the largest file that may be uploaded; Streamlit counts 1,024 x 1,024 to a megabyte."""
    megabytes: int = config.get_option("server.maxUploadSize")
    return megabytes << 20


class LimitUploads:
    """Middleware that refuses an upload for which there is no room: with 413 and a sentence, before it is read.

    Streamlit lays what is larger than a megabyte on the disk while it arrives; where that is full, it is 507.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["method"] != "PUT" or ADDRESS not in scope["path"]:
            await self._app(scope, receive, send)
            return
        session_id = scope["path"].rpartition(ADDRESS)[2].partition("/")[0]
        uploads = runtime.get_instance().uploaded_file_mgr
        assert isinstance(uploads, Uploads)
        nbytes = 0  # Streamlit refuses, without reading it, what a stranger to it sends
        if runtime.get_instance().is_active_session(session_id):
            nbytes = _length(Headers(scope=scope))
        if why_not := uploads.expect(session_id, nbytes):
            await PlainTextResponse(f"{why_not}\n", 413)(scope, receive, send)
            return
        body = _Body(receive)
        try:
            await self._app(scope, body.receive, send)
        except OSError as error:
            if error.errno not in FULL:
                raise
            why_not = f"the server's disk is full at {tempfile.gettempdir()}, and this file has not arrived"
            _LOG.warning("An upload was refused: %s", why_not)
            await body.finish(largest())
            await PlainTextResponse(f"{why_not}; try again when whoever runs it has made room\n", NO_ROOM)(
                scope, receive, send
            )
        finally:
            uploads.expect_no_more(session_id, nbytes)


class _Body:
    """What a request brings; a browser hears an answer only when it has sent all of it."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._more = True

    async def receive(self) -> Message:
        """The next part."""
        message = await self._receive()
        self._more = message.get("more_body", False)
        return message

    async def finish(self, most: int) -> None:
        """Let the rest go by, `most` bytes of it."""
        while self._more and most > 0:
            most -= len((await self.receive()).get("body", b""))


def forget(file: UploadedFile) -> None:
    """Forget an upload of this visitor's: it has been kept elsewhere."""
    context = get_script_run_ctx()
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def _length(headers: Headers) -> int:
    """Bytes that a request brings at most; Streamlit refuses those that are too large."""
    length = headers.get("content-length", "")
    return min(int(length), largest()) if length.isdecimal() and len(length) < 20 else largest()
