"""A schema as a page that people read: every field with its unit, method and source."""

from collections.abc import Iterator
from typing import Any

Definition = dict[str, Any]

_HEAD = (
    "| field | meaning | unit | shape | how it is measured | source |\n|---|---|---|---|---|---|"
)


def markdown(schema: Definition) -> str:
    """The page of a schema whose fields say `unit`, `method`, `source` and `axes`.

    A table for the values of the document itself, one for each of its sections. Method and source
    of a section hold for its fields that have none of their own.
    """
    sections = {
        name: field
        for name, field in schema["properties"].items()
        if _fields(_resolved(field, schema))
    }
    single = {name: field for name, field in schema["properties"].items() if name not in sections}
    lines = [f"# {schema['title']}", "", schema["description"], "", _HEAD]
    lines += [_row(name, field, schema, {}) for name, field in single.items()]
    for name, field in sections.items():
        definition = _resolved(field, schema)
        many = field.get("type") == "array"
        needed = "" if name in schema["required"] else ", absent where it was not measured"
        lines += ["", f"## `{name}`", "", f"{definition['description']}", ""]
        inherited = _inherited(definition)
        said = [f"{'A list' if many else 'One object'}{needed}."]
        said += [f"{key.capitalize()}: {text.rstrip('.')}." for key, text in inherited.items()]
        lines += [" ".join(said), "", _HEAD]
        for place, entry in _fields(definition).items():
            lines += list(_rows(place, entry, schema, inherited))
    return "\n".join(lines) + "\n"


def _inherited(definition: Definition) -> dict[str, str]:
    """What holds for all fields of a section."""
    return {key: text for key, text in definition.items() if key in ("method", "source")}


def _fields(definition: Definition) -> dict[str, Definition]:
    """The fields of an object, or of the objects in a list."""
    inner = definition.get("items", {}) if definition.get("type") == "array" else definition
    fields: dict[str, Definition] = inner.get("properties", {})
    return fields


def _resolved(field: Definition, schema: Definition) -> Definition:
    """A field with what it refers to; its own words first."""
    if "$ref" not in field:
        return field
    name = field["$ref"].removeprefix("#/$defs/")
    if name.startswith("urn:"):  # another document, whole: urn:lapwing:schema:NAME:1
        name = name.split(":")[-2]
    return {**schema["$defs"][name], **field}


def _rows(
    name: str, field: Definition, schema: Definition, inherited: dict[str, str]
) -> Iterator[str]:
    definition = _resolved(field, schema)
    if below := _fields(definition):
        own = _inherited(definition)
        for place, entry in below.items():
            yield from _rows(f"{name}.{place}", entry, schema, {**inherited, **own})
    else:
        yield _row(name, definition, schema, inherited)


def _row(name: str, field: Definition, schema: Definition, inherited: dict[str, str]) -> str:
    shape = "".join(f"[{axis}]" for axis in field.get("axes", ()))
    if not shape:
        shape = {"array": "list", "object": "by name"}.get(str(field.get("type")), "")
    said = {**inherited, **field}
    cells = [
        f"`{name}`",
        field["description"],
        field.get("unit", ""),
        shape,
        said.get("method", ""),
        said.get("source", ""),
    ]
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
