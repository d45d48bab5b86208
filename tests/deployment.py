"""What deploy/ and Streamlit's config.toml say, as data."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"

Block = list[tuple[list[str], "Block"]]


def settings_of(toml: str) -> dict[str, object]:
    """Streamlit's settings in a config.toml by their full names; a theme is none."""
    sections = tomllib.loads(toml)
    return {f"{name}.{key}": value for name, them in sections.items() if name != "theme" for key, value in them.items()}


def parsed(text: str) -> Block:
    """nginx's configuration: directives in order, each with its words and the block that it opens, or an empty one."""
    tokens = re.findall(r'"[^"]*"|[{};]|[^\s{};"]+', re.sub(r"(?m)(^|\s)#.*$", "", text))
    stack: list[Block] = [[]]
    words: list[str] = []
    for token in tokens:
        if token == "}":
            stack.pop()
        elif token in "{;":
            stack[-1].append((words, []))
            if token == "{":
                stack.append(stack[-1][-1][1])
            words = []
        else:
            words.append(token.strip('"'))
    assert len(stack) == 1
    return stack[0]


def blocks(name: str, inside: Block) -> list[tuple[list[str], Block]]:
    """The directives of that name in a block: further words, and what they open."""
    return [(words[1:], block) for words, block in inside if words[0] == name]


def values(name: str, inside: Block) -> list[list[str]]:
    """The words of the directives of that name in a block."""
    return [words for words, _ in blocks(name, inside)]


SHARED = settings_of((ROOT / ".streamlit" / "config.toml").read_text())
PRODUCTION = dict(re.findall(r"--([\w.]+)=(\S+)", (DEPLOY / "serve").read_text()))
PROXY = parsed((DEPLOY / "nginx.conf").read_text())
SERVER = next(block for _, block in blocks("server", PROXY) if values("ssl_certificate", block))
HEADERS = {name: value for name, value, *_ in values("add_header", SERVER)}
