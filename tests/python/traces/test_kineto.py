"""Traces of PyTorch's profiler: what starts and waits when, what is moved, bad files."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from programs import calls, converted, notes, plain, times

from lapwing.errors import LapwingError

COMPUTE, NCCL = 7, 20  # streams

Event = dict[str, Any]


def kernel(correlation: int, begin: float, end: float, **more: Any) -> Event:
    """A kernel that computes; times are microseconds."""
    return {
        "ph": "X",
        "cat": "kernel",
        "name": "gemm",
        "ts": begin,
        "dur": end - begin,
        "args": {"stream": COMPUTE, "correlation": correlation, **more},
    }


def collective(correlation: int, begin: float, end: float, name: str, **more: Any) -> Event:
    """A kernel of NCCL; 100 elements of two bytes, in a group of all of two ranks."""
    said = {
        "Collective name": name,
        "dtype": "BFloat16",
        "In msg nelems": 100,
        "Out msg nelems": 100,
        "Group size": 2,
        "Process Group Name": "0",
        "Process Group Ranks": "[0, 1]",
        "stream": NCCL,
        **{key.replace("_", " "): value for key, value in more.items()},
    }
    made = kernel(correlation, begin, end, **said)
    return made | {
        "name": f"ncclDevKernel_{name}_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
    }


def stream_wait(correlation: int, recorded: int) -> Event:
    """The stream that computes waits for what NCCL's was given before a record."""
    return {
        "ph": "X",
        "cat": "cuda_sync",
        "name": "Stream Wait Event",
        "ts": 0,
        "dur": 0,
        "args": {
            "stream": COMPUTE,
            "correlation": correlation,
            "wait_on_stream": NCCL,
            "wait_on_cuda_event_record_corr_id": recorded,
        },
    }


def written(folder: Path, *ranks: list[Event], world: int | None = None) -> list[Path]:
    """The files of ranks, packed but for the first."""
    files = []
    for rank, events in enumerate(ranks):
        host = {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 0, "dur": 9}
        document = {
            "schemaVersion": 1,
            "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": world or len(ranks)},
            "traceEvents": [host, {"ph": "M", "name": "process_name"}, *events],
        }
        text = json.dumps(document).encode()
        files.append(folder / f"rank{rank}.json{'.gz' if rank else ''}")
        files[-1].write_bytes(gzip.compress(text) if rank else text)
    return files


def of_two(folder: Path, events: list[Event]) -> Any:
    """The recording of two ranks that do the same."""
    return converted(folder, *written(folder, events, events))


def shown(recording: Any, rank: int = 0) -> list[tuple[Any, ...]]:
    """What a rank does: microseconds that it computes and is in the call, the kind, requests."""
    return [
        (
            each["computed"] / 1000,
            each.get("duration", 0) / 1000,
            each["kind"],
            each.get("request", each.get("requests")),
        )
        for each in plain(recording, rank)
        if each["kind"] != "communicator"
    ]


def test_a_gap_in_which_a_collective_ends_waits_for_it(tmp_path: Path) -> None:
    recording = of_two(
        tmp_path,
        [
            kernel(1, 1000, 1100),
            kernel(3, 1110, 1150),
            collective(2, 1105, 1200, "allreduce"),
            kernel(4, 1210, 1300),
        ],
    )
    for rank in (0, 1):
        assert shown(recording, rank) == [
            (100, 0, "start_collective", 0),  # when what was launched before it ends
            (50, 50, "wait", [0]),  # with the gap of 10 us, which is the host's
            (100, 0, "finish", None),
        ]
    assert notes(recording) == []
    assert len(set(times(recording))) == 1


