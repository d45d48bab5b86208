"""In which line of a TOML text something stands: the library's reader does not say."""

import re

# What may hold anything: strings of four kinds, and comments. Each pattern matches wherever it begins, with or without
# an end, so that a text without ends is read once and not again from every quote.
QUOTED = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)|'
    r"'''(?:[^']|'(?!''))*+(?:'''|\Z)|"
    r'"(?:[^"\\\n]|\\[^\n])*+"?|'
    r"'[^'\n]*+'?|"
    r"#[^\n]*+",
    re.DOTALL,
)
STEP = re.compile(r"\s*\[\[\s*step\s*\]\]\s*")
KEY = re.compile(r"\s*(?:\[\s*step\s*\.\s*(\w+)\s*\]|([\w-]+)\s*=)")
MOST_DOTS = 20  # outside strings; a long chain of dotted keys costs the reader its square
MOST_DIGITS = 300  # of a number: more than what a number of the computer holds
LONG = re.compile(rf"\d[\d_]{{{MOST_DIGITS},}}")
BEFORE = -1  # the step of what stands before the first one


class Lines:
    """The lines of a text: where steps begin, and their keys. The first key of a name in a step counts."""

    def __init__(self, text: str) -> None:
        bare = QUOTED.sub(lambda found: "\n" * found[0].count("\n") + " ", text)
        self.starts: list[int] = []
        self.dotted = 0  # the first line with too many dots; 0 where there is none
        self.long = 0  # the same of a number with too many digits
        self._keys: dict[tuple[int, str], int] = {}
        for number, line in enumerate(bare.split("\n"), 1):
            if STEP.fullmatch(line):
                self.starts.append(number)
            elif key := KEY.match(line):
                self._keys.setdefault((len(self.starts) - 1, key[1] or key[2]), number)
            if line.count(".") > MOST_DOTS:
                self.dotted = self.dotted or number
            if LONG.search(line):
                self.long = self.long or number

    def of(self, step: int, *keys: str) -> int:
        """The line of the first of these keys that a step has, steps from 0 on; else the line that the step begins."""
        lines = (line for key in keys if (line := self._keys.get((step, key))))
        return next(lines, self.starts[step] if step > BEFORE else 1)
