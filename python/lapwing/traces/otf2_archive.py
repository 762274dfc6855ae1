"""Archives of OTF2, read with its own library. No other module knows that library."""

import contextlib
import ctypes
import importlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import LapwingError

_AT_ONCE = 1000  # events that are read at once

# What is read, as OTF2 calls it, and as its functions do. Enter and Leave are also called for
# events that know the way to a region.
_EVENTS = (
    "Enter",
    "Leave",
    "MpiSend",
    "MpiIsend",
    "MpiIsendComplete",
    "MpiIrecvRequest",
    "MpiRecv",
    "MpiIrecv",
    "MpiRequestTest",
    "MpiRequestCancelled",
    "MpiCollectiveBegin",
    "MpiCollectiveEnd",
    "NonBlockingCollectiveRequest",
    "NonBlockingCollectiveComplete",
    "MpiProbe",
    "MpiMrecv",
    "MpiImrecvRequest",
    "MpiImrecv",
)


@dataclass(frozen=True)
class Region:
    """A region of the program. mpi: it is a routine of MPI."""

    name: str
    mpi: bool
    file: str | None
    line: int | None


@dataclass(frozen=True)
class Communicator:
    """Ranks of the program. members: None if each rank is alone; `remote`: the other group."""

    context: int
    members: tuple[int, ...] | None
    remote: tuple[int, ...] | None


@dataclass(frozen=True)
class Event:
    """An event of a rank. time: nanoseconds since the begin of the trace."""

    name: str
    time: int
    values: tuple[Any, ...]


def is_archive(path: Path) -> bool:
    """Whether a file is the anchor of an archive."""
    with open(path, "rb") as file:
        return file.read(16)[2:6] == b"OTF2"


