"""A visitor without a browser: it speaks Streamlit's protocol over a websocket, as the page's own script does."""

import asyncio
import gzip
import json
import secrets
import time
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets import Origin, Subprotocol
from websockets.asyncio.client import ClientConnection, connect

ANSWER_TIMEOUT_S = 300  # seconds for an answer
SILENCE = 0.6  # seconds without a message after which a hasty visitor has seen the end


@dataclass
class Page:
    """What one run of the script sent; `times` are when its elements came, by `time.perf_counter`."""

    elements: list[Element] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    nbytes: int = 0
    nbytes_of: Counter[str] = field(default_factory=Counter)  # by kind of element
    theme: CustomThemeConfig = field(default_factory=CustomThemeConfig)
    numbers: dict[str, dict[str, bytes]] = field(default_factory=dict)  # of the board, by name and array
    opened: float = 0  # when the board had the picture as the model sees it, which comes before the rest

    @property
    def first(self) -> float:
        """When the first element came."""
        return self.times[0]

    def of(self, kind: str) -> list[Any]:
        """All elements of a kind: "slider", "bidi_component", "exception" ..."""
        return [getattr(element, kind) for element in self.elements if element.WhichOneof("type") == kind]

    @property
    def told(self) -> dict[str, Any]:
        """What the board was told last; nothing where that was not told anew."""
        told = [json.loads(it.json)[0] for it in self.of("bidi_component") if it.component_name == "vitviz.data"]
        return dict(told[-1]) if told else {}

    @property
    def model(self) -> str:
        """The name of the model on the board; "" where that was not told anew."""
        return str(self.told.get("model", ""))

    @property
    def figures(self) -> dict[str, str]:
        """The metrics on the page by their names."""
        return {metric.label: metric.body for metric in self.of("metric")}

    @property
    def complaints(self) -> list[str]:
        """Exceptions and errors on the page."""
        return [it.message for it in self.of("exception")] + [it.body for it in self.of("alert") if it.format == 1]


