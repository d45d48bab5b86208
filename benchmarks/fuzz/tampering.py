"""Checkpoints changed where it hurts: sizes, kinds of numbers, places, names, depth and stacks; and their cards."""

import random
from collections.abc import Callable
from copy import deepcopy
from itertools import accumulate, compress

from benchmarks.fuzz.stored import BITS, SMALL, Stored, good

Tensors = list[Stored]
MOST_LETTERS = 3_000_000  # of all names
MOST_HELD = 20_000_000  # bytes of all tensors
SIZES = (0, 0, 1, 2, 3, 7, 13, 24, 1024, 10**6, 10**6 + 1, 10**9, 2**31, 2**53, 2**61 - 1, 2**63, 2**64, 10**400)
NO_SIZES: tuple[object, ...] = (-1, True, 1.5, None, "3", [], float("nan"))
NAMES: tuple[Callable[[str, random.Random], str], ...] = (
    lambda name, chance: name.replace("0", str(chance.choice((1, 2, 3, 11, 1022, 1023, 1024, 9999, 10**9)))),
    lambda name, chance: f"blocks.{chance.choice((5, 600, 1023))}.norm1.weight",
    lambda name, chance: name.replace("encoderblock_0", "encoderblock").replace("blocks.0", "blocks/encoderblock/0"),
    lambda name, chance: "module." * chance.choice((1, 3, 10_000)) + name,
    lambda name, chance: chance.choice(("model.", "teacher.", "params/", "opt/target/", "visual.")) + name,
    lambda name, chance: name + chance.choice(("\n\n# b\n* c", "\0", "\u202e", "\ud800", " ", ".weight")),
    lambda name, chance: chance.choice("x\né") * 2 ** chance.randrange(20),
    lambda name, chance: chance.choice(("mask_token", "rope.periods", "pos_embed", "head.bias", "fc.weight", "", "/")),
    lambda name, chance: chance.choice(("t/encoderblock/x", "attn_pool.latent", "cls_token", "reg_token")),
    lambda name, chance: name.replace("0", "٣").upper() if chance.random() < 0.3 else name[:-1],
)


def tampered(tensors: Tensors, chance: random.Random) -> Tensors:
    """The tensors of a good file with a few changes."""
    tensors = deepcopy(tensors)
    for _ in range(chance.choice((0, 0, 1, 1, 1, 2, 3))):
        chance.choice(CHANGES)(tensors, chance)
        tensors = _bounded(tensors)
    return tensors


def _bounded(tensors: Tensors) -> Tensors:
    """As many of them as a header three times too long and an upload may hold: one change multiplies another."""
    letters = accumulate(len(tensor.name) for tensor in tensors)
    held = accumulate(len(tensor.body) for tensor in tensors)
    fitting = (names <= MOST_LETTERS and body <= MOST_HELD for names, body in zip(letters, held, strict=True))
    return list(compress(tensors, fitting))


def _one(tensors: Tensors, chance: random.Random) -> Stored:
    if not tensors:
        tensors.append(Stored("x", "F32", [1], bytes(4)))
    return chance.choice(tensors)


def _shape(tensors: Tensors, chance: random.Random) -> None:
    """Another size of one axis, often with as many numbers as that asks for."""
    tensor = _one(tensors, chance)
    if tensor.shape:
        at, usual = chance.randrange(len(tensor.shape)), chance.random() < 0.95
        tensor.shape[at] = chance.choice(SIZES if usual else NO_SIZES)
    if chance.random() < 0.8:
        tensor.fit()


def _empty(tensors: Tensors, chance: random.Random) -> None:
    """Sizes without end in a tensor that holds nothing."""
    for _ in range(chance.choice((1, 1, 2))):
        tensor = _one(tensors, chance)
        tensor.shape = [chance.choice(SIZES) for _ in range(chance.randrange(1, 5))] + [0]
        tensor.body = b""


