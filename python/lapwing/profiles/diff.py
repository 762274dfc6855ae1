"""What changed between two profiles."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..schema import schema

Document = dict[str, Any]

THRESHOLD = 0.05
# A smaller relative change comes from writing the number with other digits.
_NOTHING = 5e-4

# Axes that are measured results are compared as well.
_CHOSEN = "Chosen, not measured."

# The letter of an axis in the name of an entry.
_AXES = {"sizes": "S", "bursts": "b", "strides": "d", "processes": "P", "switches": "S"}
_IN_BYTES = ("sizes", "strides", "switches")
# Not compared: how well the measurement went, and what the document is.
_PASSED_OVER = (
    "lapwing",
    "schema_version",
    "machine",
    "fingerprint",
    "error",
    "queue_depth_reason",
    "imported",
    "interpolated",
    "warnings",
)


class _Value(NamedTuple):
    """A number or a word from a profile, with the unit that the schema names."""

    value: Any
    unit: str


def diff(a: Document, b: Document, threshold: float = THRESHOLD) -> Document:
    """The document of what differs from the profile document `a` to `b`.

    threshold: relative change from which an entry is listed if its error is unknown. A LogGP
    parameter is listed if it differs by more than the errors of both profiles. Tables are compared
    at the sizes, bursts and so on that both have.
    """
    ours, theirs = dict(_entries(a)), dict(_entries(b))
    allowed = _errors(a, b)
    changes = []
    for place, (value, unit) in ours.items():
        if place not in theirs:
            continue
        change = _change(value, theirs[place].value, unit, allowed.get(place, threshold))
        if change is not None:
            changes.append({"section": place[0], "entry": place[1], **change})
    return {
        "lapwing": "diff",
        "threshold": threshold,
        "compared": len(ours.keys() & theirs.keys()),
        "machine": _machine(a["machine"], b["machine"]),
        "changes": changes,
        "only_a": _sections_without(ours, theirs),
        "only_b": _sections_without(theirs, ours),
    }


def _change(a: Any, b: Any, unit: str, limit: float) -> Document | None:
    """The change of a value from `a` to `b`; None if it is below the limit."""
    found = {"a": a, "b": b, "unit": unit}
    if not (isinstance(a, int | float) and isinstance(b, int | float)):
        return found if a != b else None
    # Shares change by their difference, all else relative to `a`.
    scale = 1 if unit == "ratio" else abs(a)
    if abs(b - a) <= max(limit, _NOTHING) * scale:
        return None
    return {**found, "allowed": limit, **({"change": (b - a) / scale} if scale else {})}


def _errors(a: Document, b: Document) -> dict[tuple[str, str], float]:
    """By how much each LogGP parameter may differ within the errors of both, relative to `a`."""
    allowed = {}
    for (section, ours), (_, theirs) in _pairs_of_loggp(a, b):
        for name, value in ours["loggp"].items():
            if "error" not in ours or "error" not in theirs or not value:
                continue
            other = theirs["loggp"][name] * theirs["error"][name]
            entry = name if section == "loggp" else f"loggp {name}"
            allowed[section, entry] = ours["error"][name] + other / value
    return allowed


def _pairs_of_loggp(a: Document, b: Document) -> Iterator[tuple[tuple[str, Document], ...]]:
    yield ("loggp", a), ("loggp", b)
    theirs = {pair["name"]: pair for pair in b.get("pairs", [])}
    for pair in a.get("pairs", []):
        if pair["name"] in theirs:
            section = f"pairs {pair['name']}"
            yield (section, pair), (section, theirs[pair["name"]])


def _entries(document: Document) -> Iterator[tuple[tuple[str, str], _Value]]:
    """Every value of a profile, by its section and its name: ("overhead", "send S=8 B b=1").

    The schema tells sections from tables.
    """
    whole = schema("profile")
    for name, definition in whole["properties"].items():
        if name in _PASSED_OVER or name not in document:
            continue
        value = document[name]
        if isinstance(value, list):
            for entry in value:
                yield from _section(
                    f"{name} {_key(definition, entry)}", definition["items"], entry, whole
                )
        elif isinstance(value, dict):
            yield from _section(name, definition, value, whole)
        else:
            yield (name, ""), _Value(value, definition["unit"])


def _section(
    section: str, definition: Document, value: Document, whole: Document, prefix: str = ""
) -> Iterator[tuple[tuple[str, str], _Value]]:
    if "$ref" in definition:
        definition = whole["$defs"][definition["$ref"].rpartition("/")[2]]
    fields = definition.get("properties", {})
    axes = {axis for field in fields.values() for axis in field.get("axes", ())}
    for name, content in value.items():
        field = fields.get(name, {})
        unit = field.get("unit", definition.get("unit", ""))
        if "axes" in field:
            yield from _table(section, f"{prefix}{name}", unit, field["axes"], content, value)
        elif name in axes:
            if field.get("method") != _CHOSEN:
                yield (section, name), _Value(", ".join(map(_size, content)) or None, "text")
        elif isinstance(content, dict):
            if name not in _PASSED_OVER:
                yield from _section(section, field, content, whole, f"{name} ")
        elif "key" in field:
            for entry in content:
                below = f"{prefix}{name} {_key(field, entry)} "
                yield from _section(section, field["items"], entry, whole, below)
        elif not isinstance(content, list | str):
            # Reasons and names describe other values, which are compared.
            yield (section, f"{prefix}{name}"), _Value(content, unit)


def _key(definition: Document, entry: Document) -> str:
    """The name of an entry of a list: "rma put", "both 0.5", "both 1 independent"."""
    words = []
    for field in definition["key"]:
        value = entry[field]
        if isinstance(value, bool):
            words += [field] if value else []
        else:
            words.append(value if isinstance(value, str) else f"{value:g}")
    return " ".join(words)


def _table(
    section: str, name: str, unit: str, axes: list[str], rows: Any, value: Document
) -> Iterator[tuple[tuple[str, str], _Value]]:
    if not axes:
        yield (section, name), _Value(rows, unit)
        return
    axis, *further = axes
    for position, row in zip(value[axis], rows, strict=True):
        shown = _size(position) if axis in _IN_BYTES else str(position)
        place = f"{name} {_AXES[axis]}={shown}"
        yield from _table(section, place, unit, further, row, value)


def _size(size: int) -> str:
    """Bytes without rounding, so that names differ."""
    for unit, bytes_ in (("MB", 1 << 20), ("KB", 1 << 10)):
        if size % bytes_ == 0:
            return f"{size // bytes_} {unit}"
    return f"{size} B"


def _machine(a: dict[str, str], b: dict[str, str]) -> list[Document]:
    return [
        {"field": name, "a": a.get(name), "b": b.get(name)}
        for name in {**a, **b}
        if a.get(name) != b.get(name)
    ]


def _sections_without(
    ours: dict[tuple[str, str], _Value], theirs: dict[tuple[str, str], _Value]
) -> list[str]:
    """The sections of `ours` that `theirs` does not have."""
    there = {section for section, _ in theirs}
    return list(dict.fromkeys(section for section, _ in ours if section not in there))
