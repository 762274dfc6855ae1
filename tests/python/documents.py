"""Checking documents against their schemas, and reading the profiles in tests/data."""

import json
from pathlib import Path
from typing import Any

import jsonschema

from lapwing import _core
from lapwing.schema import resolved, schema

DATA = Path(__file__).parents[1] / "data" / "profiles"


def kept(name: str) -> Any:
    """A document in tests/data/profiles."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def upgraded(name: str) -> Any:
    """A profile of an earlier version in tests/data/profiles, in the present form."""
    return json.loads(_core.upgraded_profile(json.dumps(kept(name))))


def described(definition: dict, value: object, root: dict, where: str = "") -> None:
    """Assert that every field of `value` is in the schema with a description."""
    definition, root = resolved(definition, root)
    if value is not None and "oneOf" in definition:  # null, or what it is otherwise
        there = [each for each in definition["oneOf"] if each.get("type") != "null"]
        definition, root = resolved(there[0], root)
    if isinstance(value, dict):
        for key, below in value.items():
            field = definition.get("properties", {}).get(key) or definition.get(
                "additionalProperties"
            )
            assert field, f"{where}.{key} is not in the schema"
            assert resolved(field, root)[0].get("description"), f"{where}.{key} has no description"
            described(field, below, root, f"{where}.{key}")
    elif isinstance(value, list) and isinstance(definition.get("items"), dict):
        for below in value:
            described(definition["items"], below, root, f"{where}[]")


def check(name: str, document: dict) -> None:
    """Assert that a document follows its schema and has no field that the schema lacks."""
    definition = schema(name)
    jsonschema.Draft202012Validator.check_schema(definition)
    jsonschema.Draft202012Validator(definition).validate(document)
    described(definition, document, definition)
