"""What a person does in a tab that Selenium drives, and waits for, in the words of what is to be seen."""

from collections.abc import Callable
from typing import Any

from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.remote.file_detector import UselessFileDetector
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.browser.watch import TIMEOUT_MS

MIDDLE = 0.5, 0.5  # of an element, in shares of its width and height

# Elements in the order of the page, also those in Streamlit's shadow roots, and what each says.
LOOK = """
    const all = (root, selector) => [
        ...root.querySelectorAll(selector),
        ...[...root.querySelectorAll("*")].flatMap((it) => it.shadowRoot ? all(it.shadowRoot, selector) : []),
    ];
    const text = (it) => it.matches("input, textarea") ? it.value : it.innerText ?? it.textContent;
    const said = (it) => text(it).replaceAll(/\\s+/g, " ").trim();
    const seen = (selector) => all(document, selector).filter((it) => it.checkVisibility());
"""
LISTEN = """
    window.__complaints = [];
    addEventListener("error", ({ message }) => __complaints.push(message));
    addEventListener("unhandledrejection", ({ reason }) => __complaints.push(`${reason}`));
    console.error = (...said) => __complaints.push(said.join(" "));
"""
STANDS = """
    const app = document.querySelector("[data-testid=stApp]")?.dataset ?? {};
    const [board] = seen(".board");
    return app.testScriptState === "notRunning" && app.testConnectionState === "CONNECTED"
        && Boolean(globalThis.__vitviz_drawn?.digest && board) && !/on (its|their) way/.test(said(board));
"""
STILL = """
    const it = seen(arguments[0]).find((it) => said(it).includes(arguments[1]));
    it?.scrollIntoView({ block: "nearest" });
    const box = () => {
        const { x, y, width, height } = it.getBoundingClientRect();
        return [x, y, width, height];
    };
    const before = it && box();
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        const stands = it && it.isConnected && `${box()}` === `${before}` && before[0] >= 0 && before[1] >= 0;
        done(stands ? before : null);
    })));
"""


class Tab:
    """A tab at a server, in which all that is done waits until it can be done."""

    def __init__(self, driver: WebDriver, url: str) -> None:
        driver.file_detector = UselessFileDetector()  # a file is here, where the browser is
        self.driver = driver
        self.url = url
        self._complaints: list[str] = []
        self._wait = WebDriverWait(driver, TIMEOUT_MS / 1000, 0.05, ignored_exceptions=[WebDriverException])

    def size(self, width: int, height: int) -> None:
        """Give the page this size, whatever the browser has around it."""
        self.driver.set_window_size(width, height)
        inside = self.look("return [innerWidth, innerHeight]")
        self.driver.set_window_size(2 * width - inside[0], 2 * height - inside[1])

    def open(self, path: str) -> None:
        """Go to a page of the board, and wait until all of it is there."""
        self._complaints = self.complaints()
        self.driver.get(self.url + path)
        self.look(LISTEN)
        self.until(lambda: self.look(STANDS), f"{path} stands")

    def complaints(self) -> list[str]:
        """What pages have complained about since they were loaded."""
        return self._complaints + self.look("return globalThis.__complaints ?? []")

    def look(self, script: str, *values: Any) -> Any:
        """What a function of JavaScript finds on the page."""
        return self.driver.execute_script(LOOK + script, *values)

    def until(self, true: Callable[[], Any], what: str) -> Any:
        """Wait for something, and give it back."""
        try:
            return self._wait.until(lambda _: true())
        except TimeoutException as error:
            raise AssertionError(f"this did not come: {what}") from error

    def sees(self, selector: str, text: str = "") -> WebElement:
        """Wait for an element that is seen and says `text`."""
        find = "return seen(arguments[0]).find((it) => said(it).includes(arguments[1]))"
        try:
            found: WebElement = self.until(lambda: self.look(find, selector, text), f"{selector} with “{text}”")
        except AssertionError as error:
            said = self.look("return seen(arguments[0]).map(said)", selector)
            raise AssertionError(f"{error}; there was {said}") from error
        return found

    def hidden(self, selector: str) -> None:
        """Wait until no such element is seen."""
        self.until(lambda: not self.look("return seen(arguments[0]).length", selector), f"no {selector}")

    def said(self, selector: str) -> list[str]:
        """What all such elements say that are seen now."""
        said: list[str] = self.look("return seen(arguments[0]).map(said)", selector)
        return said

    def address(self, words: str) -> None:
        """Wait until the address has these words."""
        self.until(lambda: words in self.driver.current_url, f"an address with {words}")

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the focus is."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def hold(self, key: str, letter: str) -> None:
        """Press a letter while a key is held."""
        ActionChains(self.driver, duration=0).key_down(key).send_keys(letter).key_up(key).perform()

    def point(self, selector: str, text: str = "", *, at: tuple[float, float] = MIDDLE) -> None:
        """Move the mouse to a place of an element, in shares of its width and height."""
        self._to(selector, text, at).perform()

    def click(self, selector: str, text: str = "", *, at: tuple[float, float] = MIDDLE) -> None:
        """Click there."""
        self._to(selector, text, at).click().perform()

    def drag(self, selector: str, right: int) -> None:
        """Drag an element to the right by pixels."""
        self._to(selector, "", MIDDLE).click_and_hold().move_by_offset(right, 0).release().perform()

    def give(self, selector: str, path: str) -> None:
        """Give a file to a field, which may be hidden behind a button."""
        find = "return all(document, arguments[0])[0]"
        self.until(lambda: self.look(find, selector), selector).send_keys(path)

    def _to(self, selector: str, text: str, at: tuple[float, float]) -> ActionChains:
        """The way of the mouse to a place of an element, once that stands still within the window."""
        self.sees(selector, text)
        left, top, width, height = self.until(lambda: self.look(STILL, selector, text), f"{selector} stands still")
        chain = ActionChains(self.driver, duration=0)
        chain.w3c_actions.pointer_action.move_to_location(round(left + at[0] * width), round(top + at[1] * height))
        return chain
