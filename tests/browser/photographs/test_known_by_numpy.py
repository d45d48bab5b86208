"""What a token knows as a browser draws it, against a forward pass in NumPy: lengths, cosines and components."""

import json
from math import erf
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, Response, expect

from tests.browser.watch import open_page
from vitviz.images import open_image
from vitviz.numbers import small
from vitviz.samples import of_world, samples
from vitviz.scripts.parcels import TYPES
from vitviz.weights import Loaded, load

PATCH = 52  # counted from 0
NEAR = 1e-3
Numbers = NDArray[np.float32]
STEPS = np.linspace(-8, 8, 100_001)
HELD = 0.5 * (1 + np.frompyfunc(erf, 1, 1)(STEPS / np.sqrt(2)).astype(float))


def gelu(x: Numbers) -> Numbers:
    """As exact as what a table of a hundred thousand steps holds."""
    return (x * np.interp(x, STEPS, HELD)).astype(np.float32)


def states(loaded: Loaded, sample: str) -> NDArray[np.float32]:
    """The residual stream before the first block and after each, by the equations of the paper: `row t d`."""
    config = loaded.config
    w = {name: it.float().numpy() for name, it in loaded.model.state_dict().items()}
    image = loaded.preprocess(open_image(samples()[sample].data))[0].numpy()
    (ph, pw), (gh, gw) = config.patch_sides, config.grid

    def norm(x: Numbers, name: str) -> Numbers:
        less = x - x.mean(axis=-1, keepdims=True)
        size = np.sqrt(np.square(less).mean(axis=-1, keepdims=True) + config.epsilon)
        return less / size * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(x: Numbers, name: str) -> Numbers:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    patches = image.reshape(3, gh, ph, gw, pw).transpose(1, 3, 0, 2, 4).reshape(gh * gw, -1)
    tokens = patches @ w["patch_embed.proj.weight"].reshape(config.dim, -1).T + w["patch_embed.proj.bias"]
    x = np.concatenate([w["cls_token"][0], tokens]) + w["pos_embed"][0]
    found = [x]
    for layer in range(config.depth):
        at = f"blocks.{layer}"
        scale = [w.get(f"{at}.ls{which}.gamma", np.float32(1)) for which in (1, 2)]
        qkv = linear(norm(x, f"{at}.norm1"), f"{at}.attn.qkv").reshape(len(x), 3, config.heads, -1)
        q, k, v = qkv.transpose(1, 2, 0, 3)
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(np.float32(q.shape[-1]))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        heads = (weights / weights.sum(axis=-1, keepdims=True)) @ v
        x = x + scale[0] * linear(heads.transpose(1, 0, 2).reshape(len(x), -1), f"{at}.attn.proj")
        x = x + scale[1] * linear(gelu(linear(norm(x, f"{at}.norm2"), f"{at}.mlp.fc1")), f"{at}.mlp.fc2")
        found.append(x)
    return np.stack(found)


def components(patches: Numbers) -> NDArray[np.float64]:
    """All patches of all pictures, `picture n d`, on their first three principal components, by singular values."""
    points = patches.reshape(-1, patches.shape[-1]).astype(float)
    less = points - points.mean(axis=0)
    _, _, directions = np.linalg.svd(less, full_matrices=False)
    signs = [np.sign(it[np.abs(it).argmax()]) for it in directions[:3]]
    return (less @ directions[:3].T * signs).reshape(*patches.shape[:2], 3)


def unpacked(content: bytes) -> dict[str, Any]:
    """The arrays of a parcel by their names."""
    start = 4 + int.from_bytes(content[:4], "little")
    found = {}
    for its in json.loads(content[4:start])["arrays"]:
        kind: np.dtype[Any] = np.dtype(TYPES[its["type"]])
        data = np.frombuffer(content, kind, its["length"] // kind.itemsize, start)
        found[its["name"]] = data.reshape(its["shape"]).astype(np.float64)
        start += its["length"]
    return found


def named(response: Response) -> str:
    """What numbers that have come are called; "" for what else comes."""
    its = response.status == 200 and "/numbers/" in response.url
    return response.url.partition("?")[0].rpartition("/")[2] if its else ""


class Sent:
    """The numbers that come to a page since it was opened, by their names."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._responses: dict[str, Response] = {}
        page.on("response", lambda it: self._responses.update({named(it): it}))

    def open(self, address: str) -> None:
        """Open another address of the page."""
        self._responses.clear()
        open_page(self._page, address)

    def __getitem__(self, name: str) -> dict[str, Any]:
        if name not in self._responses:
            self._page.wait_for_event("response", lambda it: named(it) == name)
        return unpacked(self._responses[name].body())


def told(page: Page, text: str) -> None:
    expect(page.locator(".photo:not(.second) .readout")).to_contain_text(text)


@pytest.mark.parametrize(
    ("model", "size"),
    [("demo", 96), ("photo", 224), pytest.param("photo", 448, marks=pytest.mark.long)],
)
def test_what_is_drawn_is_what_numpy_finds(page: Page, model: str, size: int) -> None:
    sample = of_world(model)[0]
    sized = {"image_size": size} if model == "photo" else {}
    loaded = load(model, **sized)  # type: ignore[arg-type]
    depth = loaded.config.depth
    address = f"/what_a_token_knows?model={model}&sample={sample}&query={PATCH + 1}&layer={depth}"
    address += f"&size={size}" if sized else ""
    sent = Sent(page)
    own = states(loaded, sample)
    patches = own[:, 1:]

    sent.open(f"{address}&moment=alike&key=10")
    last = patches[-1] / np.linalg.norm(patches[-1], axis=-1, keepdims=True)
    right = last @ last[PATCH]
    exact = sent[f"alike-exact-state-{depth - 1}-{PATCH}"]["cosines"]
    np.testing.assert_allclose(exact, right, atol=NEAR)
    others = np.delete(exact, PATCH)
    says = f"cosine with others {small(others.min())} to {small(others.max())}, mean {small(others.mean())}"
    told(page, f"{says} · key patch 10: {small(exact[9])}")

    sent.open(f"{address}&moment=length")
    before = sent["lengths"]["before"]
    np.testing.assert_allclose(before, np.linalg.norm(own, axis=-1), rtol=NEAR)
    told(page, f"length {small(before[depth, 1 + PATCH])}")

    sent.open(f"{address}&moment=colours")
    coordinates = sent[f"colours-exact-{depth}"]["coordinates"]
    shown = [sample, *(it for it in of_world(model) if it != sample)][: len(coordinates)]
    together = np.stack([patches[-1], *(states(loaded, it)[-1, 1:] for it in shown[1:])])
    right = components(together)
    np.testing.assert_allclose(coordinates, right, atol=NEAR * np.abs(right).max())
    numbers = ", ".join(small(float(it)) for it in coordinates[0, PATCH])
    told(page, f"{numbers} on components 1, 2, 3")


def test_colours_are_the_same_whichever_picture_stands_first(page: Page) -> None:
    sent, found = Sent(page), {}
    world = of_world("photo")
    for sample in world[:2]:
        sent.open(f"/what_a_token_knows?model=photo&sample={sample}&moment=colours&layer=12")
        shown = [sample, *(it for it in world if it != sample)]
        found[sample] = dict(zip(shown, sent["colours-exact-12"]["coordinates"], strict=True))
    first, second = found.values()
    assert first.keys() == second.keys()
    for sample in first:
        np.testing.assert_array_equal(first[sample], second[sample])
