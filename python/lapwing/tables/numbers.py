"""Numbers in the cells of tables, mostly without the unit, which is in the heading."""

from ..units import show_rate, show_seconds, show_share, show_size


def microseconds(value: float) -> str:
    """Seconds as microseconds, in three digits or so."""
    return f"{value * 1e6:.3g}" if value < 1e-3 else f"{value * 1e6:.0f}"


def megabytes(value: float) -> str:
    """Bytes per second as a number of MB/s."""
    return show_rate(value).removesuffix(" MB/s")


def per_byte(value: float) -> str:
    """Seconds per byte with the bandwidth: `1.333 ns/B (750 MB/s)`."""
    return f"{value * 1e9:.4g} ns/B" + (f" ({1e-6 / value:.4g} MB/s)" if value else "")


def inverse(value: float) -> str:
    """Seconds per byte as a number of MB/s."""
    return megabytes(1 / value) if value else "-"


def with_unit(value: float | str | None, unit: str) -> str:
    """A value of a profile in the unit that the schema names: `3.5 us`, `750 MB/s`, `64 KB`."""
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    if unit == "s":
        return show_seconds(value)
    if unit == "s/B":
        return f"{value * 1e9:.4g} ns/B"
    if unit == "B/s":
        return show_rate(value)
    if unit == "B":
        return show_size(value)
    return show_share(value, 1) if unit == "ratio" else f"{value:.6g}"
