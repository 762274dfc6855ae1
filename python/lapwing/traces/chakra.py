"""Execution traces of Chakra (MLCommons): for each rank a file of nodes and their dependences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import LapwingError
from . import protobuf
from .packed import BAD_PACKING, open_packed
from .program import Program, RankRecords, name_of
from .protobuf import Malformed
from .task_graph import Circle, Task, steps

_MICROSECOND = 1000  # nanoseconds

# Numbers of `NodeType`, and of the fields of a node and of an attribute.
_LOAD, _COMPUTE, _SEND, _RECEIVE, _COLLECTIVE = 2, 4, 5, 6, 7
_ID, _NAME, _TYPE, _CALLERS, _NEEDS, _DURATION, _ATTRIBUTE = 1, 2, 3, 4, 5, 7, 10
_NAME_OF_ATTRIBUTE = 1
_ATTRIBUTES = frozenset(
    ("is_cpu_op", "comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "pg_name")
)
_SIGNED = (15, 19)  # sint32_val, sint64_val

# Collectives by their numbers in `CollectiveCommType`, and whether `comm_size` is that of all
# ranks' blocks together: it is what a rank gives.
_COLLECTIVES = [
    ("allreduce", False),
    ("reduce", False),
    ("allgather", False),
    ("gather", False),
    ("scatter", True),
    ("bcast", False),
    ("alltoall", True),
    ("reduce_scatter", True),
    ("reduce_scatter_block", True),
    ("barrier", False),
]


@dataclass(slots=True)
class _Node:
    number: int = 0
    name: str = ""
    kind: int = 0
    callers: list[int] = field(default_factory=list)  # control dependences
    needs: list[int] = field(default_factory=list)  # data dependences
    duration: int = 0
    attributes: dict[str, int | str] = field(default_factory=dict)

    @property
    def group(self) -> str:
        return str(self.attributes.get("pg_name", ""))

    @property
    def communicates(self) -> bool:
        """Whether it moves data: the host's part of a collective, which has no type, does not."""
        return self.kind in (_SEND, _RECEIVE) or (
            self.kind == _COLLECTIVE and "comm_type" in self.attributes
        )

    @property
    def on_host(self) -> bool:
        return bool(self.attributes.get("is_cpu_op", 0))


def recognise(file: Path) -> bool:
    """Whether a file begins with Chakra's metadata and a node."""
    with open_packed(file) as content:
        try:
            messages = protobuf.messages(content)
            metadata = dict(protobuf.fields(next(messages, b"\x08\x00")))
            node = dict(protobuf.fields(next(messages, b"")))
        except (Malformed, *BAD_PACKING):
            return False
    text = all(isinstance(value, bytes) for value in metadata.values())
    known = metadata.keys() <= {1, 2} and node.keys() <= set(range(1, 11))
    return text and known and bool(node)


def read(files: Sequence[Path], directory: Path) -> Program:
    """Read the files of all ranks, in their order. directory: for the parts of the ranks."""
    program = Program(directory, name_of(files), "chakra", len(files), event="node")
    groups: dict[str, list[int]] = {}
    for rank, file in enumerate(files):
        for group in sorted({node.group for node in _nodes(file, rank) if node.group}):
            groups.setdefault(group, []).append(rank)
    contexts = {group: number + 1 for number, group in enumerate(groups)}
    hidden = untimed = 0
    for rank, file in enumerate(files):
        with RankRecords(program, rank, file) as records:
            reader = _Rank(list(_nodes(file, rank)), records, groups, contexts)
            reader.write()
            hidden += reader.hidden
            untimed += reader.untimed
    if hidden:
        program.notes.append(
            f"nodes of the host count as no time, because there are nodes of the device: {hidden}"
        )
    if untimed:
        program.notes.append(f"nodes that compute have no duration, and take no time: {untimed}")
    program.check()
    return program


def _nodes(file: Path, rank: int) -> Iterator[_Node]:
    """The nodes of a file."""
    count = 0
    with open_packed(file) as content:
        try:
            for message in protobuf.messages(content):
                if count > 0:
                    yield _node(message)
                count += 1
        except (Malformed, *BAD_PACKING) as error:
            raise LapwingError(f"{file}: rank {rank}, node {max(count, 1)}: {error}") from None


def _node(message: bytes) -> _Node:
    node = _Node()
    for number, value in protobuf.fields(message):
        if number == _NEEDS:
            node.needs += protobuf.numbers(value)
        elif number == _CALLERS:
            node.callers += protobuf.numbers(value)
        elif number == _ATTRIBUTE and isinstance(value, bytes):
            name, held = _attribute(value)
            if name in _ATTRIBUTES:
                node.attributes[name] = held
        elif number == _NAME and isinstance(value, bytes):
            node.name = value.decode(errors="replace")
        elif isinstance(value, int):
            if number == _ID:
                node.number = value
            elif number == _TYPE:
                node.kind = value
            elif number == _DURATION:
                node.duration = value
    return node


