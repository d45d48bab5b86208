"""Numbers as text, alike everywhere: 86,567,656 · 17.6 G · 0.013 · 7.3 MB."""

from math import isfinite

SI = ("", "k", "M", "G", "T", "P", "E", "Z", "Y")
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def exact(number: int) -> str:
    """Every digit: 86567656 is 86,567,656."""
    return _typeset(f"{number:,}")


def many(count: int, noun: str) -> str:
    """A number of things, in words: 1 block, 12 blocks."""
    return f"{exact(count)} {noun}{'' if count == 1 else 's'}"


def short(number: float) -> str:
    """Three significant figures and an SI prefix: 17.56e9 is 17.6 G; a whole number below a thousand stays whole."""
    if abs(number) >= 999.5:
        value, prefix = _scaled(number)
        return _typeset(f"{value} {prefix}")
    return exact(int(number)) if number == int(number) else small(number)


def small(number: float) -> str:
    """Three decimals below 1, three figures above it, and never fewer than two figures.

    0.01312 is 0.013, 0.001312 is 0.0013, 0.00001312 is 1.3·10⁻⁵, and 12.345 is 12.3.
    """
    if number == 0:
        return "0"
    if not isfinite(number):
        return _typeset(str(number))
    exponent = _exponent(number)
    if exponent < -4:
        mantissa, exponent_text = f"{number:.1e}".split("e")
        return _typeset(mantissa) + "·10" + str(int(exponent_text)).translate(SUPERSCRIPT)
    decimals = max(3, 1 - exponent) if exponent < 0 else max(0, 2 - exponent)
    return _typeset(f"{number:,.{decimals}f}")


def power(number: float) -> str:
    """A small number by its power of ten, with no digit more than it has: 0.000001 is 10⁻⁶, 0.00002 is 2·10⁻⁵."""
    mantissa, exponent = f"{number:e}".split("e")
    factor = "" if float(mantissa) == 1 else f"{float(mantissa):g}·"
    return f"{factor}10{str(int(exponent)).translate(SUPERSCRIPT)}"


def percent(share: float) -> str:
    """0.654 is 65.4 %; what is less than a tenth of a percent says so, and nothing is 0."""
    if share == 0:
        return "0"
    return f"{100 * share:.1f} %" if share >= 0.001 else "under 0.1 %"


def bytes_(count: int) -> str:
    """Bytes in decimal units, one decimal below a hundred: 7300000 is 7.3 MB. Rounded once, in whole numbers."""
    if count < 1000:
        return f"{count} B"
    for power, prefix in enumerate(SI):
        tenths, whole = (_rounded(count * share, 1000**power) for share in (10, 1))
        if tenths < 1000:
            return f"{tenths // 10}.{tenths % 10} {prefix}B"
        if whole < 1000:
            break
    return f"{whole:,} {prefix}B"


def _rounded(number: int, unit: int) -> int:
    """How many of `unit`, halves up."""
    return (2 * number + unit) // (2 * unit)


def _scaled(number: float) -> tuple[str, str]:
    """Three figures and their SI prefix, chosen after rounding: 999.9 million is 1.00 G, never 1000 M."""
    power = _exponent(number) // 3
    decimals = 2 - _exponent(number) % 3
    return f"{number / 1000**power:.{decimals}f}", SI[power]


def _exponent(number: float) -> int:
    """The power of ten of the number once it is rounded to three figures."""
    return int(f"{number:.2e}".split("e")[1])


def _typeset(text: str) -> str:
    return text.replace("-", "−").replace("inf", "∞")
