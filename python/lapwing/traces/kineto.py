"""Traces of PyTorch's profiler (Kineto) as recordings: a file for each rank.

A rank's kernels that are not NCCL's are its computation, with the gaps between them. A collective
starts when the kernels end that were launched before it. Its wait comes before the kernel that
waits for it. One of three things in the trace tells that kernel. The kernel's stream waits for an
event of NCCL's stream. Or the host calls a wait between both launches, one for each collective in
their order. Or a gap lies before the kernel, in which the collective ends. If there is none of
these, its wait comes at the end.
"""

import bisect
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import LapwingError
from .kineto_events import BadEvent, Kernel, Trace, element, load, members, numbers, whole
from .program import Program, RankRecords, name_of

_Record = dict[str, Any]
_Contexts = dict[tuple[str, tuple[int, ...]], int]

# Collectives by their names at PyTorch, without what follows them: "_coalesced", "_into_tensor".
_COLLECTIVES = {
    "allreduce": "allreduce",
    "all_reduce": "allreduce",
    "allgather": "allgather",
    "all_gather": "allgather",
    "_allgather_base": "allgather",
    "reduce_scatter": "reduce_scatter_block",
    "_reduce_scatter_base": "reduce_scatter_block",
    "broadcast": "bcast",
    "_broadcast_oop": "bcast",
    "reduce": "reduce",
    "_reduce_oop": "reduce",
    "gather": "gather",
    "scatter": "scatter",
    "all_to_all": "alltoall",
    "all_to_allv": "alltoall",
    "alltoall": "alltoall",
    "alltoall_base": "alltoall",
    "barrier": "barrier",
}
# A kernel that only waited begins as soon as this after what it waited for; nanoseconds.
_SOON = 10_000
# What the host does, in the order in which it does it.
_WAIT, _NCCL, _COMPUTE = range(3)
_ENDINGS = ("_coalesced", "_into_tensor", "_tensor", "_base")


def read(files: Sequence[Path], directory: Path) -> Program:
    """Read the files of all ranks. directory: for the parts of the ranks."""
    program = Program(directory, name_of(files), "kineto", len(files))
    contexts: _Contexts = {}
    seen: dict[int, Path] = {}
    unwaited = 0
    for number, file in enumerate(files):
        trace = load(file)
        rank = number if trace.rank is None else trace.rank
        if trace.ranks > len(files):
            raise LapwingError(
                f"{file}: is of rank {rank} of {trace.ranks}, and {len(files)} files are given: "
                "name those of all ranks"
            )
        if rank in seen or not 0 <= rank < len(files):
            other = f" as {seen[rank]} is" if rank in seen else f" of {len(files)} files"
            raise LapwingError(f"{file}: is of rank {rank},{other}")
        seen[rank] = file
        with RankRecords(program, rank, file) as records:
            reader = _Rank(trace, records, contexts)
            reader.write()
            unwaited += reader.unwaited
    if unwaited:
        program.notes.append(
            f"collectives that no kernel is seen to wait for are waited for at the end: {unwaited}"
        )
    program.check()
    return program


