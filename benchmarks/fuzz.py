"""Broken pictures by the hundred thousand: each must give a right picture or one sentence.

    python -m benchmarks.fuzz                           100,000 files, the same ones every time; `make fuzz`
    python -m benchmarks.fuzz 5000 --seed 7             5,000 others
    python -m benchmarks.fuzz 1 --seed 7 --first 4711   one of these again

A file is a good one from tests/image_files.py whose parts (segments, chunks, blocks) are dropped, repeated, moved,
mixed with those of others, or have a length, a size or a count rewritten; then bytes are changed anywhere. Files are
opened in processes of their own, so that one which kills the interpreter, hangs or takes too much memory has a name.
"""

import argparse
import os
import random
import re
import resource
import struct
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from PIL import Image

from tests.image_files import seeds
from vitviz.images import ImageError, open_image
from vitviz.images.opening import MOST_KEPT, ROWS, SIDE
from vitviz.numbers import bytes_, exact

MOST_HELD = 400_000_000  # bytes beyond what the process holds when it starts
MOST_ADDRESSES = 4_000_000_000  # bytes the process can ask for: a blow-up ends there, and the machine goes on
PATIENCE = 60  # seconds until a silent file counts as hanging
BLOCK = 1000  # files for one process

Opener = Callable[[bytes], Image.Image]

# How the parts of a file begin; where a part keeps its lengths, counts and sizes: offset and struct code, two letters
# for a width and a height; and the parts that say how large the picture is.
PARTS = {
    "JPEG": rb"\xff[\xc0-\xcf\xd9-\xfe]",
    "PNG": rb".{4}(?:IHDR|PLTE|tRNS|IDAT|IEND|eXIf|pHYs|acTL|fcTL|fdAT)",
    "WebP": rb"VP8[ LX]|ALPH|ANIM|ANMF|EXIF|ICCP",
    "GIF": rb"!\xf9\x04|!\xfe|!\xff\x0b|,\0\0\0\0|;\Z",
    "BMP": rb"(?<=\ABM.{52})",
}
NUMBERS = (
    (rb"\xff[\xc0-\xc3]", "1B 2>H 4B 5>H 5>HH 5>HH 7>H 9B 11B 14B 17B"),
    (rb"\xff[\xc4-\xfe]", "1B 2>H 4B 5B"),
    (rb".{4}IHDR", "0>I 8>I 8>II 8>II 12>I 16B 17B 20B"),
    (rb".{4}(acTL|fcTL)", "0>I 8>I 12>I 16>I 20>I"),
    (rb".{4}[A-Za-z]{4}", "0>I"),
    (rb"VP8X|ANMF", "4<I 8B 11<H 12<H 14<H 15<H 17<H"),
    (rb"VP8L", "4<I 9<I"),
    (rb"VP8 ", "4<I 14<H 14<HH 14<HH 16<H"),
    (rb"RIFF|ALPH|ANIM|EXIF|ICCP", "4<I"),
    (rb"GIF", "6<H 6<HH 8<H 10B"),
    (rb",", "1<H 3<H 5<H 5<HH 5<HH 7<H 9B 10B 11B"),
    (rb"!", "1B 2B 3B 6B"),
    (rb"BM", "10<I 14<I 18<I 18<II 18<II 22<I 28<H 30<I 46<I"),
)
SIZED = rb"\xff[\xc0-\xc3]|.{4}IHDR|VP8|ANMF|GIF|,|BM"


class Outcome(NamedTuple):
    """What a file came to: "picture" or its sentence; CPU seconds, bytes held, and what went `wrong`, if it did."""

    number: int
    name: str
    what: str
    seconds: float = 0
    held: int = 0
    wrong: str = ""


def mutant(seed: int, number: int) -> tuple[str, bytes]:
    """The name of a good file, and the file broken in a way that `seed` and `number` decide."""
    chance = random.Random(f"{seed} {number}")
    name = chance.choice(list(_good()))
    pieces = list(_good()[name])
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        _change_parts(pieces, chance)
    data = bytearray().join(pieces)
    for _ in range(chance.choice((0, 0, 1, 1, 2, 8))):
        _change_bytes(data, chance)
    return name, bytes(data)


@cache
def _good() -> dict[str, list[bytes]]:
    """The good files, each cut into its parts."""
    files = seeds().items()
    return {name: re.split(b"(?=" + PARTS[name.split()[0]] + b")", data, flags=re.DOTALL) for name, data in files}


