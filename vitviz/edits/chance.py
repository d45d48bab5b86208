"""Chance that Python and JavaScript share: numbers that follow from a seed and a place alone.

`mix` is lowbias32 (https://nullprogram.com/blog/2018/07/31/): 32-bit products and shifts, `Math.imul` in JavaScript.
"""

BITS = 0xFFFFFFFF


def mix(number: int) -> int:
    """32 bits to 32 bits, each of which depends on all."""
    number = (number ^ number >> 16) * 0x7FEB352D & BITS
    number = (number ^ number >> 15) * 0x846CA68B & BITS
    return number ^ number >> 16


def shuffled(count: int, seed: int) -> list[int]:
    """The numbers below `count` in an order that the seed decides (Fisher and Yates).

    From the last place down to the second, each `i` changes with place `mix(mix(seed) ^ i) % (i + 1)`.
    """
    order, start = list(range(count)), mix(seed)
    for i in range(count - 1, 0, -1):
        other = mix(start ^ i) % (i + 1)
        order[i], order[other] = order[other], order[i]
    return order
