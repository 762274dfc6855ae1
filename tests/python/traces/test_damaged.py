"""Traces of which a byte is wrong, or the end is missing: they are read, or refused in one line."""

from collections.abc import Callable
from pathlib import Path

import dumpi_writer as d
import pytest
import test_chakra
import test_dumpi
import test_kineto

from lapwing.errors import LapwingError
from lapwing.traces.convert import convert


def chakra(folder: Path) -> list[Path]:
    nodes = [
        test_chakra.node(1, test_chakra.COMPUTE, [], 100, is_cpu_op=False),
        test_chakra.allreduce(2, [1], pg_name="all"),
        test_chakra.node(3, test_chakra.COMPUTE, [2], 50),
    ]
    there = test_chakra.node(4, test_chakra.SEND, [3], comm_dst=1, comm_tag=2, comm_size=9)
    here = test_chakra.node(4, test_chakra.RECEIVE, [3], comm_src=0, comm_tag=2, comm_size=9)
    return test_chakra.written(folder, [*nodes, there], [*nodes, here])


def kineto(folder: Path) -> list[Path]:
    events = [
        test_kineto.kernel(1, 1000, 1100),
        test_kineto.collective(2, 1105, 1200, "all_to_allv", In_split_size="[3, 1]"),
        test_kineto.kernel(4, 1210, 1300),
        test_kineto.stream_wait(3, 2),
    ]
    return test_kineto.written(folder, events, events)


def dumpi(folder: Path) -> list[Path]:
    def does(add: d.Calls, rank: int) -> None:
        add.add(d.COMM_SPLIT, d.u16(d.WORLD) + d.i32(rank, 0) + d.u16(9))
        add.add(d.ISEND, d.message(1, d.INT, 1 - rank, 1) + d.i32(5))
        add.add(d.IRECV, d.message(1, d.INT, -1, 1) + d.i32(6))
        statuses = d.statuses((4, 1 - rank, 1), (4, 1 - rank, 1))
        add.add(d.WAITALL, d.i32(2) + d.listed(5, 6) + statuses)
        blocks = d.listed(1, 2) + d.listed(0, 1)
        add.add(d.ALLTOALLV, d.i32(2) + (blocks + d.u16(d.INT)) * 2 + d.u16(d.WORLD))
        add.add(d.BARRIER, d.u16(9))

    return [d.written(folder, test_dumpi.ranks_of(2, does))]


@pytest.mark.parametrize("written", [chakra, kineto, dumpi])
def test_damaged(tmp_path: Path, written: Callable[[Path], list[Path]]) -> None:
    names = [str(file) for file in written(tmp_path)]
    target = tmp_path / "run-0000.bin" if written is dumpi else Path(names[0])
    whole = target.read_bytes()
    kind = written.__name__
    convert(names, tmp_path, kind)
    damaged = [whole[:at] for at in range(0, len(whole), 7)]
    for at in range(len(whole)):
        for value in (0xFF, whole[at] ^ 1):
            damaged.append(whole[:at] + bytes([value]) + whole[at + 1 :])
    refused = 0
    for content in damaged:
        target.write_bytes(content)
        try:
            convert(names, tmp_path, kind)
        except LapwingError:
            refused += 1
    assert refused > len(damaged) / 4
