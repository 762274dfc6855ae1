"""Entries of documents as flat rows: nested fields by names with dots."""

from collections.abc import Iterator
from typing import Any

SECONDS = "s"


def flatten(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry without nested fields: `{"run": {"seconds": 1, "error": 0.1}}` is `run` and
    `run.error`. Lists are left out, and of another document all but its time."""
    return dict((name, value) for name, value, _ in _columns(entry, ""))


def units(entry: dict[str, Any]) -> dict[str, str]:
    """The units of the columns that have one."""
    return {name: unit for name, _, unit in _columns(entry, "") if unit}


def at(document: dict[str, Any], path: str) -> Any:
    """The field of a document by its name with dots; None if there is none."""
    value: Any = document
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _columns(entry: dict[str, Any], before: str) -> Iterator[tuple[str, Any, str]]:
    timed = "seconds" in entry
    for name, value in entry.items():
        path = before + name
        if timed and name == "seconds":
            yield before.removesuffix(".") or name, value, SECONDS
        elif isinstance(value, dict):
            # Of a document within a document only its time: it is a result by itself.
            whole = "lapwing" not in value
            nested = value if whole else {k: value[k] for k in ("seconds", "error") if k in value}
            yield from _columns(nested, f"{path}.")
        elif not isinstance(value, list):
            yield path, value, SECONDS if timed and name in ("low", "high") else ""