def test_the_trace_says_which_kernel_waits(tmp_path: Path) -> None:
    """Two collectives end while the device computes: only the trace tells who needs them."""
    events = [
        kernel(1, 1000, 1100),
        collective(2, 1100, 1150, "allreduce"),
        collective(3, 1150, 1190, "allreduce"),
        kernel(5, 1100, 1200),
        kernel(6, 1200, 1250),
        kernel(11, 1250, 1300),
    ]
    recording = of_two(tmp_path, [*events, stream_wait(10, recorded=4)])
    assert shown(recording) == [
        (100, 0, "start_collective", 0),
        (0, 0, "start_collective", 1),
        (150, 0, "wait", [0]),
        (0, 0, "wait", [1]),
        (50, 0, "finish", None),
    ]
    assert notes(recording) == []
    assert notes(of_two(tmp_path, events)) == [
        "collectives that no kernel is seen to wait for are waited for at the end: 4"
    ]


def test_the_host_waits_for_one_after_the_other(tmp_path: Path) -> None:
    """Two buckets of a backward pass; both have ended before any kernel waits for them."""

    def host_wait(correlation: int) -> Event:
        about = {"correlation": correlation, "cbid": 147}
        return {"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "args": about}

    recording = of_two(
        tmp_path,
        [
            kernel(1, 1000, 1100),
            host_wait(2),
            collective(3, 1100, 1150, "allreduce"),
            host_wait(4),  # these two are NCCL's own
            kernel(5, 1100, 1200),
            host_wait(6),
            collective(7, 1200, 1240, "allreduce"),
            host_wait(8),
            host_wait(9),  # for the first one
            kernel(10, 1250, 1300),
            host_wait(11),  # for the second one
            kernel(12, 1300, 1400),
        ],
    )
    assert shown(recording) == [
        (100, 0, "start_collective", 0),
        (100, 0, "start_collective", 1),
        (0, 0, "wait", [0]),
        (100, 0, "wait", [1]),
        (100, 0, "finish", None),
    ]


def test_the_host_says_what_a_kernel_of_nccl_does(tmp_path: Path) -> None:
    told = collective(2, 10, 20, "all_gather")
    said = {**told["args"], "External id": 77}
    told["args"] = {"stream": NCCL, "correlation": 2, "External id": 77}
    host = {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "args": said}
    assert calls(of_two(tmp_path, [host, told]), 0)[0]["collective"] == "allgather"


@pytest.mark.parametrize(
    ("name", "is_called", "size"),
    [
        ("allreduce", "allreduce", 200),
        ("allreduce_coalesced", "allreduce", 200),
        ("_allgather_base", "allgather", 200),
        ("all_gather_into_tensor_coalesced", "allgather", 200),
        ("reduce_scatter_tensor_coalesced", "reduce_scatter_block", 80),
        ("_reduce_scatter_base", "reduce_scatter_block", 80),
        ("broadcast", "bcast", 200),
        ("reduce", "reduce", 200),
        ("gather", "gather", 200),
        ("scatter", "scatter", 80),
        ("all_to_all", "alltoall", 100),
        ("barrier", "barrier", 0),
    ],
)
def test_collectives(tmp_path: Path, name: str, is_called: str, size: int) -> None:
    found = calls(of_two(tmp_path, [collective(1, 0, 5, name, Out_msg_nelems=40)]), 0)[0]
    assert (found["collective"], found["bytes"]) == (is_called, size)


def test_parts_of_different_sizes(tmp_path: Path) -> None:
    parts = [collective(1, 0, 5, "all_to_allv", In_split_size=text) for text in ("[3, 1]", "[]")]
    found = calls(converted(tmp_path, *written(tmp_path, [parts[0]], [parts[0]])), 1)[0]
    assert (found["collective"], found["blocks"]) == ("alltoallv", [150, 50])
    assert calls(of_two(tmp_path, [parts[1]]), 1)[0]["collective"] == "alltoall"


def test_messages_and_groups(tmp_path: Path) -> None:
    """Rank 1 sends to rank 3 in a group of both; of a long list the profiler leaves some out."""
    group = {"Process_Group_Name": "odd", "Process_Group_Ranks": "[1, 3]"}
    everybody = {
        "Group_size": 40,
        "Process_Group_Ranks": f"[{', '.join(map(str, range(29)))}, ..., 39]",
    }
    ranks = [[collective(1, 0, 5, "allreduce", **everybody)] for _ in range(40)]
    ranks[1].append(collective(2, 5, 9, "send", Dst_Rank=3, **group))
    ranks[3].append(collective(2, 5, 9, "recv", Src_Rank=1, **group))
    recording = converted(tmp_path, *written(tmp_path, *ranks))
    sent = next(each for each in calls(recording, 1) if "sent" in each)
    received = next(each for each in calls(recording, 3) if "received" in each)
    assert sent["sent"] == {"peer": 3, "tag": 0, "bytes": 200}
    assert received["received"] == {"peer": 1, "tag": 0, "bytes": 200}
    assert [each["members"] for each in recording.records(3) if "members" in each] == [
        [(0, 1, 40)],
        [(1, 2, 2)],
    ]
    times(recording)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (kernel(1, -9, 5), "event 2: has a 'ts' of -9"),
        (kernel(1, 9, 5), "event 2: has a 'dur' of -4"),
        (kernel(1, 5, float("nan")), "event 2: has no 'dur', or one that is no time"),
        (kernel("x", 5, 6), "event 2: has no 'correlation', or one that is no number"),
        (kernel(1, 5, 6) | {"args": 3}, "event 2: has no args"),
        (kernel(1, 5, 6) | {"name": "ncclDevKernel_AllReduce"}, "is a kernel of NCCL without"),
        (collective(1, 0, 5, "whatever"), "rank 0, event 2: is a collective that is not known"),
        (collective(1, 0, 5, "allreduce", dtype="Q"), "has a dtype that is not known, 'q'"),
        (collective(1, 0, 5, "allreduce", In_msg_nelems=-1), "has a 'In msg nelems' of -1"),
        (collective(1, 0, 5, "allreduce", Group_size=3), "has a group of 3 ranks and lists 2"),
        (
            collective(1, 0, 5, "allreduce", Group_size=9, Process_Group_Ranks="[0, 3, ..., 8]"),
            "has a group of 9 ranks, of which the trace leaves some out",
        ),
        (
            collective(1, 0, 5, "allreduce", Process_Group_Ranks="[1, 1]"),
            "has a group with a rank that is there twice",
        ),
        (
            collective(1, 0, 5, "allreduce", Process_Group_Ranks="[1, 2]"),
            "has a group that is not of rank 0 among its files",
        ),
        (collective(1, 0, 5, "all_to_allv", In_split_size="[1, 2, 3]"), "has 3 parts for 2 ranks"),
        (collective(1, 0, 5, "send", Dst_Rank=2), "there is no rank 2 among 2 files"),
    ],
)  # fmt: skip
def test_events_that_are_no_good(tmp_path: Path, event: Event, said: str) -> None:
    files = written(tmp_path, [event], [event])
    with pytest.raises(LapwingError) as error:
        converted(tmp_path, *files)
    assert str(error.value).startswith(f"{files[0]}: ")
    assert said in str(error.value)


def test_files_that_are_no_good(tmp_path: Path) -> None:
    def said(*files: Path, kind: str | None = None) -> str:
        with pytest.raises(LapwingError) as error:
            converted(tmp_path, *files, kind=kind)
        return str(error.value)

    events = [kernel(1, 0, 5)]
    first, second = written(tmp_path, events, events)
    assert "is of rank 0 of 2, and 1 files are given: name those of all" in said(first)
    again = tmp_path / "again.json"
    again.write_bytes(first.read_bytes())
    assert f"is of rank 0, as {again} is" in said(again, first)
    second.write_bytes(second.read_bytes()[:-20])
    assert "rank1.json.gz: it is cut off, or no gzip file" in said(first, second)
    first.write_bytes(first.read_bytes()[:-20])
    assert "rank0.json: it is cut off, or no JSON: " in said(first)
    first.write_text('{"schemaVersion": 1}')
    assert said(first) == f"{first}: has no list of traceEvents"
    first, second = written(tmp_path, [collective(1, 0, 5, "allreduce")], events)
    assert "rank 1 does 0, rank 0 does 1" in said(first, second)
    [alone] = written(tmp_path, [])
    assert "rank 0, event 0: the trace has no kernels of a device" in said(alone)
