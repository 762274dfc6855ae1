"""Files of DUMPI (SST): the calls of a rank, one after the other, as they are stored."""

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from ..errors import LapwingError
from .dumpi_calls import BEFORE_0_6_9, CALLS, END

_MAGIC = b"\xff\xaa\xddDUMPI"
_INDEX = 8  # numbers of eight bytes at the end of the file; the oldest traces have fewer
_STATUSES, _CPU, _WALL, _THREAD, _COUNTERS = 3, 1 << 2, 1 << 3, 1 << 6, 1 << 7
_SECOND = 10**9  # nanoseconds

_NUMBERS = {kind: struct.Struct(f">{code}") for kind, code in zip("bhiq", "BHiq", strict=True)}
_TIME = struct.Struct(">HIHI")


@dataclass(slots=True)
class Status:
    """What a call says of a message that came. source: rank in the communicator."""

    size: int
    source: int
    tag: int


@dataclass(slots=True)
class Call:
    """A call. Times are nanoseconds; None if none are stored. values: those that have a name."""

    number: int
    name: str
    begin: int | None
    end: int | None
    values: dict[str, Any]


class Malformed(Exception):
    """What is wrong with a file."""


def is_trace(file: Path) -> bool:
    """Whether a file is one of a rank."""
    with open(file, "rb") as content:
        return content.read(len(_MAGIC)) == _MAGIC


class DumpiFile:
    """A file of a rank, mapped into memory until `close`."""

    def __init__(self, path: Path) -> None:
        """Read where everything is. Raises LapwingError if that is not said."""
        self.path = path
        self.number = 0  # of the call that is being read
        with open(path, "rb") as file:
            try:
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError:
                raise LapwingError(f"{path}: is empty") from None
        try:
            self._read_index()
        except Malformed as error:
            self.close()
            raise LapwingError(f"{path}: {error}") from None

    def close(self) -> None:
        """Give it back."""
        self._bytes.close()

    def _read_index(self) -> None:
        size = len(self._bytes)
        last = [self._bytes[at : at + 8] for at in range(size - 8 * _INDEX, size, 8)]
        if (
            size < 8 * _INDEX
            or self._bytes[:8] != _MAGIC
            or _MAGIC not in last
            or last.index(_MAGIC) > 3
        ):
            raise Malformed("has no index at its end: it is cut off, or of no DUMPI")
        places = [int.from_bytes(each, "big") for each in last[last.index(_MAGIC) + 1 :]]
        header, self._body = places[-4], places[-3]
        sizes = places[0] if len(places) == _INDEX - 1 else 0
        if max(header, self._body, sizes) >= size or min(header, self._body) < 8:
            raise Malformed("its index points behind its end")
        self._at = header
        self.version = tuple(self._take("b") for _ in range(3))
        self.sizes: list[int] = []
        if sizes:
            self._at = sizes
            self.sizes = self._take("I")

    def calls(self) -> Iterator[Call]:
        """The calls. Raises Malformed; `number` says at which."""
        self._at = self._body
        self.number = 0
        self._take("i")
        bias = self._take("i")
        while True:
            kind = self._take("h")
            if kind == END:
                return
            self.number += 1
            if kind > END or CALLS[kind][1] is None:
                name = CALLS[kind][0] if kind < END else f"number {kind}"
                raise Malformed(f"is of a kind that is not known, {name}")
            yield self._call(kind, bias)

    def _call(self, kind: int, bias: int) -> Call:
        mask = self._take("b")
        if mask & _THREAD:
            self._take("h")
        if mask & _CPU:
            self._skip(_TIME.size)
        begin = end = None
        if mask & _WALL:
            before, start, after, stop = self._unpack(_TIME)
            begin = (before + bias) * _SECOND + start
            end = (after + bias) * _SECOND + stop
        if mask & _COUNTERS:
            self._skip(16 * self._take("b"))
        name, fields = CALLS[kind]
        if self.version < (0, 6, 9):
            fields = BEFORE_0_6_9.get(name, fields)
        values: dict[str, Any] = {}
        for field, called, at_root in fields or ():
            if at_root and values["me"] != values["root"]:
                continue
            if field == "C" and name == "Init" and self.version < (0, 6, 2):
                self._skip(4)  # which wrote the count twice
            value = self._statuses(mask) if field == "s" else self._take(field)
            if called:
                values[called] = value
        return Call(self.number, name, begin, end, values)

    def _statuses(self, mask: int) -> list[Status]:
        if not mask & _STATUSES:
            return []
        found = []
        with_tag = self.version >= (0, 6, 3)
        for _ in range(self._count(10)):
            size, source = self._take("i"), self._take("i")
            self._skip(2)
            found.append(Status(size, source, self._take("i") if with_tag else -1))
        return found

    def _take(self, kind: str) -> Any:
        """Read a field of one of the kinds of `dumpi_calls`."""
        if kind in _NUMBERS:
            return self._unpack(_NUMBERS[kind])[0]
        if kind == "c":
            return self._text(self._count(1))
        if kind == "C":
            return [self._text(self._count(1)) for _ in range(self._count(4))]
        if kind == "J":
            return [self._take("I") for _ in range(self._count(4))]
        number = _NUMBERS[kind.lower()]
        count = self._count(number.size)
        return list(self._unpack(struct.Struct(f">{count}{number.format[1:]}")))

    def _count(self, size: int) -> int:
        """A count of items of at least so many bytes."""
        count: int = self._take("i")
        if count < 0 or count * size > len(self._bytes) - self._at:
            self._fail(f"says that it has {count} items, more than are left")
        return count

    def _text(self, length: int) -> str:
        begin = self._at
        self._skip(length)
        return self._bytes[begin : self._at].decode(errors="replace")

    def _unpack(self, form: struct.Struct) -> tuple[Any, ...]:
        begin = self._at
        self._skip(form.size)
        return form.unpack_from(self._bytes, begin)

    def _skip(self, size: int) -> None:
        if size > len(self._bytes) - self._at:
            self._fail("is cut off")
        self._at += size

    def _fail(self, what: str) -> NoReturn:
        raise Malformed(what)
