"""What a browser needs of a script, a style sheet or HTML: neither comments nor indentation.

The scripts are formatted by a tool that ends every statement with a semicolon, so no line break in them is needed; and
every list that is longer than a line with a comma, which no bracket needs, as a block needs no semicolon at its end. A
line per module stays, so that a browser's errors say where, and ends the statement before it where a word follows; and
a text of a single line Streamlit would take for the name of a file. That constants do not change has been checked
before: in a browser they are variables, and several that follow each other are one statement.
"""

import re

TOKEN = re.compile(
    r"""
    (?P<apart> (?: // [^\n]* | /\* .*? \*/ | \s+ )* )
    (?P<token> " (?: [^"\\\n] | \\. )* " | ' (?: [^'\\\n] | \\. )* ' | [\w$]+ | . | \Z )
    """,
    re.VERBOSE | re.DOTALL,
)
PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
VALUE = re.compile(r"""[\w$)\]"'`]$""")  # ends what can be divided
WORDS = re.compile(r"[\w$]{2}")
NAMED = re.compile(r"[A-Za-z_$][\w$]*")
PARAGRAPH = re.compile(r"\n\s*\n")
SPARE = (";}", ",}", ",]", ",)")
SHORTER = {"const": "let", "true": "!0", "false": "!1", "undefined": "void 0"}
INDENTATION = re.compile(r"\n\s+")
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CSS_SPACE = re.compile(r"\s*([{};,])\s*")
CSS_VALUE = re.compile(r"(?<=[{;])([\w-]+:) ")


def lean_script(text: str) -> str:
    """JavaScript without comments, in few words, and with the spaces alone that keep two tokens apart."""
    return lean_until_closed(text, 0)[0]


def lean_until_closed(text: str, at: int) -> tuple[str, int]:
    """The same from `at` up to a brace that closes what was opened before, or to the end; and the place after it."""
    pieces: list[str] = []
    declares = [False]  # in each bracket that is open, whether its last statement is a declaration
    while found := TOKEN.match(text, at):
        at, (apart, token) = found.end(), found.groups()
        if token == "/" and (pattern := PATTERN.match(text, at - 1)) and not can_be_divided(pieces):
            at, token = pattern.end(), pattern[0]
        elif token == "`":
            token, at = _lean_template(text, at)
        elif not token or (token == "}" and len(declares) == 1):
            break
        if pieces[-1:] != ["."]:
            token = SHORTER.get(token, token)
        paragraph = len(declares) == 1 and PARAGRAPH.search(apart)
        if pieces[-1:] == [";"]:
            if token == "let" and declares[-1]:
                pieces[-1:] = [",", "\n"] if paragraph else [","]
                continue
            declares[-1] = False
        declares[-1] |= token == "let" and pieces[-1:] != ["export"]
        if token in "([{":
            declares.append(False)
        elif token in ")]}":
            declares.pop()
        if paragraph:
            if pieces and pieces[-1] == ";" and NAMED.match(token):
                pieces.pop()
            pieces.append("\n")
        elif apart and pieces and _must_stay_apart(pieces[-1][-1], token[0]):
            pieces.append(" ")
        if token in "}])" and pieces and pieces[-1] + token in SPARE and pieces[-2] not in ("[", ","):
            pieces.pop()  # but not a hole of a list
        pieces.append(token)
    return "".join(pieces), at


def lean_sheet(text: str) -> str:
    """A style sheet without comments."""
    parts = (CSS_SPACE.sub(r"\1", " ".join(part.split())) for part in CSS_COMMENT.split(text))
    return "\n".join(CSS_VALUE.sub(r"\1", part) for part in parts)


def lean_page(text: str) -> str:
    """HTML without indentation."""
    return INDENTATION.sub("\n", text)


def can_be_divided(before: list[str]) -> bool:
    """Whether a slash that follows divides; else a regular expression begins with it."""
    return bool(before and VALUE.search(before[-1])) and before[-1] not in ("return", "typeof", "case")


def _must_stay_apart(before: str, after: str) -> bool:
    return bool(WORDS.match(before + after)) or (before == after and before in "+-/")


def _lean_template(text: str, at: int) -> tuple[str, int]:
    """The template whose text begins at `at`, its expressions lean, and the place after it."""
    pieces = ["`"]
    while text[at] != "`":
        if text.startswith("${", at):
            expression, at = lean_until_closed(text, at + 2)
            pieces.append(f"${{{expression}}}")
        else:
            start, at = at, at + (2 if text[at] == "\\" else 1)
            pieces.append(text[start:at])
    return "".join([*pieces, "`"]), at + 1
