"""What changed between two profiles."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..schema import schema

Document = dict[str, Any]

THRESHOLD = 0.05
# What is less than this is a number written differently.
_NOTHING = 5e-4

# An axis that was measured itself is compared too.
_CHOSEN = "Chosen, not measured."

# How an axis is written in the name of an entry.
_AXES = {"sizes": "S", "bursts": "b", "strides": "d", "processes": "P", "switches": "S"}
_IN_BYTES = ("sizes", "strides", "switches")
# What says of the measurement how well it went, and of the document what it is.
_PASSED_OVER = (
    "lapwing",
    "schema_version",
    "machine",
    "fingerprint",
    "error",
    "queue_depth_reason",
    "interpolated",
    "warnings",
)


class _Value(NamedTuple):
    """A number or a word out of a profile, in its unit as the schema names it."""

    value: Any
    unit: str


def diff(a: Document, b: Document, threshold: float = THRESHOLD) -> Document:
    """What differs from profile document `a` to `b`: a document, as its schema describes it.

    threshold: relative change from which on an entry is listed, where its own error is not known.
    LogGP parameters are listed where they differ by more than the errors of both. Tables are
    compared where both have an entry for the same size, burst and so on.
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
    """What is to say of a value that was `a` and is `b`; None where it is the same."""
    found = {"a": a, "b": b, "unit": unit}
    if not (isinstance(a, int | float) and isinstance(b, int | float)):
        return found if a != b else None
    # Shares change by points, all else in relation to what it was.
    scale = 1 if unit == "ratio" else abs(a)
    if abs(b - a) <= max(limit, _NOTHING) * scale:
        return None
    return {**found, "allowed": limit, **({"change": (b - a) / scale} if scale else {})}


def _errors(a: Document, b: Document) -> dict[tuple[str, str], float]:
    """What the errors of both allow each LogGP parameter to change, relative to `a`'s."""
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
    """Every value of a profile by its section and its name there: ("overhead", "send S=8 B b=1").

    Sections and tables are as the schema describes them.
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
            # Reasons and names are words about what is compared itself.
            yield (section, f"{prefix}{name}"), _Value(content, unit)


def _key(definition: Document, entry: Document) -> str:
    """What tells an entry of a list apart, in words: "rma put", "both 0.5", "both 1 independent"."""
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
    """Bytes, not rounded: it tells entries apart."""
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
    """Sections that only `ours` has."""
    there = {section for section, _ in theirs}
    return list(dict.fromkeys(section for section, _ in ours if section not in there))
