"""A schema as a page for people: every field with its unit, method and source."""

from collections.abc import Iterator

from . import Definition, resolved

_HEAD = "| field | meaning | unit | shape | measurement | source |\n|---|---|---|---|---|---|"


def markdown(schema: Definition) -> str:
    """The page of a schema whose fields say `unit`, `method`, `source` and `axes`.

    The page has a table of the document's own values and one for each section. The method and the
    source of a section hold for its fields that name none.
    """
    fields = {name: resolved(field, schema) for name, field in schema["properties"].items()}
    sections = {name: found for name, found in fields.items() if _fields(found[0])}
    lines = [f"# {schema['title']}", "", schema["description"], "", _HEAD]
    lines += [_row(name, field, {}) for name, (field, _) in fields.items() if name not in sections]
    for name, (definition, whole) in sections.items():
        many = definition.get("type") == "array"
        needed = "" if name in schema.get("required", ()) else "; absent without a measurement"
        lines += ["", f"## `{name}`", "", f"{definition['description']}", ""]
        inherited = _inherited(definition)
        said = [f"{'A list' if many else 'One object'}{needed}."]
        said += [f"{key.capitalize()}: {text.rstrip('.')}." for key, text in inherited.items()]
        lines += [" ".join(said), "", _HEAD]
        for place, entry in _fields(definition).items():
            lines += list(_rows(place, entry, whole, inherited))
    return "\n".join(lines) + "\n"


def _inherited(definition: Definition) -> dict[str, str]:
    """The method and the source of a section, for fields that name none."""
    return {key: text for key, text in definition.items() if key in ("method", "source")}


def _fields(definition: Definition) -> dict[str, Definition]:
    """The fields of an object, or of the objects in a list."""
    inner = definition.get("items", {}) if definition.get("type") == "array" else definition
    fields: dict[str, Definition] = inner.get("properties", {})
    return fields


def _rows(
    name: str, field: Definition, schema: Definition, inherited: dict[str, str]
) -> Iterator[str]:
    definition, schema = resolved(field, schema)
    if below := _fields(definition):
        own = _inherited(definition)
        for place, entry in below.items():
            yield from _rows(f"{name}.{place}", entry, schema, {**inherited, **own})
    else:
        yield _row(name, definition, inherited)


def _row(name: str, field: Definition, inherited: dict[str, str]) -> str:
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
