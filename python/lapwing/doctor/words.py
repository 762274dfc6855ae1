"""Measurements and settings as findings say them."""

from typing import Any

from ..units import show_share, show_size
from .row import USES, Row


def shares(row: Row) -> str:
    """What of a row is hidden in each way."""
    alone, polled, two = (show_share(row[use]["hidden"]) for use in USES)
    return (
        f"{show_size(row['size'])}: {alone} is hidden with nothing called, {polled} polled, "
        f"{two} with two in flight."
    )


def times(row: Row) -> str:
    """How long both ways at once take."""
    return f"both ways at once take {row['slowdown']:.2f} times as long as one"


def sizes(rows: list[Row]) -> str:
    """Of their messages, each once."""
    return ", ".join(map(show_size, sorted({row["size"] for row in rows})))


def rate(bytes_per_second: float) -> str:
    """In megabytes, as interfaces are compared."""
    return f"{bytes_per_second / 1e6:.4g} MB/s"


def shell(setting: dict[str, Any]) -> str:
    """Variables as one sets them before a command."""
    return " ".join(f"{name}={value}" for name, value in setting.items())
