"""Merging profiles that were measured on the same machine."""

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]

# Measured together, and the basis of all else: taken from one profile.
CORE = (
    "fingerprint",
    "clock_ratio",
    "loggp",
    "error",
    "overhead",
    "bandwidth",
    "progress",
    "nic",
    "in_order_up_to",
    "queue_depth",
    "queue_depth_reason",
)
# Each is taken whole from one profile.
_SINGLE = ("latency", "plogp", "log3p", "protocol", "topology", "collectives", "algorithms")
# Lists whose entries are merged, with the fields that identify an entry.
KEYS = {"operations": ("transport", "name"), "pairs": ("name",), "patterns": ("pattern",)}
# In the order in which a profile is written.
_ORDER = (
    *("lapwing", "schema_version", "machine", *CORE, *_SINGLE, *KEYS, "kernels", "environment"),
    "imported",
)

_FROM = "from "
_UNDATED = "an unknown date"
_COMMAND = "command of "
_PLACE = re.compile(r"(\w+)(?:\[(\d+)\])?")


@dataclass(frozen=True)
class _Part:
    """A piece of a profile that is kept or dropped as a whole.

    kind: section, or "core".  key: what tells it apart in its list, "" elsewhere.
    rank: the greater, the better.  command: how it was measured.
    notes: places in it that were interpolated, without its own place in a list.
    imported: what the profile says of its imported tables, their places without its own in a list.
    environment: that it was measured in, where somebody looked.
    """

    kind: str
    key: str
    content: Any
    rank: tuple[bool, bool, str]
    command: str
    notes: tuple[str, ...] = ()
    imported: tuple[Document, ...] = ()
    environment: Document | None = None

    @property
    def date(self) -> str:
        """When it was measured; "" if unknown."""
        return self.rank[2]

    @property
    def name(self) -> str:
        """Its name in the section `machine`: "plogp", "operations rma put"."""
        return f"{self.kind} {self.key}".rstrip()


def merge(profiles: Sequence[Document], *, prefer: int | None = None) -> Document:
    """The profile document with everything that any of `profiles` holds.

    If several profiles measured the same, the later `machine.date` wins, or `profiles[prefer]`; of
    equal dates, the first. LogGP and the tables measured with it stay together. A profile whose
    `machine.parts` names "loggp" wins over one that measured them only in passing, whatever the
    dates. `machine` comes from the profile that LogGP comes from; its entries "from DATE" name the
    parts from another profile, "command of DATE" how that was measured. Warnings are united. The
    arguments are not changed.
    """
    kept: dict[tuple[str, str], _Part] = {}
    for place, profile in enumerate(profiles):
        for part in _parts(profile, preferred=place == prefer):
            known = kept.get((part.kind, part.key))
            if known is None or part.rank > known.rank:
                # Assigning to a key that exists keeps its place, the first one's.
                kept[part.kind, part.key] = part
    return _document(list(kept.values()), profiles)


def _parts(profile: Document, preferred: bool = False) -> list[_Part]:
    machine: dict[str, str] = profile["machine"]
    made = machine.get("parts", "")
    deliberate = not made or "loggp" in re.split(r"[,\s]+", made)
    own = machine.get("date", "")
    dates = {
        name: entry.removeprefix(_FROM).removesuffix(_UNDATED)
        for entry, names in machine.items()
        if entry.startswith(_FROM)
        for name in names.split(", ")
    }
    notes = _by_piece(profile.get("interpolated", []))
    tables = {each["table"]: each for each in profile.get("imported", [])}
    imported = _by_piece(list(tables))

    def part(kind: str, key: str, content: Any, place: int | None = None) -> _Part:
        date = dates.get(f"{kind} {key}".rstrip(), own)
        command = machine.get("command" if date == own else _COMMAND + (date or _UNDATED), "")
        rank = (preferred, deliberate if kind == "core" else True, date)
        environment = profile.get("environment", {}).get(_measuring(kind))
        noted = tuple(notes.get((kind, place), ()))
        own_place = f"{kind}[{place}]" if place is not None else ""
        came = tuple(
            tables[own_place + table] | {"table": table}
            for table in imported.get((kind, place), ())
        )
        return _Part(kind, key, content, rank, command, noted, came, environment)

    core = {name: profile[name] for name in CORE if name in profile}
    core["machine"] = {
        name: text for name, text in machine.items() if not name.startswith((_FROM, _COMMAND))
    }
    found = [part("core", "", core)]
    found += [part(name, "", profile[name]) for name in _SINGLE if profile.get(name) is not None]
    for name, key in KEYS.items():
        for place, entry in enumerate(profile.get(name, [])):
            found.append(part(name, " ".join(entry[field] for field in key), entry, place))
    found += [part("kernels", name, rate) for name, rate in profile.get("kernels", {}).items()]
    return found


