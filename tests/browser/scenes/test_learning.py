"""Watch it learn: the class token's attention at every moment of training that was kept."""

from playwright.sync_api import Page

from tests.browser.board import drawn, show
from tests.browser.watch import been
from vitviz import numbers
from vitviz.demo.snapshots import snapshots
from vitviz.ui.widgets.training_slider import milestone


def test_watch_it_learn_shows_every_moment_of_training(page: Page) -> None:
    show(page, "/heads?layer=4")
    page.get_by_role("button", name="watch it learn").click()
    slider = page.get_by_role("slider", name="Moment of training")
    kept = snapshots()
    page.wait_for_function("() => location.search.includes('learned=0')")
    page.locator(".learning").get_by_text("Before training: accuracy").wait_for()
    slider.focus()
    for step in range(1, len(kept.steps)):
        slider.press("ArrowRight")
        drawn(page)
        said = slider.get_attribute("aria-valuetext") or ""
        assert said.startswith(f"After {numbers.exact(kept.steps[step])} of {numbers.exact(kept.steps[-1])} steps")
        assert f"accuracy {numbers.small(milestone(step)['accuracy'])} on 320 held-out scenes" in said
    limit = float(kept.attention.mean(axis=3)[:, :, 3, 1:].max())
    assert f"brightest from {numbers.small(limit)}" in page.locator(".learning p").inner_text()
    page.wait_for_function(f"() => location.search.includes('learned={kept.steps[-1]}')")
    slider.blur()
    with been(page, f"learned={kept.steps[1]}"):
        page.get_by_role("button", name="play").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="watch it learn").click()
    drawn(page)
    assert page.locator("canvas.wall").is_visible()


def test_another_model_was_not_watched_while_it_learned(page: Page) -> None:
    show(page, "/heads?model=vit_tiny_patch16_224&learned=166", complete=False)
    assert not page.get_by_role("button", name="watch it learn").is_visible()
    assert page.locator("canvas.wall").is_visible()
