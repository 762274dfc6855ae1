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


def sizes(rows: list[Row]) -> str:
    """Of their messages, each once."""
    return ", ".join(map(show_size, sorted({row["size"] for row in rows})))


def shell(setting: dict[str, Any]) -> str:
    """Variables as one sets them before a command."""
    return " ".join(f"{name}={value}" for name, value in setting.items())
