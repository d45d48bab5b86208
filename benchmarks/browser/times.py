"""What the parts of the benchmark share: a page at rest, and how times are told."""

from statistics import median, quantiles

from playwright.sync_api import Page

from benchmarks.report import Report
from tests.browser.watch import settled


def at_rest(page: Page) -> None:
    """Wait until nothing is under way, and nothing more is asked for."""
    page.wait_for_timeout(600)
    settled(page, timeout_ms=300_000)


def say(report: Report, name: str, times: list[float], limit: float) -> None:
    """The 90th percentile against its limit, and the median."""
    tenth = quantiles(times, n=10, method="inclusive")[-1]
    report.at_most(name, tenth, limit, f"90th percentile; median {median(times):.0f} ms of {len(times)}", " ms")