def _attribute(message: bytes) -> tuple[str, int | str]:
    """The name and the value of an attribute: a number or a text, whatever kind it has."""
    name, held = "", 0 if message else ""
    for number, value in protobuf.fields(message):
        if number == _NAME_OF_ATTRIBUTE and isinstance(value, bytes):
            name = value.decode(errors="replace")
        elif isinstance(value, int):
            if number in _SIGNED:
                value = value >> 1 ^ -(value & 1)
            held = value - (1 << 64) if value >> 63 else value
        elif len(value) in (4, 8) and 19 <= number <= 25:
            held = int.from_bytes(value, "little", signed=number >= 23)
        else:
            held = value.decode(errors="replace")
    return name, held


class _Rank:
    """Writes the records of a rank's nodes."""

    def __init__(
        self,
        nodes: list[_Node],
        records: RankRecords,
        groups: dict[str, list[int]],
        contexts: dict[str, int],
    ) -> None:
        self.nodes, self.records = nodes, records
        self.groups, self.contexts = groups, contexts
        timed = [node for node in nodes if not node.communicates and node.kind >= _LOAD]
        self._hides_host = any(node.duration and not node.on_host for node in timed)
        hidden = [node for node in timed if node.on_host and node.duration]
        self.hidden = len(hidden) if self._hides_host else 0
        self.untimed = sum(node.kind == _COMPUTE and node.duration == 0 for node in timed)

    def write(self) -> None:
        """Write all of them."""
        records, now = self.records, 0
        tasks = self._tasks()
        try:
            for step in steps(tasks):
                if step.waits:
                    ended = [records.complete(self.nodes[each].number) for each in step.waits]
                    site = records.site("wait")
                    records.call(now, now, {"kind": "wait", "requests": ended, "site": site})
                if step.task is None:
                    break
                node = self.nodes[step.task]
                records.event = node.number
                if not node.communicates:
                    if node.kind >= _LOAD and not (self._hides_host and node.on_host):
                        now += node.duration * _MICROSECOND
                else:
                    record = self._communication(node)
                    record["request"] = records.start(node.number)
                    routine = record.get("collective", record["kind"].removeprefix("start_"))
                    record["site"] = records.site(routine, node.name or None)
                    records.call(now, now, record)
        except Circle as error:
            records.event = self.nodes[error.args[0]].number
            records.fail("needs itself, by way of others")
        records.finish(now)

    def _tasks(self) -> list[Task]:
        indexes: dict[int, int] = {}
        for index, node in enumerate(self.nodes):
            self.records.event = node.number
            if node.number in indexes:
                self.records.fail("is there twice")
            indexes[node.number] = index
        # Where there are data dependences, the others only say who called whom.
        by_data = any(node.needs for node in self.nodes)
        tasks = []
        for node in self.nodes:
            self.records.event = node.number
            needs = node.needs if by_data else node.callers
            for need in needs:
                if need not in indexes:
                    self.records.fail(f"needs node {need}, which is not there")
            needs = [indexes[need] for need in dict.fromkeys(needs)]
            tasks.append(Task(needs, self._channel(node)))
        return tasks

    def _channel(self, node: _Node) -> object:
        """What keeps communication in order: the group; of messages, the way and the tag."""
        if not node.communicates:
            return None
        if node.kind == _COLLECTIVE:
            return ("collective", node.group)
        peer = self._number(node, "comm_dst" if node.kind == _SEND else "comm_src")
        return (node.kind, peer, node.attributes.get("comm_tag", 0))

    def _number(self, node: _Node, name: str) -> int:
        value = node.attributes.get(name)
        if not isinstance(value, int) or value < 0:
            self.records.fail(f"has no {name}, or one that is no number")
        return value

    def _communication(self, node: _Node) -> dict[str, Any]:
        """The record of a node that communicates, without its request."""
        if node.kind == _COLLECTIVE:
            return self._collective(node)
        sends = node.kind == _SEND
        peer = self._number(node, "comm_dst" if sends else "comm_src")
        if peer >= self.records.program.ranks:
            self.records.fail(
                f"there is no rank {peer} among the {self.records.program.ranks}, a file each"
            )
        tag = self._number(node, "comm_tag") if "comm_tag" in node.attributes else 0
        end = {"peer": peer, "tag": tag, "bytes": self._number(node, "comm_size")}
        if sends:
            return {"kind": "start_send", "sent": end}
        return {"kind": "start_receive", "received": end}

    def _collective(self, node: _Node) -> dict[str, Any]:
        kind = self._number(node, "comm_type")
        if kind >= len(_COLLECTIVES):
            self.records.fail(f"there is no collective {kind}")
        name, divided = _COLLECTIVES[kind]
        members: Sequence[int] = self.groups.get(node.group) or range(self.records.program.ranks)
        size = 0 if name == "barrier" else self._number(node, "comm_size")
        return {
            "kind": "start_collective",
            "collective": name,
            "communicator": self.records.communicator(self.contexts.get(node.group, 0), members),
            "bytes": -(-size // len(members)) if divided else size,
        }
