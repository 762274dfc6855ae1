"""A recording in the making: what all readers of traces write into."""

import heapq
import socket
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from .._core import encode_record
from ..errors import LapwingError
from ..prediction.recordings import write_recording
from .matching import Matching

_Record = dict[str, Any]
_PIECE = 1 << 16  # bytes that are written at once


class Program:
    """The recording of a trace: a part for each rank in a directory, and what all ranks share.

    trace: its name, for errors. kind: its format. ranks: how many there are. event: what a trace
    of this format calls one of its entries.
    """

    def __init__(
        self, directory: Path, trace: str, kind: str, ranks: int, event: str = "event"
    ) -> None:
        if ranks < 1:
            raise LapwingError(f"{trace}: holds no ranks")
        self.trace, self.kind, self.ranks, self.event = trace, kind, ranks, event
        self.directory = directory
        self.matching = Matching()
        self.notes: list[str] = []
        self.seconds, self.calls, self.finished = 0.0, 0, True
        self._sites: dict[tuple[str, str | None, str | None, int | None], int] = {}
        self._sites_of_ranks: list[list[int]] = [[] for _ in range(ranks)]
        self._bytes = [0] * ranks
        self._when = datetime.now(UTC).isoformat(timespec="seconds")

    def part(self, rank: int) -> Path:
        """The file of a rank's records."""
        return self.directory / f"record.{rank}"

    def site(self, routine: str, function: str | None, file: str | None, line: int | None) -> int:
        """The number of a call site among those of all ranks."""
        return self._sites.setdefault((routine, function, file, line), len(self._sites))

    def rank_ended(self, records: "RankRecords") -> None:
        """Keep the facts of a rank after its last record."""
        self._bytes[records.rank] = records.bytes
        self._sites_of_ranks[records.rank] = list(records.sites)
        self.seconds = max(self.seconds, records.elapsed * 1e-9)
        self.calls += records.calls
        self.finished = self.finished and records.finished

    def check(self) -> None:
        """Raise LapwingError if the ranks do not fit together."""
        self.matching.check(self.trace)

    @property
    def description(self) -> dict[str, Any]:
        """What the recording says of the run."""
        return {
            "lapwing": "recording",
            "version": version("lapwing"),
            "when": self._when,
            "host": socket.gethostname(),
            "command": [],
            "converted": {"from": self.kind, "file": self.trace, "notes": self.notes},
            "exit_status": 0,
            "target": None,
            "mpi": None,
            "ranks": self.ranks,
            "finished": self.finished,
            "lost": 0,
            "time": {"seconds": self.seconds},
            "calls": self.calls,
            "bytes": sum(self._bytes),
            "sites": [
                {
                    "routine": routine,
                    "language": "C",
                    "function": function,
                    "file": file,
                    "line": line,
                    "module": "",
                    "offset": 0,
                }
                for routine, function, file, line in self._sites
            ],
            "sites_of_ranks": self._sites_of_ranks,
        }

    def write(self, file: BinaryIO) -> None:
        """Write the recording, once: the parts are removed meanwhile."""
        parts = ((self.part(rank), size) for rank, size in enumerate(self._bytes))
        write_recording(file, self.description, parts)