def _axes(tensors: Tensors, chance: random.Random) -> None:
    """More axes or fewer, in another order, of as many numbers."""
    tensor = _one(tensors, chance)
    match chance.choice(("insert", "many", "flatten", "turn", "scalar")):
        case "insert":
            tensor.shape.insert(chance.randrange(len(tensor.shape) + 1), 1)
        case "many":
            tensor.shape = [1] * 2 ** chance.randrange(12) + tensor.shape
        case "flatten":
            tensor.shape = [len(tensor.body) * 8 // max(1, BITS[tensor.kind])]
        case "turn":
            tensor.shape.reverse()
        case "scalar":
            tensor.shape, tensor.body = [], tensor.body[:4]


def _width(tensors: Tensors, chance: random.Random) -> None:
    """Another size everywhere, so that all of them fit together."""
    old = chance.choice((SMALL.dim, SMALL.mlp_dim, SMALL.classes, SMALL.patch_size, 5, 4, 3))
    new = chance.choice((*SIZES[:-4], 64, 192, 23, 40))
    for tensor in tensors:
        tensor.shape = [new * (size // old) if size in (old, 2 * old, 3 * old) else size for size in tensor.shape]
        tensor.fit()


def _kind(tensors: Tensors, chance: random.Random) -> None:
    """Another kind of numbers, in one tensor or in all."""
    kind, fits = chance.choice(list(BITS)), chance.random() < 0.8
    for tensor in tensors if chance.random() < 0.1 else [_one(tensors, chance)]:
        tensor.kind = kind
        if fits:
            tensor.fit()


def _before(tensors: Tensors, chance: random.Random) -> None:
    """A tensor that is left out, of any kind, before all others."""
    tensor = Stored("mask_token", chance.choice(list(BITS)), [8 * chance.randrange(1, 9)], b"")
    tensor.fit()
    tensors.insert(0, tensor)


def _places(tensors: Tensors, chance: random.Random) -> None:
    """Data offsets that overlap, leave a hole, or are none."""
    tensor, end = _one(tensors, chance), sum(len(tensor.body) for tensor in tensors)
    start = chance.choice((0, 1, end - len(tensor.body), end, 2**63, 2**64, chance.randrange(end + 1)))
    tensor.places = chance.choice(([start, start + len(tensor.body)], [start + 4, start], [0], [0, None], [-4, 0]))


def _name(tensors: Tensors, chance: random.Random) -> None:
    tensor = _one(tensors, chance)
    tensor.name = chance.choice(NAMES)(tensor.name, chance)


def _names(tensors: Tensors, chance: random.Random) -> None:
    """Another name for all of them, or for all that have a word in common."""
    word, change, same = chance.choice(("", ".0.", "norm", "attn")), chance.choice(NAMES), str(chance.random())
    for tensor in tensors:
        if word in tensor.name:
            tensor.name = change(tensor.name, random.Random(same))


def _swap(tensors: Tensors, chance: random.Random) -> None:
    one, other = _one(tensors, chance), _one(tensors, chance)
    one.name, other.name = other.name, one.name


def _drop(tensors: Tensors, chance: random.Random) -> None:
    word = chance.choice((_one(tensors, chance).name, "norm", "embed", "qkv", ".0.", "bias", "token", "attn"))
    tensors[:] = [tensor for tensor in tensors if word not in tensor.name]


def _repeat(tensors: Tensors, chance: random.Random) -> None:
    """One of them again, under the same name or another, here or in another block."""
    tensor = deepcopy(_one(tensors, chance))
    if chance.random() < 0.7:
        tensor.name = chance.choice(NAMES)(tensor.name, chance)
    tensors.insert(chance.randrange(len(tensors) + 1), tensor)


def _many(tensors: Tensors, chance: random.Random) -> None:
    """Thousands of small tensors, or of whole blocks."""
    pattern = chance.choice(
        ("x{}", "blocks.{}.norm1.weight", "a/encoderblock/{}", "mask_token{}", "m.{}.x", "model." * 9 + "{}")
    )
    shape = chance.choice(([], [1], [0], [SMALL.dim], [1024, 1]))
    size = 4 * (shape[0] if shape else 1)
    count = min(2 ** chance.randrange(1, 15), 2_000_000 // max(1, size))
    tensors += [Stored(pattern.format(number), "F32", list(shape), bytes(size)) for number in range(count)]


def _deep(tensors: Tensors, chance: random.Random) -> None:
    """As many whole blocks as a number says, each like the first; in a stack or apart."""
    depth = chance.choice((1, 3, 40, 300, 1024, 1025))
    first = [tensor for tensor in tensors if "blocks.0." in tensor.name or "encoderblock_0/" in tensor.name]
    for layer in range(2, depth if len(first) * depth < 6000 else 0):
        tensors += [
            Stored(tensor.name.replace("0", str(layer), 1), tensor.kind, tensor.shape, tensor.body) for tensor in first
        ]
    for tensor in tensors:
        if "/encoderblock/" in tensor.name:
            tensor.shape[:1] = [depth]
            tensor.fit()


def _numbers(tensors: Tensors, chance: random.Random) -> None:
    tensor = _one(tensors, chance)
    noise = chance.choice((bytes((0, 0, 128, 127)), b"\xff", b"\0", chance.randbytes(64)))
    tensor.body = (noise * (1 + len(tensor.body) // len(noise)))[: len(tensor.body)]


def _mix(tensors: Tensors, chance: random.Random) -> None:
    other = good()[chance.choice(list(good()))]
    tensors += deepcopy(chance.sample(other, chance.randrange(1, len(other))))


def _order(tensors: Tensors, chance: random.Random) -> None:
    chance.shuffle(tensors)


CHANGES = (
    *(_shape, _shape, _empty, _axes, _width, _width, _kind, _before, _places, _name, _name, _names, _swap, _drop),
    *(_repeat, _many, _deep, _numbers, _mix, _order),
)
