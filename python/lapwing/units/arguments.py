"""Sizes and times as functions of the package take them: numbers, or text with a unit."""

import operator
from typing import SupportsIndex

from . import message, seconds

Size = SupportsIndex | str
Time = float | str


def in_bytes(value: Size) -> int:
    """Bytes: a whole number, or text such as "8", "64KB", "1.7MB"; KB is 1024 bytes.

    Raises ValueError for other text, and TypeError for a number that is not whole.
    """
    return message(value) if isinstance(value, str) else operator.index(value)


def in_seconds(value: Time) -> float:
    """Seconds: a number, or text such as "12ms". Raises ValueError for other text."""
    return seconds(value) if isinstance(value, str) else float(value)
