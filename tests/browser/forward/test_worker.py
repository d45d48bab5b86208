"""The worker as a page meets it: what is fetched once, what is left out, what goes first, what is said if it cannot."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from torch import Tensor

from tests.browser.forward.conftest import patches
from tests.browser.forward.running import base_of, open_with_modules, sentence, start
from vitviz.messages import ModelSpec


@pytest.fixture
def ready(page: Page, told: ModelSpec, scenes: Tensor, tmp_path: Path) -> Page:
    """A page that looks at the first scene."""
    start(page, told, {"patches": patches(scenes[:2]).numpy()}, tmp_path)
    page.evaluate("() => forward.show(one('patches', 0))")
    return page


def test_of_what_waits_the_newest_is_run(ready: Page) -> None:
    done = ready.evaluate(
        """async () => {
            const runs = Array.from({ length: 20 }, (_, at) => forward.run(`h1.1*0.${at + 10}`));
            return (await Promise.all(runs)).map((it) => it !== null);
        }"""
    )
    assert done == [True] + 18 * [False] + [True]
    assert ready.evaluate("async () => (await forward.run('h1.1*0.29')).from") == 7, "it has just been run"


def test_a_map_is_painted_as_it_comes_and_the_hand_goes_first(ready: Page) -> None:
    seen = ready.evaluate(
        """async () => {
            const each = jobs.occlusion(forward.config, "=grey");
            const painted = new Float32Array(each.length * forward.config.classes);
            let [parts, halfway] = [0, 0];
            const { done } = forward.sweep(each, {
                edits: "m6*0.5",
                paint(at, logits) {
                    parts++;
                    painted.set(logits, at * forward.config.classes);
                },
            });
            const hand = await forward.run("h2.1*0 m6*0.5", ["weights-1", "original.stream-6", "qkv-0"]);
            halfway = parts;
            const whole = await done;
            const check = await forward.run("m6*0.5 p41=grey");
            const cell = painted.slice(40 * forward.config.classes, 41 * forward.config.classes);
            const shapes = Object.fromEntries(Object.entries(hand.arrays).map(([name, { shape }]) => [name, shape]));
            return { parts, halfway, whole, shapes, apart: apart(cell, check.logits) };
        }"""
    )
    assert seen["whole"]
    assert seen["parts"] > seen["halfway"] + 3, "the hand did not wait for the map"
    assert seen["apart"] < 1e-6
    assert seen["shapes"] == {"weights-1": [4, 145, 145], "original.stream-6": [145, 128], "qkv-0": [145, 384]}


@pytest.mark.parametrize(
    "other",
    ["job.stop()", "forward.show(one('patches', 1))", "forward.sweep(['m1*0'], { paint() {} })"],
)
def test_a_map_ends_when_something_else_is_wanted(ready: Page, other: str) -> None:
    ended = ready.evaluate(
        f"""async () => {{
            let parts = 0;
            const job = forward.sweep(jobs.occlusion(forward.config), {{ paint() {{ parts++ }} }});
            await forward.run("m6*0");
            {other};
            return {{ whole: await job.done, parts }};
        }}"""
    )
    assert not ended["whole"]
    assert ended["parts"] < 20


def test_both_directions_between_two_pictures(ready: Page) -> None:
    apart = ready.evaluate(
        """async () => {
            const first = await forward.show(one("patches", 0));
            const second = await forward.showSecond(one("patches", 1));
            const answers = [];
            for (const swapped of [false, true]) {
                const paint = (_, logits) => answers.push(...logits);
                await forward.sweep(["r4.all", "m6*0"], { swapped, paint }).done;
            }
            const { classes } = forward.config;
            const [there, , back, other] = [0, 1, 2, 3].map((at) => answers.slice(at * classes, (at + 1) * classes));
            await forward.show(one("patches", 1));
            const { logits } = await forward.run("m6*0");
            return [apart(there, second.logits), apart(back, first.logits), apart(other, logits)];
        }"""
    )
    assert apart == [0, 0, 0]


def test_what_is_missing_is_said_and_the_next_edits_run(ready: Page) -> None:
    wanted = "“r2.all” needs a second picture, and there is none; choose one"
    assert sentence(ready, "forward.run('r2.all')") == wanted
    assert "needs a second picture" in sentence(ready, "forward.sweep(['p1=paste'], { paint() {} }).done")
    refused = "async () => (await forward.run('h3.1*0 h9.1*0 what')).refused"
    assert ready.evaluate(refused) == ["h9.1*0", "what"]


def test_parameters_are_fetched_once_and_means_when_they_are_needed(ready: Page, told: ModelSpec) -> None:
    kept = """async ([address, base]) => {
        const { href } = new URL(address, base);
        await (await fetch(href)).arrayBuffer();
        return performance.getEntriesByName(href).at(-1).transferSize;
    }"""
    assert ready.evaluate(kept, [told["parameters"], base_of(ready)]) == 0, "the browser has them"
    asked: list[str] = []
    ready.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    ready.evaluate("async () => { for (const words of ['m2=mean', 'h1.1=mean.all']) await forward.run(words); }")
    assert asked == [told["means"].removeprefix("forward/")]


def test_where_it_cannot_run_it_says_so_without_an_error(visit: Callable[..., Page]) -> None:
    page = visit()
    page.add_init_script("delete globalThis.WebAssembly")
    open_with_modules(page)
    assert page.evaluate("() => client.canRun()") is False
    page = visit()
    page.add_init_script("delete globalThis.Worker")
    open_with_modules(page)
    assert page.evaluate("() => client.canRun()") is False


def test_a_model_that_cannot_be_had_is_an_answer_too(page: Page, told: ModelSpec) -> None:
    open_with_modules(page)
    for what in ("script", "parameters"):
        absent = {**told, what: f"forward/{what}-0123456789abcdef.js"}
        said = sentence(page, f"client.Forward.start({absent!r}, location.origin + '/')".replace("False", "false"))
        assert said, what
