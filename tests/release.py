"""What a release is made of: `make release-check`, and the workflow that a tag starts.

python -m tests.release                 what would be released: wheel and sdist in build/release/, and their notes
python -m tests.release v0.2.0          the same, where the tag, the version and a section of CHANGELOG.md are one
"""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.browser.server import ROOT
from vitviz import __version__

DIST = ROOT / "build/release"


def main(arguments: Sequence[str] | None = None) -> None:
    """Build, and print the notes; ends with a sentence where something is not as the tag says."""
    tag, *_ = [*(sys.argv[1:] if arguments is None else arguments), ""]
    if tag and tag != f"v{__version__}":
        sys.exit(f"The tag is {tag} and vitviz/__init__.py says {__version__}: change one of them")
    text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), __version__ if tag else "Unreleased")
    for old in DIST.glob("vitviz-*"):
        old.unlink()
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(DIST)], cwd=ROOT, check=True)
    made = sorted(path.name for path in DIST.glob("vitviz-*"))
    expected = [f"vitviz-{__version__}-py3-none-any.whl", f"vitviz-{__version__}.tar.gz"]
    if made != expected:
        sys.exit(f"build/release/ holds {', '.join(made)}, and a release is {', '.join(expected)}")
    Path(DIST / "notes.md").write_text(text, encoding="utf-8")
    print(text)


def notes(changelog: str, version: str) -> str:
    """The section of a version, without its heading; ends with a sentence where there is none."""
    found = re.search(rf"(?ms)^## \[?{re.escape(version)}\b[^\n]*\n(.+?)(?=^## |\Z)", changelog)
    if not found:
        sys.exit(f"CHANGELOG.md has no section {version}: what people notice comes before a release")
    return found[1].strip() + "\n"


if __name__ == "__main__":
    main()