def _measuring(kind: str) -> str:
    """The part of a calibration that measures a kind of piece."""
    return "loggp" if kind == "core" else kind


def _by_piece(places: Sequence[str]) -> dict[tuple[str, int | None], list[str]]:
    """Places in tables by the piece that they are in: a section, and an index for lists."""
    notes: dict[tuple[str, int | None], list[str]] = {}
    for text in places:
        match = _PLACE.match(text)
        section = match[1] if match else ""
        if match and match[2] and section in KEYS:
            notes.setdefault((section, int(match[2])), []).append(text[match.end() :])
        else:
            kind = section if section in _SINGLE else "core"
            notes.setdefault((kind, None), []).append(text)
    return notes


def _document(parts: list[_Part], profiles: Sequence[Document]) -> Document:
    core = next(part for part in parts if part.kind == "core")
    merged: Document = {
        "lapwing": "profile",
        "schema_version": profiles[0]["schema_version"],
        **core.content,
    }
    merged["machine"] = {**core.content["machine"], **_origins(parts, core.date)}
    for part in parts:
        if part.kind in KEYS:
            merged.setdefault(part.kind, []).append(part.content)
        elif part.kind == "kernels":
            merged.setdefault("kernels", {})[part.key] = part.content
        elif part.kind != "core":
            merged[part.kind] = part.content
    environment = {
        _measuring(part.kind): part.environment
        for part in parts
        # Of lists the entries are of several measurements.
        if part.environment and part.kind in ("core", *_SINGLE)
    }
    if environment:
        merged["environment"] = environment
    merged = {name: merged[name] for name in _ORDER if name in merged}
    interpolated: list[str] = []
    imported: list[Document] = []
    places: dict[str, int] = {}
    for part in sorted(parts, key=lambda part: _ORDER.index(_section(part))):
        place = places.get(part.kind, 0)
        places[part.kind] = place + 1
        prefix = f"{part.kind}[{place}]" if part.kind in KEYS else ""
        interpolated += [prefix + note for note in part.notes]
        imported += [each | {"table": prefix + each["table"]} for each in part.imported]
    if imported:
        merged["imported"] = imported
    if interpolated:
        merged["interpolated"] = interpolated
    if any("warnings" in profile for profile in profiles):
        merged["warnings"] = _united([profile.get("warnings", []) for profile in profiles])
    return copy.deepcopy(merged)


def _section(part: _Part) -> str:
    return CORE[0] if part.kind == "core" else part.kind


def _origins(parts: list[_Part], own: str) -> dict[str, str]:
    """The entries of `machine` that name pieces of another date than LogGP's."""
    origins: dict[str, str] = {}
    for date in sorted({part.date for part in parts if part.date != own}):
        others = [part for part in parts if part.date == date]
        when = date or _UNDATED
        origins[_FROM + when] = ", ".join(sorted(part.name for part in others))
        command = next((part.command for part in others if part.command), "")
        if command:
            origins[_COMMAND + when] = command
    return origins


def _united(lists: list[list[str]]) -> list[str]:
    """All lines of the lists, each once, in the order of their first appearance."""
    lines: list[str] = []
    for more in lists:
        known = set(lines)
        lines += [line for line in more if line not in known]
    return lines
