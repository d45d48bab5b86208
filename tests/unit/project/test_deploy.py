"""What deploy/ promises: a safe profile, a proxy that lets through what the app needs, a container."""

import base64
import configparser
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import streamlit
from streamlit import config

from tests.deployment import DEPLOY, HEADERS, PRODUCTION, PROXY, ROOT, SERVER, SHARED, Block, blocks, values
from vitviz.ui.server.browser_cookie import COOKIE
from vitviz.ui.server.first_page import SCRIPT
from vitviz.ui.server.lecture.socket import ELSEWHERE
from vitviz.ui.server.sessions import MOST_CUT_OFF
from vitviz.ui.server.uploads import IN_ALL

INDEX = (Path(streamlit.__file__).parent / "static" / "index.html").read_text()


@pytest.mark.parametrize("name", sorted({*SHARED, *PRODUCTION}))
def test_streamlit_knows_the_setting(name: str) -> None:
    assert name in config.get_config_options()


@pytest.mark.parametrize(
    ("name", "otherwise"),
    [("runner.postScriptGC", True), ("client.showErrorDetails", "full"), ("browser.gatherUsageStats", True)],
)
def test_what_is_set_is_not_what_streamlit_would_do_anyway(name: str, otherwise: object) -> None:
    assert config._config_options_template[name].default_val == otherwise
    assert SHARED[name] != otherwise


def test_strangers_get_no_details_and_nobody_gets_statistics() -> None:
    for profile in (SHARED, PRODUCTION):
        assert profile["client.showErrorDetails"] == "none"
        assert str(profile["client.showErrorLinks"]).lower() == "false"
        assert str(profile["browser.gatherUsageStats"]).lower() == "false"
        assert str(profile["runner.postScriptGC"]).lower() == "false"


def test_production_is_small_guarded_and_watches_no_files() -> None:
    assert int(PRODUCTION["server.maxUploadSize"]) == 20 < int(str(SHARED["server.maxUploadSize"]))
    assert PRODUCTION["server.fileWatcherType"] == "none"
    assert PRODUCTION["server.address"] == "127.0.0.1"
    assert PRODUCTION["server.enableXsrfProtection"] == PRODUCTION["server.enableCORS"] == "true"
    assert PRODUCTION["server.enableAgentApi"] == "false"
    assert "cookieSecret" not in (DEPLOY / "serve").read_text()


@pytest.mark.skipif(not shutil.which("sh"), reason="no sh on this machine")
def test_serve_starts_streamlit_beside_the_app_and_passes_arguments_on(tmp_path: Path) -> None:
    serve, streamlit_there = tmp_path / "deploy" / "serve", tmp_path / ".venv" / "bin" / "streamlit"
    for path in (serve, streamlit_there):
        path.parent.mkdir(parents=True)
    shutil.copy(DEPLOY / "serve", serve)
    streamlit_there.write_text('#!/bin/sh\npwd; echo "$HF_HUB_OFFLINE"; ulimit -n; printf "%s\\n" "$@"\n')
    streamlit_there.chmod(0o755)
    command = ["sh", "-c", f"ulimit -S -n 256; ulimit -H -n 3000; exec {serve} --server.port=8502"]
    answer = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True)
    folder, offline, open_files, *arguments = answer.stdout.splitlines()
    assert (Path(folder).resolve(), offline, open_files) == (tmp_path.resolve(), "1", "3000")
    assert arguments[:2] == ["run", "app.py"]
    assert arguments[-1] == "--server.port=8502"
    assert f"--server.maxUploadSize={PRODUCTION['server.maxUploadSize']}" in arguments


@pytest.mark.skipif(not shutil.which("sh"), reason="no sh on this machine")
def test_serve_starts_several_servers_with_the_same_profile(tmp_path: Path) -> None:
    serve, python = tmp_path / "deploy" / "serve", tmp_path / ".venv" / "bin" / "python"
    for path in (serve, python):
        path.parent.mkdir(parents=True)
    shutil.copy(DEPLOY / "serve", serve)
    python.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    python.chmod(0o755)
    answer = subprocess.run([serve, "--web", "4", "--server.port=8701"], capture_output=True, text=True, check=True)
    several, many, *command = answer.stdout.splitlines()
    assert (several, many, command[:3]) == ("deploy/several.py", "4", ["streamlit", "run", "app.py"])
    assert command[-1] == "--server.port=8701"
    assert {f"--{name}={value}" for name, value in PRODUCTION.items()} <= set(command)
    for wrong in (["four"], ["0"], []):
        refused = subprocess.run([serve, "--web", *wrong], capture_output=True, text=True, check=False)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr.startswith("--web takes a number of servers")


