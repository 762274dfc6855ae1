"""Recordings as archives of OTF2, in the way Score-P writes them, for the tests of its reader."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import otf2
from lapwing._core import Recording

Record = dict[str, Any]

# What MPI calls the routines of records.
_NAMES = {
    "send": "MPI_Send",
    "receive": "MPI_Recv",
    "send_receive": "MPI_Sendrecv",
    "start_send": "MPI_Isend",
    "start_receive": "MPI_Irecv",
    "wait": "MPI_Waitall",
    "forget": "MPI_Request_free",
    "other": "MPI_Comm_dup",
}
_ROOTED = ("bcast", "reduce", "gather", "gatherv", "scatter", "scatterv")


def from_recording(folder: Path, recording: Recording) -> Path:
    """An archive of what a recording says; returns its anchor."""
    return write(folder, [list(recording.records(rank)) for rank in range(recording.ranks)])


def write(folder: Path, ranks: Sequence[Sequence[Record]], resolution: int = 10**9) -> Path:
    """An archive of records, which have `seen` where a receive took any message."""
    with otf2.writer.open(str(folder), timer_resolution=resolution) as trace:
        writer = _Writer(trace, len(ranks))
        for rank, records in enumerate(ranks):
            writer.rank(rank, records)
    return folder / "traces.otf2"


class _Writer:
    def __init__(self, trace: Any, ranks: int) -> None:
        self.trace, self.definitions = trace, trace.definitions
        node = self.definitions.system_tree_node("node")
        self.locations = [
            self.definitions.location(
                "Master thread",
                group=self.definitions.location_group(f"rank {rank}", system_tree_parent=node),
            )
            for rank in range(ranks)
        ]
        self.mpi = {"paradigm": otf2.Paradigm.MPI}
        self.definitions.group(
            "", group_type=otf2.GroupType.COMM_LOCATIONS, members=self.locations, **self.mpi
        )
        self.communicators: dict[tuple[int, ...], Any] = {}
        self.world = self.communicator(0, range(ranks))
        self.main = self.definitions.region("main", source_file="main.c", begin_line_number=12)
        self.regions: dict[str, Any] = {}
        self.time = 0

    def communicator(self, context: int, members: Iterable[int]) -> Any:
        key = (context, *members)
        if key not in self.communicators:
            group = self.definitions.group(
                str(context),
                group_type=otf2.GroupType.COMM_GROUP,
                members=list(key[1:]),
                **self.mpi,
            )
            self.communicators[key] = self.definitions.comm(str(key), group=group)
        return self.communicators[key]

    def region(self, name: str) -> Any:
        if name not in self.regions:
            self.regions[name] = self.definitions.region(name, **self.mpi)
        return self.regions[name]

    def inside(self, name: str, duration: int, what: Callable[[], None]) -> None:
        self.events.enter(self.time, self.region(name))
        what()
        self.time += duration
        self.events.leave(self.time, self.region(name))

    def rank(self, rank: int, records: Sequence[Record]) -> None:
        self.events = self.trace.event_writer_from_location(self.locations[rank])
        self.me, self.time = rank, 1000
        self.numbers = {0: (self.world, list(range(len(self.locations))))}
        self.open: dict[int, Callable[[], None]] = {}
        self.request, self.requests = 0, {}
        self.events.enter(0, self.main)
        self.inside("MPI_Init", 500, lambda: None)
        for record in records:
            if record["kind"] == "communicator":
                members = [
                    first + stride * each
                    for first, stride, count in record["members"]
                    for each in range(count)
                ]
                comm = self.communicator(record["context"], members)
                self.numbers[record["communicator"]] = (comm, members)
                continue
            self.time += record.get("computed", 0)
            if record["kind"] == "finish":
                self.inside("MPI_Finalize", 10, lambda: None)
                break
            name = _NAMES.get(record["kind"]) or f"MPI_{record['collective'].capitalize()}"
            self.inside(name, record.get("duration", 0), lambda r=record: self.call(r))
        self.events.leave(self.time + 50, self.main)

    def peer(self, record: Record, end: str) -> tuple[Any, int, int, int]:
        said = record.get("seen", record[end])
        comm, members = self.numbers[record.get("communicator", 0)]
        return members.index(said["peer"]), comm, said["tag"], said["bytes"]

    def call(self, record: Record) -> None:
        """The events in the routine of a record."""
        kind, events, time = record["kind"], self.events, self.time
        if kind == "wait":
            for request in record["requests"]:
                self.open.pop(request)()
        if kind.startswith("start"):
            self.request += 1
            number = self.request
        if kind in ("send", "send_receive"):
            to, comm, tag, size = self.peer(record, "sent")
            events.mpi_send(time, to, comm, tag, size)
        if kind in ("receive", "send_receive"):
            events.mpi_recv(time, *self.peer(record, "received"))
        if kind == "start_send":
            events.mpi_isend(time, *self.peer(record, "sent"), number)
            self.open[record["request"]] = lambda: events.mpi_isend_complete(self.time, number)
        if kind == "start_receive":
            events.mpi_irecv_request(time, number)
            came = self.peer(record, "received")
            self.open[record["request"]] = lambda: events.mpi_irecv(self.time, *came, number)
        if kind == "collective":
            events.mpi_collective_begin(time)
            events.mpi_collective_end(time, *self.collective(record))
        if kind == "start_collective":
            events.non_blocking_collective_request(time, number)
            said = self.collective(record)
            self.open[record["request"]] = lambda: events.non_blocking_collective_complete(
                self.time, *said, number
            )

    def collective(self, record: Record) -> tuple[Any, Any, int, int, int]:
        """What OTF2 says of a collective, with the bytes as Score-P counts them."""
        comm, members = self.numbers[record.get("communicator", 0)]
        size, me = len(members), members.index(self.me)
        name, root, block = record["collective"], record.get("root", 0), record.get("bytes", 0)
        at_root = me == root
        sent, received = size * block, size * block
        if name in ("reduce", "gather", "gatherv"):
            sent, received = block, sum(record.get("blocks", [])) or size * block * at_root
        elif name in ("bcast", "scatter", "scatterv"):
            sent, received = sum(record.get("blocks", [])) or size * block * at_root, block
        elif name == "scan":
            sent, received = (size - me) * block, (me + 1) * block
        elif name == "exscan":
            sent, received = (size - me - 1) * block, me * block
        elif name == "alltoallv":
            sent = received = sum(record["blocks"])
        root = root if name in _ROOTED else 0xFFFFFFFF
        return getattr(otf2.CollectiveOp, name.upper()), comm, root, sent, received
