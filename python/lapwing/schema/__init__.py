"""The published JSON Schemas of the documents that others read."""

import json
from pathlib import Path
from typing import Any

NAMES = [
    "profile",
    "plan",
    "sensitivity",
    "sweep",
    "sweeps",
    "diff",
    "doctor",
    "compress",
    "compress-sweep",
    "validate",
    "predict",
    "ft",
    "fft",
    "simulate",
    "tune",
    "observe",
    "report",
    "plot",
]


def schema(name: str) -> dict[str, Any]:
    """The schema of a document, complete: what it refers to is among its definitions."""
    read = _read(name)
    if name in ("sweep", "observe"):
        read["$defs"] = {"plan": _read("plan"), **read.get("$defs", {})}
    if name == "sweeps":
        read["$defs"] = {"sweep": schema("sweep")}
    return read


def _read(name: str) -> dict[str, Any]:
    file = Path(__file__).parent / f"{name}.schema.json"
    read: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return read
