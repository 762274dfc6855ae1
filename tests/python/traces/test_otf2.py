"""Traces in OTF2: what becomes of each event, round trips, and archives that are no good."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lapwing.errors import LapwingError

otf2 = pytest.importorskip("otf2")

from otf2_writer import write  # noqa: E402
from programs import calls, converted, notes, plain, recording_of, times  # noqa: E402

Record = dict[str, Any]


def end(peer: int, tag: int = 7, size: int = 80) -> Record:
    return {"peer": peer, "tag": tag, "bytes": size}


def program() -> list[list[Record]]:
    """Four ranks: a ring of messages of each kind, and collectives of halves and of all."""
    ranks = []
    for rank in range(4):
        up, down = (rank + 1) % 4, (rank - 1) % 4
        first = rank % 2
        half = {"kind": "communicator", "communicator": 1, "context": 9 + first}
        calls: list[Record] = [
            {"kind": "other"},
            {"kind": "start_receive", "received": end(down, 3, 8000), "request": 0},
            {"kind": "start_receive", "received": end(down, 4, 16), "request": 1},
            {"kind": "start_send", "sent": end(up, 3, 8000), "request": 2},
            {"kind": "start_send", "sent": end(up, 4, 16), "request": 3},
            {"kind": "wait", "requests": [2]},
            {"kind": "wait", "requests": [3, 0, 1]},
            {"kind": "send_receive", "sent": end(up, 5, 50000), "received": end(down, 5, 50000)},
            {"kind": "send", "sent": end(up, 5, 8)}
            if first
            else {"kind": "receive", "received": end(down, 5, 8)},
            {"kind": "collective", "collective": "barrier"},
            {**half, "members": [(first, 2, 2)]},
            {"kind": "collective", "collective": "allreduce", "bytes": 24, "communicator": 1},
            {
                "kind": "start_collective",
                "collective": "allreduce",
                "bytes": 4000,
                "communicator": 1,
                "request": 0,
            },
            {"kind": "wait", "requests": [0]},
            {"kind": "collective", "collective": "bcast", "bytes": 3000, "root": 2},
            {"kind": "collective", "collective": "reduce", "bytes": 3000, "root": 1},
            {"kind": "collective", "collective": "gather", "bytes": 70, "root": 3},
            {"kind": "collective", "collective": "scatter", "bytes": 70, "root": 3},
            {"kind": "collective", "collective": "alltoall", "bytes": 600},
            {"kind": "collective", "collective": "allgather", "bytes": 600},
            {"kind": "collective", "collective": "reduce_scatter_block", "bytes": 600},
            {"kind": "collective", "collective": "alltoallv", "blocks": [40] * 4, "bytes": 40},
            {"kind": "collective", "collective": "scan", "bytes": 16},
            {"kind": "collective", "collective": "exscan", "bytes": 16},
        ]
        for each, call in enumerate(calls):
            if call["kind"] != "communicator":
                call |= {"computed": 1000 * (rank + each), "duration": 100}
        ranks.append([*calls, {"kind": "finish", "computed": 77}])
    return ranks


def test_what_comes_back_is_what_was_recorded(tmp_path: Path) -> None:
    recording = recording_of(tmp_path, program())
    back = converted(tmp_path, write(tmp_path / "trace", program()))
    for rank in range(4):
        assert plain(back, rank) == plain(recording, rank)
    assert times(back) == times(recording)
    assert notes(back) == []


@pytest.mark.parametrize("resolution", [1000, 3 * 10**9])
def test_times_are_nanoseconds(tmp_path: Path, resolution: int) -> None:
    """A clock that is no whole number of nanoseconds does not add up to a drift."""
    many = [{"kind": "collective", "collective": "barrier", "computed": 2, "duration": 1}] * 1000
    back = converted(tmp_path, write(tmp_path / "t", [[*many, {"kind": "finish"}]], resolution))
    records = plain(back, 0)
    total = sum(record["computed"] + record.get("duration", 0) for record in records)
    assert total == pytest.approx(3000 * 1e9 / resolution, abs=1)


def test_a_receive_from_any_source_knows_who_sent(tmp_path: Path) -> None:
    ranks: list[list[Record]] = [
        [
            {"kind": "start_receive", "received": end(-1, -1), "seen": end(2, 5), "request": 0},
            {"kind": "start_receive", "received": end(-1, -1), "seen": end(1, 4), "request": 1},
            {"kind": "wait", "requests": [1, 0]},
        ],
        [{"kind": "send", "sent": end(0, 4)}],
        [{"kind": "send", "sent": end(0, 5)}],
    ]
    first, second, wait = calls(converted(tmp_path, write(tmp_path / "t", ranks)), 0)
    assert (first["received"], first["request"]) == (end(2, 5), 0)
    assert (second["received"], second["request"]) == (end(1, 4), 1)
    assert wait["requests"] == [1, 0]


class Two:
    """An archive of two ranks, event by event. Ranks end after 1000 ticks."""

    def __init__(self, folder: Path) -> None:
        self.trace = otf2.writer.Writer(str(folder), timer_resolution=10**9)
        self.anchor = folder / "traces.otf2"
        self.definitions = self.trace.definitions
        node = self.definitions.system_tree_node("node")
        groups = [
            self.definitions.location_group(f"{rank}", system_tree_parent=node) for rank in (0, 1)
        ]
        locations = [self.definitions.location("", group=each) for each in groups]
        self.thread = self.definitions.location("thread 1", group=groups[0])
        mpi = {"paradigm": otf2.Paradigm.MPI}
        kinds = otf2.GroupType
        self.definitions.group("", group_type=kinds.COMM_LOCATIONS, members=locations, **mpi)
        all_of_them = self.definitions.group(
            "world", group_type=kinds.COMM_GROUP, members=[0, 1], **mpi
        )
        alone = self.definitions.group("self", group_type=kinds.COMM_SELF, members=[], **mpi)
        self.world = self.definitions.comm("world", group=all_of_them)
        self.alone = self.definitions.comm("self", group=alone)
        self.ranks = [self.trace.event_writer_from_location(each) for each in locations]
        self.mpi = mpi

    def inside(self, rank: int, begin: int, end: int, name: str, *what: Any) -> None:
        """A routine that is entered and left at these times, and events in it."""
        region = self.definitions.region(name, **self.mpi)
        self.ranks[rank].enter(begin, region)
        for write_event, *values in what:
            write_event(begin, *values)
        self.ranks[rank].leave(end, region)

    def close(self) -> Path:
        self.trace.close()
        return self.anchor


def test_tests_in_vain_are_neither_calls_nor_computation(tmp_path: Path) -> None:
    two = Two(tmp_path / "t")
    a, b = two.ranks
    two.inside(0, 0, 50, "MPI_Init() ")  # as TAU writes it
    two.inside(0, 60, 70, "MPI_Irecv", (a.mpi_irecv_request, 4))
    two.inside(0, 80, 90, "MPI_Test", (a.mpi_request_test, 4))
    two.inside(0, 95, 96, "MPI_Comm_rank")
    two.inside(0, 100, 120, "MPI_Test", (a.mpi_irecv, 1, two.world, 9, 64, 4))
    two.inside(1, 0, 10, "MPI_Send", (b.mpi_send, 0, two.world, 9, 64))
    first, second, third, finish = plain(converted(tmp_path, two.close()), 0)
    assert (first["kind"], first["computed"], first["duration"]) == ("start_receive", 10, 10)
    assert (second["kind"], second["computed"], second["duration"]) == ("other", 10, 10)
    assert (third["kind"], third["computed"], third["duration"]) == ("wait", 10, 20)
    assert finish == {"kind": "finish", "computed": 0}


def test_matched_probes_threads_and_a_communicator_of_one(tmp_path: Path) -> None:
    two = Two(tmp_path / "t")
    a, b = two.ranks
    two.trace.event_writer_from_location(two.thread).enter(3, two.definitions.region("work"))
    two.inside(0, 0, 5, "MPI_Mprobe", (a.mpi_probe, 1, two.world, 9, 77))
    two.inside(0, 10, 15, "MPI_Mrecv", (a.mpi_mrecv, 77, 64))
    two.inside(0, 20, 25, "MPI_Mprobe", (a.mpi_probe, 1, two.world, 8, 78))
    two.inside(0, 30, 35, "MPI_Imrecv", (a.mpi_imrecv_request, 78, 1))
    two.inside(0, 40, 45, "MPI_Wait", (a.mpi_imrecv, 1, 32))
    two.inside(0, 50, 55, "MPI_Irecv", (a.mpi_irecv_request, 2))
    two.inside(0, 60, 65, "MPI_Wait", (a.mpi_request_cancelled, 2))
    two.inside(0, 70, 75, "MPI_Irecv", (a.mpi_irecv_request, 3))
    none = 0xFFFFFFFF
    operation = otf2.CollectiveOp.ALLREDUCE
    two.inside(0, 80, 85, "MPI_Allreduce", (a.mpi_collective_end, operation, two.alone, none, 8, 8))
    two.inside(1, 0, 5, "MPI_Send", (b.mpi_send, 0, two.world, 9, 64))
    two.inside(1, 6, 7, "MPI_Send", (b.mpi_send, 0, two.world, 8, 32))
    back = converted(tmp_path, two.close())
    found = calls(back, 0)
    assert [each["kind"] for each in found] == [
        *("other", "receive", "other", "start_receive", "wait", "other", "other", "other"),
        "collective",
    ]
    assert found[1]["received"] == end(1, 9, 64)
    assert found[3]["received"] == end(1, 8, 32)
    assert (found[8]["communicator"], found[8]["bytes"]) == (1, 8)
    assert notes(back) == [
        "locations that are no ranks of MPI, such as threads, are left out: 1",
        "receives that never complete are left out: 2",
    ]
    times(back)


def test_ways_to_regions_and_requests_that_are_freed(tmp_path: Path) -> None:
    two = Two(tmp_path / "t")
    a, b = two.ranks
    region = two.definitions.region("MPI_Isend", **two.mpi)
    way = two.definitions.calling_context(region=region, parent=None)
    a.calling_context_enter(100, way, 1)
    a.mpi_isend(105, 1, two.world, 3, 8, 1)
    a.calling_context_leave(130, way)
    two.inside(0, 150, 160, "MPI_Request_free", (a.mpi_isend_complete, 1))
    two.inside(1, 0, 5, "MPI_Recv", (b.mpi_recv, 0, two.world, 3, 8))
    started, freed, _ = plain(converted(tmp_path, two.close()), 0)
    assert (started["kind"], started["duration"]) == ("start_send", 30)
    assert (freed["kind"], freed["request"], freed["computed"]) == ("forget", 0, 20)


def test_events_that_are_in_no_routine(tmp_path: Path) -> None:
    two = Two(tmp_path / "t")
    none, operation = 0xFFFFFFFF, otf2.CollectiveOp.ALLREDUCE
    for rank, writer in enumerate(two.ranks):
        writer.enter(0, two.definitions.region("main"))
        if rank == 0:
            writer.mpi_send(10, 1, two.world, 3, 8)
        else:
            writer.mpi_recv(10, 0, two.world, 3, 8)
        writer.mpi_collective_begin(30)
        writer.mpi_collective_end(70, operation, two.world, none, 16, 16)
    recording = converted(tmp_path, two.close())
    for rank in (0, 1):
        found = [(each["computed"], each.get("duration")) for each in plain(recording, rank)]
        assert found == [(10, 0), (20, 40), (0, None)]


def test_its_library_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anchor = write(tmp_path / "t", program())
    monkeypatch.setitem(sys.modules, "otf2", None)
    with pytest.raises(LapwingError) as error:
        converted(tmp_path, anchor)
    assert str(error.value) == (
        f'{anchor}: reading OTF2 needs its library: pip install "lapwing[otf2]"'
    )


def test_in_place(tmp_path: Path) -> None:
    """A rank sends itself nothing: Score-P counts one part less."""
    two = Two(tmp_path / "t")
    operations = otf2.CollectiveOp
    for rank, writer in enumerate(two.ranks):
        for time, operation, root, sent, received in (
            (0, operations.REDUCE, 0, 0 if rank == 0 else 9, 9 if rank == 0 else 0),
            (10, operations.ALLREDUCE, 0xFFFFFFFF, 9, 9),
            (20, operations.SCAN, 0xFFFFFFFF, (1 - rank) * 9, rank * 9),
            (30, operations.CREATE_HANDLE, 0xFFFFFFFF, 0, 0),
        ):
            what = (writer.mpi_collective_end, operation, two.world, root, sent, received)
            two.inside(rank, time, time + 5, "MPI", (writer.mpi_collective_begin,), what)
    back = converted(tmp_path, two.close())
    for rank in (0, 1):
        assert [each.get("bytes") for each in calls(back, rank)] == [9, 9, 9, None]


def cut(folder: Path) -> None:
    (folder / "traces" / "1.evt").write_bytes((folder / "traces" / "1.evt").read_bytes()[:60])


def missing(folder: Path) -> None:
    (folder / "traces" / "1.evt").unlink()


def no_definitions(folder: Path) -> None:
    (folder / "traces.def").write_bytes((folder / "traces.def").read_bytes()[:80])


def no_anchor(folder: Path) -> None:
    (folder / "traces.otf2").write_bytes((folder / "traces.otf2").read_bytes()[:9])


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (cut, "traces.otf2: rank 1: its events cannot be read to their end"),
        (missing, "traces.otf2: rank 1: its events are not there"),
        (no_definitions, "traces.otf2: OTF2 cannot read its definitions"),
        (no_anchor, "traces.otf2: OTF2 cannot read its definitions"),
    ],
)
def test_archives_that_are_cut(
    tmp_path: Path, harm: Callable[[Path], None], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(tmp_path / "trace", ignore_errors=True)
    anchor = write(tmp_path / "trace", program())
    harm(anchor.parent)
    with pytest.raises(LapwingError, match=said):
        converted(tmp_path, anchor)
    assert capfd.readouterr() == ("", "")


Harm = Callable[[Two], None]


def of_rank_0(name: str, *values: Any) -> Harm:
    """An event of rank 0 after a routine of MPI that is left as it should be."""

    def harm(two: Two) -> None:
        two.inside(0, 0, 5, "MPI_Barrier")
        made = [two.world if each == "world" else each for each in values]
        two.inside(0, 10, 15, "MPI", (getattr(two.ranks[0], name), *made))

    return harm


def undefined_communicator(two: Two) -> None:
    two.ranks[0]._mpi_send(None, 3, 1, 99, 1, 8)


def unended(two: Two) -> None:
    two.ranks[0].enter(3, two.definitions.region("MPI_Send", **two.mpi))


def unequal(two: Two) -> None:
    writer, operation = two.ranks[1], otf2.CollectiveOp.BARRIER
    what = (writer.mpi_collective_end, operation, two.world, 0xFFFFFFFF, 0, 0)
    two.inside(1, 0, 5, "MPI_Barrier", what)


_MISFITS = {
    "rank 0, event 5: a message from rank 0 to rank 1, tag 3 is never received": of_rank_0(
        "mpi_send", 1, "world", 3, 8
    ),
    "rank 0, event 5: a message from rank 1 to rank 0, tag 3 is never sent": of_rank_0(
        "mpi_recv", 1, "world", 3, 8
    ),
    "there is no rank 2 among the 2": of_rank_0("mpi_send", 2, "world", 3, 8),
    "completes request 6, which was not started": of_rank_0("mpi_isend_complete", 6),
    "completes request 7, which": of_rank_0("mpi_irecv", 1, "world", 3, 8, 7),
    "receives message 6, which no probe found": of_rank_0("mpi_mrecv", 6, 8),
    "a send is cancelled": of_rank_0("mpi_request_cancelled", 6),
    "rank 0, event 5: a non-blocking collective never completes": of_rank_0(
        "non_blocking_collective_request", 6
    ),
    "rank 0, event 1: communicator 99 is not defined": undefined_communicator,
    "rank 0, event 1: the trace ends in MPI_Send": unended,
    "collectives of a communicator of 2 ranks: rank 1 does 1, rank 0 does 0": unequal,
}


@pytest.mark.parametrize("said", _MISFITS)
def test_events_that_do_not_fit(tmp_path: Path, said: str) -> None:
    two = Two(tmp_path / "t")
    _MISFITS[said](two)
    anchor = two.close()
    with pytest.raises(LapwingError) as error:
        converted(tmp_path, anchor)
    where = "" if said.startswith(("rank", "collectives")) else "rank 0, event 4: "
    assert str(error.value).startswith(f"{anchor}: {where}")
    assert said in str(error.value)
