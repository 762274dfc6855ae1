"""The events of an observed run: what every rank did when, and whose messages went to whom.

All ranks' clocks agree: those of a machine are one, those of others are set by when all began."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy

# The layout of src/lapwing/observe/events.hpp.
_MARK = 0x31455750414C
_MOST = 1 << 16
_EVENT = numpy.dtype(
    [
        ("kind", "u4"),
        ("call", "u4"),
        ("start", "f8"),
        ("end", "f8"),
        ("peer", "i4"),
        ("tag", "i4"),
        ("bytes", "u8"),
        ("posted", "u8"),
    ]
)
_HEADER = numpy.dtype(
    [("magic", "u8"), ("rank", "u8"), ("recorded", "u8"), ("origin", "f8"), ("host", "S64")]
)
_CALL, _DEPARTURE, _ARRIVAL = range(3)


@dataclass(frozen=True)
class Call:
    """A call of MPI. start, end: seconds.  call: its call site's index.  bytes: that it moves."""

    rank: int
    start: float
    end: float
    call: int
    bytes: int


@dataclass(frozen=True)
class Message:
    """A message: the call that sent it, and the one that completed its receive, as `Call`s have."""

    bytes: int
    tag: int
    sender: Call
    receiver: Call


@dataclass(frozen=True)
class Events:
    """What was kept of a run.

    calls: of all ranks, by rank and start.  recorded: events of all ranks, also those that newer
    ones replaced.  kept: of them, those that are here.  unmatched: ends without the other one.
    """

    calls: list[Call]
    messages: list[Message]
    recorded: int
    kept: int
    unmatched: int


def read(directory: Path, sites: dict[int, list[int]]) -> Events | None:
    """The events that ranks left in `directory`; None if they recorded none.

    sites: of each rank, the index of each of its call sites in the document.
    """
    rings = list(_rings(directory))
    if not rings:
        return None
    start = _common_clock(rings)
    calls: list[Call] = []
    sent: dict[_Way, list[_End]] = defaultdict(list)
    received: dict[_Way, list[_End]] = defaultdict(list)
    for (header, events), zero in zip(rings, start, strict=True):
        rank = int(header["rank"])
        for event in events:
            made = Call(
                rank,
                float(event["start"]) - zero,
                float(event["end"]) - zero,
                sites[rank][int(event["call"])],
                int(event["bytes"]),
            )
            peer, tag = int(event["peer"]), int(event["tag"])
            if event["kind"] == _CALL:
                calls.append(made)
            elif event["kind"] == _DEPARTURE:
                sent[rank, peer, tag].append((int(event["posted"]), made))
            else:
                received[peer, rank, tag].append((int(event["posted"]), made))
    kept = sum(len(events) for _, events in rings)
    recorded = sum(int(header["recorded"]) for header, _ in rings)
    messages, unmatched = _matched(sent, received, whole=kept == recorded)
    calls.sort(key=lambda call: (call.rank, call.start))
    return Events(calls, messages, recorded, kept, unmatched)


_Way = tuple[int, int, int]  # sender, receiver, tag
_End = tuple[int, Call]  # number, and the call


def _rings(directory: Path) -> Iterable[tuple[Any, Any]]:
    """The header and the events of each rank, the oldest first."""
    whole = directory / "all-events"
    files = [whole] if whole.is_file() else sorted(directory.glob("events.*"))
    for file in files:
        content, start = file.read_bytes(), 0
        while start + _HEADER.itemsize <= len(content):
            header = numpy.frombuffer(content, _HEADER, 1, start)[0]
            if header["magic"] != _MARK:
                break
            start += _HEADER.itemsize
            recorded = int(header["recorded"])
            events = numpy.frombuffer(content, _EVENT, min(recorded, _MOST), start)
            start += events.nbytes
            yield header, numpy.roll(events, -(recorded % _MOST) if recorded > _MOST else 0)
            if file != whole:
                break


def _common_clock(rings: list[tuple[Any, Any]]) -> list[float]:
    """The moment on each rank's clock that counts as 0: the same one on all."""
    hosts = {bytes(header["host"]) for header, _ in rings}
    if len(hosts) == 1:
        return [min(float(header["origin"]) for header, _ in rings)] * len(rings)
    return [float(header["origin"]) for header, _ in rings]


def _matched(
    sent: dict[_Way, list[_End]], received: dict[_Way, list[_End]], whole: bool
) -> tuple[list[Message], int]:
    """Messages, and the number of ends without another.

    Messages of one tag arrive in the order of their sends, at receives in the order of their posts.
    If the first ones are not there any more, the last ones are the same.
    """
    messages: list[Message] = []
    ends = sum(len(several) for way in (sent, received) for several in way.values())
    for way, left in sent.items():
        out = [call for _, call in sorted(left, key=_number)]
        into = [call for _, call in sorted(received.get(way, []), key=_number)]
        count = min(len(out), len(into))
        if not whole:
            out, into = out[len(out) - count :], into[len(into) - count :]
        messages += [
            Message(sender.bytes, way[2], sender, receiver)
            for sender, receiver in zip(out[:count], into[:count], strict=True)
            if receiver.end >= sender.start
        ]
    return messages, ends - 2 * len(messages)


def _number(end: _End) -> int:
    return end[0]