class _Rank:
    """Writes the records of a rank."""

    def __init__(self, trace: Trace, records: RankRecords, contexts: _Contexts) -> None:
        self.records, self.contexts = records, contexts
        self.waits, self.host_waits = trace.waits, trace.host_waits
        self.kernels = [kernel for kernel in trace.kernels if kernel.arguments is None]
        self.collectives = sorted(
            (kernel for kernel in trace.kernels if kernel.arguments is not None),
            key=lambda kernel: kernel.correlation,
        )
        self.unwaited = 0
        # Until when the device has computed, with each of its kernels and those before.
        self.busy: list[int] = []
        for kernel in self.kernels:
            self.busy.append(max(kernel.end, self.busy[-1] if self.busy else 0))

    def write(self) -> None:
        """Write all of them: what starts, and what is waited for, in the order of time."""
        if not self.kernels and not self.collectives:
            self.records.fail("the trace has no kernels of a device")
        begin = min(kernel.begin for kernel in (*self.kernels[:1], *self.collectives))
        self.records.begin(begin)
        end = self.busy[-1] if self.busy else begin
        # Time, whether it waits, the order in which they were launched.
        calls: list[tuple[int, bool, int]] = []
        starts = self._starts(begin)
        calls += [(start, False, index) for index, start in enumerate(starts)]
        for index, before in enumerate(self._waited_before()):
            if before is None:
                self.unwaited += 1
            idle = end if before is None else self.busy[before - 1] if before else begin
            calls.append((max(idle, starts[index]), True, index))
        now = begin
        for time, waits, index in sorted(calls):
            now = self._call(max(now, time), waits, self.collectives[index], index)
        self.records.finish(max(now, end))

    def _call(self, now: int, waits: bool, kernel: Kernel, index: int) -> int:
        """Write a call; returns when it ends."""
        records = self.records
        records.event = kernel.event
        if waits:
            site = records.site("wait", kernel.name)
            record: _Record = {"kind": "wait", "requests": [records.complete(index)], "site": site}
            end = max(now, kernel.end)
            records.call(now, end, record)
            return end
        try:
            record = self._communication(kernel.arguments or {})
        except BadEvent as error:
            records.fail(str(error))
        record["request"] = records.start(index)
        record["site"] = records.site(str(record.get("collective", record["kind"])), kernel.name)
        records.call(now, now, record)
        return now

    def _starts(self, begin: int) -> list[int]:
        """When each collective may start: when all kernels end that were launched before."""
        launched = sorted((kernel.correlation, kernel.end) for kernel in self.kernels)
        starts, ended, position = [], begin, 0
        for collective in self.collectives:
            while position < len(launched) and launched[position][0] < collective.correlation:
                ended = max(ended, launched[position][1])
                position += 1
            starts.append(min(ended, collective.begin))
        return starts

    def _waited_before(self) -> list[int | None]:
        """For each collective the index of the kernel that waits for it."""
        found = self._told()
        self._add_told_by_host(found)
        begins = [kernel.begin for kernel in self.kernels]
        for index, collective in enumerate(self.collectives):
            if found[index] is None:
                following = bisect.bisect_left(begins, collective.end)
                idle = following == 0 or self.busy[following - 1] < collective.end
                soon = following < len(begins) and begins[following] - collective.end <= _SOON
                if idle and soon:
                    found[index] = following
        return found

    def _add_told_by_host(self, found: list[int | None]) -> None:
        """Add what the host's calls say: before a kernel that computes, they wait for NCCL.

        Those before a kernel of NCCL, and the first one behind it, are NCCL's own.
        """
        launched = [(wait, _WAIT, 0) for wait in self.host_waits]
        launched += [(each.correlation, _NCCL, i) for i, each in enumerate(self.collectives)]
        launched += [(each.correlation, _COMPUTE, i) for i, each in enumerate(self.kernels)]
        under_way: deque[int] = deque()
        before, waits = _COMPUTE, 0
        for _, what, index in sorted(launched):
            if what == _WAIT:
                waits += before != _NCCL
            elif what == _NCCL:
                under_way.append(index)
                waits = 0
            else:
                for _ in range(min(waits, len(under_way))):
                    if self.collectives[under_way[0]].end > self.kernels[index].begin:
                        break  # it is another one's
                    collective = under_way.popleft()
                    if found[collective] is None:
                        found[collective] = index
                waits = 0
            before = what

    def _told(self) -> list[int | None]:
        """The same as far as the trace says which stream waits for which."""
        found: list[int | None] = [None] * len(self.collectives)
        streams: dict[int, list[tuple[int, int]]] = {}
        for index, kernel in enumerate(self.kernels):
            streams.setdefault(kernel.stream, []).append((kernel.correlation, index))
        for stream in streams.values():
            stream.sort()
        ours: dict[int, list[int]] = {}
        for index, collective in enumerate(self.collectives):
            ours.setdefault(collective.stream, []).append(index)
        for wait in self.waits:
            stream = streams.get(wait.stream, [])
            position = bisect.bisect_right(stream, (wait.correlation, len(self.kernels)))
            if position == len(stream):
                continue
            waits = stream[position][1]
            # In the order in which they were launched: all before the record are waited for.
            for index in reversed(ours.get(wait.other, [])):
                if self.collectives[index].correlation > wait.recorded:
                    continue
                known = found[index]
                if known is not None and known <= waits:
                    break
                found[index] = waits
        return found

    def _communication(self, said: dict[str, Any]) -> _Record:
        """The record of a collective or a message, without its request."""
        name = str(said["Collective name"]).strip('"').removeprefix("nccl:")
        ranks = members(said)
        if self.records.rank not in ranks or max(ranks) >= self.records.program.ranks:
            raise BadEvent(f"has a group that is not of rank {self.records.rank} among its files")
        group = (str(said.get("Process Group Name", "")), ranks)
        context = self.contexts.setdefault(group, len(self.contexts) + 1)
        communicator = self.records.communicator(context, ranks)
        if name in ("send", "recv"):
            return self._message(name, said, communicator)
        for ending in _ENDINGS:
            if name not in _COLLECTIVES:
                name = name.removesuffix(ending)
        if name not in _COLLECTIVES:
            raise BadEvent(f"is a collective that is not known, '{said['Collective name']}'")
        name = _COLLECTIVES[name]
        made: _Record = {
            "kind": "start_collective",
            "collective": name,
            "communicator": communicator,
        }
        if name == "barrier":
            return made
        gives = whole(said, "In msg nelems") * element(said)
        made["bytes"] = gives
        if name in ("reduce_scatter_block", "scatter"):
            made["bytes"] = whole(said, "Out msg nelems") * element(said)
        if name == "alltoall":
            splits = numbers(said, "In split size")
            made["bytes"] = gives // len(ranks)
            if splits and sum(splits) > 0:
                if len(splits) != len(ranks) or min(splits) < 0:
                    raise BadEvent(f"has {len(splits)} parts for {len(ranks)} ranks")
                made["collective"] = "alltoallv"
                made["blocks"] = [gives * split // sum(splits) for split in splits]
        return made

    def _message(self, name: str, said: dict[str, Any], communicator: int) -> _Record:
        sends = name == "send"
        peer = whole(said, "Dst Rank" if sends else "Src Rank")
        if peer >= self.records.program.ranks:
            raise BadEvent(f"there is no rank {peer} among {self.records.program.ranks} files")
        elements = whole(said, "In msg nelems" if sends else "Out msg nelems")
        end = {"peer": peer, "tag": 0, "bytes": elements * element(said)}
        kind, way = ("start_send", "sent") if sends else ("start_receive", "received")
        return {"kind": kind, "communicator": communicator, way: end}
