"""Random links by the thousand: none may end in an error page, fill the server, or keep the person beside it waiting.

    python -m benchmarks.links                  5,000 values, the same ones every time
    python -m benchmarks.links 500 --seed 7     500 others

A stranger opens one link after the other, each in a session of its own, and waits for its end. Somebody else, in
another process, changes layer, head and picture on *Query, key, value* meanwhile, and clocks each answer.
"""

import argparse
import asyncio
import multiprocessing
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import urlencode

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported; see benchmarks/timing.py

from benchmarks.load.onlooker import resident
from benchmarks.load.visitors import timed, visitors
from benchmarks.report import Report, machine
from tests.browser.server import ROOT, Server, serve
from vitviz.addresses.old import NUMBERED
from vitviz.addresses.words import DRAWERS
from vitviz.cards import CARDS
from vitviz.choices import NUMBERS, OF_PAGES
from vitviz.choices import SWITCHES as CHOICES
from vitviz.config import OWN, PRESETS
from vitviz.lecture import LESSONS
from vitviz.numbers import bytes_, exact
from vitviz.pages import FIRST, PAGES
from vitviz.pretrained import PRETRAINED
from vitviz.samples import samples
from vitviz.ui.sidebar.own_model import FIELDS, in_link, written

SETTINGS: dict[str, Any] = {"runner.postScriptGC": "false", "server.disconnectedSessionTTL": 10}
BEFORE = 15  # seconds that somebody is alone, for comparison
PAUSE = 0.2  # seconds between two changes
LARGEST = 2_000  # of numbers that are no size of a model

SWITCHES = {field.name: list(map(in_link, field.values)) for field in FIELDS.values() if not field.whole}
# What a link may hold besides numbers, and words that are legal for it.
WORDS = {
    **{name: values for name, values in SWITCHES.items() if name not in NUMBERS},
    **{name: list(values) for name, values in CHOICES.items()},
    **{name: few for name, it in OF_PAGES.items() if name not in NUMBERS and (few := list(it.few({}, None)))},
    "open": list(DRAWERS),
    **{name: ["class", "distillation", "register 1", "1", "7", "144", "196", "1048576"] for name in ("query", "key")},
    "model": [*PRESETS, OWN, *PRETRAINED, "your own file"],
    "file": ["mine.safetensors", "0" * 64],
    "sample": list(samples()),
    "edits": [
        "h3.1*0 b2*0",
        "p1-144=removed",
        "t=0.01 s=none",
        "k=1 w=0",
        "h1.1=mean",
        "r1.all",
        "i=shuffled e=off d=0.9@7",
    ],
    "donor": [*samples(), "0" * 64],
    "precision": ["fp32", "bf16", "fp16"],
    "preprocess": ["timm", "Hugging Face"],
    "picture": ["0" * 64],
    "moment": sorted({name for names in NUMBERED.values() for name in names} | set("1259")),
    "lesson": [*LESSONS, "own-0123456789abcdef"],
    "step": ["1", "7", "33", "200"],
    "cell": ["heads.wall", "heads", "growth", "nowhere"],
    "there": ["768x12", "1x1", "65536x1024", "0x0", "768X12"],
    "find": ["attn.q", "blocks.3. mlp", "768", "head t dh"],
    "beside": list(PRESETS),
    **{f"guess_{page}": ["neither", "both", "4 times"] for page in ("order", "shift", "resolution")},
    "switch": list(CARDS),
    "value": sorted({written(choice.value) for card in CARDS.values() for choice in card.choices}),
    "b.model": [*PRESETS, OWN, *PRETRAINED, "your own file"],
    "b.image": [*samples(), "0" * 64],
    "b.edits": ["h3.1*0 b2*0", "p1-144=removed", "k=1 w=0"],
    "b.donor": [*samples(), "0" * 64],
    "b.moment": ["0", "6", "1200"],
    "b.seed": ["0", "1", "7"],
    "b.size": ["224", "336", "448", "450", "4096"],
    **{f"b.{name}": values for name, values in SWITCHES.items()},
    **{f"b.{name}": ["1", "2", "8", "16", "64", "1024"] for name, field in FIELDS.items() if field.whole},
    **{f"shots_of_{it}": ["fish", "cat", "red ball above blue ball", "own pictures"] for it in range(1, 5)},
}
PARAMETERS = (*NUMBERS, *WORDS)
STRANGE = (
    *(
        "",
        " ",
        "0",
        "-1",
        "+5",
        "1_0",
        "1e3",
        "1e999",
        "-1e999",
        "Infinity",
        "-inf",
        "nan",
        "NaN",
        "0x10",
        "1.5",
        "5.0",
    ),
    *("9" * 12, "9" * 13, "9" * 400, "9" * 5000, "0" * 40, "٣", "½", "²", "Ⅷ", "१२", "1,000", "1 000", "1;2", "1&2"),
    *("true", "TRUE", "null", "None", "[]", "{}", "{0}", "%s", "%00", "\0", "\n\n# x", "\r\n", "\u202e", "\ufeff1"),
    *("a" * 500, "🦊" * 60, "é̂" * 30, "../../etc/passwd", "C:\\", "__class__", "'; drop table", "<script>x</script>"),
    *("![x](http://a.b)", "www.evil.example", "javascript:x", ":material/check:", "$\\frac{1}{0}$", "(", "[", "*"),
)


