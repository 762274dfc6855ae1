"""Reading and showing sizes, times, rates and ratios: `64KB`, `3.5us`, `750MB/s`, `1.6`."""

import math
from collections.abc import Callable

from .quantity import Kind, quantity

_LONGEST = 1e6  # seconds; more than eleven days is a typing error
_LARGEST_RATIO = 1e6
_LARGEST_UNCERTAINTY = 10.0  # more than an order of magnitude is not known at all
_LEAST_RATE, _LARGEST_RATE = 1e6, 1e18  # bytes per second


def size(text: str) -> int:
    """Bytes: `8`, `64KB`, `1.7MB`, `1MiB`; KB is 1024 bytes. What a unit leaves of a byte is
    rounded. ValueError says what is wrong."""
    value = _number(text, Kind.SIZE, "a size: write 8, 64KB or 1.7MB")
    if value > 2**63:
        raise ValueError(f"{_quoted(text)} is absurd: no machine holds that many bytes")
    if value < 1 or (not _has_unit(text) and value != math.floor(value)):
        raise ValueError(f"{_quoted(text)} is not a whole number of bytes from 1 up")
    return round(value)


def message(text: str) -> int:
    """Bytes of a message, as `size` but also 0. ValueError says what is wrong."""
    return 0 if text.strip() in ("0", "0B") else size(text)


def block(text: str) -> int:
    """Bytes of a block for bzip2: `900k`, which is 900,000. ValueError says what is wrong."""
    number, thousand = (text[:-1], 1000) if text[-1:] in ("k", "K") else (text, 1)
    if not (number.isascii() and number.isdigit()):
        raise ValueError(f"{_quoted(text)} is not a size of a block: write 100k or 900k")
    value = int(number[:8]) * thousand
    if not 1000 <= value <= 900_000:
        raise ValueError(f"{_quoted(text)} is not between 1k and 900k")
    return value


def seconds(text: str) -> float:
    """Seconds: `12ms`, `3.5us`, `0.2s`. A number without a unit is refused, unless it is 0: whoever
    writes `12` may mean anything. ValueError says what is wrong."""
    value = _number(text, Kind.TIME, "a time: write 12ms, 3.5us or 0.2s")
    if value > 0 and not _has_unit(text):
        raise ValueError(f"{_quoted(text)} has no unit: write {text.strip()}s or {text.strip()}ms")
    if value > _LONGEST:
        raise ValueError(f"{_quoted(text)} is absurd: at most {_LONGEST:g} s")
    return value


def rate(text: str) -> float:
    """Bytes a second: `350GB/s`, `750MB/s`, `200Gbit/s`. ValueError says what is wrong."""
    value = _number(text, Kind.RATE, "a rate: write 350GB/s, 750MB/s or 200Gbit/s")
    if not _LEAST_RATE <= value <= _LARGEST_RATE:
        raise ValueError(f"{_quoted(text)} is absurd: write 350GB/s, 750MB/s or 200Gbit/s")
    return value


def ratio(text: str) -> float:
    """A plain number from 0 up. ValueError says what is wrong."""
    value = _plain(text)
    if value < 0:
        raise ValueError(f"{_quoted(text)} is negative")
    if value > _LARGEST_RATIO:
        raise ValueError(f"{_quoted(text)} is absurd: at most {_LARGEST_RATIO:g}")
    return value


def uncertainty(text: str) -> float:
    """A relative error, from 0 to 10: an order of magnitude. ValueError says what is wrong."""
    value = _plain(text)
    if not 0 <= value <= _LARGEST_UNCERTAINTY:
        raise ValueError(
            f"{_quoted(text)} is not between 0 and {_LARGEST_UNCERTAINTY:g} (0.2 is a fifth)"
        )
    return value


def accuracy(text: str) -> float:
    """A relative error, from 0.0001 to 1. ValueError says what is wrong."""
    value = _plain(text)
    if not 1e-4 <= value <= 1:
        raise ValueError(f"{_quoted(text)} is not between 0.0001 and 1 (0.02 is two per cent)")
    return value


