"""Traces of Chakra: dependences, what each node becomes, and files that are no good."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from programs import calls, converted, notes, plain, times

from lapwing.errors import LapwingError

COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7


def number(value: int) -> bytes:
    text = b""
    while value >= 0x80:
        text += bytes([value & 0x7F | 0x80])
        value >>= 7
    return text + bytes([value])


def field(key: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return number(key << 3) + number(value & (1 << 64) - 1)
    text = value.encode() if isinstance(value, str) else value
    return number(key << 3 | 2) + number(len(text)) + text


def attribute(name: str, value: int | str | bool) -> bytes:
    key = 27 if isinstance(value, bool) else 9 if isinstance(value, int) else 29
    return field(10, field(1, name) + field(key, value))


def node(
    identity: int, kind: int, needs: list[int] | None = None, micros: int = 0, **attributes: Any
) -> bytes:
    """A node, with its length before it."""
    text = field(1, identity) + field(2, f"node {identity}") + field(3, kind)
    text += field(5, b"".join(map(number, needs or []))) if needs else b""
    text += field(7, micros) if micros else b""
    text += b"".join(attribute(name, value) for name, value in attributes.items())
    return number(len(text)) + text


def written(folder: Path, *ranks: list[bytes]) -> list[Path]:
    """The files of the nodes of ranks."""
    metadata = field(1, "0.0.4") + field(2, field(1, "pid") + field(13, 3))
    files = []
    for rank, nodes in enumerate(ranks):
        files.append(folder / f"step.{rank}.et")
        files[-1].write_bytes(number(len(metadata)) + metadata + b"".join(nodes))
    return files


def allreduce(identity: int, needs: list[int], size: int = 800, **more: Any) -> bytes:
    return node(identity, COLLECTIVE, needs, 30, comm_type=0, comm_size=size, **more)


def shown(recording: Any, rank: int) -> list[tuple[Any, ...]]:
    """What a rank does: nanoseconds that it computes, the kind, and the requests."""
    return [
        (each["computed"], each["kind"], each.get("request", each.get("requests")))
        for each in plain(recording, rank)
    ]


def test_what_needs_no_communication_overlaps_it(tmp_path: Path) -> None:
    nodes = [
        node(1, COMPUTE, [], 100),
        allreduce(2, [1]),
        node(3, COMPUTE, [2], 50),
        node(4, COMPUTE, [1], 200),
    ]
    recording = converted(tmp_path, *written(tmp_path, nodes, nodes))
    for rank in (0, 1):
        assert shown(recording, rank) == [
            (100_000, "start_collective", 0),
            (200_000, "wait", [0]),
            (50_000, "finish", None),
        ]
    assert times(recording)[0] == times(recording)[1] > 350_000
    assert notes(recording) == []


def test_communication_that_nobody_needs_is_waited_for_at_the_end(tmp_path: Path) -> None:
    nodes = [node(1, COMPUTE, [], 10), allreduce(2, []), allreduce(7, [1]), node(9, COMPUTE, [], 5)]
    recording = converted(tmp_path, *written(tmp_path, nodes))
    assert shown(recording, 0) == [
        (0, "start_collective", 0),
        (10_000, "start_collective", 1),
        (5_000, "wait", [0, 1]),
        (0, "finish", None),
    ]


def test_collectives_of_a_group_start_in_the_same_order(tmp_path: Path) -> None:
    """Rank 1 could start the second one first: it needs nothing there."""
    first = [node(1, COMPUTE, [], 10), allreduce(2, [1], 8), allreduce(3, [1], 16)]
    second = [node(1, COMPUTE, [], 10), allreduce(2, [1], 8), allreduce(3, [], 16)]
    recording = converted(tmp_path, *written(tmp_path, first, second))
    for rank in (0, 1):
        assert [each.get("bytes") for each in calls(recording, rank)] == [8, 16, None]
    times(recording)


def test_messages(tmp_path: Path) -> None:
    ranks = [
        [
            node(1, COMPUTE, [], 10),
            node(2, SEND, [1], 9, comm_dst=1, comm_tag=4, comm_size=64, comm_src=0),
        ],
        [
            node(1, RECEIVE, [], 9, comm_src=0, comm_tag=4, comm_size=64, comm_dst=1),
            node(2, COMPUTE, [1], 3),
        ],
    ]
    recording = converted(tmp_path, *written(tmp_path, *ranks))
    sent, received = calls(recording, 0)[0], calls(recording, 1)[0]
    assert sent["sent"] == {"peer": 1, "tag": 4, "bytes": 64}
    assert received["received"] == {"peer": 0, "tag": 4, "bytes": 64}
    assert shown(recording, 1)[1:] == [(0, "wait", [0]), (3_000, "finish", None)]
    # 10 us, then o, L, G for all bytes but one, o, and 3 us.
    assert times(recording)[1] == 10_000 + 1500 + 2500 + 63 * 6 + 1500 + 3_000


@pytest.mark.parametrize(
    ("kind", "name", "size"),
    [
        *((0, "allreduce", 90), (1, "reduce", 90), (2, "allgather", 90), (3, "gather", 90)),
        *((4, "scatter", 30), (5, "bcast", 90), (6, "alltoall", 30), (7, "reduce_scatter", 30)),
        *((8, "reduce_scatter_block", 30), (9, "barrier", 0)),
    ],
)
def test_a_size_is_what_a_rank_gives(tmp_path: Path, kind: int, name: str, size: int) -> None:
    nodes = [node(1, COLLECTIVE, comm_type=kind, comm_size=90)]
    recording = converted(tmp_path, *written(tmp_path, nodes, nodes, nodes))
    found = calls(recording, 2)[0]
    assert (found["collective"], found["bytes"]) == (name, size)


def test_a_group_is_the_ranks_that_name_it(tmp_path: Path) -> None:
    """Files are ranks by the numbers in their names: 2 is before 10."""
    ranks = [[allreduce(1, [], pg_name=f"odd {rank % 2}"), allreduce(2, [])] for rank in range(12)]
    written(tmp_path, *ranks)
    folder = tmp_path / "run"
    folder.mkdir()
    for file in tmp_path.glob("*.et"):
        file.rename(folder / file.name)
    recording = converted(tmp_path, folder)
    members = [each["members"] for each in recording.records(11) if each["kind"] == "communicator"]
    assert members == [[(1, 2, 6)]]
    assert [each.get("communicator") for each in calls(recording, 10)] == [1, 0, None]
    times(recording)


def test_packed_files(tmp_path: Path) -> None:
    [file] = written(tmp_path, [node(1, COMPUTE, [], 100), allreduce(2, [1])])
    packed = gzip.compress(file.read_bytes())
    file.write_bytes(packed)
    assert shown(converted(tmp_path, file), 0)[0] == (100_000, "start_collective", 0)
    file.write_bytes(packed[:-9])
    with pytest.raises(LapwingError, match=r"step.0.et: rank 0, node \d: "):
        converted(tmp_path, file, kind="chakra")


def test_the_host_is_hidden_behind_the_device(tmp_path: Path) -> None:
    nodes = [
        node(1, COMPUTE, [], 500, is_cpu_op=True),
        node(2, COMPUTE, [1], 40, is_cpu_op=False),
        node(3, COLLECTIVE, [1], 70, is_cpu_op=True),
        node(4, COMPUTE, [2], 0, is_cpu_op=False),
    ]
    recording = converted(tmp_path, *written(tmp_path, nodes))
    assert shown(recording, 0) == [(40_000, "finish", None)]
    assert notes(recording) == [
        "nodes of the host count as no time, because there are nodes of the device: 2",
        "nodes that compute have no duration, and take no time: 1",
    ]


SOME = node(1, COMPUTE, [], 5)


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        ([SOME, node(2, COMPUTE, [3], 5)], "rank 0, node 2: needs node 3, which is not there"),
        ([SOME, SOME], "rank 0, node 1: is there twice"),
        ([node(1, COMPUTE, [2]), node(2, COMPUTE, [1])], "rank 0, node 1: needs itself"),
        ([SOME, node(2, SEND, comm_size=8)], "rank 0, node 2: has no comm_dst"),
        ([SOME, node(2, SEND, comm_dst=0)], "rank 0, node 2: has no comm_size"),
        ([SOME, node(2, SEND, comm_dst=1, comm_size=8)], "rank 0, node 2: there is no rank 1"),
        ([SOME, node(2, SEND, comm_dst=0, comm_size=-8)], "rank 0, node 2: has no comm_size"),
        (
            [SOME, node(2, SEND, comm_dst=0, comm_tag=3, comm_size=8)],
            "rank 0, node 2: a message from rank 0 to rank 0, tag 3 is never received",
        ),
        ([SOME, node(2, COLLECTIVE, comm_type=77)], "rank 0, node 2: there is no collective 77"),
        ([SOME, node(2, COLLECTIVE, comm_type=0)], "rank 0, node 2: has no comm_size"),
        ([SOME, SOME[:-3]], "rank 0, node 2: it is cut off: 11 of 14 bytes are there"),
        ([SOME, number(1 << 40)], "rank 0, node 2: a message of 1099511627776 bytes"),
        ([SOME, field(10, field(9, b"x"))[:1]], "rank 0, node 2: it is cut off"),
        ([SOME, b"\x02\x2a\x09"], "rank 0, node 2: field 5 is longer than its message"),
        ([SOME, b"\x02\x08\xff"], "rank 0, node 2: a number is cut off"),
    ],
)
def test_nodes_that_are_no_good(tmp_path: Path, nodes: list[bytes], said: str) -> None:
    [file] = written(tmp_path, nodes)
    with pytest.raises(LapwingError) as error:
        converted(tmp_path, file)
    assert f"{file}: {said}" in str(error.value)


def test_ranks_that_do_not_fit(tmp_path: Path) -> None:
    first, _, third = written(tmp_path, [SOME], [SOME], [SOME])
    with pytest.raises(LapwingError, match=r"step.2.et: is of rank 2, and there is none of 1"):
        converted(tmp_path, first, third)
    files = written(tmp_path, [allreduce(1, [])], [SOME])
    with pytest.raises(LapwingError, match="rank 1 does 0, rank 0 does 1"):
        converted(tmp_path, *files)
    files = written(tmp_path, [allreduce(1, [])], [node(1, COLLECTIVE, comm_type=9)])
    with pytest.raises(LapwingError, match="rank 1 does other collectives than rank 0"):
        converted(tmp_path, *files)
