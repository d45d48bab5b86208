"""How much may be uploaded: a session's oldest make room, what nobody uses goes, and too much is refused."""

import asyncio
import errno
import io
import tempfile
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.web.server.starlette import starlette_routes
from streamlit.web.server.starlette.starlette_routes import create_upload_routes

from vitviz.ui.server import uploads as server_uploads
from vitviz.ui.server.uploads import IN_ALL, UNUSED, LimitUploads, Uploads

SIZE = 10


def upload(uploads: Uploads, session: str, name: str, size: int = SIZE) -> str:
    """What the server does for a file; the refusal, or nothing."""
    if why_not := uploads.expect(session, size):
        return why_not
    uploads.add_file(session, UploadedFileRec(name, f"{name}.jpg", "image/jpeg", bytes(size)))
    uploads.expect_no_more(session, size)
    return ""


def kept(uploads: Uploads, session: str) -> list[str]:
    return list(uploads.file_storage.get(session, {}))


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A function that lets seconds pass."""
    passed = [0.0]
    now = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + passed[0])

    def later(seconds: float) -> None:
        passed[0] += seconds

    return later


def test_a_session_keeps_its_last_files_within_its_sum() -> None:
    uploads = Uploads("/upload", per_session=4 * SIZE)
    for place in range(40):
        assert upload(uploads, "ann", str(place)) == ""
    assert kept(uploads, "ann") == ["36", "37", "38", "39"]
    assert uploads.nbytes == 4 * SIZE
    assert upload(uploads, "ann", "large", 3 * SIZE) == ""
    assert kept(uploads, "ann") == ["39", "large"]


def test_what_scripts_ask_for_stays_longer_than_what_they_do_not() -> None:
    uploads = Uploads("/upload", per_session=3 * SIZE)
    upload(uploads, "ann", "shown")
    for place in range(10):
        upload(uploads, "ann", str(place))
        assert [file.file_id for file in uploads.get_files("ann", ["shown"])] == ["shown"]
    assert kept(uploads, "ann") == ["shown", "8", "9"]


def test_one_session_makes_no_room_in_another() -> None:
    uploads = Uploads("/upload", per_session=2 * SIZE)
    upload(uploads, "bob", "same name")
    for name in ("same name", "1", "2", "3"):
        upload(uploads, "ann", name)
    assert kept(uploads, "bob") == ["same name"]
    assert uploads.nbytes == 3 * SIZE


def test_what_is_on_its_way_counts() -> None:
    uploads = Uploads("/upload", per_session=4_000_000)
    upload(uploads, "ann", "shown")
    assert [uploads.expect("ann", 1_000_000) for _ in range(4)] == [""] * 4
    assert uploads.expect("ann", 1_000_000) == (
        "5.0 MB would be on their way in this session, and its limit is 4.0 MB; wait until the others have arrived"
    )
    assert uploads.expect("bob", 1_000_000) == ""
    uploads.expect_no_more("ann", 1_000_000)
    assert uploads.expect("ann", 1_000_000) == ""


def test_two_hundred_of_ordinary_size_come_at_once_and_too_much_for_all_is_refused() -> None:
    uploads = Uploads("/upload", per_session=80_000_000)
    assert [uploads.expect(str(place), 7_000_000) for place in range(200)] == [""] * 200
    assert [uploads.expect(str(place), 20_000_000) for place in range(5)] == [""] * 5
    assert uploads.expect("late", 7_000_000) == (
        "the uploads of all visitors would be 1.5 GB, and the limit is 1.5 GB; try again in a minute"
    )
    uploads.expect_no_more("0", 20_000_000)
    assert uploads.expect("late", 7_000_000) == ""


def test_what_no_script_asks_for_is_forgotten_in_time_and_makes_room_for_all(later: Callable[..., Any]) -> None:
    uploads = Uploads("/upload", per_session=4 * SIZE, in_all=4 * SIZE)
    for name in ("unused", "used"):
        upload(uploads, "ann", name)
    uploads.get_files("ann", ["used"])
    assert upload(uploads, "bob", "large", 3 * SIZE)
    later(UNUSED + 1)
    assert upload(uploads, "bob", "large", 3 * SIZE) == ""
    assert (kept(uploads, "ann"), kept(uploads, "bob")) == (["used"], ["large"])


def test_servers_that_share_a_machine_have_the_sum_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(server_uploads.SERVERS, raising=False)
    assert server_uploads.in_all() == IN_ALL
    monkeypatch.setenv(server_uploads.SERVERS, "4")
    assert server_uploads.in_all() == IN_ALL // 4


def test_a_file_waits_for_the_one_that_is_still_on_its_way(later: Callable[..., Any]) -> None:
    """Streamlit's uploader hands several files to the script together."""
    uploads = Uploads("/upload", per_session=4 * SIZE)
    upload(uploads, "ann", "config.json")
    uploads.expect("ann", SIZE)
    later(UNUSED + 1)
    uploads.forget_unused()
    assert kept(uploads, "ann") == ["config.json"]
    uploads.expect_no_more("ann", SIZE)
    uploads.forget_unused()
    assert kept(uploads, "ann") == []


def test_a_removed_file_and_a_session_that_is_over_leave_nothing() -> None:
    uploads = Uploads("/upload", per_session=9 * SIZE)
    for name in ("a", "b", "c"):
        upload(uploads, "ann", name)
    uploads.remove_file("ann", "a")
    uploads.remove_file("bob", "b")
    assert uploads.nbytes == 2 * SIZE
    uploads.remove_session_files("ann")
    assert (uploads.nbytes, kept(uploads, "ann")) == (0, [])