class RankRecords:
    """The records of one rank, written to its part as they come. Times are nanoseconds.

    `event` is the number of the entry that is being read, for errors; `file` is what they name.
    """

    def __init__(self, program: Program, rank: int, file: Path | None = None) -> None:
        self.program, self.rank, self.event = program, rank, 0
        self.file = str(file or program.trace)
        self.sites: dict[int, int] = {}
        self.bytes, self.calls, self.elapsed, self.finished = 0, 0, 0, False
        self._now = 0
        self._pending: deque[_Record] = deque()
        world = tuple(range(program.ranks))
        self._communicators = {(0, world): 0}
        self._contexts = [(0, program.matching.communicator(0, world))]
        self._requests: dict[int, int] = {}
        self._free: list[int] = []
        self._most_requests = 0
        self._part = open(program.part(rank), "wb", buffering=_PIECE)  # noqa: SIM115

    def __enter__(self) -> "RankRecords":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._end()
        finally:
            self._part.close()

    @property
    def where(self) -> str:
        """The entry that is being read, as an error names it."""
        return f"rank {self.rank}, {self.program.event} {self.event}"

    def fail(self, what: str) -> NoReturn:
        """Raise LapwingError about the entry that is being read."""
        raise LapwingError(f"{self.file}: {self.where}: {what}")

    def begin(self, time: int) -> None:
        """Let the rank begin at a time: what was before does not count."""
        self._now = time

    def call(self, begin: int, end: int, record: _Record) -> _Record:
        """Append a call. A `kind` that is None is filled in later: calls behind it wait for it."""
        if end < begin:
            self.fail(f"ends {begin - end} ns before it begins")
        if begin < self._now:
            self.fail(f"begins {self._now - begin} ns before the end of the call before it")
        record["computed"] = begin - self._now
        record["duration"] = end - begin
        self._now = end
        self.elapsed += record["computed"] + record["duration"]
        self.calls += 1
        record["where"] = self.event
        self._pending.append(record)
        self._flush()
        return record

    def finish(self, time: int) -> None:
        """Append the end of the rank's program."""
        computed = max(0, time - self._now)
        self.elapsed += computed
        self.finished = True
        self._pending.append({"kind": "finish", "computed": computed})

    def site(
        self,
        routine: str,
        function: str | None = None,
        file: str | None = None,
        line: int | None = None,
    ) -> int:
        """The rank's number of a call site."""
        number = self.program.site(routine, function, file, line)
        return self.sites.setdefault(number, len(self.sites))

    def communicator(self, context: int, members: Sequence[int]) -> int:
        """The rank's number of a communicator; context 0 is that of all ranks.

        members: ranks of the program. The first time, what it is becomes a record.
        """
        key = (context, tuple(members))
        if key in self._communicators:
            return self._communicators[key]
        if context == 0:
            self.fail("names a communicator of all ranks with other members")
        number = self._communicators[key] = len(self._contexts)
        self._contexts.append((context, self.program.matching.communicator(*key)))
        self._pending.append(
            {
                "kind": "communicator",
                "communicator": number,
                "context": context,
                "members": _runs(key[1]),
            }
        )
        return number

    def start(self, request: int) -> int:
        """The number of a request that the trace calls `request`."""
        if request in self._requests:
            self.fail(f"starts request {request}, which is not complete")
        if self._free:
            number = heapq.heappop(self._free)
        else:
            number, self._most_requests = self._most_requests, self._most_requests + 1
        self._requests[request] = number
        return number

    def is_open(self, request: int) -> bool:
        """Whether a request was started and is not complete."""
        return request in self._requests

    def complete(self, request: int) -> int:
        """The number of a request that is complete: it may be used again."""
        number = self._requests.pop(request, None)
        if number is None:
            self.fail(f"completes request {request}, which was not started")
        heapq.heappush(self._free, number)
        return number

    def settle(self) -> None:
        """Write what was only waiting for a record that is filled in now."""
        self._flush()

    def _end(self) -> None:
        for record in self._pending:
            if record["kind"] is None:
                record["kind"] = "other"
        self._flush()
        self.program.rank_ended(self)

    def _flush(self) -> None:
        while self._pending and self._pending[0]["kind"] is not None:
            record = self._pending.popleft()
            self._count(record)
            try:
                written = encode_record(record)
            except ValueError as error:
                self.fail(str(error))
            self.bytes += self._part.write(written)

    def _count(self, record: _Record) -> None:
        """Count what has to fit together with other ranks."""
        matching = self.program.matching
        if record["kind"] in ("communicator", "finish"):
            return
        event, self.event = self.event, record["where"]
        context, collectives = self._contexts[record.get("communicator", 0)]
        if record["kind"] in ("send", "start_send", "send_receive"):
            end = record["sent"]
            matching.sent(context, self.rank, end["peer"], end["tag"], self.where)
        if record["kind"] in ("receive", "start_receive", "send_receive"):
            end = record["received"]
            matching.received(context, end["peer"], self.rank, end["tag"], self.where)
        if record["kind"] in ("collective", "start_collective"):
            collectives.add(self.rank, record["collective"])
        self.event = event


def name_of(files: Sequence[Path]) -> str:
    """The name of a trace that has a file for each rank."""
    return str(files[0]) if len(files) == 1 else f"{files[0]} to {files[-1].name}"


def _runs(members: Sequence[int]) -> list[tuple[int, int, int]]:
    """Members as runs of equal distances: first, distance, count."""
    runs: list[tuple[int, int, int]] = []
    for rank in members:
        if runs:
            first, stride, count = runs[-1]
            if count == 1 or rank == first + stride * count:
                runs[-1] = (first, rank - first if count == 1 else stride, count + 1)
                continue
        runs.append((rank, 1, 1))
    return runs
