"""Five shots with one's own pictures: they are uploaded, they teach a class, and they are the browser's own."""

from collections.abc import Callable
from io import BytesIO

from playwright.sync_api import FilePayload, Page, expect

from tests.browser.watch import open_page, settled
from vitviz.demo.scenes import render

ADDRESS = "/five_shots?shots=5&shots_of_1=own+pictures"


def flower(seed: int) -> FilePayload:
    file = BytesIO()
    render(seed).image.save(file, "PNG")
    return {"name": f"{seed}.png", "mimeType": "image/png", "buffer": file.getvalue()}


def test_uploaded_pictures_teach_a_class_of_this_visitor_alone(page: Page, visit: Callable[..., Page]) -> None:
    open_page(page, ADDRESS)
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("this one has 0; upload up to 5. Shown instead: plants and mushrooms")
    uploader = main.get_by_test_id("stFileUploaderDropzoneInput")
    uploader.set_input_files([flower(seed) for seed in range(5, 100, 16)])
    expect(main).to_contain_text("of 11 held-out pictures classified correctly")
    settled(page)
    expect(main).to_contain_text("10 shots of 2 classes")
    other = visit()
    open_page(other, ADDRESS)
    expect(other.get_by_test_id("stMain")).to_contain_text("Shown instead: plants and mushrooms")
