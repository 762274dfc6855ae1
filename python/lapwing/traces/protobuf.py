"""Messages in the wire format of Protocol Buffers, as far as traces need it."""

from collections.abc import Iterator
from typing import BinaryIO

_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5
MOST_BYTES = 1 << 30  # of a message

Value = int | bytes


class Malformed(Exception):
    """Bytes that are no message: what is wrong with them."""


def messages(file: BinaryIO) -> Iterator[bytes]:
    """The messages of a file that has the length of each before it. Raises Malformed."""
    while first := file.read(1):
        length = _length(file, first[0])
        if length > MOST_BYTES:
            raise Malformed(f"a message of {length} bytes is longer than any")
        message = file.read(length)
        if len(message) < length:
            raise Malformed(f"it is cut off: {len(message)} of {length} bytes are there")
        yield message


def fields(message: bytes) -> Iterator[tuple[int, Value]]:
    """The fields of a message: number, and a number or bytes. Raises Malformed."""
    position = 0
    while position < len(message):
        tag, position = number(message, position)
        field, kind = tag >> 3, tag & 7
        if kind == _VARINT:
            value, position = number(message, position)
            yield field, value
            continue
        if kind == _BYTES:
            size, position = number(message, position)
        elif kind in (_EIGHT, _FOUR):
            size = 8 if kind == _EIGHT else 4
        else:
            raise Malformed(f"field {field} is of an unknown kind, {kind}")
        if size > len(message) - position:
            raise Malformed(f"field {field} is longer than its message")
        yield field, message[position : position + size]
        position += size


def numbers(value: Value) -> list[int]:
    """The numbers of a repeated field, packed or one of them."""
    if isinstance(value, int):
        return [value]
    found, position = [], 0
    while position < len(value):
        each, position = number(value, position)
        found.append(each)
    return found


def number(message: bytes, position: int) -> tuple[int, int]:
    """The number at a position, and the position behind it. Raises Malformed."""
    value = 0
    for shift in range(0, 70, 7):
        if position >= len(message):
            raise Malformed("a number is cut off")
        byte = message[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, position
    raise Malformed("a number is longer than 64 bits")


def _length(file: BinaryIO, byte: int) -> int:
    text = bytes([byte])
    while text[-1] >= 0x80 and len(text) < 10:
        more = file.read(1)
        if not more:
            break
        text += more
    return number(text, 0)[0]
