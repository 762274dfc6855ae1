"""Measurements and settings in words."""

from typing import Any

from ..units import show_share, show_size
from .row import USES, Row


def shares(row: Row) -> str:
    """The share of a row that each way hides."""
    alone, polled, two = (show_share(row[use]["hidden"]) for use in USES)
    return (
        f"{show_size(row['size'])}: {alone} is hidden with nothing called, {polled} polled, "
        f"{two} with two in flight."
    )


def sizes(rows: list[Row]) -> str:
    """The message sizes of rows, each once."""
    return ", ".join(map(show_size, sorted({row["size"] for row in rows})))


def shell(setting: dict[str, Any]) -> str:
    """Environment variables in the syntax of a shell."""
    return " ".join(f"{name}={value}" for name, value in setting.items())