class Archive:
    """An archive, open for reading until `close`. ranks: how many there are."""

    def __init__(self, path: Path) -> None:
        """Read its definitions. Raises LapwingError if that is not possible."""
        try:
            import _otf2
            import otf2
        except ImportError:
            raise LapwingError(
                f'{path}: reading OTF2 needs its library: pip install "lapwing[otf2]"'
            ) from None
        self.path, self._library = path, _otf2
        _silence(True)
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                self._reader = otf2.reader.Reader(str(path))
        except Exception as error:  # whatever its callbacks made of what they read
            raise LapwingError(f"{path}: OTF2 cannot read its definitions: {error}") from None
        self._open = False
        try:
            self._read_definitions(otf2)
        except LapwingError:
            self.close()
            raise
        except Exception as error:  # names what is not defined, or defined otherwise
            self.close()
            raise LapwingError(f"{path}: its definitions do not fit: {error!r}") from None

    def _read_definitions(self, otf2: Any) -> None:
        definitions = self._reader.definitions
        self._resolution = int(self._reader.timer_resolution)
        if self._resolution < 1:
            raise LapwingError(f"{self.path}: its clock has {self._resolution} ticks a second")
        self._offset = int(definitions.clock_properties.global_offset)
        mpi, kinds = otf2.Paradigm.MPI, otf2.GroupType
        groups = [each for each in definitions.groups if each.paradigm == mpi]
        ranks = [each for each in groups if each.group_type == kinds.COMM_LOCATIONS]
        if len(ranks) != 1:
            what = "no ranks" if not ranks else f"{len(ranks)} worlds of ranks"
            raise LapwingError(f"{self.path}: holds {what} of MPI")
        self._locations = list(ranks[0].members)
        self.ranks = len(self._locations)
        self.others = len(definitions.locations) - self.ranks
        numbers = {each._ref: rank for rank, each in enumerate(self._locations)}

        def members(group: Any) -> tuple[int, ...]:
            return tuple(numbers[each._ref] for each in group.members)

        world: tuple[int, ...] | None = tuple(range(self.ranks))
        self.communicators: dict[int, Communicator] = {}
        for each in definitions.comms:
            context, ours, remote = each._ref + 1, None, None
            if hasattr(each, "groupA"):
                ours, remote = members(each.groupA), members(each.groupB)
            elif each.group.paradigm != mpi:
                continue  # such as all threads
            elif each.group.group_type != kinds.COMM_SELF:
                ours = members(each.group)
                if ours == world:
                    context, world = 0, None
            self.communicators[each._ref] = Communicator(context, ours, remote)
        operations = otf2.CollectiveOp
        self._operations = {
            getattr(operations, name).value: name.lower()
            for name in dir(operations)
            if name.isupper()
        }
        self.regions = {
            each._ref: Region(
                each.name,
                each.paradigm == mpi or each.name.upper().startswith("MPI_"),
                each.source_file or None,
                each.begin_line_number or None,
            )
            for each in definitions.regions
        }

    def close(self) -> None:
        """Close all files."""
        with contextlib.suppress(self._library.Error):
            self._reader.close()
        _silence(False)

    def operation(self, number: int) -> str:
        """The name of a collective, in small letters; empty if it is not known."""
        return self._operations.get(number, "")

    def expected(self, rank: int) -> int:
        """How many events the definitions say a rank has, of all kinds."""
        return int(self._locations[rank].number_of_events)

    def events(self, rank: int) -> Iterator[Event]:
        """The events of a rank that matter. Raises LapwingError where they cannot be read."""
        library, handle = self._library, self._reader.handle
        if not self._open:
            self._select()
        read: list[Event] = []
        # They have to outlive the reader.
        functions = [self._appending(name, read) for name in _EVENTS]
        try:
            reader = library.Reader_GetEvtReader(handle, self._locations[rank]._ref)
            callbacks = library.EvtReaderCallbacks_New()
            for name, function in zip(_EVENTS, functions, strict=True):
                getattr(library, f"EvtReaderCallbacks_Set{name}Callback")(callbacks, function)
            library.Reader_RegisterEvtCallbacks(handle, reader, callbacks, None)
            library.EvtReaderCallbacks_Delete(callbacks)
        except library.Error:
            raise LapwingError(f"{self.path}: rank {rank}: its events are not there") from None
        count, found = 0, _AT_ONCE
        while found == _AT_ONCE:
            try:
                found = library.Reader_ReadLocalEvents(handle, reader, _AT_ONCE)
            except library.Error:
                found = -1
            yield from read
            read.clear()
            count += max(found, 0)
        if found < 0 or count < self.expected(rank):
            raise LapwingError(
                f"{self.path}: rank {rank}: its events cannot be read to their end, "
                f"{self.expected(rank)} as its definitions say"
            )
        library.Reader_CloseEvtReader(handle, reader)

    def _appending(self, name: str, read: list[Event]) -> Callable[..., None]:
        """What the library calls with an event: it appends it to `read`."""

        def append(
            _location: int, time: int, _position: int, _: Any, __: Any, *values: Any
        ) -> None:
            nanoseconds = (time - self._offset) * 10**9 // self._resolution
            plain = tuple(getattr(value, "value", value) for value in values)
            read.append(Event(name, nanoseconds, plain))

        return append

    def _select(self) -> None:
        """Open the files of all ranks, and read what is defined for each alone."""
        library, handle = self._library, self._reader.handle
        self._open = True
        for location in self._locations:
            library.Reader_SelectLocation(handle, location._ref)
        with contextlib.suppress(library.Error):
            library.Reader_OpenDefFiles(handle)
            for location in self._locations:
                reader = library.Reader_GetDefReader(handle, location._ref)
                if reader:
                    library.Reader_ReadAllLocalDefinitions(handle, reader)
                    library.Reader_CloseDefReader(handle, reader)
            library.Reader_CloseDefFiles(handle)
        library.Reader_OpenEvtFiles(handle)


# What the library calls with an error: code it returns, then file, line, function, error, message.
_Listener = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.c_uint64,
    ctypes.c_char_p,
    ctypes.c_int,
    ctypes.c_char_p,
    ctypes.c_void_p,
)


def _say_nothing(*said: Any) -> int:
    """Whoever called the library says in one line what went wrong."""
    code: int = said[4]
    return code


_silent = _Listener(_say_nothing)


def _silence(silent: bool) -> None:
    """Let the library write to standard error what went wrong, or keep it from that."""
    register = importlib.import_module("_otf2.Config").conf.lib.OTF2_Error_RegisterCallback
    register.argtypes = [_Listener, ctypes.c_void_p]
    register.restype = ctypes.c_void_p
    register(_silent if silent else _Listener(), None)