class Visitor:
    """One session at `url`: it can run pages, set widgets, upload a picture, be cut off and come back."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.session = ""
        self.cookie = f"vitviz_browser={secrets.token_urlsafe(18)}"
        self.widgets: dict[str, WidgetState] = {}
        self.ids: dict[str, str] = {}
        self.kept: dict[str, ForwardMsg] = {}
        self.link: ClientConnection | None = None
        self.query = ""
        self.told: dict[str, Any] = {}
        self.held: dict[tuple[str, str], dict[str, bytes]] = {}

    async def open(self) -> None:
        """Connect; as the same session where there was one."""
        protocols = [Subprotocol("streamlit")]
        if self.session:
            protocols += [Subprotocol("-"), Subprotocol(self.session)]
        address = self.url.replace("http", "ws") + "/_stcore/stream"
        self.link = await connect(
            address,
            subprotocols=protocols,
            additional_headers={"Cookie": self.cookie},
            origin=Origin(self.url),
            max_size=None,
            compression=None,
            open_timeout=ANSWER_TIMEOUT_S,
            ping_interval=None,
        )

    async def leave(self) -> None:
        """Close the page."""
        if self.link:
            await self.link.close()

    def cut_off(self) -> None:
        """Lose the connection without a word."""
        assert self.link
        self.link.transport.abort()

    async def come(self, page: str = "", query: str = "") -> Page:
        """Connect, and see a page."""
        await self.open()
        return await self.run(page, query)

    async def bring(self, picture: bytes, page: str = "heads") -> Page:
        """See a page with a picture of one's own; `wants_to_bring` comes first."""
        await self.upload("upload", "photo.jpg", picture)
        return await self.run(page)

    async def wants_to_bring(self, page: str = "heads") -> None:
        """Choose to upload a picture."""
        self.set("source", string_array_value=["Upload"])
        await self.run(page)

    async def run(self, page: str = "", query: str = "", answers: int = 1) -> Page:
        """Run a page, and wait until it is finished, for the last time of `answers` runs."""
        await self.ask(page, query)
        return await self.seen(answers)

    async def ask(self, page: str = "", query: str = "") -> None:
        """Ask for a run of a page."""
        self.query = query
        message = BackMsg()
        state: ClientState = message.rerun_script
        state.page_name, state.query_string = page, query
        state.widget_states.widgets.extend(self.widgets.values())
        state.cached_message_hashes.extend(self.kept)
        await self._send(message)

    async def seen(self, answers: int = 1) -> Page:
        """What comes until the script has finished `answers` times."""
        page, opening = Page(), None
        while answers:
            message, size = await self._receive()
            page.nbytes += size
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.session = message.new_session.initialize.session_id or self.session
                page.theme = message.new_session.custom_theme
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                element = message.delta.new_element
                page.times.append(time.perf_counter())
                page.elements.append(element)
                page.nbytes_of[element.WhichOneof("type") or ""] += size
                self._note_id(element)
                if opening is None and "opening" in (told := Page([element]).told).get("names", ()):
                    self.told = told
                    opening = asyncio.create_task(asyncio.to_thread(self._fetch, ["opening"]))
                    opening.add_done_callback(lambda _: setattr(page, "opened", time.perf_counter()))
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                answers -= 1
        if opening:
            await opening
        if page.told.get("names"):
            self.told = page.told
            page.numbers = await asyncio.to_thread(self._fetch, page.told["names"])
        return page

    async def move(self, query: str) -> dict[str, dict[str, bytes]]:
        """Choose something else on the board, without a run of the script: the numbers that it needs then."""
        self.query = query
        return await asyncio.to_thread(self._fetch)

    def _fetch(self, names: list[str] | None = None) -> dict[str, dict[str, bytes]]:
        """The parts of these numbers, or of all that the address needs; those that are not here are asked for."""
        digest = self.told["meta"]["digest"]
        self.held = {key: parts for key, parts in self.held.items() if key[0] == digest}
        with closing(HTTPConnection(self.url.partition("://")[2], timeout=ANSWER_TIMEOUT_S)) as way:
            names = json.loads(self._get(way, "")) if names is None else names
            for name in names:
                if (digest, name) not in self.held:
                    self.held[digest, name] = _unpack(self._get(way, name))
        return {name: self.held[digest, name] for name in names}

    def _get(self, way: HTTPConnection, name: str) -> bytes:
        path = f"/numbers/{self.told['meta']['digest']}/{quote(name, safe='')}?page={self.told['page']}&{self.query}"
        way.request("GET", path, headers={"Cookie": self.cookie, "Accept-Encoding": "gzip"})
        answer = way.getresponse()
        content = answer.read()
        assert answer.status == 200, content.decode()
        return gzip.decompress(content) if answer.headers["Content-Encoding"] == "gzip" else content

    async def until_quiet(self) -> Page:
        """What comes until nothing comes any more."""
        page = Page()
        while True:
            try:
                message, size = await asyncio.wait_for(self._receive(), SILENCE)
            except TimeoutError:
                return page
            page.nbytes += size
            if message.WhichOneof("type") == "delta" and message.delta.WhichOneof("type") == "new_element":
                page.elements.append(message.delta.new_element)

    async def until_told(self, words: str) -> str:
        """The first text that comes and begins with `words`."""
        while True:
            message, _ = await self._receive()
            if message.delta.new_element.markdown.body.startswith(words):
                return message.delta.new_element.markdown.body

    async def until_it_waits(self) -> None:
        """What comes until the page says that the engine has its request and takes long."""
        while (await self._receive())[0].delta.WhichOneof("type") != "new_transient":  # a spinner is one
            pass

    def set(self, key: str, **value: Any) -> None:
        """Set the widget that has this key: `string_value="..."`, `double_array_value=[3]` ..."""
        state = WidgetState(id=self.ids[key])
        for name, content in value.items():
            if isinstance(content, list):
                getattr(state, name).data.extend(content)
            else:
                setattr(state, name, content)
        self.widgets[key] = state

    async def upload(self, key: str, name: str, data: bytes) -> None:
        """Hand a file to the uploader that has this key; the next run has it."""
        urls = await self.deliver(name, data)
        state = WidgetState(id=self.ids[key])
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = urls.file_id, name, len(data)
        info.file_urls.CopyFrom(urls)
        self.widgets[key] = state

    async def deliver(self, name: str, data: bytes) -> FileURLs:
        """Send a file that no uploader has yet; Streamlit's addresses of it."""
        urls = await self.address(name)
        await asyncio.to_thread(self._put, self.url + urls.upload_url, name, data)
        return urls

    async def address(self, name: str) -> FileURLs:
        """Streamlit's addresses for a file that is to be sent."""
        message = BackMsg()
        request = message.file_urls_request
        request.request_id, request.session_id = secrets.token_hex(8), self.session
        request.file_names.append(name)
        await self._send(message)
        while True:
            answer, _ = await self._receive()
            if answer.WhichOneof("type") == "file_urls_response":
                urls: FileURLs = answer.file_urls_response.file_urls[0]
                return urls

    @property
    def tokens(self) -> dict[str, str]:
        """What a request says of itself so that it is none that another site has forged."""
        token = _xsrf(self.url)
        return {"Cookie": f"{self.cookie}; _streamlit_xsrf={token}", "X-Xsrftoken": token}

    def _put(self, url: str, name: str, data: bytes) -> None:
        boundary = secrets.token_hex(16)
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        request = urllib.request.Request(
            url,
            head.encode() + data + f"\r\n--{boundary}--\r\n".encode(),
            {"Content-Type": f"multipart/form-data; boundary={boundary}", **self.tokens},
            method="PUT",
        )
        with urllib.request.urlopen(request, timeout=ANSWER_TIMEOUT_S) as answer:
            assert answer.status in (200, 204)

    async def _send(self, message: BackMsg) -> None:
        assert self.link
        await self.link.send(message.SerializeToString())

    async def _receive(self) -> tuple[ForwardMsg, int]:
        assert self.link
        data = await asyncio.wait_for(self.link.recv(), ANSWER_TIMEOUT_S)
        message = ForwardMsg()
        message.ParseFromString(data)
        if message.WhichOneof("type") == "ref_hash":
            message = self.kept[message.ref_hash]
        elif message.metadata.cacheable and message.hash:
            self.kept[message.hash] = message
        return message, len(data)

    def _note_id(self, element: Element) -> None:
        kind = element.WhichOneof("type")
        id = getattr(getattr(element, kind), "id", "") if kind else ""
        if id.startswith("$$ID-"):
            self.ids[id.split("-", 2)[2]] = id


@asynccontextmanager
async def visitors(url: str, many: int) -> AsyncIterator[list[Visitor]]:
    """People who have not come yet; at the end they leave."""
    people = [Visitor(url) for _ in range(many)]
    try:
        yield people
    finally:
        await asyncio.gather(*(person.leave() for person in people), return_exceptions=True)


async def timed(waiting: Any) -> tuple[float, Any]:
    """Seconds that an awaitable took, and its result."""
    start = time.perf_counter()
    result = await waiting
    return time.perf_counter() - start, result


_tokens: dict[str, str] = {}


def _xsrf(url: str) -> str:
    """The server's token against forged uploads."""
    if url not in _tokens:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=60) as answer:
            cookies = answer.headers.get_all("Set-Cookie") or []
        _tokens[url] = next(it.split(";")[0].partition("=")[2] for it in cookies if it.startswith("_streamlit_xsrf="))
    return _tokens[url]


def _unpack(parcel: bytes) -> dict[str, bytes]:
    length = int.from_bytes(parcel[:4], "little")
    header, at, parts = json.loads(parcel[4 : 4 + length]), 4 + length, {}
    for array in header["arrays"]:
        parts[array["name"]] = parcel[at : at + array["length"]]
        at += array["length"]
    return parts
