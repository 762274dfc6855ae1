"""Traces of DUMPI: calls and their arguments, communicators of all ranks, bad files."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import dumpi_writer as d
import pytest
from dumpi_writer import WORLD, Calls, i32, listed, message, statuses, u8, u16, written
from programs import calls, converted, plain, times

from lapwing.errors import LapwingError
from lapwing.traces.dumpi_calls import CALLS
from lapwing.traces.dumpi_file import DumpiFile

Record = dict[str, Any]


def ranks_of(count: int, does: Callable[[Calls, int], None]) -> list[Calls]:
    """The calls of so many ranks. does: adds those of a rank."""
    ranks = [Calls() for _ in range(count)]
    for rank, each in enumerate(ranks):
        does(each, rank)
    return ranks


def end(peer: int, tag: int, size: int) -> Record:
    return {"peer": peer, "tag": tag, "bytes": size}


def test_messages_and_times(tmp_path: Path) -> None:
    def does(add: Calls, rank: int) -> None:
        if rank == 0:
            add.add(d.SEND, message(10, d.DOUBLE, 1, 7))
        else:
            add.add(d.RECV, message(20, d.DOUBLE, 0, 7) + statuses((80, 0, 7)))

    recording = converted(tmp_path, written(tmp_path, ranks_of(2, does)))
    assert plain(recording, 0) == [
        {
            "kind": "send",
            "computed": 90_000,
            "duration": 10_000,
            "communicator": 0,
            "sent": end(1, 7, 80),
        },
        {"kind": "finish", "computed": 90_000},
    ]
    assert calls(recording, 1)[0]["received"] == end(0, 7, 160)
    times(recording)


def test_other_masks(tmp_path: Path) -> None:
    """Times of the processor, counters, and no statuses."""

    def does(add: Calls, rank: int) -> None:
        add.add(
            d.SENDRECV,
            message(1, d.INT, 1 - rank, 3)[:-2]
            + i32(1)
            + u16(d.INT)
            + i32(1 - rank, 3)
            + u16(WORLD),
            mask=0b11001100,
        )
        add.add(d.BARRIER, u16(WORLD), mask=0b1000)

    recording = converted(tmp_path, written(tmp_path, ranks_of(2, does)))
    assert [each["kind"] for each in calls(recording, 0)] == ["send_receive", "collective"]


def test_requests(tmp_path: Path) -> None:
    def does(add: Calls, rank: int) -> None:
        other = 1 - rank
        for request, tag in ((5, 1), (6, 2), (7, 3)):
            add.add(d.ISEND, message(1, d.INT, other, tag) + i32(request))
        for request, tag in ((8, 1), (9, 2), (10, 3)):
            add.add(d.IRECV, message(1, d.INT, other, tag) + i32(request))
        add.add(d.TEST, i32(5, 0) + statuses())
        add.add(d.TEST, i32(5, 1) + statuses())
        add.add(d.WAITANY, i32(3) + listed(6, 7, 1) + i32(1) + statuses())
        add.add(d.WAITSOME, i32(4) + listed(8, 9, 10, 1) + i32(2) + listed(0, 2) + statuses())
        add.add(d.WAITALL, i32(2) + listed(6, 9) + statuses())

    recording = converted(tmp_path, written(tmp_path, ranks_of(2, does)))
    found = calls(recording, 0)
    assert [each.get("request") for each in found[:6]] == [0, 1, 2, 3, 4, 5]
    assert [each["kind"] for each in found[6:]] == ["other", "wait", "wait", "wait", "wait"]
    assert [each["requests"] for each in found[7:]] == [[0], [2], [3, 5], [1, 4]]
    times(recording)


def test_any_source_is_known_when_it_came(tmp_path: Path) -> None:
    def does(add: Calls, rank: int) -> None:
        if rank > 0:
            add.add(d.SEND, message(1, d.INT, 0, rank))
            add.add(d.SEND, message(1, d.INT, 0, 9))
            return
        add.add(d.IRECV, message(1, d.INT, -1, -1) + i32(5))
        add.add(d.IRECV, message(1, d.INT, -1, 9) + i32(6))
        add.add(d.RECV, message(1, d.INT, -1, 9) + statuses())  # the status was ignored
        add.add(d.RECV, message(1, d.INT, -1, -1) + statuses((4, 1, 1)))
        add.add(d.WAITALL, i32(2) + listed(5, 6) + statuses((4, 2, 2), (4, 1, 9)))

    recording = converted(tmp_path, written(tmp_path, ranks_of(3, does)))
    assert [each["received"] for each in calls(recording, 0)[:4]] == [
        end(2, 2, 4),
        end(1, 9, 4),
        end(-1, 9, 4),
        end(1, 1, 4),
    ]
    times(recording)


def test_persistent_requests_and_types(tmp_path: Path) -> None:
    """A type of three doubles, in a struct with two of it and an int: 52 bytes."""

    def does(add: Calls, rank: int) -> None:
        add.add(d.CONTIGUOUS, i32(3) + u16(d.DOUBLE, 40))
        add.add(d.STRUCT, i32(2) + listed(2, 1) + listed(0, 48) + i32(2) + u16(40, d.INT, 41))
        if rank == 0:
            add.add(d.SEND, message(2, 41, 1, 1))
            add.add(d.SEND, message(2, 41, 1, 1))
            return
        add.add(d.RECV_INIT, message(2, 41, 0, 1) + i32(5))
        for _ in range(2):
            add.add(d.STARTALL, i32(1) + listed(5))
            add.add(d.WAIT, i32(5) + statuses())
        add.add(d.WAIT, i32(5) + statuses())
        add.add(d.REQUEST_FREE, i32(5))

    found = calls(converted(tmp_path, written(tmp_path, ranks_of(2, does))), 1)
    assert [each["kind"] for each in found] == [*["start_receive", "wait"] * 2, "other", "other"]
    assert found[0]["received"] == end(0, 1, 104)


def test_collectives(tmp_path: Path) -> None:
    """Three ranks, root 1. Blocks of different sizes are those of the ranks: 4, 8 and 12 bytes."""

    def does(add: Calls, rank: int) -> None:
        blocks, places = listed(1, 2, 3), listed(0, 1, 3)
        root = rank == 1
        add.add(d.BCAST, i32(5) + u16(d.INT) + i32(1) + u16(WORLD))
        add.add(d.REDUCE, i32(5) + u16(d.INT) + u8(3) + i32(1) + u16(WORLD))
        add.add(d.ALLREDUCE, i32(5) + u16(d.INT) + u8(3) + u16(WORLD))
        own = i32(rank + 1) + u16(d.INT)
        add.add(
            d.GATHER,
            i32(rank, 5)
            + u16(d.INT)
            + i32(1)
            + u16(WORLD)
            + (i32(5) + u16(d.INT) if root else b""),
        )
        add.add(
            d.GATHERV,
            i32(rank, 3)
            + own
            + i32(1)
            + u16(WORLD)
            + (blocks + places if root else b"")
            + u16(d.INT),
        )
        add.add(
            d.SCATTERV,
            i32(rank, 3)
            + u16(d.INT)
            + own
            + i32(1)
            + u16(WORLD)
            + (blocks + places if root else b""),
        )
        add.add(d.ALLGATHERV, i32(3) + own + blocks + places + u16(d.INT, WORLD))
        add.add(d.ALLTOALL, i32(5) + u16(d.INT) + i32(5) + u16(d.INT, WORLD))
        add.add(
            d.ALLTOALLV, i32(3) + blocks + places + u16(d.INT) + blocks + places + u16(d.INT, WORLD)
        )
        add.add(d.REDUCE_SCATTER, i32(3) + blocks + u16(d.INT) + u8(3) + u16(WORLD))

    recording = converted(tmp_path, written(tmp_path, ranks_of(3, does)))
    for rank in range(3):
        own, root = 4 * (rank + 1), rank == 1
        assert [
            (each["collective"], each["root"], each["bytes"], each.get("blocks"))
            for each in calls(recording, rank)
        ] == [
            ("bcast", 1, 20, None),
            ("reduce", 1, 20, None),
            ("allreduce", 0, 20, None),
            ("gather", 1, 20, None),
            ("gatherv", 1, own, [4, 8, 12] if root else None),
            ("scatterv", 1, own, [4, 8, 12] if root else None),
            ("allgatherv", 0, own, None),
            ("alltoall", 0, 20, None),
            ("alltoallv", 0, 0, [4, 8, 12]),
            ("reduce_scatter", 0, 8, [4, 8, 12]),
        ]
    times(recording)


def members(recording: Any, rank: int) -> list[list[int]]:
    """The members of each communicator that a rank uses, in that order."""
    return [
        [
            first + stride * each
            for first, stride, count in record["members"]
            for each in range(count)
        ]
        for record in recording.records(rank)
        if record["kind"] == "communicator"
    ]


def test_communicators_of_what_all_ranks_say(tmp_path: Path) -> None:
    def does(add: Calls, rank: int) -> None:
        odd = rank % 2
        # Even ranks name theirs 10, odd ones 20; the order is turned round by keys.
        half = 20 if odd else 10
        add.add(d.COMM_SPLIT, u16(WORLD) + i32(odd, -rank) + u16(half))
        add.add(d.COMM_DUP, u16(half, half + 1))
        add.add(d.BARRIER, u16(half + 1))
        add.add(d.COMM_GROUP, u16(WORLD, 50))
        add.add(d.GROUP_INCL, u16(50) + i32(3) + listed(5, 0, 3) + u16(51))
        inside = rank in (5, 0, 3)
        add.add(d.COMM_CREATE, u16(WORLD, 51, 30 if inside else 1))
        if inside:
            add.add(d.BARRIER, u16(30))
        add.add(d.GROUP_RANGE_EXCL, u16(50) + i32(1) + i32(1) + listed(4, 0, -2) + u16(52))
        add.add(d.GROUP_DIFFERENCE, u16(52, 51, 53))  # 1, 3, 5 without 5, 0, 3
        add.add(d.COMM_CREATE, u16(WORLD, 53, 31 if rank == 1 else 1))
        if rank == 1:
            add.add(d.BARRIER, u16(31))
        add.add(d.CART_CREATE, u16(WORLD) + i32(2) + listed(2, 3) + listed(0, 0) + i32(0) + u16(40))
        add.add(d.CART_SUB, i32(2) + u16(40) + listed(1, 0) + u16(41))
        add.add(d.BARRIER, u16(41))

    recording = converted(tmp_path, written(tmp_path, ranks_of(6, does)))
    assert members(recording, 1) == [[5, 3, 1], [1], [1, 4]]
    assert members(recording, 0) == [[4, 2, 0], [5, 0, 3], [0, 3]]
    assert members(recording, 3) == [[5, 3, 1], [5, 0, 3], [0, 3]]
    times(recording)


def test_old_traces(tmp_path: Path) -> None:
    """Before 0.6.9 a struct had one place, before 0.6.3 statuses no tag; the index was short."""

    def does(add: Calls, rank: int) -> None:
        add.add(d.STRUCT, i32(2) + listed(2, 1) + i32(0) + i32(2) + u16(d.DOUBLE, d.INT, 41))
        if rank == 0:
            add.add(d.SEND, message(2, 41, 1, 1))
        else:
            add.add(d.RECV, message(2, 41, -1, -1) + i32(1, 40, 0) + bytes(2))

    path = written(tmp_path, ranks_of(2, does), version=(0, 6, 2))
    assert calls(converted(tmp_path, path), 1)[0]["received"] == end(0, -1, 40)
    content = (tmp_path / "run-0000.bin").read_bytes()
    older = content[:-64] + d.MAGIC + content[-40:]  # with the labels of counters alone
    (tmp_path / "run-0000.bin").write_bytes(older)
    (tmp_path / "run-0001.bin").write_bytes(content[:-64] + d.MAGIC + content[-40:])
    with pytest.raises(LapwingError, match="whose size is not known"):
        converted(tmp_path, path)


def test_files_are_ranks_in_their_order(tmp_path: Path) -> None:
    ranks = ranks_of(12, lambda add, rank: add.add(d.COMM_SIZE, u16(WORLD) + i32(12)))
    written(tmp_path, ranks)
    (tmp_path / "run.meta").unlink()
    assert converted(tmp_path, *sorted(tmp_path.glob("*.bin"))).ranks == 12
    (tmp_path / "run-0003.bin").rename(tmp_path / "run-0012.bin")
    with pytest.raises(LapwingError, match="bin: is of rank 4, and there is none of 3"):
        converted(tmp_path, *sorted(tmp_path.glob("*.bin")))
    (tmp_path / "run-0012.bin").rename(tmp_path / "run-0003.bin")
    (tmp_path / "run-0011.bin").unlink()
    with pytest.raises(LapwingError, match="rank 0, call 2: there are 12 ranks, and 11 files are"):
        converted(tmp_path, *sorted(tmp_path.glob("*.bin")))


def test_threads_at_once_are_refused(tmp_path: Path) -> None:
    def does(add: Calls, rank: int) -> None:
        add.add(d.BARRIER, u16(WORLD))
        add.add(d.BARRIER, u16(WORLD), skip=-5)

    with pytest.raises(LapwingError, match="call 3: begins 5000 ns before the end of the call"):
        converted(tmp_path, written(tmp_path, ranks_of(1, does)))


def alone(number: int, stored: bytes = b"", **more: Any) -> Callable[[Calls, int], None]:
    """One call of rank 0, the second of two ranks does nothing."""
    return lambda add, rank: add.add(number, stored, **more) if rank == 0 else None


_MISFITS = {
    "a message from rank 0 to rank 1, tag 7 is never rec": alone(0, message(1, d.INT, 1, 7)),
    "there is no rank 2 among the 2": alone(d.SEND, message(1, d.INT, 2, 7)),
    "Send names communicator 9, which is not known": alone(d.SEND, message(1, d.INT, 1, 7, 9)),
    "has 1 elements of type 90, whose size is not": alone(d.SEND, message(1, 90, 1, 7)),
    "Send has -1 elements of type 9": alone(d.SEND, message(-1, d.INT, 1, 7)),
    "completes request 5, which was not started": alone(d.WAIT, i32(5) + statuses()),
    "Startall starts request 5, which was not": alone(d.STARTALL, i32(1) + listed(5)),
    "completes one of 1 that is not": alone(d.WAITANY, i32(1) + listed(5) + i32(3) + statuses()),
    "says that it has 1000000 items": alone(d.WAITALL, i32(1, 1_000_000)),
    "says that it has -1 items": alone(d.WAITALL, i32(1, -1)),
    "is of a kind that is not known, Pcontrol": alone(d.PCONTROL),
    "is of a kind that is not known, number 294": alone(294),
    "Cancel: a program that calls it cannot be": alone(d.CANCEL, i32(5)),
    "Barrier has no time": alone(d.BARRIER, u16(WORLD), mask=0),
    "Intercomm_create: a program": alone(
        d.INTERCOMM_CREATE, u16(2) + i32(0) + u16(2) + i32(0, 0) + u16(9)
    ),
    "there is no root 2 among 2 ranks": alone(d.BCAST, i32(1) + u16(9) + i32(2) + u16(2)),
    "has 1 parts for 2 ranks": alone(
        d.REDUCE_SCATTER, i32(1) + listed(1) + u16(9) + u8(1) + u16(2)
    ),
    "Comm_dup makes a communicator that other ranks do not": alone(d.COMM_DUP, u16(WORLD, 9)),
    "Comm_dup names communicator 8": alone(d.COMM_DUP, u16(8, 9)),
    "Comm_create names group 8": alone(d.COMM_CREATE, u16(WORLD, 8, 9)),
    "Group_incl names a rank that is not among": alone(
        d.GROUP_INCL, u16(2) + i32(1) + listed(1) + u16(9)
    ),
    "has a range that is not": alone(
        d.GROUP_RANGE_EXCL, u16(2) + i32(1, 1) + listed(0, 0, 0) + u16(9)
    ),
    "Type_struct has not as many lengths": alone(
        d.STRUCT, i32(1) + listed(1) + listed(0) + i32(0) + u16(9)
    ),
}


@pytest.mark.parametrize("said", _MISFITS)
def test_calls_that_do_not_fit(tmp_path: Path, said: str) -> None:
    path = written(tmp_path, ranks_of(2, _MISFITS[said]))
    with pytest.raises(LapwingError) as error:
        converted(tmp_path, path)
    assert "rank 0, call 2: " in str(error.value)
    assert said in str(error.value)


def test_ranks_that_make_different_communicators(tmp_path: Path) -> None:
    def does(add: Calls, rank: int) -> None:
        if rank == 0:
            add.add(d.COMM_DUP, u16(WORLD, 9))
        else:
            add.add(d.COMM_SPLIT, u16(WORLD) + i32(0, 0) + u16(9))

    with pytest.raises(LapwingError, match="where another rank calls Comm_dup or Comm_split"):
        converted(tmp_path, written(tmp_path, ranks_of(2, does)))


def test_files_that_are_no_good(tmp_path: Path) -> None:
    def said() -> str:
        with pytest.raises(LapwingError) as error:
            converted(tmp_path, path)
        return str(error.value)

    ranks = ranks_of(2, lambda add, rank: add.add(d.BARRIER, u16(WORLD)))
    path = written(tmp_path, ranks)
    second = tmp_path / "run-0001.bin"
    whole = second.read_bytes()
    second.write_bytes(whole[:-9])
    assert said() == f"{second}: has no index at its end: it is cut off, or of no DUMPI"
    second.write_bytes(whole[:-24] + (10**9).to_bytes(8, "big") + whole[-16:])
    assert said() == f"{second}: its index points behind its end"
    second.write_bytes(whole[:40] + whole[-64:])
    assert f"{second}: " in said()
    second.write_bytes(b"")
    assert said() == f"{second}: is empty"
    second.unlink()
    assert said() == f"{path}: rank 1: {second} is not there"
    path.write_text("fileprefix=run\nnumprocs=x\n")
    assert said() == f"{path}: numprocs=x is no number"


def test_every_kind_of_call_is_read_to_its_end(tmp_path: Path) -> None:
    """One of each that is known, with lists of one item: a barrier behind it is still found."""
    stored = {"b": u8(1), "h": u16(WORLD), "i": i32(1), "q": i32(0, 1)}
    stored |= {"B": i32(1) + u8(1), "H": i32(1) + u16(d.INT), "I": listed(1)}
    stored |= {"J": i32(1) + listed(0, 0, 1), "c": i32(2) + b"ab", "C": i32(1) + i32(1) + b"a"}
    stored |= {"s": statuses((4, 0, 1))}
    known = [(number, name, fields) for number, (name, fields) in enumerate(CALLS) if fields]
    assert len(known) > 280
    for number, _, fields in known:
        calls = Calls()
        # `me` and `root` are both 1, so what is only at the root is there.
        calls.add(number, b"".join(stored[kind] for kind, *_ in fields))
        calls.add(d.BARRIER, u16(WORLD))
        path = tmp_path / "run.bin"
        path.write_bytes(d.file_of(calls))
        with closing(DumpiFile(path)) as file:
            found = [call.name for call in file.calls()]
        assert found == ["Init", CALLS[number][0], "Barrier", "Finalize"]
