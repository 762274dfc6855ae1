"""Recordings of programs, read and written."""

import json
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from .._core import Recording
from ..errors import LapwingError

# The file's beginning, as src/lapwing/record/recording.hpp describes it.
_MAGIC, _VERSION = b"LWTRACE\n", 1
_PIECE = 1 << 20  # bytes that are copied at once


def write_recording(
    file: BinaryIO, description: dict[str, Any], parts: Iterable[tuple[Path, int]]
) -> None:
    """Write a recording, piece by piece; each rank's part of it is removed meanwhile.

    parts: for each rank the file of its records, and how many of its bytes count; where that is
    0 there need be no file.
    """
    ranks = list(parts)
    text = json.dumps(description, ensure_ascii=False).encode()
    file.write(_MAGIC + struct.pack("<IIQQ", _VERSION, 0, len(ranks), len(text)) + text)
    for path, size in ranks:
        file.write(struct.pack("<Q", size))
        if size == 0:
            continue
        with open(path, "rb") as records:
            for start in range(0, size, _PIECE):
                file.write(records.read(min(_PIECE, size - start)))
        path.unlink()


def is_recording(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins like a recording."""
    try:
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


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


def numbers_of_sites(description: dict[str, Any], ranks: int) -> tuple[int, list[list[int]]]:
    """How many call sites there are; of each rank, which each number in its records is.

    Both are empty where the description does not tell, or not sensibly.
    """
    sites, of_ranks = description.get("sites"), description.get("sites_of_ranks")
    if not isinstance(sites, list) or not isinstance(of_ranks, list) or len(of_ranks) != ranks:
        return 0, []
    known = all(
        isinstance(of_rank, list)
        and all(type(site) is int and 0 <= site < len(sites) for site in of_rank)
        for of_rank in of_ranks
    )
    return (len(sites), of_ranks) if known else (0, [])
