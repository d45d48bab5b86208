"""Firefox and WebKit for the tests: `python -m tests.browser.others` installs what is missing, as root on Debian.

It says of each in one line what is missing then, or that its tests run.
"""

from tests.browser.chromium import from_debian
from tests.browser.others import firefox, webkit

BROWSERS = (firefox, webkit)

if __name__ == "__main__":
    if packages := [name for browser in BROWSERS if browser.missing() for name in browser.PACKAGES]:
        from_debian(*packages)
    for browser in BROWSERS:
        name = browser.__name__.rpartition(".")[2]
        print(f"{name}: {browser.missing() or 'its tests run'}")
