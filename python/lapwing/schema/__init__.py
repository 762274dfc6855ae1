"""The published JSON Schemas of all documents that Lapwing writes."""

import json
import re
from pathlib import Path
from typing import Any

Definition = dict[str, Any]

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
    "nas",
    "fft",
    "triangulation",
    "simulate",
    "replay",
    "tune",
    "observe",
    "recording",
    "report",
    "plot",
    "trace",
    "demo",
    "sections",
    "benchmarks",
    "machines",
    "mpis",
    "learnt",
    "measurements",
    "fit",
]

# All other documents have a field `provenance`; a profile says it in `machine`.
_NO_PROVENANCE = ("profile", "learnt", "provenance")

_REFERRED = re.compile(r'"\$ref": "urn:lapwing:schema:([a-z-]+):1')


def schema(name: str) -> Definition:
    """The schema of a document, with the schemas that it refers to among its definitions."""
    text = (Path(__file__).parent / f"{name}.schema.json").read_text(encoding="utf-8")
    read: Definition = json.loads(text)
    others = dict.fromkeys(_REFERRED.findall(text))
    if name not in _NO_PROVENANCE:
        others["provenance"] = None
        read["properties"]["provenance"] = {"$ref": "urn:lapwing:schema:provenance:1"}
    if others:
        read["$defs"] = {other: schema(other) for other in others} | read.get("$defs", {})
    return read


def resolved(field: Definition, whole: Definition) -> tuple[Definition, Definition]:
    """A field of the schema `whole` with what it refers to, its own words first.

    Beside it the schema that its references are to be looked up in: another document has its own.
    """
    if "$ref" not in field:
        return field, whole
    document, _, place = field["$ref"].partition("#")
    if document:  # urn:lapwing:schema:NAME:1
        whole = whole["$defs"][document.split(":")[-2]]
    target = whole
    for step in place.split("/")[1:]:
        target = target[step]
    target, whole = resolved(target, whole)
    own = {name: value for name, value in field.items() if name != "$ref"}
    if "properties" in target and "properties" in own:
        own["properties"] = target["properties"] | own["properties"]
    return target | own, whole