def location(path: str) -> Block:
    """The location that nginx takes: an exact one, a prefix that ends the search, a pattern, the longest prefix."""
    locations = blocks("location", SERVER)
    for words, block in locations:
        if words in (["=", path], [path]):
            return block
    prefixes = [
        (words, block) for words, block in locations if words[0] not in ("=", "~") and path.startswith(words[-1])
    ]
    longest = max(prefixes, key=lambda it: len(it[0][-1]))
    if longest[0][0] == "^~":
        return longest[1]
    for words, block in locations:
        if words[0] == "~" and re.search(words[1], path):
            return block
    return longest[1]


@pytest.mark.parametrize(
    "path",
    ["metrics", "script-health-check", "agent/interact", "agent/openapi.json", "agent", "whatever-comes-next"],
)
@pytest.mark.parametrize("page", ["", "/heads"])
def test_what_streamlit_keeps_for_itself_is_blocked(page: str, path: str) -> None:
    assert values("return", location(f"{page}/_stcore/{path}")) == [["404"]]


@pytest.mark.parametrize(
    "path", ["/", "/heads", "/static/js/index.js", "/media/1.png", "/_stcore/health", "/_stcore/stream"]
)
def test_what_the_app_needs_goes_through(path: str) -> None:
    assert values("proxy_pass", location(path)) == [["http://$server"]]


def test_a_session_stays_open_for_a_lecture_and_belongs_to_this_site() -> None:
    stream = location("/_stcore/stream")
    assert values("proxy_set_header", SERVER) == [
        ["Host", "$http_host"],
        ["Upgrade", "$http_upgrade"],
        ["Connection", "$upgrade_or_not"],
        ["X-Forwarded-For", "$remote_addr"],
    ]
    assert values("proxy_http_version", SERVER) == [["1.1"]]
    assert values("proxy_buffering", stream) == [["off"]]
    ((seconds,),) = values("proxy_read_timeout", stream)
    assert int(seconds.removesuffix("s")) >= 3600
    assert [words for words, _ in blocks("if", stream)] == [["($same_origin", "=", "0)"]]
    ((_, rules),) = [it for it in blocks("map", PROXY) if it[0][-1] == "$same_origin"]
    same = next(words[0] for words, _ in rules if words[0] != "default").removeprefix("~")
    assert re.search(same, "https://vit.example.edu https://vit.example.edu")
    for origin in ("", "https://evil.example", "http://vit.example.edu", "https://vit.example.edu.evil.example"):
        assert not re.search(same, f"{origin} https://vit.example.edu")


def test_an_upload_fits_where_uploads_go_and_nowhere_else() -> None:
    ((size,),) = values("client_max_body_size", location("/_stcore/upload_file/session/file"))
    assert int(size.removesuffix("m")) > int(PRODUCTION["server.maxUploadSize"])
    assert values("client_max_body_size", SERVER) == [["1m"]]


def test_two_hundred_behind_one_address_are_let_in() -> None:
    ((_, people),) = values("limit_conn", location("/_stcore/stream"))
    assert int(people) >= 2 * 200
    ((_, arrivals, _),) = values("limit_req", location("/_stcore/stream"))
    ((_, uploads, at_once),) = values("limit_req", location("/_stcore/upload_file/a/b"))
    assert min(int(burst.removeprefix("burst=")) for burst in (arrivals, uploads)) >= 200
    assert int(at_once.removeprefix("delay=")) * (int(PRODUCTION["server.maxUploadSize"]) << 20) < IN_ALL


def test_a_browser_stays_with_the_server_that_answered_last_and_no_address_decides() -> None:
    """What nginx makes of it, with servers that die: tests/server/test_several.py."""
    upstream = {words[0]: block for words, block in blocks("upstream", PROXY)}
    assert {name: values("hash", block) for name, block in upstream.items()} == {
        "vitviz": [["$visitor", "consistent"]],
        "vitviz_rooms": [["$uri", "consistent"]],
    }
    assert not any(values("ip_hash", block) for block in upstream.values())
    maps = {words[-1]: {name: value for (name, value), _ in block} for words, block in blocks("map", PROXY)}
    assert maps["$visitor"] == {"": "$request_id", "default": f"$cookie_{COOKIE}"}
    assert maps["$server"] == {"~^850[1-4]$": "127.0.0.1:$cookie_vitviz_server", "default": "vitviz"}
    name, *rest = maps["$new_cookie"]["default"].split("; ")
    assert name == "vitviz_server=$answered"
    assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(rest)
    assert HEADERS["Set-Cookie"] == "$new_cookie"
    assert values("error_page", SERVER) == [["502", "504", "=", "@another"]]
    assert values("proxy_pass", location("@another")) == [["http://vitviz"]]
    named = re.findall(r"(?m)^    (?:# )?server 127\.0\.0\.1:(\d+)", (DEPLOY / "nginx.conf").read_text())
    assert named == 2 * ["8501", "8502", "8503", "8504"]


