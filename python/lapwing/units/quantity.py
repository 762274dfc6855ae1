"""Numbers with a unit: "5us", "750MB/s", "64KB"."""

import re
from enum import Enum


class Kind(Enum):
    """What a number counts: seconds, units per second, or bytes."""

    TIME = "time"
    RATE = "rate"
    SIZE = "size"


# Network rates are decimal, as vendors print them (1 MB/s is 1e6 bytes/s, 1 Gbit/s 1.25e8);
# sizes are binary, as message-passing benchmarks print them (1 KB is 1024 bytes).
_UNITS: dict[Kind, dict[str, float]] = {
    Kind.TIME: {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "ps": 1e-12},
    Kind.RATE: {
        "": 1.0,
        "B/s": 1.0,
        "kB/s": 1e3,
        "KB/s": 1e3,
        "MB/s": 1e6,
        "GB/s": 1e9,
        "TB/s": 1e12,
        "kbit/s": 1e3 / 8,
        "Mbit/s": 1e6 / 8,
        "Gbit/s": 1e9 / 8,
        "Tbit/s": 1e12 / 8,
    },
    Kind.SIZE: {
        "": 1.0,
        "B": 1.0,
        "KB": 1024.0,
        "KiB": 1024.0,
        "MB": 1024.0**2,
        "MiB": 1024.0**2,
        "GB": 1024.0**3,
        "GiB": 1024.0**3,
    },
}

UNITS_HELP: dict[Kind, str] = {
    Kind.TIME: 'time; write "5us", "0.12 us", "1ms", or a plain number of seconds',
    Kind.RATE: 'rate; write "750MB/s" (1 MB/s is 1e6 bytes/s), "200Gbit/s", or a plain number',
    Kind.SIZE: 'size; write "8KB" (1 KB is 1024 bytes), or a plain number of bytes',
}

_NUMBER = re.compile(r"([+-]?[0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][+-]?[0-9]{1,3})?) ?([^\d\s.+-]*)")


def quantity(value: object, kind: Kind) -> float | None:
    """A plain number, or text with a unit, in seconds, units per second or bytes.

    None if `value` is neither. The result may be negative, infinite or nan: callers check.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            return float("inf")
    if not isinstance(value, str):
        return None
    match = _NUMBER.fullmatch(value.strip())
    unit = _UNITS[kind].get(match[2]) if match else None
    if match is None or unit is None:
        return None
    # Division gives the float that is nearest to 5e-6 for 5us; multiplication may not.
    return float(match[1]) / (1.0 / unit) if unit < 1.0 else float(match[1]) * unit