class Link(NamedTuple):
    """A page, by its stem, and what the link asks for."""

    stem: str
    asks: dict[str, str]

    @property
    def query(self) -> str:
        """As in an address, behind the question mark."""
        return urlencode(self.asks)


class Opened(NamedTuple):
    """A link that was opened: when, seconds until its end, and exceptions on the page."""

    number: int
    link: Link
    at: float
    seconds: float
    exceptions: list[str]


class Change(NamedTuple):
    """What somebody else changed: when, seconds until it was shown, and bytes of the server's memory then."""

    at: float
    seconds: float
    memory: int


def link(seed: int, number: int) -> Link:
    """One of the links that `seed` leads to."""
    chance = random.Random(f"{seed} {number}")
    asks: dict[str, str] = {}
    if chance.random() < 0.8:
        asks["model"] = OWN if chance.random() < 0.6 else chance.choice(WORDS["model"])
    if asks.get("model") == OWN:
        sizes = _sizes(chance)
        asks |= {name: str(sizes[name]) for name in sizes if chance.random() < 0.9}
    for name in chance.sample(PARAMETERS, chance.randrange(1, 9)):
        asks[name] = _value(chance, name)
    return Link(chance.choice(list(PAGES)), asks)


def _sizes(chance: random.Random) -> dict[str, int]:
    """Sizes that fit together, alike in all orders of magnitude."""
    patch_size, heads = _number(chance, 1024), _number(chance, 1024)
    return {
        "patch_size": patch_size,
        "image_size": patch_size * _number(chance, 4096 // patch_size),
        "heads": heads,
        "dim": heads * _number(chance, 65_536 // heads),
        "depth": _number(chance, 1024),
        "mlp_dim": _number(chance, 262_144),
        "classes": _number(chance, 1_000_000),
    }


def _number(chance: random.Random, most: int) -> int:
    return chance.choice((1, most, *(int((most + 1) ** chance.random()) for _ in range(8))))


def _value(chance: random.Random, name: str) -> str:
    if chance.random() < 0.3:
        return chance.choice(STRANGE)
    if name in SWITCHES and chance.random() < 0.5:
        return chance.choice(SWITCHES[name])
    if name in WORDS:
        return chance.choice(WORDS[name])
    most = int(FIELDS[name].values[-1]) if name in FIELDS and FIELDS[name].whole else LARGEST
    return str(_number(chance, 2 * most) if name != "budget" else chance.uniform(0, 11_000))


def main() -> None:
    """Open links until they hold as many values as are asked for; the exit status is 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("values", nargs="?", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first link")
    asked = parser.parse_args()
    print(machine())
    report = Report()
    with serve(ROOT / "app.py", **SETTINGS) as server:
        asyncio.run(_strangers(report, server, asked.values, asked.seed, asked.first))
    report.close()
    raise SystemExit(bool(report.missed))


async def _strangers(report: Report, server: Server, values: int, seed: int, first: int) -> None:
    opened: list[Opened] = []
    with neighbour(server) as alone:
        await asyncio.sleep(BEFORE)
    with neighbour(server) as beside:
        while sum(len(it.link.asks) for it in opened) < values:
            opened.append(await _open(server.url, seed, first + len(opened)))
            if opened[-1].exceptions:
                print(f"{_told(opened[-1])} {opened[-1].exceptions[0]}", flush=True)
    many = sum(len(it.link.asks) for it in opened)
    report.section(f"{exact(many)} random values of {len(PARAMETERS)} parameters in {exact(len(opened))} links")
    report.at_most("error pages", sum(bool(it.exceptions) for it in opened), 0, "each is told above")
    report.at_most("tracebacks in the server's log", server.said().count("Traceback"), 0, "")
    slowest = max(opened, key=lambda it: it.seconds)
    report.note("until a link's end: median", median(it.seconds for it in opened), _told(slowest), " s")
    for name, changes in (("alone", alone), ("beside the links", beside)):
        waits = sorted(it.seconds for it in changes)
        late, longest = waits[int(0.95 * len(waits))], max(changes, key=lambda it: it.seconds)
        at_the_time = next((_told(it) for it in opened if it.at <= longest.at < it.at + it.seconds), "")
        why = f"{len(waits)} changes; median {median(waits):.2f} s, 95th percentile {late:.2f} s; {at_the_time}"
        report.at_most(f"somebody else waits at most, {name}", longest.seconds, 1, why, " s")
    most = max(it.memory for it in beside)
    report.note("most memory of the server", most / 1e6, f"{bytes_(min(it.memory for it in alone))} alone", " MB")


def _told(it: Opened) -> str:
    return f"link {it.number}, {it.seconds:.1f} s: /{it.link.stem}?{it.link.query[:200]}"


async def _open(url: str, seed: int, number: int) -> Opened:
    at, one = time.monotonic(), link(seed, number)
    async with visitors(url, 1) as (stranger,):
        await stranger.open()
        page = "" if one.stem == FIRST.stem else one.stem
        seconds, shown = await timed(stranger.run(page, one.query))
        return Opened(number, one, at, seconds, [it.message for it in shown.of("exception")])


@contextmanager
def neighbour(server: Server) -> Iterator[list[Change]]:
    """Somebody else at the same server, in a process of their own; the list is filled when the `with` ends."""
    changes: list[Change] = []
    here, there = multiprocessing.Pipe()
    person = multiprocessing.get_context("spawn").Process(target=_be_beside, args=(server.url, server.pid, there))
    person.start()
    there.close()  # the child has its own; if it dies, `recv` ends
    here.recv()
    try:
        yield changes
    finally:
        here.send("enough")
        changes.extend(here.recv())
        person.join()


def _be_beside(url: str, pid: int, there: Connection) -> None:
    there.send(asyncio.run(_change(url, pid, there)))


async def _change(url: str, pid: int, there: Connection) -> list[Change]:
    chance, changes = random.Random(), list[Change]()
    async with visitors(url, 1) as (person,):
        await person.open()
        await person.run("query_key_value")
        there.send("here")
        while not there.poll():
            at = time.monotonic()
            seconds, _ = await timed(person.run("query_key_value", _choice(chance)))
            changes.append(Change(at, seconds, resident(pid)))
            time.sleep(PAUSE)
    return changes


def _choice(chance: random.Random) -> str:
    layer, head = chance.randrange(1, 7), chance.randrange(1, 5)
    return urlencode({"sample": chance.choice(list(samples())), "layer": layer, "head": head})


if __name__ == "__main__":
    main()
