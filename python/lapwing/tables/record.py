"""What a recording says: of its run, and record by record."""

from typing import Any

from rich.console import RenderableType

from ..results.call_site import site_name
from ..units import printable, show_seconds, show_size
from .layout import facts, warnings


def record_tables(description: dict[str, Any], path: str, size: int) -> list[RenderableType]:
    """The run, and the file. size: bytes of the file."""
    calls = description["calls"]
    each = f", {description['bytes'] / calls:.1f} B a call" if calls else ""
    return [
        facts(
            _title(description),
            [
                ("ranks", str(description["ranks"])),
                ("calls", str(calls)),
                ("time", show_seconds(description["time"]["seconds"])),
                ("file", f"{path}, {show_size(size)}{each}"),
            ],
        ),
        *warnings([*_doubts(description), *_converted(description).get("notes", [])]),
    ]


def _converted(description: dict[str, Any]) -> dict[str, Any]:
    """The lines about the trace behind the recording, if there is one."""
    found: dict[str, Any] = description.get("converted", {})
    return found


def _title(description: dict[str, Any]) -> str:
    trace = _converted(description)
    if trace:
        return printable(f"{trace['file']} ({trace['from']})")
    return printable(" ".join(description["command"]))


def line_of(record: dict[str, Any], sites: list[dict[str, Any]]) -> str:
    """A record as one line. sites: the call sites of its rank."""
    kind = record["kind"].replace("_", " ")
    if kind == "communicator":
        runs = " ".join(_run(*run) for run in record["members"])
        return f"communicator {record['communicator']}: context {record['context']:016x}, {runs}"
    computed = f"{show_seconds(record['computed'] * 1e-9)} computed, "
    if kind == "finish":
        return f"{computed}finish"
    parts = [kind if "collective" not in record else kind.replace("collective", "").strip()]
    parts.append(record.get("collective", ""))
    parts += _what(record)
    where = ""
    if record["site"] < len(sites):
        site = sites[record["site"]]
        where = f", {site_name(site)}"
    said = " ".join(part for part in parts if part)
    return f"{computed}{said}, {show_seconds(record['duration'] * 1e-9)}{where}"


def _what(record: dict[str, Any]) -> list[str]:
    """The parts of a line that depend on a record's kind."""
    parts = []
    if record.get("communicator"):
        parts.append(f"in {record['communicator']}")
    for name, way in (("sent", "to"), ("received", "from")):
        if name in record:
            end = record[name]
            parts.append(f"{way} {_peer(end['peer'])} tag {_any(end['tag'])} {end['bytes']} B")
    if "collective" in record:
        parts.append(f"root {record['root']} {record['bytes']} B")
    if "blocks" in record:
        parts.append("of " + " ".join(map(str, record["blocks"])))
    if "request" in record:
        parts.append(f"request {record['request']}")
    if "requests" in record:
        parts.append("requests " + " ".join(map(str, record["requests"])))
    return parts


def _run(first: int, stride: int, count: int) -> str:
    """Ranks at equal distances: `3`, `0 to 7`, `0 to 6 by 2`."""
    last = first + stride * (count - 1)
    by = "" if stride == 1 else f" by {stride}"
    return str(first) if count == 1 else f"{first} to {last}{by}"


def _peer(peer: int) -> str:
    return "nobody" if peer == -2 else _any(peer)


def _any(number: int) -> str:
    return "any" if number == -1 else str(number)


def _doubts(description: dict[str, Any]) -> list[str]:
    said = []
    if description["exit_status"] != 0:
        said.append(f"the program ended with status {description['exit_status']}")
    if not description["finished"]:
        said.append(
            "not every rank reached MPI_Finalize: the recording is what they did until then"
        )
    if description["lost"]:
        said.append(
            f"{description['lost']} calls found no room, on the disk or in a table: they are "
            "left out"
        )
    return said