def _change_parts(pieces: list[bytes], chance: random.Random) -> None:
    """Change one part; the first stays where it is, for a file without its signature is soon refused."""
    at, to = chance.randrange(1, len(pieces)), chance.randrange(1, len(pieces))
    match chance.choice(("size", "size", "number", "number", "drop", "repeat", "move", "mix")):
        case "size":
            at = chance.choice([n for n, piece in enumerate(pieces) if re.match(SIZED, piece, re.DOTALL)] or [0])
            pieces[at] = _renumbered(pieces[at], chance)
        case "number":
            pieces[at] = _renumbered(pieces[at], chance)
        case "drop":
            pieces[at] = b""
        case "repeat":
            pieces[at] *= min(2 ** chance.randrange(1, 10), 2 + 1_000_000 // (1 + len(pieces[at])))
        case "move":
            pieces.insert(to, pieces.pop(at))
        case "mix":
            pieces.insert(at, chance.choice(_good()[chance.choice(list(_good()))]))


def _renumbered(part: bytes, chance: random.Random) -> bytes:
    """The part with another length, count or size; the checksum of a PNG chunk is often put right again."""
    fields = next((fields for start, fields in NUMBERS if re.match(start, part, re.DOTALL)), "0B")
    offset, code = re.findall(r"(\d+)(\D+)", chance.choice(fields.split()))[0]
    file, at, codes = bytearray(part), int(offset), code.strip("<>")
    if at + struct.calcsize(code) > len(file):
        return part
    if len(codes) == 2:
        new = [int(2 ** chance.uniform(4, 13.5)) for _ in codes]
    else:
        (old,) = struct.unpack_from(code, file, at)
        most = 1 << 8 * struct.calcsize(code)
        power = 1 << chance.randrange(most.bit_length() - 1)
        new = [chance.choice((0, 1, old - 1, old + 1, 2 * old, power, power - 1, chance.randrange(most))) % most]
    struct.pack_into(code, file, at, *new)
    if re.match(PARTS["PNG"], part, re.DOTALL) and chance.random() < 0.8:
        file[-4:] = struct.pack(">I", crc32(file[4:-4]))
    return bytes(file)


def _change_bytes(file: bytearray, chance: random.Random) -> None:
    """Somewhere in the file, half of the time near its start."""
    file += bytes(not file)
    at = chance.randrange(len(file) if chance.random() < 0.5 else min(len(file), 80))
    start, length = chance.randrange(len(file)), chance.randrange(1, 100)
    match chance.choice(("set", "flip", "delete", "repeat", "splice", "truncate")):
        case "set":
            file[at] = chance.choice((0, 1, 127, 128, 254, 255))
        case "flip":
            file[at] ^= 1 << chance.randrange(8)
        case "delete":
            del file[at : at + length]
        case "repeat":
            file[at:at] = file[start : start + length] * chance.choice((1, 1, 1000))
        case "splice":
            other = b"".join(_good()[chance.choice(list(_good()))])
            file[start:] = other[chance.randrange(len(other)) :]
        case "truncate":
            del file[start:]


def judge(seed: int, number: int, opener: Opener = open_image) -> Outcome:
    """Open one broken file and look closely at what comes back; `held` counts from 0 bytes."""
    name, data = mutant(seed, number)
    what = wrong = ""
    _peak()
    start = time.process_time()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            picture = opener(data)
        except ImageError as error:
            what, wrong = kind(str(error)), fault_of_sentence(str(error))
        except Exception:
            what, wrong = "another exception", traceback.format_exc()
        else:
            what, wrong = "picture", fault_of_picture(picture)
    if warned:
        wrong = f"warns: {warned[0].message}"
    return Outcome(number, name, what, time.process_time() - start, _peak(), wrong)


def kind(sentence: str) -> str:
    """The sentence up to the way out, without its numbers."""
    return re.sub(r"\d[\d,.]*( [kMG]?B\b)?", "N", sentence.split(";")[0])


def fault_of_sentence(sentence: str) -> str:
    """What is wrong with an error for people, if anything is."""
    if "not enough memory" in sentence:
        return sentence
    return "" if re.fullmatch(r"[A-Z][^\n;]+; [^\n;]+\.", sentence) else f"no sentence for people: {sentence!r}"


def fault_of_picture(picture: Image.Image) -> str:
    """What is wrong with a picture, if anything is."""
    shorter, longer = sorted(picture.size)
    too_large = (longer > SIDE and shorter > ROWS) or shorter * longer > 1.001 * MOST_KEPT  # its columns are whole
    if picture.mode != "RGB" or shorter < 1 or too_large:
        return f"a picture of {picture.size} in {picture.mode}"
    if set(picture.info) != {"notes"} or type(picture) is not Image.Image:
        return f"metadata is left: {type(picture).__name__} with {', '.join(map(str, picture.info))}"
    if len(picture.tobytes()) != 3 * picture.width * picture.height:
        return "pixels are missing"
    return ""


def _peak() -> int:
    """The most bytes this process held since the last call; off Linux, since its start."""
    try:
        held = int(re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[0]) * 1024
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return held


def _work(pipe: Connection, seed: int, numbers: range, opener: Opener) -> None:
    """In a process of its own: judge these files, in turn."""
    with suppress(ValueError, OSError):  # macOS knows no such limit
        resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    _peak()
    before = _peak()  # and not later: what making the good files leaves behind would be lent to the broken ones
    for number in numbers:
        outcome = judge(seed, number, opener)
        held = outcome.held - before
        wrong = outcome.wrong or (f"holds {bytes_(held)}" if held > MOST_HELD else "")
        pipe.send(outcome._replace(held=held, wrong=wrong))


def outcomes(seed: int, numbers: range, opener: Opener = open_image) -> Iterator[Outcome]:
    """Judge these files in another process, and in a new one behind each file that ends or blocks it."""
    while numbers:
        here, there = Pipe(duplex=False)
        process = get_context("spawn").Process(target=_work, args=(there, seed, numbers, opener), daemon=True)
        process.start()
        there.close()
        end = "hangs"
        try:
            while numbers and here.poll(PATIENCE):
                yield here.recv()
                numbers = numbers[1:]
        except EOFError:
            process.join()
            end = f"ends its process, exit status {process.exitcode}"
        process.kill()
        process.join()
        if numbers:
            yield Outcome(numbers[0], mutant(seed, numbers[0])[0], end, wrong=end)
            numbers = numbers[1:]


def summary(found: list[Outcome], seed: int) -> str:
    """The figures of a run: kinds of outcome by format, the slowest and the largest file, and all that went wrong."""
    lines = []
    for form in PARTS:
        kinds = Counter(outcome.what for outcome in found if outcome.name.split()[0] == form)
        lines.append(f"\n{form}: {exact(kinds.total())} files")
        lines += [f"{exact(count):>9}  {what}" for what, count in kinds.most_common()]
    slowest, largest = (max(found, key=lambda outcome: outcome[field]) for field in (3, 4))
    wrong = [outcome for outcome in found if outcome.wrong]
    lines += [
        f"\nslowest: {slowest.seconds:.2f} s of CPU time, file {slowest.number} ({slowest.name}: {slowest.what})",
        f"largest: {bytes_(largest.held)}, file {largest.number} ({largest.name}: {largest.what})",
        f"pictures: {exact(sum(outcome.what == 'picture' for outcome in found))} of {exact(len(found))}",
        f"gone wrong: {exact(len(wrong))}",
    ]
    for outcome in wrong[:20]:
        again = f"python -m benchmarks.fuzz 1 --seed {seed} --first {outcome.number}"
        lines.append(f"\n{again}  ({outcome.name})\n{outcome.wrong}")
    return "\n".join(lines)


def main() -> None:
    """Open as many broken files as the command line says; the exit status is 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=100_000, help="how many files")
    parser.add_argument("--seed", type=int, default=0, help="decides the files; default 0")
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first file; goes on where a run was stopped"
    )
    asked = parser.parse_args()
    numbers = range(asked.first, asked.first + asked.count)
    blocks = [numbers[start : start + BLOCK] for start in range(0, len(numbers), BLOCK)]
    start, found = time.perf_counter(), list[Outcome]()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for block in pool.map(lambda block: list(outcomes(asked.seed, block)), blocks):
            found += block
            if sys.stderr.isatty():
                print(f"\r{exact(len(found))} of {exact(asked.count)}", end="\r", file=sys.stderr, flush=True)
    minutes = (time.perf_counter() - start) / 60
    print(f"{exact(len(found))} broken files from seed {asked.seed} in {minutes:.1f} min on {os.cpu_count()} cores")
    print(summary(found, asked.seed))
    sys.exit(any(outcome.wrong for outcome in found))


if __name__ == "__main__":
    main()
