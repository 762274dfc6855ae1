"""Traces of PyTorch's profiler (Kineto): the kernels of a rank's device, and what they say."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import LapwingError
from .packed import BAD_PACKING, beginning, open_packed

_BEGINNING = 1 << 16  # bytes that tell what a file is
_WAITS = ("cudaStreamWaitEvent", "hipStreamWaitEvent")
_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")

# Bytes of an element, by the type that PyTorch names.
_ELEMENTS = {
    **dict.fromkeys(("byte", "char", "bool"), 1),
    **dict.fromkeys(("half", "bfloat16", "short"), 2),
    **dict.fromkeys(("float", "int"), 4),
    **dict.fromkeys(("double", "long", "complexfloat"), 8),
    "complexdouble": 16,
}


class BadEvent(Exception):
    """What is wrong with an event."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """Something that a device did. Times are nanoseconds.

    event: its number in the file. correlation: kernels are launched in the order of these numbers.
    arguments: of a collective what it is; None if it computes.
    """

    event: int
    name: str
    begin: int
    end: int
    stream: int
    correlation: int
    arguments: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class StreamWait:
    """A stream waits for what another was given before: both by numbers of correlation."""

    stream: int
    correlation: int
    other: int
    recorded: int


@dataclass
class Trace:
    """What a file holds. rank: None if it does not say; ranks: 0 then.

    host_waits: the numbers of correlation of calls that let some stream wait.
    """

    kernels: list[Kernel]
    waits: list[StreamWait]
    host_waits: list[int]
    rank: int | None
    ranks: int


def recognise(file: Path) -> bool:
    """Whether a file begins as the profiler's do."""
    text = beginning(file, _BEGINNING)
    return text.lstrip()[:1] == b"{" and (b'"traceEvents"' in text or b'"schemaVersion"' in text)


def load(file: Path) -> Trace:
    """Read a file. Raises LapwingError if it cannot be read, or an event of it."""
    try:
        with open_packed(file) as content:
            document = json.load(content)
    except BAD_PACKING:
        raise LapwingError(f"{file}: it is cut off, or no gzip file") from None
    except (ValueError, RecursionError) as error:
        raise LapwingError(f"{file}: it is cut off, or no JSON: {error}") from None
    events = document.get("traceEvents") if isinstance(document, dict) else None
    if not isinstance(events, list):
        raise LapwingError(f"{file}: has no list of traceEvents")
    told = document.get("distributedInfo")
    told = told if isinstance(told, dict) else {}
    trace = Trace([], [], [], told.get("rank"), told.get("world_size", 0))
    if not (trace.rank is None or isinstance(trace.rank, int)) or not isinstance(trace.ranks, int):
        raise LapwingError(f"{file}: its distributedInfo has no numbers")
    said = _said_by_host(events)
    for number, event in enumerate(events):
        try:
            _take(trace, number, event, said)
        except BadEvent as error:
            raise LapwingError(f"{file}: event {number}: {error}") from None
    trace.host_waits.sort()
    trace.kernels.sort(key=lambda kernel: (kernel.begin, kernel.event))
    return trace


def element(arguments: dict[str, Any]) -> int:
    """Bytes of an element of a collective's message."""
    name = str(arguments.get("dtype", "")).strip('"').lower()
    if name.startswith("float8"):
        return 1
    if name not in _ELEMENTS:
        raise BadEvent(f"has a dtype that is not known, '{name}'")
    return _ELEMENTS[name]


def whole(arguments: dict[str, Any], name: str) -> int:
    """A number that is 0 or more. Raises BadEvent."""
    try:
        value = int(arguments[name])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise BadEvent(f"has no '{name}', or one that is no number") from None
    if value < 0:
        raise BadEvent(f"has a '{name}' of {value}")
    return value


def numbers(arguments: dict[str, Any], name: str) -> list[int]:
    """A list of numbers, which may be written as a text."""
    value = arguments.get(name, [])
    found = re.findall(r"-?\d+", value) if isinstance(value, str) else value
    try:
        return [int(each) for each in found]
    except (TypeError, ValueError):
        raise BadEvent(f"has a '{name}' that is no list of numbers") from None


def members(arguments: dict[str, Any]) -> tuple[int, ...]:
    """The ranks of a collective's group; the profiler leaves the middle of a long list out."""
    size = whole(arguments, "Group size")
    listed = numbers(arguments, "Process Group Ranks")
    if len(listed) != size:
        cut = "..." in str(arguments.get("Process Group Ranks", ""))
        if not cut or len(listed) < 3:
            raise BadEvent(f"has a group of {size} ranks and lists {len(listed)}")
        stride = listed[1] - listed[0]
        full = [listed[0] + stride * each for each in range(size)]
        if full[: len(listed) - 1] != listed[:-1] or full[-1] != listed[-1]:
            raise BadEvent(f"has a group of {size} ranks, of which the trace leaves some out")
        listed = full
    if len(set(listed)) < len(listed):
        raise BadEvent("has a group with a rank that is there twice")
    return tuple(listed)


def _said_by_host(events: list[Any]) -> dict[Any, dict[str, Any]]:
    """What the host said of collectives that it started, by the id that their kernels have, too."""
    said = {}
    for event in events:
        if isinstance(event, dict) and event.get("name") == "record_param_comms":
            arguments = event.get("args")
            if isinstance(arguments, dict) and "Collective name" in arguments:
                said[arguments.get("External id")] = arguments
    return said


def _take(trace: Trace, number: int, event: Any, said: dict[Any, dict[str, Any]]) -> None:
    """Keep an event if it is one of the device's."""
    if not isinstance(event, dict):
        raise BadEvent("is no object")
    if event.get("ph") != "X" or event.get("cat") not in (*_DEVICE, "cuda_sync", "cuda_runtime"):
        return
    arguments = event.get("args")
    if event["cat"] == "cuda_runtime":
        if event.get("name") in _WAITS and isinstance(arguments, dict):
            trace.host_waits.append(whole(arguments, "correlation"))
        return
    if not isinstance(arguments, dict):
        raise BadEvent("has no args")
    if event["cat"] == "cuda_sync":
        if event.get("name") == "Stream Wait Event" and "wait_on_stream" in arguments:
            names = ("stream", "correlation", "wait_on_stream", "wait_on_cuda_event_record_corr_id")
            values = [arguments[name] for name in names if isinstance(arguments.get(name), int)]
            if len(values) == len(names) and min(values) >= 0:
                trace.waits.append(StreamWait(*values))
        return
    begin, duration = _nanoseconds(event, "ts"), _nanoseconds(event, "dur")
    name = str(event.get("name", ""))
    about: dict[str, Any] | None = None
    if "nccl" in name.lower() and event["cat"] == "kernel":
        about = arguments
        if "Collective name" not in arguments:
            about = said.get(arguments.get("External id"))
        if about is None:
            raise BadEvent("is a kernel of NCCL without 'Collective name'")
    trace.kernels.append(
        Kernel(
            number,
            name,
            begin,
            begin + duration,
            whole(arguments, "stream"),
            whole(arguments, "correlation"),
            about,
        )
    )


def _nanoseconds(event: dict[str, Any], name: str) -> int:
    value: Any = event.get(name)
    try:
        found = round(float(value) * 1000)
    except (TypeError, ValueError, OverflowError):
        raise BadEvent(f"has no '{name}', or one that is no time") from None
    if found < 0:
        raise BadEvent(f"has a '{name}' of {value}")
    return found
