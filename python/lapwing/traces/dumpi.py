"""Traces of DUMPI (SST): for each rank a file of its calls, with their arguments and times."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ..errors import LapwingError
from .dumpi_communicators import (
    GROUPS,
    MAKERS,
    NULL,
    SELF,
    STRANGE,
    WORLD,
    Communicator,
    communicators,
)
from .dumpi_file import Call, DumpiFile, Malformed, is_trace
from .dumpi_types import TypeSizes
from .matching import ANY, NOBODY
from .program import Program, RankRecords, name_of

_Record = dict[str, Any]

_NO_REQUEST = 1
_SENDS = ("Send", "Bsend", "Ssend", "Rsend")
_STARTS = ("Isend", "Ibsend", "Issend", "Irsend", "Irecv")
_PREPARES = ("Send_init", "Bsend_init", "Ssend_init", "Rsend_init", "Recv_init")
# Those of which only the time counts: they wait for other ranks.
_OTHERS = ("Probe", "Iprobe", "Comm_free", "Comm_disconnect", *MAKERS)
_COLLECTIVES = {
    "Barrier": "barrier",
    "Bcast": "bcast",
    "Reduce": "reduce",
    "Allreduce": "allreduce",
    "Scan": "scan",
    "Exscan": "exscan",
    "Gather": "gather",
    "Gatherv": "gatherv",
    "Scatter": "scatter",
    "Scatterv": "scatterv",
    "Allgather": "allgather",
    "Allgatherv": "allgatherv",
    "Alltoall": "alltoall",
    "Alltoallv": "alltoallv",
    "Alltoallw": "alltoallv",
    "Reduce_scatter": "reduce_scatter",
}


def recognise(file: Path) -> bool:
    """Whether a file is that of a rank, or the list of them."""
    return is_trace(file) or _is_list(file)


def read(files: Sequence[Path], directory: Path) -> Program:
    """Read the files of all ranks. directory: for the parts of the ranks."""
    lists = [file for file in files if not is_trace(file)]
    if len(lists) > 1:
        raise LapwingError(f"{lists[1]}: is of another run than {lists[0]}; name one")
    files = _listed(lists[0]) if lists else list(files)
    name = str(lists[0]) if lists else name_of(files)
    program = Program(directory, name, "dumpi", len(files), event="call")
    made = communicators(name, [_makers(file, rank) for rank, file in enumerate(files)])
    for rank, file in enumerate(files):
        with RankRecords(program, rank, file) as records, closing(DumpiFile(file)) as content:
            reader = _Rank(content, records, made[rank])
            for call in _calls(content, rank):
                records.event = call.number
                reader.take(call)
            reader.end()
    program.check()
    return program


def _is_list(file: Path) -> bool:
    with open(file, "rb") as content:
        text = content.read(1 << 16)
    return b"\nfileprefix=" in b"\n" + text and b"\nnumprocs=" in b"\n" + text


def _listed(file: Path) -> list[Path]:
    """The files of ranks by a list, which has the beginning of their names and their number."""
    text = file.read_text(encoding="utf-8", errors="replace")
    said = dict(re.findall(r"^(fileprefix|numprocs)=(.*)$", text, re.MULTILINE))
    try:
        ranks = int(said["numprocs"])
    except ValueError:
        raise LapwingError(f"{file}: numprocs={said['numprocs']} is no number") from None
    # The prefix may be a path of the machine where the program ran.
    prefix = Path(said["fileprefix"].strip()).name
    found = []
    for rank in range(ranks):
        path = file.parent / f"{prefix}-{rank:04}.bin"
        if not path.is_file():
            raise LapwingError(f"{file}: rank {rank}: {path} is not there")
        found.append(path)
    return found


def _calls(content: DumpiFile, rank: int) -> Iterator[Call]:
    try:
        yield from content.calls()
    except Malformed as error:
        raise LapwingError(f"{content.path}: rank {rank}, call {content.number}: {error}") from None


def _makers(file: Path, rank: int) -> list[Call]:
    """The calls of a rank that make communicators and groups."""
    with closing(DumpiFile(file)) as content:
        return [call for call in _calls(content, rank) if call.name in (*MAKERS, *GROUPS)]


class _Rank:
    """Reads the calls of a rank into its records."""

    def __init__(
        self, content: DumpiFile, records: RankRecords, made: dict[int, Communicator | None]
    ) -> None:
        self.records, self.made = records, made
        self.sizes = TypeSizes(content.sizes)
        world = Communicator(0, tuple(range(records.program.ranks)))
        self.communicators = {WORLD: world, SELF: Communicator(1, (records.rank,))}
        self.prepared: dict[int, Call] = {}
        # By request, what may still be learnt when it completes; None: nothing.
        self.open: dict[int, _Record | None] = {}
        self.begun = self.finished = False
        self.time = 0
        self.kinds: dict[str, Callable[[Call], list[_Record]]] = {
            **dict.fromkeys(_SENDS, self._send),
            "Recv": self._receive,
            "Sendrecv": self._exchange,
            "Sendrecv_replace": self._exchange,
            **dict.fromkeys(_STARTS, self._start),
            "Start": self._start_prepared,
            "Startall": self._start_prepared,
            **dict.fromkeys(("Wait", "Waitall", "Waitany", "Waitsome"), self._wait),
            **dict.fromkeys(("Test", "Testall", "Testany", "Testsome"), self._wait),
            "Request_free": self._free,
            **dict.fromkeys(_COLLECTIVES, self._collective),
            **dict.fromkeys(_OTHERS, lambda _: [{"kind": "other"}]),
        }

    def take(self, call: Call) -> None:
        """Read a call."""
        if call.begin is None or call.end is None:
            self.records.fail(f"{call.name} has no time: the trace was made without wall times")
        if not self.begun:
            self.records.begin(call.begin)
            self.begun = True
        self.time = max(self.time, call.end)
        if call.name in ("Init", "Init_thread"):
            self.records.begin(call.end)
        elif call.name == "Finalize":
            self.records.finish(call.begin)
            self.finished = True
        elif call.name == "Comm_size":
            self._check_size(call)
        elif call.name in (*STRANGE, "Cancel"):
            self.records.fail(f"{call.name}: a program that calls it cannot be replayed")
        elif call.name in _PREPARES:
            self.prepared[call.values["request"]] = call
        elif call.name in self.kinds:
            self._write(call, self.kinds[call.name](call))
        try:
            self.sizes.learn(call)
        except Malformed as error:
            self.records.fail(f"{call.name} {error}")
        if call.name in MAKERS:
            found = self.made.get(call.number)
            if found is not None and call.values["new"] != NULL:
                self.communicators[call.values["new"]] = found

    def end(self) -> None:
        """Write the rest after the last call."""
        for record in self.open.values():
            if record is not None:
                record["kind"] = "start_receive"  # of whom is never said
        if not self.finished:
            self.records.finish(self.time)

    def _write(self, call: Call, made: list[_Record]) -> None:
        assert call.begin is not None and call.end is not None
        site = self.records.site(f"MPI_{call.name}")
        begin = call.begin
        for record in made:
            record["site"] = site
            self.records.call(begin, call.end, record)
            begin = call.end

    def _check_size(self, call: Call) -> None:
        size, ranks = call.values["size"], self.records.program.ranks
        if call.values["comm"] == WORLD and size != ranks:
            self.records.fail(f"there are {size} ranks, and {ranks} files are given")

    def _communicator(self, call: Call) -> Communicator:
        number = call.values["comm"]
        if number not in self.communicators:
            self.records.fail(f"{call.name} names communicator {number}, which is not known")
        return self.communicators[number]

    def _number(self, call: Call) -> int:
        """The records' number of a call's communicator."""
        found = self._communicator(call)
        return self.records.communicator(found.context, found.members)

    def _size(self, call: Call, count: int, kind: int) -> int:
        """Bytes of so many elements of a type."""
        size = self.sizes.of(kind)
        if count < 0 or size is None:
            self.records.fail(
                f"{call.name} has {count} elements of type {kind}"
                + ("" if size is not None else ", whose size is not known")
            )
        return count * size

    def _end(self, call: Call, *names: str) -> _Record:
        """An end of a message. names: of its peer, tag, count and type in the call."""
        peer, tag, count, kind = (call.values[name] for name in names)
        members = self._communicator(call).members
        if peer >= len(members):
            self.records.fail(
                f"{call.name}: there is no rank {peer} among the {len(members)} of its communicator"
            )
        return {
            "peer": members[peer] if peer >= 0 else peer if peer == ANY else NOBODY,
            "tag": max(tag, ANY),
            "bytes": self._size(call, count, kind),
        }

    def _sent(self, call: Call, *names: str) -> _Record:
        """The same of a message that is sent, which says to whom."""
        end = self._end(call, *(names or ("peer", "tag", "count", "type")))
        if end["peer"] == ANY:
            end["peer"] = NOBODY
        end["tag"] = max(end["tag"], 0)
        return end

    def _received(self, call: Call, *names: str) -> _Record:
        """The same of a message that is received, with what the status says of it."""
        end = self._end(call, *(names or ("peer", "tag", "count", "type")))
        self._learn(call, end, call.values.get("status", [])[:1])
        return end

    def _learn(self, call: Call, end: _Record, statuses: Sequence[Any]) -> None:
        """Fill in who sent a message, and its tag, where a status says it."""
        members = self._communicator(call).members
        for status in statuses:
            if end["peer"] == ANY and 0 <= status.source < len(members):
                end["peer"] = members[status.source]
                if end["tag"] == ANY and status.tag >= 0:
                    end["tag"] = status.tag

    def _send(self, call: Call) -> list[_Record]:
        communicator = self._number(call)
        return [{"kind": "send", "communicator": communicator, "sent": self._sent(call)}]

    def _receive(self, call: Call) -> list[_Record]:
        communicator = self._number(call)
        return [{"kind": "receive", "communicator": communicator, "received": self._received(call)}]

    def _exchange(self, call: Call) -> list[_Record]:
        if call.name == "Sendrecv":
            received = ("source", "rtag", "rcount", "rtype")
        else:
            received = ("source", "rtag", "count", "type")
        return [
            {
                "kind": "send_receive",
                "communicator": self._number(call),
                "sent": self._sent(call),
                "received": self._received(call, *received),
            }
        ]

    def _start(self, call: Call) -> list[_Record]:
        return [self._started(call, call.values["request"])]

    def _started(self, call: Call, request: int) -> _Record:
        record: _Record = {"kind": "start_send", "communicator": self._number(call)}
        self.open[request] = None
        if call.name in ("Irecv", "Recv_init"):
            end = record["received"] = self._received(call)
            record["kind"] = "start_receive"
            if end["peer"] == ANY:
                # Who sends is known when it completes.
                record |= {"kind": None, "call": call}
                self.open[request] = record
        else:
            record["sent"] = self._sent(call)
        record["request"] = self.records.start(request)
        return record

    def _start_prepared(self, call: Call) -> list[_Record]:
        made = []
        for request in call.values.get("requests", [call.values.get("request")]):
            if request not in self.prepared:
                self.records.fail(f"{call.name} starts request {request}, which was not prepared")
            made.append(self._started(self.prepared[request], request))
        return made

    def _wait(self, call: Call) -> list[_Record]:
        """A call that finds requests complete, or none: then only its time counts."""
        ended = []
        for request, statuses in self._found(call):
            if request == _NO_REQUEST or (request in self.prepared and request not in self.open):
                continue
            ended.append(self.records.complete(request))
            record = self.open.pop(request, None)
            if record is not None:
                self._learn(record["call"], record["received"], statuses)
                record["kind"] = "start_receive"
        return [{"kind": "wait", "requests": ended}] if ended else [{"kind": "other"}]

    def _found(self, call: Call) -> list[tuple[int, list[Any]]]:
        """The requests that a call found complete, and a status of each if there is one."""
        said = call.values
        requests, statuses = said.get("requests", [said.get("request")]), said["status"]
        if not said.get("flag", 1):
            return []
        if "index" in said or "indices" in said:
            places = said.get("indices", [said.get("index")])
            places = [place for place in places if place >= 0]
            if any(place >= len(requests) for place in places):
                self.records.fail(f"{call.name} completes one of {len(requests)} that is not there")
            requests = [requests[place] for place in places]
        return [(request, statuses[at : at + 1]) for at, request in enumerate(requests)]

    def _free(self, call: Call) -> list[_Record]:
        request = call.values["request"]
        self.prepared.pop(request, None)
        record = self.open.pop(request, None)
        if record is not None:
            record["kind"] = "start_receive"
        if not self.records.is_open(request):
            return [{"kind": "other"}]
        return [{"kind": "forget", "request": self.records.complete(request)}]

    def _collective(self, call: Call) -> list[_Record]:
        said, name = call.values, _COLLECTIVES[call.name]
        communicator = self._communicator(call)
        made: _Record = {
            "kind": "collective",
            "communicator": self._number(call),
            "collective": name,
        }
        size = len(communicator.members)
        if not 0 <= said.get("root", 0) < size:
            self.records.fail(f"{call.name}: there is no root {said['root']} among {size} ranks")
        made["root"] = said.get("root", 0)
        blocks = self._blocks(call)
        if blocks is not None and len(blocks) != size:
            self.records.fail(f"{call.name} has {len(blocks)} parts for {size} ranks")
        if name == "reduce_scatter" and blocks is not None:
            made |= {"bytes": -(-sum(blocks) // size), "blocks": blocks}
        elif name == "allgatherv" and blocks is not None:
            made |= {"bytes": blocks[communicator.members.index(self.records.rank)]}
        else:
            made["bytes"] = self._block(call)
            if blocks is not None:
                made["blocks"] = blocks
        return [made]

    def _block(self, call: Call) -> int:
        """Bytes of a collective whose blocks are equal, or of the caller's own."""
        said = call.values
        receives = call.name in ("Scatter", "Scatterv", "Allgather", "Alltoall")
        names = ("rcount", "rtype") if receives else ("count", "type")
        return self._size(call, said[names[0]], said[names[1]]) if names[0] in said else 0

    def _blocks(self, call: Call) -> list[int] | None:
        """Bytes of each block, where the call says them; what a rank sends, if it sends any."""
        said = call.values
        ours = call.name in ("Scatterv", "Alltoallv", "Alltoallw") and said.get("counts")
        counts = said.get("counts" if ours else "rcounts")
        if counts is None:
            return None
        kinds = said.get("types" if ours else "rtypes")
        if kinds is None:
            kind = said["type"] if ours or call.name == "Reduce_scatter" else said["rtype"]
            kinds = [kind] * len(counts)
        if len(kinds) != len(counts):
            self.records.fail(f"{call.name} has {len(kinds)} types for {len(counts)} parts")
        return [self._size(call, *each) for each in zip(counts, kinds, strict=True)]