def test_an_upload_that_is_kept_elsewhere_is_forgotten_here(monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = Uploads("/upload", per_session=9 * SIZE)
    for session in ("ann", "bob"):
        upload(uploads, session, "model.safetensors")
    monkeypatch.setattr(
        server_uploads, "get_script_run_ctx", lambda: SimpleNamespace(session_id="ann", uploaded_file_mgr=uploads)
    )
    file: Any = SimpleNamespace(file_id="model.safetensors")
    server_uploads.forget(file)
    assert (kept(uploads, "ann"), kept(uploads, "bob")) == ([], ["model.safetensors"])


class Runtime:
    """One session that is there, `ann`."""

    def __init__(self) -> None:
        self.uploaded_file_mgr = Uploads("/upload", per_session=2 * SIZE)

    def is_active_session(self, session_id: str) -> bool:
        return session_id == "ann"


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Runtime:
    there = Runtime()
    monkeypatch.setattr(runtime, "get_instance", lambda: there)
    monkeypatch.setattr(server_uploads, "largest", lambda: SIZE)
    return there


async def answer(
    path: str, method: str = "PUT", length: str | None = str(SIZE), while_open: Callable[..., Any] | None = None
) -> tuple[int, str]:
    """Status and words of the middleware's answer, where the server itself would answer 204."""
    sent: list[dict] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if while_open:
            await while_open()
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def send(message: Message) -> None:
        sent.append(dict(message))

    headers = [] if length is None else [(b"content-length", length.encode())]

    async def receive() -> Message:
        raise AssertionError("the middleware reads nothing itself")

    await LimitUploads(app)({"type": "http", "method": method, "path": path, "headers": headers}, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent).decode()


def on_its_way(there: Runtime, path: str, **request: Any) -> int:
    """Bytes that the server expects while it reads this request."""
    seen: list[int] = []

    async def look() -> None:
        seen.append(there.uploaded_file_mgr._coming.total())

    asyncio.run(answer(path, while_open=look, **request))
    return seen[0]


@pytest.mark.parametrize("base", ["", "/base/url"])
def test_the_middleware_counts_what_is_on_its_way_and_refuses_the_rest(there: Runtime, base: str) -> None:
    path, answers = f"{base}/_stcore/upload_file/ann/file", []

    async def third() -> None:
        answers.append(await answer(path))

    async def second() -> None:
        answers.append(await answer(path, while_open=third))

    assert asyncio.run(answer(path, while_open=second)) == (204, "")
    assert [status for status, _ in answers] == [413, 204]
    assert answers[0][1].startswith("30 B would be on their way in this session, and its limit is 20 B")
    assert not there.uploaded_file_mgr._coming


@pytest.mark.parametrize("length", [None, "", "x", "-5", "9" * 5000, "1000000"])
def test_a_length_that_is_not_told_counts_as_the_largest(there: Runtime, length: str | None) -> None:
    assert on_its_way(there, "/_stcore/upload_file/ann/f", length=length) == SIZE
    assert on_its_way(there, "/_stcore/upload_file/ann/f", length="3") == 3


def test_what_streamlit_refuses_itself_takes_no_room(there: Runtime) -> None:
    assert on_its_way(there, "/_stcore/upload_file/bob/f") == 0
    assert on_its_way(there, "/_stcore/upload_file/ann/f", method="DELETE") == 0
    assert on_its_way(there, "/media/f") == 0


class FullDisk(io.BytesIO):
    """A file on a disk that has no room for it."""

    def write(self, _: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def visitor(there: Runtime, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """Ann's browser before Streamlit's own way of taking a file."""
    monkeypatch.setattr(server_uploads, "largest", lambda: 20_000_000)
    there.uploaded_file_mgr = Uploads("/upload", per_session=80_000_000)
    monkeypatch.setattr(starlette_routes, "is_xsrf_enabled", lambda: False)
    routes = create_upload_routes(cast(runtime.Runtime, there), there.uploaded_file_mgr, None)
    return TestClient(Starlette(routes=routes, middleware=[Middleware(LimitUploads)]))


def test_a_full_disk_is_a_sentence_and_nothing_is_lost(
    visitor: TestClient, there: Runtime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def brought(name: str, size: int) -> tuple[int, str]:
        answer = visitor.put(f"/_stcore/upload_file/ann/{name}", files={"file": (f"{name}.jpg", bytes(size))})
        return answer.status_code, answer.text

    assert brought("before", 3_000_000) == (204, "")
    with monkeypatch.context() as full:
        full.setattr(tempfile, "TemporaryFile", lambda **_: FullDisk())
        for _ in range(3):
            status, words = brought("photo", 3_000_000)
            assert status == 507
            assert words.startswith("the server's disk is full at ")
            assert words.endswith("; try again when whoever runs it has made room\n")
        assert brought("small", 100_000) == (204, "")
    assert brought("photo", 3_000_000) == (204, "")
    assert kept(there.uploaded_file_mgr, "ann") == ["before", "small", "photo"]
    assert not there.uploaded_file_mgr._coming
    assert not any(it.exc_info for it in caplog.records)


def test_any_other_trouble_with_a_file_is_none_of_a_full_disk(
    visitor: TestClient, there: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: object) -> io.BytesIO:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(tempfile, "TemporaryFile", broken)
    with pytest.raises(OSError, match="Input/output"):
        visitor.put("/_stcore/upload_file/ann/photo", files={"file": ("photo.jpg", bytes(3_000_000))})
    assert not there.uploaded_file_mgr._coming
