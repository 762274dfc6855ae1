"""Files that may be packed by gzip."""

import gzip
import zlib
from pathlib import Path
from typing import Any

_PACKED = b"\x1f\x8b"
# What reading raises where a packed file is cut off, or is none.
BAD_PACKING = (EOFError, gzip.BadGzipFile, zlib.error)


def open_packed(file: Path) -> Any:
    """Open a file for reading, and unpack it on the way."""
    with open(file, "rb") as content:
        packed = content.read(2) == _PACKED
    return gzip.open(file) if packed else open(file, "rb")


def beginning(file: Path, size: int) -> bytes:
    """The first bytes of a file, unpacked, as far as they are there; none if it is no gzip file."""
    with open(file, "rb") as content:
        text = content.read(size)
    if not text.startswith(_PACKED):
        return text
    try:
        return zlib.decompressobj(wbits=31).decompress(text, size)
    except zlib.error:
        return b""
