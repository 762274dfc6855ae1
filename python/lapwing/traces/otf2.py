"""Traces in OTF2, which Score-P and TAU write: one location is a rank, its events are in order."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..errors import LapwingError
from .otf2_archive import Archive, Event, Region
from .otf2_collectives import Amount, collective
from .program import Program, RankRecords

_Record = dict[str, Any]

_INIT = ("MPI_INIT", "MPI_INIT_THREAD")
# Routines that wait for other ranks without messages that a trace shows.
_WAITS = (
    "MPI_COMM_",
    "MPI_INTERCOMM_",
    "MPI_CART_",
    "MPI_GRAPH_",
    "MPI_DIST_GRAPH_",
    "MPI_PROBE",
    "MPI_IPROBE",
    "MPI_MPROBE",
    "MPI_IMPROBE",
    "MPI_WAIT",
)
# Of these only MPI's own memory is read.
_LOCAL = ("MPI_COMM_RANK", "MPI_COMM_SIZE", "MPI_COMM_GROUP", "MPI_CART_RANK", "MPI_CART_COORDS")


def read(files: Sequence[Path], directory: Path) -> Program:
    """Read an archive, rank by rank. files: its anchor. directory: for the parts of the ranks."""
    path = files[0]
    archive = Archive(path)
    try:
        program = Program(directory, str(path), "otf2", archive.ranks)
        if archive.others:
            program.notes.append(
                "locations that are no ranks of MPI, such as threads, are left out: "
                f"{archive.others}"
            )
        dropped = 0
        for rank in range(archive.ranks):
            with RankRecords(program, rank) as records:
                reader = _Rank(archive, records)
                for event in archive.events(rank):
                    records.event += 1
                    reader.take(event)
                reader.end()
                dropped += reader.dropped
        if dropped:
            program.notes.append(f"receives that never complete are left out: {dropped}")
        program.check()
        return program
    finally:
        archive.close()


class _Rank:
    """Reads the events of a rank into its records."""

    def __init__(self, archive: Archive, records: RankRecords) -> None:
        self.records, self.archive = records, archive
        self.dropped = 0
        self._time = 0
        self._finished = False
        self._user: list[Region] = []
        # The routine of MPI that the rank is in: its region, how deep, since when, what it did.
        self._routine: Region | None = None
        self._depth, self._since = 0, 0
        self._made: list[_Record] = []
        self._completed: list[int] = []
        self._in_vain = False
        self._open: dict[int, _Record] = {}  # by request, what is filled in when it completes
        self._probed: dict[int, tuple[int, int, int]] = {}
        self._numbers: dict[int, int] = {}  # of communicators
        self._take: dict[str, Callable[..., None]] = {
            "MpiSend": self._send,
            "MpiIsend": self._isend,
            "MpiIsendComplete": self._complete,
            "MpiIrecvRequest": self._irecv_request,
            "MpiRecv": self._recv,
            "MpiIrecv": self._irecv,
            "MpiRequestTest": self._test,
            "MpiRequestCancelled": self._cancelled,
            "MpiCollectiveEnd": self._collective,
            "NonBlockingCollectiveRequest": self._collective_request,
            "NonBlockingCollectiveComplete": self._collective_complete,
            "MpiProbe": self._probe,
            "MpiMrecv": self._mrecv,
            "MpiImrecvRequest": self._imrecv_request,
            "MpiImrecv": self._imrecv,
        }

    def take(self, event: Event) -> None:
        """Read an event."""
        if self.records.event == 1:
            self.records.begin(event.time)  # until MPI_Init returns, if the trace has it
        elif event.time < self._time:
            self.records.fail("is earlier than the event before it")
        self._time = event.time
        if self._finished:
            return
        if event.name == "Enter":
            self._enter(event.values[0])
        elif event.name == "Leave":
            self._leave(event.values[0])
        elif event.name == "MpiCollectiveBegin":
            if self._routine is None:
                self._since = event.time
        else:
            alone = self._routine is None
            if alone and event.name != "MpiCollectiveEnd":
                self._since = event.time
            self._take[event.name](*event.values)
            if alone:
                self._close(None)

    def end(self) -> None:
        """Write the rest after the last event."""
        if self._routine is not None:
            self.records.fail(f"the trace ends in {self._routine.name}")
        for record in self._open.values():
            if record["kind"] is None:
                if record["awaited"] == "start_collective":
                    self.records.fail("a non-blocking collective never completes")
                record["kind"] = "other"
                self.dropped += 1
        if not self._finished:
            self.records.finish(self._time)

    def _region(self, number: int) -> Region:
        if number not in self.archive.regions:
            self.records.fail(f"region {number} is not defined")
        return self.archive.regions[number]

    def _enter(self, number: int) -> None:
        region = self._region(number)
        if self._routine is not None:
            self._depth += 1
        elif not region.mpi:
            self._user.append(region)
        else:
            self._routine, self._depth, self._since = region, 1, self._time

    def _leave(self, number: int) -> None:
        region = self._region(number)
        if self._routine is not None:
            self._depth -= 1
            if self._depth == 0:
                routine, self._routine = self._routine, None
                self._close(routine)
        elif not self._user or self._user[-1] != region:
            self.records.fail(f"leaves {region.name}, which it is not in")
        else:
            self._user.pop()

    def _close(self, routine: Region | None) -> None:
        """Write the records of a call that ends now."""
        # TAU writes "MPI_Send()".
        name = routine.name.partition("(")[0].strip().upper() if routine else ""
        if name in _INIT:
            self.records.begin(self._time)
            return
        if name == "MPI_FINALIZE":
            self._finished = True
            self.records.finish(self._since)
            return
        made, self._made = self._made, []
        completed, self._completed = self._completed, []
        in_vain, self._in_vain = self._in_vain, False
        if sorted(str(each["kind"]) for each in made) == ["receive", "send"]:
            made = [made[0] | made[1] | {"kind": "send_receive"}]
        if name == "MPI_REQUEST_FREE":
            made += [{"kind": "forget", "request": request} for request in completed]
        elif completed:
            made.append({"kind": "wait", "requests": completed})
        if not made:
            waits = name.startswith(_WAITS) and not name.startswith(_LOCAL)
            if not in_vain and not waits:
                return  # it counts as computation
            made = [{"kind": "other"}]
        site = self._site(routine)
        begin = self._since
        for record in made:
            record["site"] = site
            self.records.call(begin, self._time, record)
            begin = self._time

    def _site(self, routine: Region | None) -> int:
        """The number of where the rank is: the routine, and the region of the user it is in."""
        around = self._user[-1] if self._user else None
        name = routine.name if routine else "MPI"
        if around is None:
            return self.records.site(name)
        return self.records.site(name, around.name, around.file, around.line)

    def _communicator(self, number: int) -> int:
        """The records' number of a communicator."""
        if number not in self._numbers:
            if number not in self.archive.communicators:
                self.records.fail(f"communicator {number} is not defined")
            found = self.archive.communicators[number]
            members = (self.records.rank,) if found.members is None else found.members
            if self.records.rank not in (*members, *(found.remote or ())):
                self.records.fail(f"is not in communicator {number}, which it uses")
            self._numbers[number] = self.records.communicator(
                found.context, members + (found.remote or ())
            )
        return self._numbers[number]

    def _end(self, communicator: int, peer: int, tag: int, size: int) -> dict[str, int]:
        """One end of a message. peer: as the communicator numbers it."""
        self._communicator(communicator)
        found = self.archive.communicators[communicator]
        ranks = found.members or (self.records.rank,)
        if found.remote is not None and self.records.rank in ranks:
            ranks = found.remote
        if peer >= len(ranks):
            self.records.fail(f"there is no rank {peer} among the {len(ranks)} of its communicator")
        return {"peer": ranks[peer], "tag": tag, "bytes": size}

    def _send(self, receiver: int, communicator: int, tag: int, size: int) -> None:
        self._made.append(
            {
                "kind": "send",
                "communicator": self._communicator(communicator),
                "sent": self._end(communicator, receiver, tag, size),
            }
        )

    def _isend(self, receiver: int, communicator: int, tag: int, size: int, request: int) -> None:
        self._send(receiver, communicator, tag, size)
        self._made[-1] |= {"kind": "start_send", "request": self.records.start(request)}

    def _recv(self, sender: int, communicator: int, tag: int, size: int) -> None:
        self._made.append(
            {
                "kind": "receive",
                "communicator": self._communicator(communicator),
                "received": self._end(communicator, sender, tag, size),
            }
        )

    def _complete(self, request: int) -> None:
        self._completed.append(self.records.complete(request))

    def _wait_for(self, request: int, awaited: str) -> None:
        """Append the start of what is known when the request completes."""
        number = self.records.start(request)
        record = {"kind": None, "awaited": awaited, "request": number}
        self._open[request] = record
        self._made.append(record)

    def _fill(self, request: int, awaited: str, members: _Record) -> None:
        """Fill in what was started with a request that is complete."""
        number = self.records.complete(request)
        record = self._open.pop(request, None)
        if record is None or record["awaited"] != awaited:
            self.records.fail(f"request {request} is no {awaited.replace('_', ' ')}")
        record |= {"kind": awaited} | members
        if record["kind"] == awaited:
            self._completed.append(number)

    def _irecv_request(self, request: int) -> None:
        self._wait_for(request, "start_receive")

    def _irecv(self, sender: int, communicator: int, tag: int, size: int, request: int) -> None:
        self._fill(
            request,
            "start_receive",
            {
                "communicator": self._communicator(communicator),
                "received": self._end(communicator, sender, tag, size),
            },
        )

    def _test(self, _: int) -> None:
        self._in_vain = True

    def _cancelled(self, request: int) -> None:
        if request not in self._open:
            self.records.fail("a send is cancelled: replay does not support that")
        self.records.complete(request)
        self._open.pop(request)["kind"] = "other"
        self.dropped += 1

    def _probe(self, sender: int, communicator: int, tag: int, message: int) -> None:
        self._probed[message] = (sender, communicator, tag)

    def _found(self, message: int) -> tuple[int, int, int]:
        if message not in self._probed:
            self.records.fail(f"receives message {message}, which no probe found")
        return self._probed.pop(message)

    def _mrecv(self, message: int, size: int) -> None:
        self._recv(*self._found(message), size)

    def _imrecv_request(self, message: int, request: int) -> None:
        self._wait_for(request, "start_receive")
        self._open[request]["found"] = self._found(message)

    def _imrecv(self, request: int, size: int) -> None:
        if request not in self._open or "found" not in self._open[request]:
            self.records.fail(f"request {request} is no receive of a message that a probe found")
        sender, communicator, tag = self._open[request]["found"]
        self._irecv(sender, communicator, tag, size, request)

    def _collective(
        self, operation: int, communicator: int, root: int, sent: int, received: int
    ) -> None:
        self._made.append(
            self._described("collective", operation, communicator, root, sent, received)
        )

    def _collective_request(self, request: int) -> None:
        self._wait_for(request, "start_collective")

    def _collective_complete(
        self, operation: int, communicator: int, root: int, sent: int, received: int, request: int
    ) -> None:
        self._fill(
            request,
            "start_collective",
            self._described("start_collective", operation, communicator, root, sent, received),
        )

    def _described(
        self, kind: str, operation: int, communicator: int, root: int, sent: int, received: int
    ) -> _Record:
        """A collective, or `other` for those between two groups and those that move nothing."""
        number = self._communicator(communicator)
        found = self.archive.communicators[communicator]
        members = found.members or (self.records.rank,)
        if found.remote is not None:
            return {"kind": "other"}
        try:
            said = collective(
                self.archive.operation(operation),
                Amount(sent, received, len(members), members.index(self.records.rank)),
                root,
            )
        except LapwingError as error:
            self.records.fail(str(error))
        return {"kind": kind, "communicator": number, **said} if said else {"kind": "other"}