def count(text: str) -> int:
    """A whole number from 1 to 1000. ValueError says what is wrong."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:5]) <= 1000):
        raise ValueError(f"{_quoted(text)} is not a whole number from 1 to 1000")
    return int(text[:5])


def counts(text: str) -> list[int]:
    """Whole numbers from 1 to 1000: `1:64`, doubling, or `1,2,5`. ValueError says what is wrong."""
    return _several(text, count)


def lengths(text: str) -> tuple[int, int, int]:
    """Elements along axes: `256x256x128`, or `256` for a cube. ValueError says what is wrong."""
    words = text.split("x")
    if len(words) not in (1, 3) or not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError(f"{_quoted(text)} is no size of an array: write 256x256x128")
    if not all(len(word) <= 10 and 1 <= int(word) < 1 << 31 for word in words):
        raise ValueError(f"{_quoted(text)}: an axis has 1 to {(1 << 31) - 1} elements")
    n0, n1, n2 = map(int, words if len(words) == 3 else words * 3)
    return n0, n1, n2


def ranks(text: str) -> int:
    """A number of processes, from 1 to 2^26. ValueError says what is wrong."""
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= 1 << 26):
        raise ValueError(f"{_quoted(text)} is not a whole number from 1 to {1 << 26}")
    return int(text)


def rank(text: str) -> int:
    """The number of a process, from 0 to 2^26 - 1. ValueError says what is wrong."""
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text) < 1 << 26):
        raise ValueError(f"{_quoted(text)} is not a whole number from 0 to {(1 << 26) - 1}")
    return int(text)


def rank_counts(text: str) -> list[int]:
    """Numbers of processes: `2:256`, doubling, or `2,12,96`. ValueError says what is wrong."""
    return _several(text, ranks)


def sizes(text: str) -> list[int]:
    """Sizes in bytes: `1:1MB`, doubling, or `8,64KB`. ValueError says what is wrong."""
    return _several(text, size)


def numbers(text: str) -> list[int]:
    """Whole numbers from 0 to 1,000,000 with commas between them. ValueError says what is wrong."""
    words = text.split(",")
    if not all(word.isascii() and word.isdigit() and int(word[:8]) <= 1_000_000 for word in words):
        raise ValueError(f"{_quoted(text)}: write whole numbers and commas, e.g. 2,4,8")
    return [int(word[:8]) for word in words]


def show_size(size: float) -> str:
    """Bytes in three digits or so: `360 B`, `1.1 KB`, `8 MB`."""
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if size < 1023.5 or unit == "TB":
            return f"{_short(size)} {unit}"
        size /= 1024
    raise AssertionError


def show_seconds(time: float) -> str:
    """Seconds in three digits or so, in the unit that suits: `3.5 us`, `12 ms`."""
    if time == 0:
        return "0 s"
    for unit, worth in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if abs(time) >= 0.9995 * worth:
            return f"{_short(time / worth)} {unit}"
    return f"{_short(time / 1e-9)} ns"


def show_rate(rate: float) -> str:
    """Bytes a second in MB/s of 1e6 bytes: `750 MB/s`."""
    megabytes = rate / 1e6
    return f"{megabytes:.4g} MB/s" if megabytes < 9999.5 else f"{megabytes:.0f} MB/s"


def show_share(share: float, digits: int = 0) -> str:
    """A share of one in per cent: `97 %`; in exponential notation from 10,000 % on."""
    percent = 100 * share
    if abs(percent) >= 1e4:
        return f"{percent:.0e} %"
    return f"{round(percent, digits) + 0.0:.{digits}f} %"


def printable(text: str) -> str:
    """Text from a file, with a question mark for each character that would steer a terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _several(text: str, read: Callable[[str], int]) -> list[int]:
    """A list with commas; `lo:hi` stands for lo, 2 lo, 4 lo and so on, up to hi."""
    found: list[int] = []
    for word in text.split(","):
        low, colon, high = word.partition(":")
        value, last = read(low), read(high if colon else low)
        if value > last:
            raise ValueError(f"{_quoted(word)}: write the smaller one first")
        while value <= last:
            found.append(value)
            value *= 2
    return found


def _short(value: float) -> str:
    """Three significant digits, or all digits before the point; no trailing zeros after it."""
    if abs(value) >= 99.95:
        return f"{value:.0f}"
    text = f"{value:.3g}"
    return text if "e" not in text else f"{value:.3f}"


def _has_unit(number: str) -> bool:
    return number.rstrip()[-1:].isalpha()


def _quoted(text: str) -> str:
    return f'"{text}"' if len(text) <= 40 else f'"{text[:37]}..."'


def _number(text: str, kind: Kind, meant: str) -> float:
    if not text.strip():
        raise ValueError(f"empty; it is {meant}")
    value = quantity(text, kind)
    if value is None or math.isnan(value):
        raise ValueError(f"{_quoted(text)} is not {meant}")
    if value < 0:
        raise ValueError(f"{_quoted(text)} is negative")
    return value


def _plain(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(
            f"{_quoted(text)} is not a number" if text.strip() else "empty; it is a number"
        )
    return value
