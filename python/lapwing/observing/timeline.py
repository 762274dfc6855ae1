"""The time line of an observed run: a part of it for the document, and all of it as a trace."""

import json
import re
from collections import defaultdict
from typing import Any

from ..errors import LapwingError
from ..results.call_site import call_site
from .events import Call, Events

# Routines that return while what they do is under way, or look whether it is complete.
_AT_ONCE = re.compile(r"MPI_(I[a-z]|\w+_init$|Start|Test|Request_free)")
# Ranks, and calls of each of them, that a figure can show apart.
_MOST_RANKS = 24
_MOST_CALLS = 80
# Viewers take little more.
_MOST_OF_A_TRACE = 1_000_000


def kind_of(routine: str) -> str:
    """What a rank does in a routine: `initiation`, or else it is `exposed` to communication."""
    return "initiation" if _AT_ONCE.match(routine) else "exposed"


def timeline(events: Events, calls: list[dict[str, Any]]) -> dict[str, Any]:
    """A part of the run that a figure can show, for a document: the middle of what was kept.

    calls: the call sites of the document.
    """
    shown = sorted({call.rank for call in events.calls})[:_MOST_RANKS]
    begin, end = _middle([call for call in events.calls if call.rank in shown])
    intervals = [
        {"rank": rank, "start": start, "end": stop, "what": what, "call": call}
        for rank, start, stop, what, call in _intervals(events.calls, calls)
        if rank in shown and stop >= begin and start <= end
    ]
    return {
        "recorded": events.recorded,
        "kept": events.kept,
        "unmatched": events.unmatched,
        "ranks": len(shown),
        "begin": begin,
        "end": end,
        "intervals": intervals,
        "messages": [
            {
                "from": message.sender.rank,
                "to": message.receiver.rank,
                "sent": message.sender.start,
                "arrived": message.receiver.end,
                "bytes": message.bytes,
                "tag": message.tag,
            }
            for message in events.messages
            if message.sender.rank in shown
            and message.receiver.rank in shown
            and message.receiver.end >= begin
            and message.sender.start <= end
        ],
    }


def trace(events: Events, calls: list[dict[str, Any]]) -> str:
    """All events that were kept, as a document for Perfetto: calls, computation, and messages."""
    made: list[dict[str, Any]] = []
    for rank in sorted({call.rank for call in events.calls}):
        made.append(_meta("process_name", rank, {"name": f"rank {rank}"}))
        made.append(_meta("process_sort_index", rank, {"sort_index": rank}))
    if len(events.calls) + 2 * len(events.messages) > _MOST_OF_A_TRACE:
        raise LapwingError(
            f"--trace: {len(events.calls):,} calls are more than viewers take; run fewer ranks"
        )
    for rank, start, end, what, call in _intervals(events.calls, calls):
        arguments = {} if call is None else {"place": call_site(calls[call]), "what": what}
        name = what if call is None else str(calls[call]["routine"])
        made.append(_busy(name, rank, start, end - start, arguments))
    for number, message in enumerate(events.messages):
        made.append(_flow("s", number, message.sender, message.sender.start))
        made.append(_flow("f", number, message.receiver, message.receiver.end))
        made[-2]["args"] = {"bytes": message.bytes, "to": message.receiver.rank}
        made[-1]["args"] = {"bytes": message.bytes, "from": message.sender.rank}
    return json.dumps({"lapwing": "trace", "displayTimeUnit": "ns", "traceEvents": made}) + "\n"


_Interval = tuple[int, float, float, str, int | None]


def _intervals(several: list[Call], calls: list[dict[str, Any]]) -> list[_Interval]:
    """Rank, start, end, what and call site of all calls, and of the computation between them."""
    found: list[_Interval] = []
    before: dict[int, float] = defaultdict(float)
    for call in several:
        free = before[call.rank]
        if call.rank in before and call.start > free:
            found.append((call.rank, free, call.start, "computation", None))
        found.append(
            (call.rank, call.start, call.end, kind_of(calls[call.call]["routine"]), call.call)
        )
        before[call.rank] = max(free, call.end)
    return found


def _middle(several: list[Call]) -> tuple[float, float]:
    """Begin and end of the middle part, of no more intervals than a figure shows."""
    ordered = sorted(several, key=lambda call: call.start)
    if not ordered:
        return 0.0, 0.0
    most = _MOST_CALLS * len({call.rank for call in several})
    first = max(0, (len(ordered) - most) // 2)
    part = ordered[first : first + most]
    return part[0].start, max(call.end for call in part)


def _meta(name: str, rank: int, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "ph": "M", "pid": rank, "args": arguments}


def _busy(
    name: str, rank: int, start: float, length: float, arguments: dict[str, Any]
) -> dict[str, Any]:
    return {
        "name": name,
        "ph": "X",
        "pid": rank,
        "tid": 0,
        "ts": 1e6 * max(0.0, start),
        "dur": 1e6 * max(0.0, length),
        "args": arguments,
    }


def _flow(phase: str, number: int, call: Call, moment: float) -> dict[str, Any]:
    """One end of an arrow, within the interval of a call."""
    made = {
        "name": "message",
        "cat": "message",
        "ph": phase,
        "id": number,
        "pid": call.rank,
        "tid": 0,
        "ts": 1e6 * max(0.0, moment),
        "args": {},
    }
    # Such an arrow ends at the interval that it ends in, not at the next one.
    return {**made, "bp": "e"} if phase == "f" else made