def test_a_room_is_asked_for_at_the_next_server_where_the_first_says_that_it_is_there() -> None:
    """What nginx makes of it, with servers that die: tests/server/test_rooms.py."""
    room = location("/lecture/socket/BCDF")
    assert [words for words, _ in blocks("if", room)] == [["($same_origin", "=", "0)"]]
    assert values("proxy_pass", room) == [["http://vitviz_rooms"]]
    assert f"http_{ELSEWHERE}" in values("proxy_next_upstream", room)[0]
    ((_, people),) = values("limit_conn", room)
    ((_, knocks, _),) = values("limit_req", room)
    assert min(int(people), int(knocks.removeprefix("burst="))) >= 2 * 200
    assert values("return", location("/x/lecture/socket/BCDF")) == [["404"]], "there is no way in past these counts"


def test_whoever_asks_for_another_name_gets_no_answer() -> None:
    """What nginx makes of it: tests/server/test_rooms.py."""
    first = blocks("server", PROXY)[0][1]
    assert [words[-1] for words in values("listen", first)] == ["default_server"] * 4
    assert values("return", first) == [["444"]]
    assert values("ssl_reject_handshake", first) == [["on"]]
    assert {words[0].rpartition(":")[2] for words in values("listen", first)} == {"80", "443"}
    assert not [words for words in values("listen", SERVER) if "default_server" in words]


def test_every_answer_has_the_headers_of_a_safe_site() -> None:
    assert int(HEADERS["Strict-Transport-Security"].removeprefix("max-age=")) >= 180 * 24 * 3600
    assert HEADERS["X-Content-Type-Options"] == "nosniff"
    assert HEADERS["Referrer-Policy"] == "same-origin"
    for words, block in blocks("location", SERVER):
        assert not values("add_header", block), f"{words} would lose the others"


def test_the_policy_names_who_may_do_what_and_lets_streamlits_own_script_run() -> None:
    parts = (part.split() for part in HEADERS["Content-Security-Policy"].split("; "))
    policy = {name: sources for name, *sources in parts}
    assert policy["default-src"] == ["'none'"]
    assert policy["frame-ancestors"] == ["'self'"]
    (streamlits,) = re.findall(r"<script>(.*?)</script>", INDEX, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(it.encode()).digest()).decode() for it in (streamlits, SCRIPT)]
    assert policy["script-src"] == [
        "'self'",
        "blob:",
        "'wasm-unsafe-eval'",
        *(f"'sha256-{digest}'" for digest in digests),
    ]
    anywhere = {"*", "http:", "https:", "'unsafe-eval'"}
    assert not [(name, it) for name, sources in policy.items() for it in sources if it in anywhere]


def test_the_service_serves_as_nobody_and_may_open_enough_for_a_hall() -> None:
    unit = configparser.ConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / "vitviz.service")
    service = unit["Service"]
    assert service["ExecStart"] == "/srv/vitviz/deploy/serve"
    assert (service["DynamicUser"], service["ProtectSystem"], service["Restart"]) == ("yes", "strict", "always")
    for files in (service["LimitNOFILE"], *re.findall(r"--ulimit nofile=(\d+)", (DEPLOY / "README.md").read_text())):
        assert int(files) >= 2 * (4 * 200 + 3 * MOST_CUT_OFF)


def test_the_container_runs_as_nobody_and_says_when_it_is_well() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert re.search(r"(?m)^USER [1-9]\d*:[1-9]\d*$", text)
    assert re.search(r"(?m)^HEALTHCHECK .*\\\n.*127\.0\.0\.1:8501/_stcore/health", text)
    assert text.count("--require-hashes") == 1
    assert '["deploy/serve", "--server.address=0.0.0.0"]' in text
    sources = [words for line in re.findall(r"(?m)^COPY (?!--)(.*)$", text) for words in line.split()[:-1]]
    assert sources == [
        "deploy/$LOCK",
        "app.py",
        ".streamlit/config.toml",
        "vitviz",
        "pages",
        "deploy/serve",
        "deploy/several.py",
    ]
    assert all((ROOT / source).exists() for source in sources[1:])
