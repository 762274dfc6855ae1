"""Recordings of programs, read."""

import json
import os
from typing import Any

from .._core import Recording
from ..errors import LapwingError


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """The recording in a file. Raises LapwingError if it is none."""
    try:
        return Recording(os.fspath(path))
    except ValueError as error:
        raise LapwingError(str(error)) from None


def description_of(recording: Recording) -> dict[str, Any]:
    """What a recording says of its run. Raises LapwingError if it says nothing."""
    try:
        found = json.loads(recording.description)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("lapwing") != "recording":
        raise LapwingError(f"{recording.path}: its description is not what `lapwing record` writes")
    return found


def sites_of(description: dict[str, Any], rank: int) -> list[dict[str, Any]]:
    """The call sites of a rank, by the numbers of its records; empty where they are not told."""
    try:
        return [description["sites"][site] for site in description["sites_of_ranks"][rank]]
    except (LookupError, TypeError):
        return []
